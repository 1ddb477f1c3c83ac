"""DINOv2 and DreamSim, by which VBench-Long compares clips with each other and VBench-I2V videos with their images."""

import importlib
import json
import sys
import tempfile
from pathlib import Path

import safe_load
import torch
from common import Call, Graph, Source, picture
from write_all import Missing


def dino_code(source: Source) -> Path:
    cached = Path(torch.hub.get_dir()) / "facebookresearch_dino_main"
    folders = [source.dino, source.checkpoints / "dino_model" / "facebookresearch_dino_main", cached]
    folder = next((each for each in folders if each and (each / "vision_transformer.py").is_file()), None)
    if folder is None:
        raise Missing("The code of DINO is missing: give a checkout of facebookresearch/dino with --dino.")
    return folder


def dino_model(source: Source) -> torch.nn.Module:
    sys.path.insert(0, str(dino_code(source)))
    model = importlib.import_module("vision_transformer").vit_base(patch_size=16, num_classes=0)
    sys.path.pop(0)
    return model


def dinov2(source: Source) -> Graph:
    cached = Path(torch.hub.get_dir()) / "facebookresearch_dinov2_main"
    folder = next((each for each in (source.dinov2, cached) if each and (each / "dinov2" / "models").is_dir()), None)
    if folder is None:
        raise Missing("The code of DINOv2 is missing: give a checkout of facebookresearch/dinov2 with --dinov2.")
    sys.path.insert(0, str(folder))
    code = importlib.import_module("dinov2.models.vision_transformer")
    sys.path.pop(0)
    model = code.vit_base(patch_size=14, img_size=518, init_values=1.0, block_chunks=0)
    if not source.random_weights:
        path = Path(torch.hub.get_dir()) / "checkpoints" / "dinov2_vitb14_pretrain.pth"
        if not path.is_file():
            raise Missing(f"{path} is missing. The published evaluator of long videos downloads it.")
        model.load_state_dict(safe_load.read(path))
    model.blocks = source.layers(model.blocks)
    model = source.ready(model)
    # All pictures have this size, for which the published code interpolates its positions.
    positions = model.interpolate_pos_encoding(torch.zeros(1, 16 * 16 + 1, model.embed_dim), 224, 224).detach()

    def with_positions(whole: torch.nn.Module, pixels: torch.Tensor) -> torch.Tensor:
        whole.interpolate_pos_encoding = lambda *_: positions
        features = whole(pixels)
        del whole.interpolate_pos_encoding
        return features

    inputs = [(picture(224, 224),), (picture(224, 224),)]
    return Graph(Call(model, with_positions), model, inputs, ["pixels"], ["features"])


def made_up_dreamsim(source: Source, folder: Path) -> None:
    """Checkpoints of the three networks that DreamSim is made of, drawn at random."""
    vit = importlib.import_module("dreamsim.feature_extraction.vision_transformer")
    for name in ("clip_vitb16", "open_clip_vitb16"):
        model = vit.vit_base(patch_size=16)
        model.pos_drop = torch.nn.LayerNorm(model.embed_dim)
        state = {**source.ready(model).state_dict(), "proj": torch.randn(768, 512) * 0.05}
        torch.save({"state_dict": state}, folder / f"{name}_pretrain.pth.tar")
    head = {f"module.head.{key}": each for key, each in vit.DINOHead(768, 2048).state_dict().items()}
    torch.save({"student": {**head, "module.head.last_layer.weight": torch.randn(1)}}, folder / "dino_vitb16_pretrain.pth")


def dreamsim(source: Source) -> Graph:
    code = importlib.import_module("dreamsim.model")
    if source.random_weights:
        with tempfile.TemporaryDirectory() as made:
            made_up_dreamsim(source, Path(made))
            load, torch.hub.load = torch.hub.load, lambda *_, **__: source.ready(dino_model(source))
            hub = torch.hub.get_dir()
            settings = code.dreamsim_args["model_config"]["ensemble"]
            model = code.PerceptualModel(**settings, device="cpu", load_dir=made, normalize_embeds=True).eval()
            torch.hub.load = load
            torch.hub.set_dir(hub)
    else:
        cache = next((each for each in (Path.home() / ".cache", Path("models")) if (each / "ensemble_lora").is_dir()), None)
        if cache is None:
            raise Missing("The checkpoints of DreamSim are missing in ~/.cache. Its package downloads them.")
        model = code.dreamsim(pretrained=True, device="cpu", cache_dir=str(cache))[0]
    if source.shallow:
        for part in model.extractor_list:
            # The last block is read by its number.
            part.model.blocks = torch.nn.ModuleList([*part.model.blocks[:2], *[torch.nn.Identity()] * 9, part.model.blocks[11]])
    inputs = [(picture(224, 224, 0, 1),), (picture(224, 224, 0, 1),)]
    embed = lambda whole, pixels: whole.embed(pixels)
    return Graph(Call(model, embed), model.embed, inputs, ["pixels"], ["features"])


def write_mapping(source: Source, path: Path) -> None:
    """How likeness of first frames is mapped: the published table as a list."""
    import yaml

    table = source.published / "vbench2_beta_long" / "configs" / f"{path.stem}_table.yaml"
    path.write_text(json.dumps(sorted([float(key), float(value)] for key, value in yaml.safe_load(table.read_text()).items())))
