"""Exports the networks of VBench to a folder of ONNX files that `sightline vbench score --models` reads.

It runs in an environment in which the published evaluator runs (PyTorch, its checkout, its checkpoints), and needs the
packages onnx and onnxruntime besides. Every graph is compared with the published forward pass on random inputs of
several shapes; a role whose largest error is above its limit is not written, and does not stop the others.

    python export.py --published /data/VBench --out networks
    python export.py --published /data/VBench --out networks --random-weights --role dino --role raft
"""

import argparse
import hashlib
import inspect
import json
import math
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

try:
    import onnx
    import onnxruntime
    import torch
except ModuleNotFoundError as error:
    wanted = "give the Python of the published evaluator, with onnx and onnxruntime"
    sys.exit(f"{sys.executable} has no package {error.name}: {wanted}.")
except ImportError as error:
    sys.exit(f"{sys.executable}: {error}")
from torch import nn

import grit
import likeness
import safe_load
import tag2text
from checkpoints import ORIGINS
from common import BATCH, SIZES, Call, Graph, Source, cubic_matrix, picture, several, write_vocabulary
from reader import with_reader
from write_all import write_all

OPSET = 17
FP16_LIMIT = 0.05


@dataclass
class Role:
    network: str
    license: str
    make: Callable[["Source"], Graph]
    tokenizer: str | None = None
    labels: str | None = None
    mapping: str | None = None


class DinoPositions(nn.Module):
    """DINO with its interpolation of positions written as two matrices."""

    def __init__(self, model: nn.Module):
        super().__init__()
        self.model = model

    def forward(self, pixels: torch.Tensor) -> torch.Tensor:
        model = self.model
        tokens = model.patch_embed.proj(pixels)
        rows, columns = tokens.shape[2], tokens.shape[3]
        if not isinstance(rows, torch.Tensor):
            rows, columns = torch.tensor(rows), torch.tensor(columns)
        height, width = torch.as_tensor(pixels.shape[2]), torch.as_tensor(pixels.shape[3])
        native = math.isqrt(model.pos_embed.shape[1] - 1)
        keep = (rows * columns == native * native) & (height == width)
        grid = model.pos_embed[0, 1:].reshape(native, native, -1).permute(2, 0, 1)
        down, across = (cubic_matrix(size, native, keep, 0.1) for size in (rows, columns))
        positions = torch.matmul(torch.matmul(down, grid), across.transpose(0, 1))
        tokens = (tokens + positions).flatten(2).transpose(1, 2)
        first = (model.cls_token + model.pos_embed[:, :1]).expand(tokens.shape[0], -1, -1)
        tokens = torch.cat((first, tokens), dim=1)
        for block in model.blocks:
            tokens = block(tokens)
        return model.norm(tokens)[:, 0]


def dino(source: Source) -> Graph:
    model = likeness.dino_model(source)
    if not source.random_weights:
        names = ("dino_model/dino_vitbase16_pretrain.pth",)
        hub = Path(torch.hub.get_dir()) / "checkpoints" / "dino_vitbase16_pretrain.pth"
        state = safe_load.read(hub) if hub.is_file() else source.load(*names)
        model.load_state_dict(state)
    model.blocks = source.layers(model.blocks)
    model = source.ready(model)
    inputs = [(picture(h, w),) for h, w in ((224, 398), (224, 224), (373, 224), (224, 239))]
    inputs.append((several(224, 271),))
    dynamic = {"pixels": {**BATCH, **SIZES}, "features": BATCH}
    return Graph(DinoPositions(model), model, inputs, ["pixels"], ["features"], dynamic)


CLIP_SHAPES = {
    "ViT-B-32": (512, 224, 12, 768, 32, 77, 49408, 512, 8, 12),
    "ViT-L-14": (768, 224, 24, 1024, 14, 77, 49408, 768, 12, 12),
}


def clip_model(source: Source, name: str) -> nn.Module:
    import clip

    if source.random_weights:
        model = clip.model.CLIP(*CLIP_SHAPES[name])
        for part in (model.visual.transformer, model.transformer):
            part.resblocks = source.layers(part.resblocks)
        # The published code divides by the 100 that checkpoints have.
        model.logit_scale.data.fill_(math.log(100))
        return source.ready(model)
    places = [source.checkpoints / "clip_model" / f"{name}.pt", Path.home() / ".cache" / "clip" / f"{name}.pt"]
    path = next((each for each in places if each.is_file()), None) or source.checkpoint("clip_model", f"{name}.pt")
    # A program of TorchScript, which would run.
    if sha256(path) != ORIGINS[f"clip_model/{name}.pt"].sha256:
        sys.exit(f"{path} does not have the published checksum. Remove it and use --download.")
    return clip.load(str(path), device="cpu", jit=False)[0].float().eval()


def clip_vision(name: str) -> Callable[[Source], Graph]:
    def make(source: Source) -> Graph:
        model = clip_model(source, name)
        inputs = [(picture(224, 224),), (several(224, 224),)]
        dynamic = {"pixels": BATCH, "image_embeds": BATCH}
        return Graph(model.visual, model.encode_image, inputs, ["pixels"], ["image_embeds"], dynamic)

    return make


def words(length: int) -> torch.Tensor:
    """A start, some words, an end, and zeros."""
    ids = torch.zeros(1, length, dtype=torch.int64)
    count = int(torch.randint(3, length, (1,)))
    ids[0, :count] = torch.randint(300, 40000, (count,))
    ids[0, 0], ids[0, count - 1] = 49406, 49407
    return ids


def clip_text(source: Source) -> Graph:
    model = clip_model(source, "ViT-B-32")
    inputs = [(words(77),), (words(77),)]
    call = lambda whole, ids: whole.encode_text(ids)
    return Graph(Call(model, call), model.encode_text, inputs, ["input_ids"], ["text_embeds"])


def musiq(source: Source) -> Graph:
    from pyiqa.archs.musiq_arch import MUSIQ
    from pyiqa.data.multiscale_trans_util import get_multiscale_patches

    path = None if source.random_weights else str(source.checkpoint("pyiqa_model", "musiq_spaq_ckpt-358bb6af.pth"))
    model = source.ready(MUSIQ(pretrained=False, pretrained_model_path=path))

    def after_patches(whole: nn.Module, patches: torch.Tensor) -> torch.Tensor:
        # While training, the published network takes patches, as Sightline makes them.
        whole.training = True
        score = whole(patches)
        whole.training = False
        return score

    def patches_of(pixels: torch.Tensor) -> torch.Tensor:
        return get_multiscale_patches((pixels - 0.5) * 2, **model.data_preprocess_opts)

    pictures = [picture(h, w, 0, 1) for h, w in ((288, 512), (512, 384), (256, 256))]
    inputs = [(patches_of(pixels),) for pixels in pictures]
    by_patches = {id(patches[0]): pixels for patches, pixels in zip(inputs, pictures)}
    published = lambda patches: model(by_patches[id(patches)])
    return Graph(Call(model, after_patches), published, inputs, ["patches"], ["quality"], {"patches": {1: "count"}})


def raft(source: Source) -> Graph:
    settings = argparse.Namespace(small=False, mixed_precision=False, alternate_corr=False)
    model = source.module("RAFT.core.raft").RAFT(settings)
    if not source.random_weights:
        state = source.load("raft_model", "models", "raft-things.pth")
        model.load_state_dict({name.replace("module.", ""): each for name, each in state.items()})
    model = source.ready(model)
    flow = lambda whole, first, second: whole(first, second, iters=20, test_mode=True)[1]
    inputs = [tuple(picture(h, w, 0, 255) for _ in range(2)) for h, w in ((128, 160), (160, 136))]
    dynamic = {"first": SIZES, "second": SIZES}
    published = lambda *pair: flow(model, *pair)
    return Graph(Call(model, flow), published, inputs, ["first", "second"], ["flow"], dynamic, limit=1e-3)


def amt(source: Source) -> Graph:
    model = source.module("amt.networks.AMT-S").Model()
    if not source.random_weights:
        model.load_state_dict(source.load("amt_model", "amt-s.pth")["state_dict"])
    model = source.ready(model)
    middle = lambda whole, first, last, time: whole(first, last, time, eval=True)["imgt_pred"]
    half = torch.full((1, 1, 1, 1), 0.5)
    inputs = [(picture(h, w, 0, 1), picture(h, w, 0, 1), half) for h, w in ((128, 160), (160, 144))]
    published = lambda *given: middle(model, *given)
    dynamic = {"first": SIZES, "last": SIZES}
    return Graph(Call(model, middle), published, inputs, ["first", "last", "time"], ["middle"], dynamic, limit=1e-3)


def viclip_model(source: Source) -> nn.Module:
    path = None if source.random_weights else str(source.checkpoint("ViCLIP", "ViClip-InternVid-10M-FLT.pth"))
    # Its tokenizer is not used here, but looks for its words, which are those of CLIP.
    from clip.simple_tokenizer import default_bpe

    source.module("ViCLIP.simple_tokenizer").SimpleTokenizer.__init__.__defaults__ = (default_bpe(),)
    model = source.module("ViCLIP.viclip").ViCLIP(pretrain=path)
    # Saves memory in training and cannot be traced; the values are the same.
    model.vision_encoder.transformer.checkpoint_num = 0
    for part in (model.vision_encoder.transformer, model.text_encoder.transformer):
        part.resblocks = source.layers(part.resblocks)
    return source.ready(model)


def viclip_vision(source: Source) -> Graph:
    model = viclip_model(source)
    inputs = [(torch.randn(1, 3, 8, 224, 224),)]
    published = lambda frames: model.encode_vision(frames.permute(0, 2, 1, 3, 4), test=True)
    return Graph(model.vision_encoder, published, inputs, ["frames"], ["video_embeds"])


def viclip_text(source: Source) -> Graph:
    model = viclip_model(source)
    inputs = [(words(32),), (words(32),)]
    return Graph(model.text_encoder, model.text_encoder, inputs, ["input_ids"], ["text_embeds"])


def umt(source: Source) -> Graph:
    build = source.module("umt.models.modeling_finetune").vit_large_patch16_224
    settings = dict(num_classes=400, all_frames=16, tubelet_size=1, use_learnable_pos_emb=False, use_mean_pooling=True)
    # Checkpoints overwrite what the constructor draws; as small as published, all videos would have the same logits.
    scale = 10.0 if source.random_weights else 0.001
    model = build(pretrained=False, drop_path_rate=0.2, init_scale=scale, **settings)
    if not source.random_weights:
        model.load_state_dict(source.load("umt_model", "l16_ptk710_ftk710_ftk400_f16_res224.pth"), strict=False)
    model.blocks = source.layers(model.blocks)
    model = source.ready(model)
    return Graph(model, model, [(torch.randn(1, 3, 16, 224, 224),)], ["frames"], ["logits"], limit=1e-3)


BERT = "bert-vocabulary.txt"
TAGS = "tag2text-tags.txt"
ACTIONS = "kinetics-400.txt"

ROLES = {
    "dino": Role("dino-vitb16", "Apache-2.0", dino),
    "clip-b32-vision": Role("clip-vit-b32", "MIT", clip_vision("ViT-B-32")),
    "clip-b32-text": Role("clip-vit-b32", "MIT", clip_text, tokenizer="clip-tokenizer.json"),
    "clip-l14-vision": Role("clip-vit-l14", "MIT", clip_vision("ViT-L-14")),
    "musiq": Role("musiq-spaq", "CC-BY-NC-SA-4.0 (not for commercial use)", musiq),
    "raft": Role("raft-things", "BSD-3-Clause", raft),
    "amt": Role("amt-s", "CC-BY-NC-4.0 (not for commercial use)", amt),
    "viclip-vision": Role("viclip-l14-internvid-10m-flt", "see the model card of ViCLIP", viclip_vision),
    "viclip-text": Role(
        "viclip-l14-internvid-10m-flt", "see the model card of ViCLIP", viclip_text, tokenizer="clip-tokenizer.json"
    ),
    "umt": Role("umt-vit-l16-k400", "MIT", umt, labels=ACTIONS),
    "dinov2": Role("dinov2-vitb14", "Apache-2.0", likeness.dinov2, mapping="subject_mapping.json"),
    "dreamsim": Role("dreamsim-ensemble", "MIT", likeness.dreamsim, mapping="background_mapping.json"),
    "grit-features": Role("grit-b-densecap-objectdet", "MIT", grit.features),
    "grit-boxes": Role("grit-b-densecap-objectdet", "MIT", grit.boxes),
    "grit-objects": Role("grit-b-densecap-objectdet", "MIT", grit.objects),
    "grit-words": Role("grit-b-densecap-objectdet", "MIT", grit.words, tokenizer=BERT),
    "tag2text-vision": Role("tag2text-swin-14m", "Apache-2.0", tag2text.vision, labels=TAGS),
    "tag2text-tags": Role("tag2text-swin-14m", "Apache-2.0", tag2text.tags, tokenizer=BERT),
    "tag2text-words": Role("tag2text-swin-14m", "Apache-2.0", tag2text.words),
}
HEAD = "aesthetic-head"
# None of the sixteen dimensions needs them.
FOR_LONG_AND_IMAGES = ("dinov2", "dreamsim")


def write_graph(graph: Graph, path: Path) -> None:
    options = dict(
        input_names=graph.names,
        output_names=graph.outputs,
        dynamic_axes=graph.dynamic,
        opset_version=OPSET,
        do_constant_folding=True,
    )
    # The newer exporter turns sizes into constants where a network computes with them.
    if "dynamo" in inspect.signature(torch.onnx.export).parameters:
        options["dynamo"] = False
    # The exporter restores the mode of what it is given in all parts of it.
    graph.module.eval()
    with torch.no_grad():
        torch.onnx.export(graph.module, graph.inputs[0], str(path), **options)


def halve(path: Path) -> None:
    """Weights and arithmetic in 16 bits; inputs and outputs stay as they are."""
    from onnxruntime.transformers.float16 import convert_float_to_float16

    onnx.save(convert_float_to_float16(onnx.load(str(path)), keep_io_types=True), str(path))


def largest_error(graph: Graph, path: Path) -> float:
    settings = onnxruntime.SessionOptions()
    settings.log_severity_level = 3
    settings.intra_op_num_threads = torch.get_num_threads()
    session = onnxruntime.InferenceSession(str(path), settings, providers=["CPUExecutionProvider"])
    worst = 0.0
    for inputs in graph.inputs:
        with torch.no_grad():
            expected = graph.published(*inputs)
        everything = expected if isinstance(expected, tuple) else (expected,)
        outputs = session.run(graph.outputs, {n: i.numpy() for n, i in zip(graph.names, inputs)})
        for name, expected, output in zip(graph.outputs, everything, outputs):
            found = torch.from_numpy(output)
            if found.shape != expected.shape:
                shapes = f"{tuple(found.shape)} where the published network gives {tuple(expected.shape)}"
                sys.exit(f"{path.name}: {name} is {shapes}.")
            scale = max(1.0, expected.abs().max().item())
            error = (found - expected).abs().max().item() / scale
            # What is not a number is the worst there is.
            if math.isnan(error):
                return error
            worst = max(worst, error)
    return worst


def write_head(source: Source, path: Path) -> None:
    if source.random_weights:
        head = nn.Linear(768, 1).state_dict()
    else:
        head = source.load("aesthetic_model", "emb_reader", "sa_0_4_vit_l_14_linear.pth")
    content = {"weight": head["weight"].flatten().tolist(), "bias": head["bias"].item()}
    path.write_text(json.dumps(content))


def write_tokenizer(source: Source, path: Path) -> None:
    if path.name == BERT:
        return write_vocabulary(source, path)
    from clip.simple_tokenizer import SimpleTokenizer

    tokenizer = SimpleTokenizer()
    merges = [" ".join(pair) for pair, _ in sorted(tokenizer.bpe_ranks.items(), key=lambda each: each[1])]
    path.write_text(json.dumps({"model": {"type": "BPE", "vocab": tokenizer.encoder, "merges": merges}}))


def write_labels(source: Source, path: Path) -> None:
    if path.name == TAGS:
        path.write_text("\n".join(source.module("tag2Text.tag_class").tra_array) + "\n")
        return
    content = source.published / "vbench" / "third_party" / "umt" / "kinetics_400_categories.txt"
    path.write_text(content.read_text())


def sha256(path: Path) -> str:
    found = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            found.update(block)
    return found.hexdigest()


def main() -> None:
    cache = Path(os.environ.get("VBENCH_CACHE_DIR") or Path.home() / ".cache" / "vbench")
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--published", type=Path, required=True, help="checkout of Vchitect/VBench")
    parser.add_argument("--out", type=Path, required=True, help="folder for the networks; those in it are kept")
    parser.add_argument("--checkpoints", type=Path, default=cache, help="default: $VBENCH_CACHE_DIR or ~/.cache/vbench")
    parser.add_argument("--download", action="store_true", help="download missing checkpoints, as the published evaluator does")
    parser.add_argument("--dino", type=Path, help="checkout of facebookresearch/dino")
    parser.add_argument("--dinov2", type=Path, help="checkout of facebookresearch/dinov2")
    parser.add_argument("--role", action="append", choices=[*ROLES, HEAD], help="only this one; may be repeated")
    parser.add_argument("--fp16", action="store_true", help="in 16 bits: half the size, faster on a GPU, never exact")
    parser.add_argument("--random-weights", action="store_true", help="the same graphs without checkpoints, for tests")
    parser.add_argument("--shallow", action="store_true", help="the first layers only; with --random-weights")
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()

    if options.shallow and not options.random_weights:
        parser.error("--shallow needs --random-weights")
    torch.set_num_threads(options.threads)
    if hasattr(torch.backends, "mha"):
        torch.backends.mha.set_fastpath_enabled(False)
    with_reader()
    safe_load.guard_torch()
    source = Source(
        options.published,
        options.checkpoints,
        options.dino,
        options.random_weights,
        options.shallow,
        options.dinov2,
        options.download,
    )
    options.out.mkdir(parents=True, exist_ok=True)
    description = options.out / "models.json"
    models = json.loads(description.read_text()) if description.is_file() else {}
    # Names that are not those of the published networks are never exact.
    prefix = "random-" if options.random_weights else ""
    suffix = "-fp16" if options.fp16 else ""

    def write(name: str) -> None:
        torch.manual_seed(0)
        if name == HEAD:
            path = options.out / "aesthetic-head.json"
            write_head(source, path)
            entry = {"file": path.name, "network": prefix + "sa_0_4_vit_l_14_linear", "license": "MIT"}
            print(f"{name:16} written", flush=True)
        else:
            path = options.out / f"{name}.onnx"
            entry = {"file": path.name, **write_role(name, path)}
        models[name] = {**entry, "sha256": sha256(path)}
        # After each, so that what is finished stays.
        description.write_text(json.dumps(models, indent=2) + "\n")

    def write_role(name: str, path: Path) -> dict:
        role = ROLES[name]
        part = path.with_suffix(".part")
        try:
            graph = role.make(source)
        except RuntimeError as error:
            if not str(error).startswith("Error(s) in loading state_dict"):
                raise
            sys.exit("the checkpoint has other tensors than the published one")
        write_graph(graph, part)
        if options.fp16:
            halve(part)
        error = largest_error(graph, part)
        print(f"{name:16} largest error {error:.1e} at {len(graph.inputs)} inputs; license {role.license}", flush=True)
        if not error <= (FP16_LIMIT if options.fp16 else graph.limit):
            part.unlink()
            sys.exit("it differs from the published network")
        part.replace(path)
        entry = {"network": prefix + role.network + suffix, "license": role.license, "error": error}
        if role.tokenizer:
            write_tokenizer(source, options.out / role.tokenizer)
            entry["tokenizer"] = role.tokenizer
        if role.mapping:
            likeness.write_mapping(source, options.out / role.mapping)
            entry["mapping"] = role.mapping
        if role.labels:
            write_labels(source, options.out / role.labels)
            entry["labels"] = role.labels
        return entry

    optional = () if options.role else FOR_LONG_AND_IMAGES
    sys.exit(write_all(options.role or [*ROLES, HEAD], write, optional))


if __name__ == "__main__":
    main()
