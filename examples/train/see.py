"""Trains a small network from scratch to answer questions about a walkthrough, on data of `sightline data make`.

    npx sightline data make vsi/video -n 20000 --no-balance --no-reasons -T size=192x144 --max-side 96 -o vsi-data
    python3 examples/train/see.py vsi-data --output seeing.pt

A convolutional network sees each frame as 4 × 3 patches, a transformer reads the patches of all frames and the words of
the question, and two heads answer: a distribution over numbers, and a score for each option. Needs PyTorch, NumPy and
Pillow.
"""
import argparse
import glob
import json
import math
import os
import random
import re
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import torch
from PIL import Image
from torch import nn
from torch.nn import functional as F

SIZE = (64, 48)
PATCHES = 12
FRAMES = 32
WORDS, VOCABULARY = 96, 2048
OPTIONS = 9
# Numbers are read off a distribution over these, from 1 to 400 in equal ratios.
BINS = torch.exp(torch.linspace(0, math.log(400), 96)) * 0.25


def words_of(prompt):
    """Numbers of the words of a question, and the positions where its options begin; options are in the order of letters."""
    text = prompt.split("**Question:**")[-1].split("**Instructions:**")[0]
    tokens = re.findall(r"[a-z]+|\d+", re.sub(r"(?m)^\s*([A-I])\. ", r" option\1 ", text).lower())[:WORDS]
    ids = [1 + sum(ord(c) * 31**i for i, c in enumerate(t)) % (VOCABULARY - 1) for t in tokens]
    starts = {ord(t[6]) - 97: i for i, t in enumerate(tokens) if re.fullmatch(r"option[a-i]", t)}
    return ids, [starts[k] for k in sorted(starts)]


def pixels(image):
    return np.asarray(image.convert("RGB").resize(SIZE, Image.BOX), dtype=np.uint8)


class Seeing(nn.Module):
    def __init__(self, width=192, layers=4):
        super().__init__()
        def block(a, b):
            return nn.Sequential(nn.Conv2d(a, b, 3, 2, 1), nn.BatchNorm2d(b), nn.GELU(), nn.Conv2d(b, b, 3, 1, 1), nn.BatchNorm2d(b), nn.GELU())
        self.eye = nn.Sequential(block(3, 32), block(32, 64), block(64, 128), block(128, width))
        self.look = nn.Linear(width, width)
        self.when = nn.Parameter(torch.randn(FRAMES, 1, width) * 0.02)
        self.spot = nn.Parameter(torch.randn(1, PATCHES, width) * 0.02)
        self.read = nn.Embedding(VOCABULARY, width, padding_idx=0)
        self.where = nn.Parameter(torch.randn(WORDS, width) * 0.02)
        self.ask = nn.Parameter(torch.randn(1, 1, width) * 0.02)
        layer = nn.TransformerEncoderLayer(width, width // 32, 4 * width, 0.1, "gelu", batch_first=True)
        self.think = nn.TransformerEncoder(layer, layers)
        self.number = nn.Linear(width, len(BINS))
        self.choice = nn.Linear(width, 1)

    def forward(self, frames, words, starts):
        """Frames of B questions (B, FRAMES, 3, H, W), their words (B, WORDS), and where options begin (B, OPTIONS), -1 for none."""
        b = len(frames)
        patches = self.look(self.eye(frames.flatten(0, 1)).flatten(2).transpose(1, 2))
        seen = (patches.view(b, FRAMES, PATCHES, -1) + self.when + self.spot).flatten(1, 2)
        said = self.read(words) + self.where
        tokens = torch.cat([self.ask.expand(b, -1, -1), seen, said], 1)
        blank = torch.cat([torch.zeros(b, 1 + FRAMES * PATCHES, dtype=torch.bool, device=words.device), words == 0], 1)
        out = self.think(tokens, src_key_padding_mask=blank)
        at = (starts.clamp(min=0) + 1 + FRAMES * PATCHES)[..., None].expand(-1, -1, out.shape[-1])
        scores = self.choice(out.gather(1, at)).squeeze(-1).masked_fill(starts < 0, -1e4)
        return self.number(out[:, 0]), scores


def credit(device):
    """The mean relative accuracy of guessing each bin (rows) if another is true (columns)."""
    b = BINS.to(device)
    error = (b[:, None] - b[None]).abs() / b[None]
    return torch.stack([error <= 1 - t for t in torch.arange(0.5, 0.951, 0.05).tolist()]).float().mean(0)


def answers(model, frames, words, starts):
    """For each question a number, and the place of an option."""
    numbers, scores = model(frames, words, starts)
    expected = numbers.softmax(-1) @ credit(numbers.device).T
    return BINS.to(numbers.device)[expected.argmax(-1)], scores.argmax(-1)


def load(folders):
    """Questions as arrays, and the pictures of all scenes, each once."""
    rows = [row for folder in folders for file in sorted(glob.glob(f"{folder}/train-*.json"))
            for row in (dict(r, folder=folder) for r in json.load(open(file)))]
    scenes, questions = {}, []
    for row in rows:
        prompt, reply = row["conversations"][0]["value"], json.loads(row["conversations"][-1]["value"])
        paths = tuple(os.path.join(row["folder"], path) for path in row["images"])
        scene = scenes.setdefault(paths, len(scenes))
        ids, starts = words_of(prompt)
        is_number = not isinstance(reply["answer"], str)
        target = float(reply["answer"]) if is_number else ord(reply["answer"]) - 65
        questions.append((scene, ids, starts, is_number, target, row["type"]))
    with ThreadPoolExecutor(16) as pool:
        pictures = list(pool.map(lambda paths: np.stack([pixels(Image.open(p)) for p in paths]), scenes))
    return np.stack(pictures), questions


def batch_of(questions, pictures, device, augment):
    frames = pictures[torch.tensor([q[0] for q in questions], device=device)]
    frames = frames.permute(0, 1, 4, 2, 3).float() / 255 - 0.5
    if augment:
        # A mirrored room has the same sizes, counts and order; only left and right change.
        mirrored = torch.tensor([random.random() < 0.5 and not re.search("direction|route", q[-1]) for q in questions], device=device)
        frames = torch.where(mirrored[:, None, None, None, None], frames.flip(-1), frames)
        frames = frames * (0.8 + 0.4 * torch.rand(len(frames), 1, 3, 1, 1, device=device)) + 0.1 * torch.randn(len(frames), 1, 3, 1, 1, device=device)
    words = torch.zeros(len(questions), WORDS, dtype=torch.long)
    starts = torch.full((len(questions), OPTIONS), -1)
    for i, (_, ids, begin, *_rest) in enumerate(questions):
        words[i, : len(ids)] = torch.tensor(ids)
        starts[i, : len(begin)] = torch.tensor(begin)
    return frames, words.to(device), starts.to(device)


def scores_of(model, questions, pictures, device):
    """Mean score per type."""
    model.eval()
    sums = {}
    with torch.no_grad():
        for i in range(0, len(questions), 64):
            part = questions[i : i + 64]
            numbers, options = answers(model, *batch_of(part, pictures, device, False))
            for question, number, option in zip(part, numbers.tolist(), options.tolist()):
                total, count = sums.get(question[-1], (0, 0))
                score = score_of(question, float(f"{number:.1f}") if question[3] else option)
                sums[question[-1]] = (total + score, count + 1)
    return {kind: (100 * total / count, count) for kind, (total, count) in sorted(sums.items())}


def score_of(question, answer):
    """As the suite scores: relative accuracy of a number, 1 or 0 for an option."""
    *_, is_number, target, _ = question
    if not is_number:
        return float(answer == target)
    error = abs(answer - target) / target
    return sum(error <= 1 - (0.5 + 0.05 * k) + 1e-9 for k in range(10)) / 10


def floors_of(train, check):
    """What the best constant answer of each type scores."""
    floors = {}
    for kind in sorted({q[-1] for q in check}):
        known, asked = ([q for q in part if q[-1] == kind] for part in (train, check))
        mean = lambda answer, part: sum(score_of(q, answer) for q in part) / max(1, len(part))
        best = max({q[4] for q in known} or {0}, key=lambda answer: mean(answer, known[:500]))
        floors[kind] = 100 * mean(best, asked)
    return floors


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("data", nargs="+")
    arguments.add_argument("--output", default="seeing.pt")
    arguments.add_argument("--seconds", type=float, default=120)
    arguments.add_argument("--types", help="only these, comma-separated")
    arguments.add_argument("--width", type=int, default=192)
    arguments.add_argument("--layers", type=int, default=4)
    given = arguments.parse_args()
    torch.manual_seed(0)
    random.seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    pictures, questions = load(given.data)
    if given.types:
        questions = [q for q in questions if q[-1] in given.types.split(",")]
    # Whole scenes are held out, to see when to stop; what counts is measured on test seeds.
    held = {scene for scene in range(len(pictures)) if scene % 12 == 11}
    train, check = [q for q in questions if q[0] not in held], [q for q in questions if q[0] in held]
    print(f"{len(train)} questions about {len(pictures)} scenes, {len(check)} held out, on {device}", flush=True)
    floors = ", ".join(f"{kind} {floor:.1f}" for kind, floor in floors_of(train, check).items())
    print(f"the best constant answers score {floors}", flush=True)
    pictures = torch.from_numpy(pictures).to(device)
    model = Seeing(given.width, given.layers).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), 5e-4, weight_decay=0.05)
    draw, start, step, best = np.random.default_rng(0), time.time(), 0, -1.0
    shown = start
    while (used := (time.time() - start) / given.seconds) < 1:
        for group in optimizer.param_groups:
            group["lr"] = 5e-4 * min(1, step / 200) * max(0.02, math.cos(used * math.pi / 2))
        model.train()
        part = [train[i] for i in draw.integers(len(train), size=min(128, len(train)))]
        frames, words, starts = batch_of(part, pictures, device, True)
        with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
            numbers, scores = model(frames, words, starts)
        is_number = torch.tensor([q[3] for q in part], device=device)
        target = torch.tensor([q[4] for q in part], device=device, dtype=torch.float)
        # Bins near the true one are right, too.
        far = (torch.log(target[:, None].clamp(min=0.25)) - torch.log(BINS.to(device))) / 0.1
        soft = (-0.5 * far**2).softmax(-1)
        number_loss = -(soft * F.log_softmax(numbers.float(), -1)).sum(-1)
        choice_loss = F.cross_entropy(scores.float(), target.long().clamp(0, OPTIONS - 1), reduction="none")
        loss = torch.where(is_number, number_loss, choice_loss).mean()
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        step += 1
        if time.time() - shown > given.seconds / 12:
            shown = time.time()
            found = scores_of(model, check, pictures, device)
            mean = sum(score for score, _ in found.values()) / max(1, len(found))
            print(f"{time.time() - start:.0f} s, step {step}, loss {loss.item():.3f}: " + ", ".join(f"{k} {v:.1f}" for k, (v, _) in found.items()), flush=True)
            if mean > best:
                best = mean
                torch.save(model.state_dict(), given.output)
    if best < 0:
        torch.save(model.state_dict(), given.output)


if __name__ == "__main__":
    main()
