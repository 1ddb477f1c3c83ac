"""Measures videos with the published code of VBench and random networks, for a comparison with Sightline.

`scripts/vbench-compare.ts` runs it after `export.py --random-weights` with the same options, which draws the same weights.
It prints one JSON object per video and dimension: what the published code says, and what it found on the way.

    python compare.py --published /data/VBench --dimension scene --dimension color clip.mp4 other.mp4
"""

import argparse
import hashlib
import importlib
import json
import sys
import types
from pathlib import Path

import grit
import tag2text
import torch
from common import Source
from reader import with_reader

PROMPT = "a red car and a dog on the left of a tree, riding a bike"


def one_process() -> None:
    module = types.ModuleType("vbench.distributed")
    module.__dict__.update(get_world_size=lambda: 1, get_rank=lambda: 0, barrier=lambda: None)
    for name in ("all_gather", "distribute_list_to_rank", "gather_list_of_dict"):
        setattr(module, name, lambda given: given)
    sys.modules["vbench.distributed"] = module


class Evaluator:
    def __init__(self, source: Source):
        self.source = source
        self.cpu = torch.device("cpu")
        self.kept: dict[str, object] = {}

    def module(self, name: str):
        return importlib.import_module(f"vbench.{name}")

    def graph(self, role: str):
        """The network of a role with the weights that the export drew."""
        import export

        if role not in self.kept:
            torch.manual_seed(0)
            self.kept[role] = export.ROLES[role].make(self.source)
        return self.kept[role]

    def entry(self, video: str, **facts):
        return [{"prompt": PROMPT, "video_list": [video], "auxiliary_info": facts}]

    def subject_consistency(self, video):
        found = self.module("subject_consistency").subject_consistency(
            self.graph("dino").published, [video], self.cpu, False
        )
        return found[1][0]["video_results"]

    def clip(self, name: str):
        import export

        if name not in self.kept:
            torch.manual_seed(0)
            self.kept[name] = export.clip_model(self.source, name)
        return self.kept[name]

    def background_consistency(self, video):
        module = self.module("background_consistency")
        found = module.background_consistency(self.clip("ViT-B-32"), None, [video], self.cpu, False)
        return found[1][0]["video_results"]

    def temporal_flickering(self, video):
        return self.module("temporal_flickering").cal_score(video)

    def motion_smoothness(self, video):
        module = self.module("motion_smoothness")
        meter = module.MotionSmoothness.__new__(module.MotionSmoothness)
        meter.device, meter.niters = self.cpu, 1
        meter.initialization()
        meter.model = self.graph("amt").module.model
        return float(meter.motion_score(video))

    def dynamic_degree(self, video):
        """Whether a video moves is one bit; what is compared is how much its first pair of frames does."""
        module = self.module("dynamic_degree")
        meter = module.DynamicDegree.__new__(module.DynamicDegree)
        meter.device, meter.model = self.cpu, self.graph("raft").module.model
        scores = []
        score = meter.get_score
        meter.get_score = lambda *given: scores.append(score(*given)) or scores[-1]
        return {"value": float(meter.infer(video)), "pairs": [float(each) for each in scores]}

    def aesthetic_quality(self, video):
        torch.manual_seed(0)
        head = torch.nn.Linear(768, 1)
        module = self.module("aesthetic_quality")
        found = module.laion_aesthetic(head.eval(), self.clip("ViT-L-14"), [video], self.cpu)
        return found[1][0]["video_results"]

    def imaging_quality(self, video):
        model = self.graph("musiq").module.model
        model.training = False
        return self.module("imaging_quality").technical_quality(model, [video], self.cpu)[1][0]["video_results"] / 100

    def viclip(self):
        import export

        if "viclip" not in self.kept:
            torch.manual_seed(0)
            self.kept["viclip"] = export.viclip_model(self.source)
        return self.kept["viclip"]

    def overall_consistency(self, video):
        module = self.module("overall_consistency")
        return module.overall_consistency(self.viclip(), self.entry(video), None, self.cpu)[1][0]["video_results"]

    def temporal_style(self, video):
        module = self.module("temporal_style")
        return module.temporal_style(self.viclip(), self.entry(video), None, self.cpu)[1][0]["video_results"]

    def appearance_style(self, video):
        module = self.module("appearance_style")
        entry = self.entry(video, appearance_style="oil painting")
        return module.appearance_style(self.clip("ViT-B-32"), entry, self.cpu)[1][0]["video_results"]

    def human_action(self, video):
        module = self.module("human_action")
        model = self.graph("umt").module
        module.create_model = lambda *_, **__: model
        logits = []
        hook = model.register_forward_hook(lambda _, __, out: logits.append(out[0].tolist()))
        load, torch.load = torch.load, lambda *_, **__: {}
        try:
            value = module.human_action("", [video], self.cpu)[1][0]["video_results"]
        finally:
            torch.load = load
            hook.remove()
        return {"value": float(value), "logits": logits[0]}

    def captioner(self, task: str):
        """The published captioner around the exported network. Its drawings are left out."""
        torch.manual_seed(0)
        model = grit.model_of(self.source)
        heads = model.roi_heads
        heads.test_task, heads.text_decoder.begin_token_id = task, heads.task_begin_tokens[task]
        captions = self.module("third_party.grit_model")
        predictor = self.module("third_party.grit_src.grit.predictor").SingleDefaultPredictor
        predict = predictor.__new__(predictor)
        predict.model = model
        predict.aug = types.SimpleNamespace(get_transform=lambda _: types.SimpleNamespace(apply_image=lambda x: x))
        found = []
        # Three dimensions see the same frames.
        seen = self.kept.setdefault(f"seen-{task}", {})

        def run_on_image(image):
            frame = hashlib.sha256(image.tobytes()).digest()
            if frame not in seen:
                seen[frame] = predict(image)
            predictions = seen[frame]
            found.append(
                [(text, [int(edge) for edge in box], name) for text, box, name in zip(*described(predictions))]
            )
            return predictions, None

        captioner = captions.DenseCaptioning(self.cpu)
        captioner.demo = types.SimpleNamespace(run_on_image=run_on_image)
        return captioner, found

    def objects(self, dimension: str, video: str, **facts):
        captioner, found = self.captioner("ObjectDet")
        measure = getattr(self.module(dimension), dimension)
        result = measure(captioner, self.entry(video, **facts), self.cpu)
        return {"value": float(result[1][0]["video_results"]), "frames": found}

    def object_class(self, video):
        return self.objects("object_class", video, object="car")

    def multiple_objects(self, video):
        return self.objects("multiple_objects", video, object="car and dog")

    def spatial_relationship(self, video):
        wanted = {"object_a": "car", "object_b": "dog", "relationship": "on the left of"}
        return self.objects("spatial_relationship", video, spatial_relationship=wanted)

    def color(self, video):
        captioner, found = self.captioner("DenseCap")
        try:
            result = self.module("color").color(captioner, self.entry(video, color="red"), self.cpu)
            value = result[1][0]["video_results"]
        except ZeroDivisionError:
            value = None
        return {"value": value, "frames": found}

    def scene(self, video):
        torch.manual_seed(0)
        model = tag2text.model_of(self.source)
        captions = []
        generate = model.generate

        def kept(*given, **named):
            found = generate(*given, **named)
            captions.extend(found[0])
            return found

        model.generate = kept
        try:
            result = self.module("scene").scene(model, self.entry(video, scene={"scene": "a"}), self.cpu)
        finally:
            model.generate = generate
        return {"value": result[1][0]["video_results"], "captions": captions}


def described(predictions):
    instances = predictions["instances"]
    boxes = instances.pred_boxes.tensor.numpy() if len(instances) else []
    return instances.pred_object_descriptions.data, boxes, instances.det_obj.data


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--published", type=Path, required=True)
    parser.add_argument("--dino", type=Path)
    parser.add_argument("--shallow", action="store_true")
    parser.add_argument("--dimension", action="append", required=True)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("videos", nargs="+")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    if hasattr(torch.backends, "mha"):
        torch.backends.mha.set_fastpath_enabled(False)
    with_reader()
    source = Source(options.published, Path("/none"), options.dino, True, options.shallow)
    one_process()
    evaluator = Evaluator(source)
    with torch.no_grad():
        for dimension in options.dimension:
            for video in options.videos:
                found = getattr(evaluator, dimension)(video)
                found = found if isinstance(found, dict) else {"value": float(found)}
                print(json.dumps({"dimension": dimension, "video": video, **found}), flush=True)


if __name__ == "__main__":
    main()
