"""Measures videos in one dimension with the published evaluator, as Sightline asks for them.

Run in an environment in which `vbench` is installed or importable. Requests are lines of JSON on standard input:
{"video": path, "prompt": text, "auxiliary_info": {...}}; each is answered by one line with what the published code recorded for
the video, or {"result": null} where it leaves the video out. The networks are loaded once: the published function is given
the videos one after the other, and its own list of results is read in between.

    python evaluate.py --about scene color      which version, without loading anything
    python evaluate.py scene                    measure
"""

import contextlib
import hashlib
import importlib
import importlib.metadata
import importlib.util
import json
import os
import sys
from pathlib import Path


def about(dimensions: list[str]) -> dict:
    spec = importlib.util.find_spec("vbench")
    if spec is None or not spec.submodule_search_locations:
        sys.exit("vbench cannot be imported in this Python. Install it, or set PYTHONPATH to a checkout.")
    folder = Path(spec.submodule_search_locations[0])
    try:
        version = importlib.metadata.version("vbench")
    except importlib.metadata.PackageNotFoundError:
        version = "checkout"
    code = {}
    for dimension in dimensions:
        where = package_folder(dimension, folder)
        parts = [(where / name).read_bytes() for name in (f"{dimension}.py", "utils.py")]
        code[dimension] = hashlib.sha256(b"".join(parts)).hexdigest()[:12]
    return {"version": version, "code": code}


FROM_IMAGE = ("camera_motion", "i2v_subject", "i2v_background")


def package_of(dimension: str) -> str:
    return "vbench2_beta_i2v" if dimension in FROM_IMAGE else "vbench"


def package_folder(dimension: str, vbench: Path) -> Path:
    if dimension not in FROM_IMAGE:
        return vbench
    spec = importlib.util.find_spec("vbench2_beta_i2v")
    if spec is None or not spec.submodule_search_locations:
        sys.exit("vbench2_beta_i2v cannot be imported in this Python. Set PYTHONPATH to a checkout of Vchitect/VBench.")
    return Path(spec.submodule_search_locations[0])


def results_so_far() -> list:
    """The list `video_results` of the published function that waits for the next video."""
    frame = sys._getframe(1)
    while frame is not None:
        found = frame.f_locals.get("video_results")
        if isinstance(found, list):
            return found
        frame = frame.f_back
    raise RuntimeError("the published code keeps no list video_results here")


def plain(value):
    """Numbers of numpy and torch as those of JSON."""
    return value.tolist() if hasattr(value, "tolist") else float(value)


def measure(dimension: str, answers) -> None:
    def requests(make):
        for line in sys.stdin:
            request = json.loads(line)
            before = len(results_so_far())
            yield make(request)
            new = results_so_far()[before:]
            print(json.dumps({"result": new[-1] if new else None}, default=plain), file=answers, flush=True)

    def entry(request):
        return {
            "prompt": request["prompt"],
            "video_list": [request["video"]],
            "auxiliary_info": request.get("auxiliary_info"),
        }

    import torch
    package = package_of(dimension)
    init_submodules = importlib.import_module(f"{package}.utils").init_submodules
    module = importlib.import_module(f"{package}.{dimension}")
    pairs = lambda *_, **__: (requests(lambda each: (each["image"], each["video"])), [])
    module.load_i2v_dimension_info = pairs
    module.load_dimension_info = lambda *_, **__: (requests(lambda each: each["video"]), requests(entry))
    if hasattr(module, "distribute_list_to_rank"):
        module.distribute_list_to_rank = lambda given: given
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    submodules = init_submodules([dimension])[dimension]
    compute = getattr(module, f"compute_{dimension}")
    # When there are no more videos, it may divide by none.
    with contextlib.suppress(ZeroDivisionError):
        compute("", device, submodules, imaging_quality_preprocessing_mode="longer")


def main() -> None:
    if sys.argv[1] == "--about":
        print(json.dumps(about(sys.argv[2:])))
        return
    # The published code prints; answers have a channel of their own.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    measure(sys.argv[1], answers)


if __name__ == "__main__":
    main()
