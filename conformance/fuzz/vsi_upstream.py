"""The published agent and video baseline of multi-turn-rl. Needs numpy and pandas."""
import json
import os
import sys
import tempfile
import types
from pathlib import Path

import numpy as np
import pandas as pd

from driver import serve
from vsi_stubs import load, stand_in

root = Path(sys.argv[1])
sys.path.insert(0, str(root))
stand_in("torch", "PIL", "cv2", "open3d", "datasets", "transformers", "vllm", "qwen_vl_utils")
# The scripts read a table of the authors' machine when they are imported.
pd.read_csv = lambda *_, **__: pd.DataFrame({"video_id": [], "sky_direction": []})
video = load("video_baseline", root / "evaluation/video_baseline.py")
blind = load("blind_baseline", root / "evaluation/blind_baseline.py")
agent = load("sequential", root / "evaluation/sequential.py")
from utils.evaluation import evaluate_answer  # noqa: E402
from utils.mesh import get_mesh_bounds  # noqa: E402


def no_render(mesh, pose, path, **_):
    pass


class Frame:
    """Stands for a picture file: sorts by its number."""

    def __init__(self, number):
        self.number = number
        self.stem = str(number)

    def __lt__(self, other):
        return self.number < other.number


class Folder:
    def __init__(self, count):
        self.count = count

    def glob(self, pattern):
        return [Frame(i) for i in range(self.count)]


def score(case):
    """The lines of `main_sequential_split` that score: a number by its accuracy, a letter by equality."""
    answer = "NO_ANSWER" if case["prediction"] is None else case["prediction"]
    right, accuracy, _ = evaluate_answer(answer, case["truth"], case["numeric"])
    return {"right": bool(right), "accuracy": accuracy} if case["numeric"] else {"right": answer == case["truth"]}


def video_answer(case):
    answers = [each.extract_answer(case["reply"], case["numeric"]) for each in (video, blind)]
    assert answers[0] == answers[1]
    return answers[0]


class Scripted:
    def __init__(self, replies):
        self.replies = list(replies)

    def generate(self, messages, max_new_tokens):
        return self.replies.pop(0)


def play(case):
    """A whole question: the choice of the first view, then one reply per step."""
    mesh = types.SimpleNamespace(vertices=np.array(case["vertices"], dtype=float))
    agent.load_mesh_cached = lambda path: mesh
    agent.render_mesh_from_pose = no_render
    agent.Image.open = lambda path: np.zeros((1, 1, 3), dtype=np.uint8)
    agent.inference_backend = Scripted(case["replies"])
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
        answer, _, moves = agent.run_single_question(
            None, "?", None, 1, folder, "scene", num_steps=len(case["replies"]) - 2, is_numerical=case["numeric"]
        )
        poses = json.loads(Path(folder, "q001/trajectory.json").read_text())["poses"]
    return {"answer": answer, "moves": moves, "poses": [pose["matrix"] for pose in poses]}


def bounds(case):
    mins, maxs = get_mesh_bounds(types.SimpleNamespace(vertices=np.array(case["vertices"], dtype=float)))
    return {"min": mins, "max": maxs}


def frames(case):
    return [each.number for each in video.sample_frames(Folder(case["total"]), case["count"], "scene")]


DO = {"score": score, "video": video_answer, "play": play, "bounds": bounds, "frames": frames}
serve(lambda case: DO[case["do"]](case))
