"""The fork of Articulate-Anything with verifiers and a driver of its own, without models and renderers."""
import logging
import math
import os
import sys
import tempfile
import types

import numpy as np

from driver import serve

sys.path.insert(0, sys.argv[1])


class Anything(types.ModuleType):
    """A module of which every name exists, for imports that nothing here calls."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *args, **kwargs: (lambda function: function)


for name in ["hydra", "omegaconf", "articulate_link", "articulate_joint", "articulated_utils.utils.utils", "cv2"]:
    sys.modules[name] = Anything(name)

import articulate_obj_assembly as assembly
from articulated_utils.agent.critic import urdf_critic
from articulated_utils.agent.verifier.threshold_verifier import AdaptiveThresholdVerifier, ThresholdVerifier

logging.disable(logging.NOTSET)
logging.getLogger().setLevel(logging.INFO)
FILE = os.path.join(tempfile.mkdtemp(prefix="fuzz-articulate-"), "robot.urdf")


class Heard(logging.Handler):
    def emit(self, record):
        HEARD.append(record.getMessage())


HEARD = []
logging.getLogger().handlers = [Heard()]


def number(value):
    """Python tells 8 from 8.0; JSON does not."""
    if isinstance(value, dict):
        return int(value["value"]) if value["whole"] else float(number(value["value"]))
    return {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}.get(value, value) if isinstance(value, str) else value


def verifier(case):
    config = {key: number(value) for key, value in case["config"].items()}
    one = (AdaptiveThresholdVerifier if case["adaptive"] else ThresholdVerifier)(config)
    told = []
    for record in case["records"]:
        record = {key: number(value) for key, value in record.items()}
        goes_on = one.should_continue([record])
        told.append([goes_on, one.get_stop_reason(), float(one.best_score), one.no_improvement_count,
                     float(one.overall_threshold)])
    return told


SAID = {
    "Quality threshold": "quality",
    "Score converged": "converged",
    "Maximum iteration count": "max_iterations",
    "PromptCritic evaluation successful": "critic_success",
    "No improvement for": "early_stop",
}


class Config(dict):
    def __getattr__(self, name):
        return self[name]


def driver(case):
    HEARD.clear()
    steps = case["steps"]
    asked = []

    class Critic:
        def __init__(self, cfg):
            pass

        def evaluate(self, path, iteration, seed):
            step = steps[iteration]
            success = {} if step["success"] is None else {"success": step["success"]}
            return {"feedback_score": number(step["score"]), **success}

    def act(iteration, seed, feedback=None, retry=None):
        asked.append(iteration)
        return {"success": steps[iteration]["kind"] != "failed"}

    pipeline = assembly.OBJAssemblyPipeline.__new__(assembly.OBJAssemblyPipeline)
    pipeline.cfg = Config(actor_critic={"max_iter": case["iterations"]}, critic_type="prompt", verifier=case["config"])
    pipeline.steps, pipeline.history, pipeline.feedback_history = [], [], []
    pipeline.run_single_iteration = act
    pipeline._find_generated_urdf = lambda: None if steps[asked[-1]]["kind"] == "no_urdf" else __file__
    pipeline._save_critic_results = lambda *args: None
    pipeline.run_basic_pipeline = lambda: HEARD.append("fell back")
    assembly.PromptCritic = Critic
    pipeline.run_critic_verifier_pipeline()
    if "fell back" in HEARD:
        raise ValueError("the pipeline fell back")
    reasons = [code for words, code in SAID.items() for line in HEARD if line.startswith(words)]
    return {"asked": len(asked), "reason": reasons[0] if reasons else "exhausted"}


def evaluation(case):
    critic = urdf_critic.PromptCritic.__new__(urdf_critic.PromptCritic)
    critic.logger = logging.getLogger("critic")
    found = critic._convert_to_standard_format(case["evaluation"])
    scores = {key: float(found[key]) for key in ("position_score", "joint_score", "overall_score")}
    return {**scores, "success": found["success"]}


def scorer(case):
    with open(FILE, "w") as file:
        file.write(case["urdf"])
    one = urdf_critic.URDFScorer({"position_weight": case["weights"][0], "joint_weight": case["weights"][1]})
    one._evaluate_positions = lambda images: case["position"]
    share = one._evaluate_joints({}, FILE)
    return {"share": float(share), **{key: float(value) for key, value in one.score_images({"front": ""}, FILE).items()}}


KINDS = {"verifier": verifier, "driver": driver, "evaluation": evaluation, "scorer": scorer}
serve(lambda case: KINDS[case["kind"]](case))
