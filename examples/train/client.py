"""A client for `sightline serve`, with Python's standard library alone.

    npx sightline serve space/text --port 8000
    python3 examples/train/client.py http://127.0.0.1:8000
"""
import base64
import json
import sys
import urllib.request


class Environment:
    def __init__(self, url, token=None):
        self.url = url.rstrip("/")
        self.headers = {"Content-Type": "application/json"}
        if token:
            self.headers["Authorization"] = f"Bearer {token}"
        self.messages = []
        self.episode = None

    def reset(self, seed=None):
        """Starts an episode; the same seed is the same episode. Returns the conversation so far."""
        self.messages = []
        return self._take(self._post("/reset", {} if seed is None else {"seed": seed}))[0]

    def step(self, reply):
        """Answers the last message, with a text or the bytes of a video.

        Returns the conversation, the reward and whether the episode is over.
        """
        action = {"text": reply}
        if isinstance(reply, bytes):
            action = {"video": "data:video/mp4;base64," + base64.b64encode(reply).decode()}
        return self._take(self._post("/step", {"action": action, "episode_id": self.episode}))

    def _take(self, result):
        observation = result["observation"]
        self.episode = observation["episode_id"]
        # A suite may go back to an earlier point of the conversation, to ask something else.
        self.messages = self.messages[: observation["kept"]] + observation["messages"]
        self.scores = observation["scores"]
        return self.messages, result["reward"], result["done"]

    def _post(self, path, body):
        request = urllib.request.Request(self.url + path, json.dumps(body).encode(), self.headers)
        with urllib.request.urlopen(request) as response:
            return json.load(response)


if __name__ == "__main__":
    environment = Environment(sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000")
    for seed in range(3):
        messages, done, steps = environment.reset(seed), False, 0
        while not done:
            messages, reward, done = environment.step("FINAL ANSWER: A\nActions: [Term()]")
            steps += 1
        print(f"episode {seed}: {steps} steps, reward {reward:.3f}, scores {environment.scores}")
