"""Reinforcement learning through a served environment: a small transformer learns from rewards alone.

    npx sightline serve examples/bearings.ts -T turns=3 --port 8000
    python3 examples/train/reinforce.py http://127.0.0.1:8000 --task bearings

    npx sightline serve space/text --dense -T rooms=2 -T questions=0 -T steps=8 --port 8000
    python3 examples/train/reinforce.py http://127.0.0.1:8000 --task rooms

It reads the words of the last message and chooses from a menu of replies. `bearings` is one question per episode; in
`rooms` it explores two rooms and is rewarded for what it finds out. The curve goes to a CSV file. Needs PyTorch.
"""
import argparse
import csv
import re
import time
from concurrent.futures import ThreadPoolExecutor

import torch
from torch import nn

from client import Environment

WORDS, VOCABULARY = 64, 512
ACTIONS = ["Observe()", "Rotate(90)", "Rotate(180)", "Rotate(270)", "door", "Term()"]
MENUS = {"bearings": ["north", "east", "south", "west"], "rooms": ACTIONS}
# An episode of rooms is cut short: what is learned is exploring.
MAX_STEPS = {"bearings": 1, "rooms": 12}


def text_of(message):
    content = message["content"]
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


def ids_of(text):
    words = re.findall(r"[a-z]+|\d+", text.lower())[-WORDS:]
    return [1 + sum(ord(c) * 31**i for i, c in enumerate(word)) % (VOCABULARY - 1) for word in words]


def reply_for(task, action, text):
    if task == "bearings":
        return action
    if action == "door":
        # Goes to a door that is in view.
        doors = re.findall(r"\b(\w+ door):", text)
        action = f"JumpTo({doors[-1]}), Observe()" if doors else "Observe()"
    elif action.startswith("Rotate"):
        action = f"{action}, Observe()"
    return f"THINK: next\nFINAL ANSWER: Actions: [{action}]"


class Policy(nn.Module):
    def __init__(self, actions, width=64, layers=2):
        super().__init__()
        self.words = nn.Embedding(VOCABULARY, width)
        self.place = nn.Parameter(torch.randn(WORDS + 1, width) * 0.02)
        self.think = nn.TransformerEncoder(nn.TransformerEncoderLayer(width, 4, 2 * width, 0.0, batch_first=True), layers)
        self.act = nn.Linear(width, actions)
        self.value = nn.Linear(width, 1)

    def forward(self, texts):
        rows = [[0] + ids_of(text) for text in texts]
        longest = max(len(row) for row in rows)
        ids = torch.tensor([row + [0] * (longest - len(row)) for row in rows])
        blank = torch.arange(longest)[None] >= torch.tensor([len(row) for row in rows])[:, None]
        out = self.think(self.words(ids) + self.place[:longest], src_key_padding_mask=blank)[:, 0]
        return self.act(out), self.value(out).squeeze(-1)


def play(policy, environments, task, seeds):
    """Plays an episode in each environment, all at once. Returns what was read, chosen and earned at each step."""
    with ThreadPoolExecutor(len(environments)) as pool:
        messages = list(pool.map(lambda e, s: e.reset(s), environments, seeds))
        live, steps = list(range(len(environments))), [[] for _ in environments]
        for _ in range(MAX_STEPS[task]):
            texts = [text_of(messages[i][-1]) for i in live]
            with torch.no_grad():
                chosen = torch.distributions.Categorical(logits=policy(texts)[0]).sample().tolist()
            replies = [reply_for(task, MENUS[task][a], text) for a, text in zip(chosen, texts)]
            results = list(pool.map(lambda i, reply: environments[i].step(reply), live, replies))
            ended = []
            for i, text, action, (said, reward, done) in zip(live, texts, chosen, results):
                messages[i] = said
                steps[i].append([text, action, reward or 0.0])
                if done or MENUS[task][action] == "Term()":
                    ended.append(i)
            live = [i for i in live if i not in ended]
            if not live:
                break
    return steps


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("url")
    arguments.add_argument("--task", choices=MENUS, default="bearings")
    arguments.add_argument("--episodes", type=int, default=20000)
    arguments.add_argument("--batch", type=int, default=64)
    arguments.add_argument("--seconds", type=float, default=1e9)
    arguments.add_argument("--output", default="rewards.csv")
    given = arguments.parse_args()
    torch.manual_seed(0)
    policy = Policy(len(MENUS[given.task]))
    optimizer = torch.optim.Adam(policy.parameters(), 1e-3)
    environments = [Environment(given.url) for _ in range(given.batch)]
    start, smooth = time.time(), None
    with open(given.output, "w", newline="") as file:
        curve = csv.writer(file)
        curve.writerow(["episode", "reward", "seconds"])
        for first in range(0, given.episodes, given.batch):
            if time.time() - start > given.seconds:
                break
            steps = play(policy, environments, given.task, range(first, first + given.batch))
            texts, actions, returns = [], [], []
            for episode in steps:
                total = 0.0
                for text, action, reward in reversed(episode):
                    total += reward
                    texts.append(text)
                    actions.append(action)
                    returns.append(total)
            logits, values = policy(texts)
            returns = torch.tensor(returns)
            advantage = returns - values.detach()
            advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-6)
            choice = torch.distributions.Categorical(logits=logits)
            loss = -(choice.log_prob(torch.tensor(actions)) * advantage).mean() + 0.5 * (returns - values).pow(2).mean() - 0.01 * choice.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 1.0)
            optimizer.step()
            earned = sum(reward for episode in steps for *_, reward in episode) / len(steps)
            smooth = earned if smooth is None else 0.95 * smooth + 0.05 * earned
            curve.writerow([first + given.batch, f"{earned:.4f}", f"{time.time() - start:.1f}"])
            if first // given.batch % 20 == 0:
                file.flush()
                print(f"{first + given.batch} episodes, reward {smooth:.3f}, {time.time() - start:.0f} s", flush=True)


if __name__ == "__main__":
    main()
