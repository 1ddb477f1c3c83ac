"""What all exports share: a graph with what it is compared with, and where the published code is."""

import importlib
import json
import re
import sys
import tempfile
import types
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable

import torch
from torch import nn

import safe_load
from checkpoints import fetch
from write_all import Missing


@dataclass
class Graph:
    """A network to export, and what to compare it with."""

    module: nn.Module
    """What is exported: takes the inputs that Sightline gives."""
    published: Callable[..., torch.Tensor | tuple[torch.Tensor, ...]]
    """The published forward pass on the same inputs."""
    inputs: list[tuple[torch.Tensor, ...]]
    """The first are traced; all are compared."""
    names: list[str]
    outputs: list[str]
    dynamic: dict[str, dict[int, str]] = field(default_factory=dict)
    limit: float = 1e-4
    """Largest error, relative to the largest output where that is above 1."""


class Source:
    """Where the published code and its checkpoints are."""

    def __init__(
        self,
        published: Path,
        checkpoints: Path,
        dino: Path | None,
        random_weights: bool,
        shallow: bool = False,
        dinov2: Path | None = None,
        download: bool = False,
    ):
        if not (published / "vbench" / "utils.py").is_file():
            sys.exit(f"{published} is not a VBench checkout: it has no vbench/utils.py.")
        self.published = published
        self.checkpoints = checkpoints
        self.dino = dino
        self.dinov2 = dinov2
        self.random_weights = random_weights
        self.shallow = shallow
        self.download = download
        if random_weights:
            # Or parameters that a constructor leaves empty would be what was in memory, another time something else.
            torch.empty = torch.zeros
        self.models: dict[str, nn.Module] = {}
        """Large ones that several graphs come from."""
        # Its modules are imported by themselves: vbench/__init__.py would import every dimension and its packages.
        for name in ("vbench", "vbench.third_party"):
            package = types.ModuleType(name)
            package.__path__ = [str(published.joinpath(*name.split(".")))]
            sys.modules[name] = package

    def module(self, name: str):
        return importlib.import_module(f"vbench.third_party.{name}")

    def checkpoint(self, *parts: str) -> Path:
        path = self.checkpoints.joinpath(*parts)
        if not path.is_file():
            if not self.download:
                raise Missing(f"{path} is missing. Use --download, or --random-weights for a trial.")
            fetch(self.checkpoints, "/".join(parts))
        return path

    def load(self, *parts: str):
        return safe_load.read(self.checkpoint(*parts))

    def layers(self, found: nn.ModuleList) -> nn.ModuleList:
        """All of them, or the first three for quick comparisons."""
        return found[:3] if self.shallow else found

    def ready(self, model: nn.Module) -> nn.Module:
        """Parameters that a constructor leaves empty or at 0 are drawn, so that random weights test all of them."""
        if self.random_weights:
            for parameter in model.parameters():
                values = parameter.detach().abs()
                if not torch.isfinite(values).all() or values.max() < 1e-6 or values.max() > 1e3:
                    nn.init.normal_(parameter, std=0.02)
        return model.float().eval()


class Call(nn.Module):
    """A function of a model as a module of its own."""

    def __init__(self, model: nn.Module, call: Callable):
        super().__init__()
        self.model = model
        self.call = call

    def forward(self, *inputs: torch.Tensor) -> torch.Tensor:
        return self.call(self.model, *inputs)


def picture(height: int, width: int, low: float = -2.0, high: float = 2.0) -> torch.Tensor:
    return torch.empty(1, 3, height, width).uniform_(low, high)


def several(height: int, width: int) -> torch.Tensor:
    return torch.cat([picture(height, width) for _ in range(3)])


BATCH = {0: "batch"}
SIZES = {2: "height", 3: "width"}


def cubic_matrix(size: torch.Tensor, native: int, keep: torch.Tensor, more: float = 0.0) -> torch.Tensor:
    """Bicubic interpolation from `native` to `size` places as a matrix; the identity where `keep` is true.

    The positions of DINO are interpolated by (size + 0.1) / native, which no ONNX operator does for an unknown size.
    """
    places = torch.arange(size).float()
    source = (places + 0.5) / ((size + more) / native) - 0.5
    below = torch.floor(source)
    taps = torch.arange(-1, 3).float()
    distance = (source[:, None] - (below[:, None] + taps)).abs()
    a = -0.75
    near = ((a + 2) * distance - (a + 3)) * distance * distance + 1
    far = ((a * distance - 5 * a) * distance + 8 * a) * distance - 4 * a
    weights = torch.where(distance <= 1, near, far)
    columns = torch.arange(native).float()
    at = (below[:, None] + taps).clamp(0, native - 1)
    cubic = (weights[:, :, None] * (at[:, :, None] == columns).float()).sum(1)
    return torch.where(keep, (places[:, None] == columns).float(), cubic)


VOCABULARY_SIZE = 30522
SPECIAL = {"[PAD]": 0, "[UNK]": 100, "[CLS]": 101, "[SEP]": 102, "[MASK]": 103}


def made_up_vocabulary(source: Source) -> list[str]:
    """A vocabulary in the form of BERT's, with the words that the published rules look for."""
    info = json.loads((source.published / "vbench" / "VBench_full_info.json").read_text())
    tags = source.module("tag2Text.tag_class").tra_array
    texts = [*tags, *(entry["prompt_en"] for entry in info)]
    words = dict.fromkeys(word for text in texts for word in re.findall(r"[a-z]+|[^\sa-z]", text.lower()))
    letters = [chr(code) for code in range(33, 127)]
    known = dict.fromkeys([*letters, *(f"##{letter}" for letter in letters), "##s", "##ing", *words])
    by_place = {place: token for token, place in SPECIAL.items()}
    rest = iter(token for token in known if token not in SPECIAL)
    vocabulary = []
    for place in range(VOCABULARY_SIZE):
        first_ones = place < 999 and place not in by_place
        vocabulary.append(by_place.get(place) or (f"[unused{place}]" if first_ones else next(rest, f"[more{place}]")))
    return vocabulary


def with_bert(source: Source):
    """The tokenizer class of the published code, which needs no hub where weights are random."""
    from transformers import BertTokenizer

    if source.random_weights:
        path = Path(tempfile.mkdtemp()) / "vocab.txt"
        path.write_text("\n".join(made_up_vocabulary(source)) + "\n")
        BertTokenizer.from_pretrained = classmethod(lambda kind, *_, **__: kind(str(path), do_lower_case=True))
    return BertTokenizer


def write_vocabulary(source: Source, path: Path) -> None:
    vocabulary = with_bert(source).from_pretrained("bert-base-uncased").vocab
    path.write_text("\n".join(sorted(vocabulary, key=vocabulary.get)) + "\n")
