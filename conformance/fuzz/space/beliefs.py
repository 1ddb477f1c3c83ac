"""Scores maps, fog probes, stability and the maps of the revision phase with the published code."""
import sys

import published
from driver import serve

published.load(sys.argv[1])

from vagen.env.spatial.Base.tos_base.managers.cognitive_map_manager import CognitiveMapManager  # noqa: E402
from vagen.env.spatial.Base.tos_base.utils.cogmap.consistency import stability  # noqa: E402
from vagen.env.spatial.Base.tos_base.utils.cogmap.unexplored import (  # noqa: E402
    evaluate_unexplored_predictions,
    parse_fog_probe_response,
)
from vagen.env.spatial.Base.tos_base.utils.room_modifier import ChangedObject  # noqa: E402


def metrics_of(metrics):
    return metrics.to_dict() if metrics is not None and metrics.valid else None


def entries_of(room):
    if room is None:
        return None
    return {entry.name: [*entry.pos, *(entry.ori if entry.has_orientation else [None, None])] for entry in room.objects}


def maps(case):
    room, agent = published.room_of(case["state"]), published.agent_of(case["state"])
    manager = CognitiveMapManager(cogmap_type="standard", pos_allow_scale=False, scope="all")
    manager._last_observed_items = set(case["before"])
    log = manager.evaluate_cogmaps({"local": case["local"], "global": case["global"]}, room, agent, case["observed"])
    whole, local, newly = log.global_log, log.local_log, log.local_newly_log
    return {
        "global": entries_of(whole.pred_room_state),
        "local": entries_of(local.pred_room_state),
        "observed": metrics_of(whole.metrics),
        "full": metrics_of(getattr(whole, "metrics_full", None)),
        "agent": metrics_of(getattr(whole, "metric_agent", None)),
        "all": metrics_of(local.metrics),
        "newly": metrics_of(newly.metrics) if newly else None,
        "consistency": metrics_of(log.consistency.local_vs_global),
    }


def fog(case):
    candidates = [tuple(cell) for cell in case["candidates"]]
    letters, cells = parse_fog_probe_response(case["reply"], candidates)
    metrics = evaluate_unexplored_predictions(cells, [tuple(cell) for cell in case["unexplored"]])
    return {
        "letters": letters,
        "cells": cells,
        "scores": [metrics.overall, metrics.precision, metrics.recall] if metrics.valid else None,
    }


def held(case):
    room, agent = published.room_of(case["state"]), published.agent_of(case["state"])
    logs = []
    for turn in case["turns"]:
        manager = CognitiveMapManager()
        log = manager.evaluate_cogmaps({"global": turn["global"]}, room, agent, turn["observed"])
        logs.append({
            "is_exploration_phase": True,
            "exploration_log": {
                "observed_items": turn["observed"],
                "possible_positions": {name: [[0, 0]] * min(200, size) for name, size in turn["sizes"].items()},
            },
            "cogmap_log": log.to_dict(),
        })
    result = stability(logs)
    return [result["position_stability"], result["facing_stability"]]


def revision(case):
    before, start = published.room_of(case["state"]), published.agent_of(case["state"])
    after = published.room_of({"room": case["revision"]["room"]})
    changes = [ChangedObject(**change).to_dict() for change in case["revision"]["changes"]]
    manager = CognitiveMapManager()
    old = manager.evaluate_cogmaps({"global": case["old"]}, before, start, [one.name for one in before.all_objects])
    logs = []
    for turn in case["turns"]:
        log = {
            "room_state": after.to_dict(),
            "agent_state": {**start.to_dict(), **turn["agent"]},
            "false_belief_log": {
                "newly_observed_changed_objects": turn["changed"],
                "newly_observed_unchanged_objects": turn["unchanged"],
                "ground_truth_changes": changes,
            },
        }
        log["false_belief_log"]["cogmap_log"] = CognitiveMapManager().evaluate_false_belief_cogmap(
            turn["reply"], log, before.to_dict(), start.to_dict(), old.to_dict()
        )
        logs.append(log)
    metrics = CognitiveMapManager.compute_false_belief_metrics(logs)["metrics"]
    pick = lambda scores: [scores.get("pos"), scores.get("facing")] if scores else [None, None]  # noqa: E731
    return {
        "changed": pick(metrics["changed"]),
        "retention": pick(metrics["retention"]),
        "unchanged": metrics["unchanged"] or None,
        "inertia": metrics["inertia_list"],
        "unchangedRetention": pick(metrics.get("unchanged_retention")),
        "selectivity": pick(metrics.get("unchanged_retention_minus_retention")),
    }


TARGETS = {"maps": maps, "fog": fog, "stability": held, "revision": revision}
serve(lambda case: TARGETS[case["target"]](case))
