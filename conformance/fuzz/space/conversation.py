"""Plays a conversation with the published environment and builds its probes and questions."""
import sys
from types import SimpleNamespace
from unittest.mock import MagicMock

import published
from driver import serve

published.load(sys.argv[1])

import numpy as np  # noqa: E402
from vagen.env.spatial import env as environment  # noqa: E402
from vagen.env.spatial import message_list_builder as builder  # noqa: E402
from vagen.env.spatial.Base.tos_base.utils.room_modifier import ChangedObject  # noqa: E402


class History:
    """Keeps in memory what the published history manager writes to files."""

    def __init__(self, observation_config, _model, room, agent, image_dir=None, **_):
        self.observation_config, self.room_dict, self.agent_dict = observation_config, room, agent
        self.exp_type = observation_config["exp_type"]
        self.image_dir, self.seed = image_dir, 0
        self.messages, self.exploration_turn_logs, self.false_belief_turn_logs = [], [], []

    def init_messages(self, system):
        self.messages = [{"role": "system", "content": system}]

    def append_env_feedback(self, text, _images):
        self.messages.append({"role": "user", "content": text})

    def append_assistant_message(self, text):
        self.messages.append({"role": "assistant", "content": text})

    def update_turn_log(self, log, replay=False):
        (self.exploration_turn_logs if log["is_exploration_phase"] else self.false_belief_turn_logs).append(log)

    def get_enable_think(self):
        return self.observation_config["prompt_config"]["enable_think"]

    def has_exploration(self, _):
        return False

    has_false_belief = has_exploration

    def save_messages(self, _=None):
        pass

    def save_exploration(self):
        pass

    def save_false_belief(self):
        pass

    def get_responses(self):
        return {}

    def get_eval_ids(self):
        return {}

    def get_cogmap(self, _):
        return None


def config_of(case):
    options = case["options"]
    observation = {
        "render_mode": "vision" if options["vision"] else "text",
        "exp_type": "passive" if options["proxy"] else "active",
        "prompt_config": {"enable_think": options["think"]},
    }
    return SimpleNamespace(
        **observation,
        proxy_agent=options["proxy"] or "scout",
        max_exp_steps=options["steps"],
        max_false_belief_exp_steps=options["revisionSteps"],
        false_belief_exp=case["revision"] is not None,
        image_placeholder="<image>",
        field_of_view=90,
        data_dir="",
        image_size=(384, 384),
        replay=False,
        kwargs={"output_dir": ""},
        get_observation_config=lambda: observation,
        get_model_config=dict,
    )


def state_of(env, mixed):
    manager = env.exploration_manager
    agent, counts = manager.agent, manager.action_counts
    rooms = agent.room_id if isinstance(agent.room_id, list) else [agent.room_id]
    log = manager.turn_logs[-1] if manager.turn_logs else None
    state = {
        "pos": agent.pos,
        "heading": agent.ori,
        "rooms": rooms,
        "nodes": len(manager.observed_nodes) / len(manager.node_names),
        "edges": len(manager.known_edges) / len(manager.target_edges),
        "cost": manager.action_cost,
        "counts": [counts[kind] for kind in ("move", "rotate", "observe", "query", "term", "forced_term")],
        "observed": sorted(manager.observed_items),
        "remaining": env.remaining_exp_steps,
        "turns": len(manager.turn_logs),
        "failed": bool(log and log.is_action_fail),
        "visible": list(log.visible_objects) if log else [],
        "unexplored": {room: sorted(map(list, cells)) for room, cells in manager._unexplored_by_room.items()},
        "probe": [len(log.all_candidate_coords), len(log.all_correct_coords)] if log else [0, 0],
    }
    if not mixed:
        state["information"] = manager._compute_exploration_quality()
        state["sizes"] = {k: v for k, v in manager._final_position_counts().items() if k != "initial_pos"}
    return state


def run(case):
    room, agent = published.room_of(case["state"]), published.agent_of(case["state"])
    environment.initialize_room_from_json = lambda _: (room, agent)
    environment.ImageHandler = lambda *_, **__: MagicMock(image_dir="images")
    environment.HistoryManager = History
    if case["revision"] is not None:
        changed = published.room_of({"room": case["revision"]["room"]})
        changes = [ChangedObject(**change) for change in case["revision"]["changes"]]
        environment.ObjectModifier = lambda **_: SimpleNamespace(modify=lambda _: (changed, changes))
    env = environment.SpatialGym(config_of(case))
    first, _ = env.reset(seed=0)
    history = env.history_manager
    turns, done, revising = [], bool(case["options"]["proxy"]), False
    revision = []
    for reply in [] if done else case["explored"]:
        obs, _, over, info = env.step(reply)
        revising = env.in_false_belief_phase
        text = history.messages[-1]["content"] if revising else obs["obs_str"]
        turns.append({"message": text, "valid": info.get("is_valid_action", True), **state_of(env, revising)})
        if over or revising:
            break
    opening = obs["obs_str"] if revising else None
    for reply in case["revised"] if revising else []:
        obs, _, over, info = env.step(reply)
        log = env.turn_logs[-1].false_belief_log
        revision.append({
            "message": obs["obs_str"],
            "valid": info["is_valid_action"],
            **state_of(env, True),
            "newly": [sorted(log.newly_observed_changed_objects), sorted(log.newly_observed_unchanged_objects)],
            "scores": [log.f1_overall, log.f1_position, log.f1_facing] if over else None,
            "costs": [log.action_cost, log.action_cost_after_seen] if over else None,
        })
        if over:
            break
    # The questions are asked about the room before the change.
    history.room_dict = room.to_dict()
    return {
        "system": history.messages[0]["content"],
        "first": None if case["options"]["proxy"] else first["obs_str"],
        "turns": turns,
        "opening": opening,
        "revision": revision,
        "probes": probes_of(case, history),
        "questions": questions_of(case, history),
        "revisionProbes": revision_probes_of(case, history),
    }


def last_messages(lists):
    return [[len(messages), messages[-1]["content"]] for messages in lists]


def probes_of(case, history):
    if not case["options"]["maps"]:
        return []
    # Candidates are drawn at random, so ours are asked about; an invalid turn has no room to ask about.
    logs = history.exploration_turn_logs
    for log, fog in zip(logs, case["fog"]):
        if log["exploration_log"]:
            log["exploration_log"]["all_candidate_coords"] = fog
    builder.load_history_manager = lambda *_, **__: history
    builder._generate_annotated_cogmap = lambda *_: "map.png"
    lists, meta = builder.build_cogmap_from_combo("text/active")
    kept = [
        [one["map_type"], *last]
        for one, last in zip(meta, last_messages(lists))
        if not logs or logs[one["turn_number"] - 1]["exploration_log"]
    ]
    for log in logs:
        log["cogmap_log"] = {"global": {"original_response": case["map"]}}
    return kept


def questions_of(case, history):
    texts = iter(case["questions"])

    def create(task, *_):
        made = SimpleNamespace(eval_data=SimpleNamespace(id="", answer={}, to_dict=dict))

        def generate():
            made.eval_data.id = next(texts)
            return made.eval_data.id

        made.generate_question = generate
        return made

    builder.load_history_manager = lambda *_, **__: history
    builder.ImageHandler = MagicMock()
    builder.EvalTaskType = SimpleNamespace(create_task=create)
    counts = {"dir": len(case["questions"])} if case["questions"] else {}
    lists, _ = builder.build_evaluation_from_combo("text/active", counts, mode=case["options"]["evaluation"])
    return [[len(messages), *[message["content"] for message in messages[-3:]]] for messages in lists]


def revision_probes_of(case, history):
    if not case["options"]["maps"] or not history.false_belief_turn_logs:
        return []
    logs = history.false_belief_turn_logs
    builder.load_history_manager = lambda *_, **__: history
    lists, meta = builder.build_cogmap_fb_from_combo("text/active")
    return [
        last for one, last in zip(meta, last_messages(lists)) if logs[one["fb_turn_index"]]["room_state"]
    ]


serve(run)
