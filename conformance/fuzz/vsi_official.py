"""The official evaluator of VSI-Bench, and lmms-eval's, which has the same functions. Needs numpy, pandas and PyYAML."""
import sys
from pathlib import Path

from driver import serve
from vsi_stubs import load, stand_in

stand_in("loguru", "datasets", "decord", "PIL")
utils = load("vsibench_utils", Path(sys.argv[1]) / "lmms_eval/tasks/vsibench/utils.py")


def score(case):
    doc = {"question_type": case["type"], "ground_truth": case["truth"]}
    utils.vsibench_process_results(doc, [case["prediction"]])
    return doc["accuracy"] if "accuracy" in doc else doc["MRA:.5:.95:.05"]


def aggregate(case):
    docs = []
    for row in case["rows"]:
        key = "accuracy" if row["type"] in utils.MCA_QUESTION_TYPES else "MRA:.5:.95:.05"
        docs.append({"question_type": row["type"], key: row["score"]})
    results = utils.vsibench_aggregate_results(docs)
    if not isinstance(results, dict):
        return {"overall": results}
    return {key: value for key, value in results.items() if not key.startswith("tabulated")}


serve(lambda case: score(case) if "type" in case else aggregate(case))
