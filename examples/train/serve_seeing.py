"""Serves the network of see.py as an OpenAI-compatible endpoint.

    python3 examples/train/serve_seeing.py seeing.pt --port 8100
    npx sightline run vsi/video --model openai-compatible/seeing -M base_url=http://127.0.0.1:8100/v1 -T types=room_size_estimation
"""
import argparse
import base64
import io
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import torch
from PIL import Image

from see import FRAMES, SIZE, Seeing, answers, padded, pixels, words_of


def reply_to(model, lock, device, messages):
    parts = [part for message in messages for part in ([{"type": "text", "text": message["content"]}] if isinstance(message["content"], str) else message["content"])]
    urls = [part["image_url"]["url"] for part in parts if part["type"] == "image_url"][:FRAMES]
    frames = np.zeros((FRAMES, SIZE[1], SIZE[0], 3), np.uint8)
    for i, url in enumerate(urls):
        frames[i] = pixels(Image.open(io.BytesIO(base64.b64decode(url.split(",", 1)[1]))))
    ids, begin = words_of("".join(part.get("text", "") for part in parts))
    words, starts = (torch.tensor([[row]], device=device) for row in padded(ids, begin))
    seen = torch.from_numpy(frames)[None].permute(0, 1, 4, 2, 3).float() / 255 - 0.5
    with lock, torch.no_grad():
        number, option = answers(model, seen.to(device), words, starts)
    answer = chr(65 + option.item()) if begin else round(number.item(), 1)
    return json.dumps({"reasoning": "", "answer": answer})


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("weights")
    arguments.add_argument("--port", type=int, default=8100)
    given = arguments.parse_args()
    device, lock = "cuda" if torch.cuda.is_available() else "cpu", threading.Lock()
    weights = torch.load(given.weights, map_location="cpu")
    model = Seeing(width=weights["look.weight"].shape[0], layers=1 + max(int(name.split(".")[1]) for name in weights if name.startswith("readers.")))
    model.load_state_dict(weights)
    model.to(device).eval()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            text = reply_to(model, lock, device, request["messages"])
            choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
            usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
            body = json.dumps({"id": "seeing", "object": "chat.completion", "created": 0, "model": "seeing", "choices": [choice], "usage": usage}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", given.port), Handler)
    print(f"http://127.0.0.1:{server.server_port}/v1", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
