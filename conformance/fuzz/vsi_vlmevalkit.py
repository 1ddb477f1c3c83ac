"""VLMEvalKit's rule-based scores of VSI-Bench. Needs numpy and pandas."""
import sys
import types
from pathlib import Path

import pandas as pd

from driver import serve
from vsi_stubs import load, stand_in

dataset = Path(sys.argv[1]) / "vlmeval/dataset"
bench = dataset / "utils/spatial_bench"
# The package imports every model; the files that score need only each other.
stand_in("vlmeval", "decord", "huggingface_hub", "PIL", "tqdm")
WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen twenty"
).split()
# Only num2words of 0 to 20 is called.
sys.modules["num2words"] = types.SimpleNamespace(num2words=lambda number, lang: WORDS[number])
load("vlmeval.dataset.utils.spatial_bench.matching_func", bench / "matching_func.py")
scores = load("vlmeval.dataset.utils.spatial_bench.cal_scores", bench / "cal_scores.py")
sys.modules["vlmeval.dataset.video_base"] = types.SimpleNamespace(VideoBaseDataset=object)
VsiBench = load("vlmeval.dataset.vsibench", dataset / "vsibench.py").VsiBench


def score(case):
    kind = VsiBench.get_task_type(None, case["type"])
    frame = pd.DataFrame([{"prediction": str(case["prediction"]), "answer": case["truth"]}])
    if kind == "MCQ":
        return scores.compute_mcq_score(frame)["hit"][0]
    return scores.compute_na_score(frame)["MRA:.5:.95:.05"][0]


def aggregate(case):
    rows = {"MCQ": [], "NA": []}
    for row in case["rows"]:
        kind = VsiBench.get_task_type(None, row["type"])
        key = "hit" if kind == "MCQ" else "MRA:.5:.95:.05"
        rows[kind].append({"question_type": row["type"], key: row["score"]})
    results = VsiBench._aggregate(None, pd.DataFrame(rows["MCQ"]), pd.DataFrame(rows["NA"]))
    return {key: value for key, value in results.items() if not key.startswith("tabulated")}


serve(lambda case: score(case) if "type" in case else aggregate(case))
