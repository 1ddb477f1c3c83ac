"""Trains a small network from scratch to answer questions about a walkthrough, on data of `sightline data make`.

    npx sightline data make vsi/video -n 50000 --source builtin:questions=10 --no-balance --no-reasons \\
        -T size=160x120 -T unanswerable=ask --max-side 96 -o vsi-data
    python3 examples/train/see.py vsi-data --output seeing.pt

A convolutional network sees each frame as 6 × 5 patches, and a transformer puts the patches of all frames together. A
second one reads a question and looks at them; two heads answer: a distribution over numbers, and a score for each
option. A scene is seen once for all questions about it. Needs PyTorch, NumPy and Pillow.
"""
import argparse
import glob
import json
import math
import os
import re
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import torch
from PIL import Image
from torch import nn
from torch.nn import functional as F

SIZE = (96, 72)
PATCHES = 30
FRAMES = 32
WORDS, VOCABULARY = 96, 2048
OPTIONS = 9
# Numbers are read off a distribution over these, from 0.2 to 400 in equal ratios.
BINS = 0.2 * torch.exp(torch.linspace(0, math.log(2000), 128))
# Scenes per step, and questions about each.
SCENES, ASKED = 48, 16


def word_id(word):
    return 1 + sum(ord(c) * 31**i for i, c in enumerate(word)) % (VOCABULARY - 1)


def words_of(prompt):
    """Numbers of the words of a question, and the positions where its options begin; options are in the order of letters."""
    text = prompt.split("**Question:**")[-1].split("**Instructions:**")[0]
    tokens = re.findall(r"[a-z]+|\d+", re.sub(r"(?m)^\s*([A-I])\. ", r" option\1 ", text).lower())[:WORDS]
    starts = {ord(t[6]) - 97: i for i, t in enumerate(tokens) if re.fullmatch(r"option[a-i]", t)}
    return [word_id(t) for t in tokens], [starts[k] for k in sorted(starts)]


def pixels(image):
    return np.asarray(image.convert("RGB").resize(SIZE, Image.BOX), dtype=np.uint8)


def padded(ids, starts):
    """Words and starts of options, as rows of a fixed length."""
    return ids + [0] * (WORDS - len(ids)), starts + [-1] * (OPTIONS - len(starts))


class Reader(nn.Module):
    """A layer of the reading transformer: words look at their question, then at the scene."""

    def __init__(self, width):
        super().__init__()
        self.before, self.between, self.after = nn.LayerNorm(width), nn.LayerNorm(width), nn.LayerNorm(width)
        self.own = nn.MultiheadAttention(width, width // 32, 0.1, batch_first=True)
        self.across = nn.MultiheadAttention(width, width // 32, 0.1, batch_first=True)
        self.think = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Dropout(0.1), nn.Linear(4 * width, width))

    def forward(self, said, scene, blank):
        """Words of S × Q questions (S, Q, T, width), patches of S scenes (S, N, width), which words are none (S × Q, T)."""
        x = said.flatten(0, 1)
        h = self.before(x)
        x = (x + self.own(h, h, h, key_padding_mask=blank, need_weights=False)[0]).view(len(scene), -1, said.shape[-1])
        x = x + self.across(self.between(x), scene, scene, need_weights=False)[0]
        return (x + self.think(self.after(x))).view(said.shape)


class Seeing(nn.Module):
    def __init__(self, width=256, layers=3):
        super().__init__()

        def block(a, b):
            return nn.Sequential(nn.Conv2d(a, b, 3, 2, 1), nn.BatchNorm2d(b), nn.GELU(), nn.Conv2d(b, b, 3, 1, 1), nn.BatchNorm2d(b), nn.GELU())

        self.eye = nn.Sequential(block(3, 32), block(32, 64), block(64, 128), block(128, width))
        self.look = nn.Linear(width, width)
        self.when = nn.Parameter(torch.randn(FRAMES, 1, width) * 0.02)
        self.spot = nn.Parameter(torch.randn(1, PATCHES, width) * 0.02)
        layer = nn.TransformerEncoderLayer(width, width // 32, 4 * width, 0.1, "gelu", batch_first=True, norm_first=True)
        self.join = nn.TransformerEncoder(layer, layers, nn.LayerNorm(width))
        self.read = nn.Embedding(VOCABULARY, width, padding_idx=0)
        self.where = nn.Parameter(torch.randn(WORDS, width) * 0.02)
        self.ask = nn.Parameter(torch.randn(1, 1, 1, width) * 0.02)
        self.readers = nn.ModuleList(Reader(width) for _ in range(layers))
        self.number = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, len(BINS)))
        self.choice = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, 1))

    def forward(self, frames, words, starts):
        """Frames of S scenes (S, FRAMES, 3, H, W), words of Q questions about each (S, Q, WORDS), and where options begin
        (S, Q, OPTIONS), -1 for none."""
        count, asked, _ = words.shape
        patches = self.look(self.eye(frames.flatten(0, 1)).flatten(2).transpose(1, 2))
        seen = (patches.view(count, FRAMES, PATCHES, -1) + self.when + self.spot).flatten(1, 2)
        if self.training:
            # A part of the patches is enough for a guess; leaving others out makes it hard to learn rooms by heart.
            seen = seen[:, torch.randperm(seen.shape[1], device=seen.device)[: seen.shape[1] * 3 // 4]]
        scene = self.join(seen)
        said = torch.cat([self.ask.expand(count, asked, 1, -1), self.read(words) + self.where], 2)
        blank = F.pad(words == 0, (1, 0)).flatten(0, 1)
        for reader in self.readers:
            said = reader(said, scene, blank)
        at = (starts.clamp(min=0) + 1)[..., None].expand(-1, -1, -1, said.shape[-1])
        scores = self.choice(said.gather(2, at)).squeeze(-1).masked_fill(starts < 0, -1e4)
        return self.number(said[:, :, 0]), scores


def credit(device):
    """The mean relative accuracy of guessing each bin (rows) if another is true (columns)."""
    b = BINS.to(device)
    error = (b[:, None] - b[None]).abs() / b[None]
    return torch.stack([error <= 1 - t for t in torch.arange(0.5, 0.951, 0.05).tolist()]).float().mean(0)


def answers(model, frames, words, starts):
    """For each question a number, and the place of an option."""
    numbers, scores = model(frames, words, starts)
    expected = numbers.float().softmax(-1) @ credit(numbers.device).T
    return BINS.to(numbers.device)[expected.argmax(-1)], scores.argmax(-1)


class Data:
    """Questions as arrays, and the pictures of all scenes, each once."""

    def __init__(self, folders, types, device):
        rows = [dict(row, folder=folder) for folder in folders for file in sorted(glob.glob(f"{folder}/train-*.json")) for row in json.load(open(file))]
        scenes, words, starts, numbers, targets = {}, [], [], [], []
        self.scene_of, self.types = [], []
        for row in rows:
            paths = tuple(os.path.join(row["folder"], path) for path in row["images"])
            if types and row["type"] not in types:
                continue
            answer = json.loads(row["conversations"][-1]["value"])["answer"]
            row_words, row_starts = padded(*words_of(row["conversations"][0]["value"]))
            words.append(row_words)
            starts.append(row_starts)
            numbers.append(not isinstance(answer, str))
            targets.append(ord(answer) - 65 if isinstance(answer, str) else float(answer))
            self.scene_of.append(scenes.setdefault(paths, len(scenes)))
            self.types.append(row["type"])
        with ThreadPoolExecutor(16) as pool:
            pictures = list(pool.map(lambda paths: np.stack([pixels(Image.open(p)) for p in paths]), scenes))
        self.pictures = torch.from_numpy(np.stack(pictures)).to(device)
        # The last question is none: scenes with few questions are filled up with it.
        self.words = torch.tensor(words + [[0] * WORDS], device=device)
        self.starts = torch.tensor(starts + [[-1] * OPTIONS], device=device)
        self.numbers, self.targets = numbers, targets
        self.is_number = torch.tensor(numbers + [True], device=device)
        self.target = torch.tensor(targets + [1.0], device=device)
        self.of_scene = [{} for _ in scenes]
        for i, (scene, kind) in enumerate(zip(self.scene_of, self.types)):
            self.of_scene[scene].setdefault(kind, []).append(i)

    def frames(self, scenes):
        return self.pictures[torch.tensor(scenes, device=self.pictures.device)].permute(0, 1, 4, 2, 3).float() / 255 - 0.5

    def table(self, lists):
        """Questions of several scenes as a table, filled up with none."""
        most = max(map(len, lists))
        return torch.tensor([each + [len(self.types)] * (most - len(each)) for each in lists], device=self.words.device)


def varied(frames, words, draw):
    """Other rooms with the same answers: mirrored, and in other light."""
    device = frames.device
    mirrored = torch.tensor(draw.random(len(frames)) < 0.5, device=device)
    frames = torch.where(mirrored[:, None, None, None, None], frames.flip(-1), frames)
    left, right = word_id("left"), word_id("right")
    swapped = torch.where(words == left, right, torch.where(words == right, left, words))
    words = torch.where(mirrored[:, None, None], swapped, words)
    size = (len(frames), 1, 3, 1, 1)
    return frames * (0.8 + 0.4 * torch.rand(size, device=device)) + 0.1 * torch.randn(size, device=device), words


def drawn(data, scenes, draw):
    """Questions about scenes, all types alike, and which walks are played backwards: order is not asked about those."""
    backwards = draw.random(len(scenes)) < 0.5
    lists = []
    for scene, back in zip(scenes, backwards):
        kinds = [ids for kind, ids in data.of_scene[scene].items() if not (back and kind == "obj_appearance_order")]
        lists.append([ids[draw.integers(len(ids))] for ids in (kinds[draw.integers(len(kinds))] for _ in range(ASKED))] if kinds else [])
    return data.table(lists), torch.tensor(backwards)


def scores_of(model, data, scenes, device):
    """Mean score per type, and the number of questions."""
    model.eval()
    sums = {}
    with torch.no_grad(), torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
        for i in range(0, len(scenes), 16):
            part = scenes[i : i + 16]
            lists = [[q for ids in data.of_scene[scene].values() for q in ids] for scene in part]
            table = data.table(lists)
            numbers, options = (x.tolist() for x in answers(model, data.frames(part), data.words[table], data.starts[table]))
            for ids, row_numbers, row_options in zip(lists, numbers, options):
                for q, number, option in zip(ids, row_numbers, row_options):
                    total, count = sums.get(data.types[q], (0, 0))
                    answer = float(f"{number:.1f}") if data.numbers[q] else option
                    sums[data.types[q]] = (total + score_of(answer, data.targets[q], data.numbers[q]), count + 1)
    return {kind: (100 * total / count, count) for kind, (total, count) in sorted(sums.items())}


def score_of(answer, target, is_number):
    """As the suite scores: relative accuracy of a number, 1 or 0 for an option."""
    if not is_number:
        return float(answer == target)
    error = abs(answer - target) / target
    return sum(error <= 1 - (0.5 + 0.05 * k) + 1e-9 for k in range(10)) / 10


def floors_of(data, train):
    """What the best constant answer of each type scores."""
    train, floors, target = set(train), {}, data.targets
    for kind in sorted(set(data.types)):
        ids = [i for i, each in enumerate(data.types) if each == kind]
        is_number = data.numbers[ids[0]]
        known = [target[i] for i in ids if data.scene_of[i] in train][:500]
        asked = [target[i] for i in ids if data.scene_of[i] not in train]
        mean = lambda answer, part: sum(score_of(answer, t, is_number) for t in part) / max(1, len(part))
        floors[kind] = 100 * mean(max(set(known) or {0}, key=lambda answer: mean(answer, known)), asked)
    return floors


def loss_of(numbers, scores, is_number, target, weight):
    # Bins near the true one are right, too.
    far = (torch.log(target[..., None].clamp(min=0.2)) - torch.log(BINS.to(target.device))) / 0.1
    number_loss = -((-0.5 * far**2).softmax(-1) * F.log_softmax(numbers.float(), -1)).sum(-1)
    choice_loss = F.cross_entropy(scores.float().flatten(0, 1), target.long().clamp(0, OPTIONS - 1).flatten(), reduction="none").view(target.shape)
    return (torch.where(is_number, number_loss, choice_loss) * weight).sum() / weight.sum()


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("data", nargs="+")
    arguments.add_argument("--output", default="seeing.pt")
    arguments.add_argument("--seconds", type=float, default=120)
    arguments.add_argument("--types", help="only these, comma-separated")
    arguments.add_argument("--scenes", type=int, default=SCENES, help="per step; a few on a CPU")
    arguments.add_argument("--warmup", type=int, default=200, help="steps; a few on a CPU")
    arguments.add_argument("--width", type=int, default=256)
    arguments.add_argument("--layers", type=int, default=3)
    given = arguments.parse_args()
    torch.manual_seed(0)
    draw = np.random.default_rng(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    data = Data(given.data, given.types and given.types.split(","), device)
    # Whole scenes are held out, to see when to stop; what counts is measured on test seeds.
    scenes = range(len(data.of_scene))
    train, check = [s for s in scenes if s % 12 != 11], [s for s in scenes if s % 12 == 11]
    held = sum(scene % 12 == 11 for scene in data.scene_of)
    print(f"{len(data.types) - held} questions about {len(train)} scenes, {held} about {len(check)} others held out, on {device}", flush=True)
    print("the best constant answers score " + ", ".join(f"{kind} {floor:.1f}" for kind, floor in floors_of(data, train).items()), flush=True)
    model = Seeing(given.width, given.layers).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), 5e-4, weight_decay=0.05)
    save = lambda: torch.save({name: value.half() if value.is_floating_point() else value for name, value in model.state_dict().items()}, given.output)
    start, step, best = time.time(), 0, -1.0
    shown = start
    while (used := (time.time() - start) / given.seconds) < 1:
        for group in optimizer.param_groups:
            group["lr"] = 5e-4 * min(1, (step + 1) / given.warmup) * max(0.01, math.cos(used * math.pi / 2))
        model.train()
        part = draw.choice(train, min(given.scenes, len(train)), replace=False).tolist()
        table, backwards = drawn(data, part, draw)
        frames = data.frames(part)
        frames = torch.where(backwards.to(device)[:, None, None, None, None], frames.flip(1), frames)
        frames, words = varied(frames, data.words[table], draw)
        with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
            numbers, scores = model(frames, words, data.starts[table])
        loss = loss_of(numbers, scores, data.is_number[table], data.target[table], (table < len(data.types)).float())
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        step += 1
        if time.time() - shown > given.seconds / 12 and check:
            found = scores_of(model, data, check, device)
            mean = sum(score for score, _ in found.values()) / len(found)
            print(f"{time.time() - start:.0f} s, step {step}, loss {loss.item():.3f}: " + ", ".join(f"{k} {v:.1f}" for k, (v, _) in found.items()), flush=True)
            shown = time.time()
            if mean > best:
                best = mean
                save()
    if best < 0:
        save()


if __name__ == "__main__":
    main()
