"""Scores a reply to a question with the published parser and scorer."""
import sys

import published
from driver import serve

published.load(sys.argv[1])

from vagen.env.spatial.Base.tos_base.evaluation.task_types import EvalTaskType  # noqa: E402
from vagen.env.spatial.Base.tos_base.utils import eval_utilities as scorers  # noqa: E402
from vagen.env.spatial.Base.tos_base.utils.utils import parse_llm_response  # noqa: E402


def answer_of(case):
    answer = case["answer"]
    if not isinstance(answer, dict):
        return answer
    room, agent = published.room_of(case["state"]), published.agent_of(case["state"])
    things = room.all_objects
    rooms = {thing.name.lower(): thing.room_id for thing in things}
    return {
        **answer,
        "init_pos": agent.init_pos.tolist(),
        "init_ori": agent.init_ori.tolist(),
        "object_positions": {thing.name.lower(): tuple(map(int, thing.pos)) for thing in things},
        "object_orientations": {thing.name.lower(): tuple(map(int, thing.ori)) for thing in things if thing.has_orientation},
        "object_rooms": rooms,
        "gate_info": {
            gate.name.lower(): {
                "room_ids": gate.room_id,
                "ori_by_room": {room: tuple(map(int, ori)) for room, ori in gate.ori_by_room.items()},
            }
            for gate in room.gates
        },
    }


def run(case):
    thoughts, text, _ = parse_llm_response(case["reply"], enable_think=True)
    task = EvalTaskType.resolve_class_name(case["task"])
    if case["afterMap"]:
        score, info, _ = scorers.evaluate_task_answer_with_cogmap(task, text, answer_of(case))
        text = scorers.parse_cogmap_response_content(text)[1]
    else:
        score, info = scorers.evaluate_task_answer(task, text, answer_of(case), None)
    return {"thoughts": thoughts, "text": text, "score": float(score), "error": info.get("error")}


serve(run)
