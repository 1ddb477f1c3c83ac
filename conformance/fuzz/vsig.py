"""VSIG: the published evaluation of a batch of clips, each with its reply and the judge's replies.

Argument: a git checkout (or bare repository). Code is read from the commit that a case names, not from the work tree.
Needs nothing but Python: modules that only open videos, pictures and connections are stubs.
"""
import importlib.abc
import importlib.machinery
import math
import struct
import subprocess
import sys
import types
import zlib

from driver import serve

FOLDER = sys.argv[1]


class Blobs(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports `main` and `src.*` from a commit."""

    def __init__(self, commit):
        self.commit = commit

    def source(self, path):
        shown = subprocess.run(["git", "-C", FOLDER, "show", f"{self.commit}:{path}"], capture_output=True)
        return shown.stdout if shown.returncode == 0 else None

    def find_spec(self, name, path=None, target=None):
        if name != "main" and name.split(".")[0] != "src":
            return None
        code = self.source(name.replace(".", "/") + ".py")
        return importlib.machinery.ModuleSpec(name, self, is_package=code is None, loader_state=code)

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        if module.__spec__.loader_state is not None:
            exec(compile(module.__spec__.loader_state, module.__name__, "exec"), module.__dict__)


class Anything:
    """Stands for whatever is called only for its effects."""

    def __getattr__(self, name):
        return Anything()

    def __call__(self, *args, **kwargs):
        return ""


class NoVideo:
    @staticmethod
    def extract_frames(*args, **kwargs):
        return (["frame.jpg"], "frame.jpg", [0]) if GENERATION == "v4" else (["frame.jpg"], "frame.jpg")

    @staticmethod
    def extract_frame(*args, **kwargs):
        return None, "frame.jpg"

    @staticmethod
    def visualize_points(*args, **kwargs):
        return None


class Gray:
    """An 8-bit gray image with numpy's indexing: from the end for negative values."""

    def __init__(self, width, height, rows):
        self.shape = (height, width)
        self.rows = rows

    def __getitem__(self, at):
        row, column = at
        return self.rows[row][column]


def decode_png(data, mode):
    """8-bit gray PNG without filters, as the generator writes; None for anything else, as OpenCV does."""
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        return None
    at, width, height, packed = 8, 0, 0, b""
    while at + 8 <= len(data):
        size, kind = struct.unpack(">I4s", data[at : at + 8])
        body = data[at + 8 : at + 8 + size]
        if kind == b"IHDR":
            width, height = struct.unpack(">II", body[:8])
        elif kind == b"IDAT":
            packed += body
        at += 12 + size
    try:
        raw = zlib.decompress(packed)
    except zlib.error:
        return None
    stride = width + 1
    return Gray(width, height, [raw[y * stride + 1 : (y + 1) * stride] for y in range(height)])


def stub(name, **members):
    module = types.ModuleType(name)
    for key, value in members.items():
        setattr(module, key, value)
    sys.modules[name] = module
    return module


class Config:
    USE_VIDEO_INPUT = False
    NUM_FRAMES = 15
    FPS = 1
    MODEL_NAME = "model"
    COORD_ORDER = "xy"
    USE_ASR_RESULT = True
    SAVE_LOG = False
    LANG = "zh"
    OUTPUT_DIR = "results"


GENERATION = ""


class Published:
    def __init__(self, commit, generation):
        global GENERATION
        GENERATION = generation
        self.generation = generation
        for name in [name for name in sys.modules if name == "main" or name.split(".")[0] == "src"]:
            del sys.modules[name]
        sys.meta_path[:] = [finder for finder in sys.meta_path if not isinstance(finder, Blobs)]
        sys.meta_path.insert(0, Blobs(commit))
        stub("numpy", frombuffer=lambda data, kind: data, uint8="uint8")
        stub("cv2", imdecode=decode_png, IMREAD_GRAYSCALE=0)
        stub("PIL.Image")
        stub("PIL", Image=sys.modules["PIL.Image"])
        stub("config", Config=Config)
        stub("src.utils.video_processor", VideoProcessor=NoVideo)
        stub("src.utils.logger", setup_logger=Anything(), setup_model_logger=Anything())
        for prompts in ("vsig", "ecog"):
            stub(f"src.prompts.{prompts}_prompts", VSIGPrompts=Anything(), EcoGPrompts=Anything())
        from src.eval.metrics import Evaluator
        from src.models.base_vlm import OpenAIVLM

        self.evaluator = Evaluator
        self.evaluate_sample = Evaluator.evaluate_sample
        self.model_class = OpenAIVLM
        self.current = None
        if generation == "v2":
            self.watch_moments()

    def model(self, text, order="xy"):
        """A model that replies with a text, parsed and converted as the published class does."""
        model = self.model_class.__new__(self.model_class)
        model.accepts_video_files = False
        model.coord_order = order

        def generate(*args, **kwargs):
            parsed = model._parse_json_response(text)
            convert = getattr(model, "_convert_coordinates", None)
            return convert(parsed, order) if convert else parsed

        model.generate = generate
        return model

    def watch_moments(self):
        """Finds out which point the judge is asked about."""
        judged = self.evaluator.evaluate_temporal

        def evaluate_temporal(moment, *rest):
            if self.current["moments"]:
                points = self.current["points"]
                at = next(i for i, point in enumerate(points) if point.get("timestamp") is moment)
                self.current["text"] = self.current["moments"][at]
            return judged(moment, *rest)

        self.evaluator.evaluate_temporal = staticmethod(evaluate_temporal)

    def judge(self, replies):
        if replies is None:
            return None
        judge = types.SimpleNamespace()

        def generate(images, prompt, system_prompt=None):
            text = self.current["text"] if self.generation == "v2" else None
            if text is None:
                text = replies["temporal" if "时间" in system_prompt else "intent"]
            return self.model(text).generate()

        judge.generate = generate
        return judge

    def formatted(self, clip):
        """Ground truth as the published code prepares it."""
        annotation = dict(clip["annotation"])
        if self.generation in ("v0", "v1"):
            return annotation
        from src.gt_formatter import GTFormatter

        GTFormatter._gt_cache = {}
        width, height = clip["frame"]
        truth = {annotation["video_name"]: clip["answers"]} if self.generation == "v2" else clip["evalTruth"]
        return GTFormatter.format_gt_for_evaluation(annotation, "videos", truth, width, height)

    def inferred(self, clip, truth):
        """The prediction that reaches the scorer; None for a clip that is left out."""
        model = self.model(clip["reply"], clip["order"])
        if self.generation == "v4":
            from src.eval_engine import EvaluationEngine

            engine = EvaluationEngine.__new__(EvaluationEngine)
            engine.config, engine.model, engine.lang = {"num_frames": 15}, model, "zh"
            engine.log = lambda *args, **kwargs: None
            return engine.process_single_sample(truth, "", "out", 0, 1)[0]
        from main import process_single_sample

        try:
            if self.generation in ("v0", "v1"):
                return process_single_sample(truth, "videos", "out", model, Anything(), 0, 1)[0]
            return process_single_sample(truth, "", "out", model, Anything(), 0, 1)[0]
        except Exception:
            return None

    def score(self, clip, prediction, truth):
        self.evaluator._eval_model = self.judge(clip["judge"])
        points = prediction.get("point_list", [])
        self.current = {"points": points if isinstance(points, list) else [], "text": None}
        self.current["moments"] = (clip["judge"] or {}).get("moments") or []
        if self.generation in ("v0", "v1"):
            return self.evaluate_sample(prediction, truth, width=clip["frame"][0], height=clip["frame"][1])
        return self.evaluate_sample(prediction, truth)

    def batch(self, clips):
        """The scores of each clip, and the published table of all of them."""
        shown, scored, outcomes = [], [], []
        for clip in clips:
            try:
                truth = self.formatted(clip)
            except Exception:
                shown.append(None)
                continue
            prediction = self.inferred(clip, truth)
            if prediction is None:
                shown.append(None)
                continue
            try:
                score = self.score(clip, prediction, truth)
            except Exception as error:
                score = error
            outcomes.append(score)
            scored.append((prediction, truth))
            figures = self.shown(score)
            # Generation 3 computes a moment for silent clips, and uses it nowhere.
            if self.generation == "v3" and truth.get("task_template") == "指令1":
                figures["temporal"] = "unused"
            shown.append(figures)
        return {"clips": shown, "table": self.table(scored, outcomes)}

    def table(self, scored, outcomes):
        if not scored:
            return None
        waiting = iter(outcomes)

        def again(*args, **kwargs):
            score = next(waiting)
            if isinstance(score, Exception):
                raise score
            return score

        self.evaluator.evaluate_sample = staticmethod(again)
        try:
            table = self.evaluator.evaluate_batch([each[0] for each in scored], [each[1] for each in scored])
        except TypeError:
            return "unusable"
        finally:
            self.evaluator.evaluate_sample = staticmethod(self.evaluate_sample)
        table.pop("detailed_results", None)
        return table if all_finite(table) else "unusable"

    def shown(self, score):
        if self.generation in ("v0", "v1"):
            if isinstance(score, Exception):
                score = {"intent_accuracy": 0.0, "spatial_grounding": [], "temporal_grounding": None}
            spatial = score["spatial_grounding"]
            figures = {"intent": score["intent_accuracy"], "hits": sum(spatial), "slots": len(spatial)}
            try:
                given = [] if score["temporal_grounding"] is None else list(score["temporal_grounding"])
                figures |= {"moments": sum(given), "windows": len(given)}
            except TypeError:
                return {"unusable": True}
            return figures if all_finite(figures) else {"unusable": True}
        if isinstance(score, Exception):
            score = {}
        keys = {
            "v2": {"intent": "intent_accuracy", "match": "match", "spatial": "spatial_grounding", "temporal": "temporal_grounding"},
            "v3": {"intent": "intent_accuracy", "spatial": "spatial_grounding", "temporal": "speech_temporal_grounding"},
            "v4": {"cls": "acc_cls", "spatial": "acc_s", "temporal": "acc_t", "joint": "acc_eco", "sequence": "acc_seq"},
        }[self.generation]
        return {ours: float(score.get(theirs, 0.0)) for ours, theirs in keys.items()}


def all_finite(value):
    if isinstance(value, dict):
        return all(all_finite(each) for each in value.values())
    return math.isfinite(value)


loaded = {}


def run(case):
    key = (case["commit"], case["generation"])
    if key not in loaded:
        loaded.clear()
        loaded[key] = Published(*key)
    return loaded[key].batch(case["clips"])


serve(run)
