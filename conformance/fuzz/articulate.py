"""Articulate-Anything: its metrics, loop, critics and program language, without models, simulator or renderer.

Exact boxes stand in for PyBullet: bounding boxes of vertices and contact of convex bodies, without margins. A link
without a body has a bounding box of zeros, as in Bullet's collision information.
"""
import json
import math
import os
import sys
import tempfile
import types
import xml.etree.ElementTree as ET
from contextlib import nullcontext
from functools import lru_cache

import numpy as np
from scipy.spatial.transform import Rotation

from driver import serve

np.seterr(all="ignore")
ROOT = sys.argv[1]
sys.path.insert(0, ROOT)


class Anything(types.ModuleType):
    """A module of which every name exists, for imports that nothing here calls."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {})


for name in [
    "hydra", "hydra.core", "hydra.core.global_hydra", "torch", "omegaconf", "cv2", "pybullet_data", "trimesh", "PIL",
    "PIL.Image", "IPython", "IPython.display", "google", "google.generativeai", "astor", "markdown2", "anthropic",
    "openai", "sapien", "sapien.core", "pybullet",
    "articulate_anything.utils.prompt_utils", "articulate_anything.utils.viz",
    "articulate_anything.agent.multimodal_incontext_agent",
]:
    sys.modules[name] = Anything(name)

import pybullet

TOUCHING = 1e-9
BODIES = {}


class LoadError(Exception):
    pass


def vector(text):
    return np.array([float(x) for x in text.split()])


@lru_cache(64)
def turn_of(rpy):
    return Rotation.from_euler("xyz", vector(rpy)).as_matrix()


def frame(origin):
    if origin is None:
        return np.eye(3), np.zeros(3)
    return turn_of(origin.get("rpy", "0 0 0")), vector(origin.get("xyz", "0 0 0"))


class Simulated:
    """A URDF at rest: frames and corners of its links, in Bullet's order."""

    def __init__(self, path):
        root = ET.parse(path).getroot()
        links = {link.get("name"): link for link in root.findall("link")}
        below, children = {}, set()
        for joint in root.findall("joint"):
            parent, child = joint.find("parent").get("link"), joint.find("child").get("link")
            if parent not in links or child not in links:
                raise LoadError("Cannot load URDF file.")
            below.setdefault(parent, []).append(joint)
            children.add(child)
        self.base = next((name for name in links if name not in children), None)
        if self.base is None:
            raise LoadError("Cannot load URDF file.")
        self.names, self.joints, self.frames = [], [], {self.base: (np.eye(3), np.zeros(3))}
        self.walk(self.base, below)
        self.corners = {}
        for name, (turn, at) in self.frames.items():
            points = []
            for collision in links[name].findall("collision"):
                own_turn, own_at = frame(collision.find("origin"))
                body = BODIES[collision.find("geometry").find("mesh").get("filename")]
                points.append((body @ own_turn.T + own_at) @ turn.T + at)
            self.corners[name] = np.concatenate(points) if points else None
        self.lift = 0.0

    def walk(self, parent, below):
        turn, at = self.frames[parent]
        for joint in below.get(parent, []):
            child = joint.find("child").get("link")
            if child in self.frames:
                continue
            own_turn, own_at = frame(joint.find("origin"))
            self.frames[child] = (turn @ own_turn, turn @ own_at + at)
            self.names.append(child)
            self.joints.append(joint)
            self.walk(child, below)

    def name(self, index):
        return self.base if index == -1 else self.names[index]

    def box(self, index):
        points = self.corners[self.name(index)]
        if points is None:
            return (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
        up = np.array([0.0, 0.0, self.lift])
        return tuple((points.min(axis=0) + up).tolist()), tuple((points.max(axis=0) + up).tolist())

    def touch(self, first, second):
        a, b = self.corners[self.name(first)], self.corners[self.name(second)]
        if a is None or b is None:
            return False
        # Most boxes are apart along an axis of the world.
        if (np.maximum(a.min(axis=0) - b.max(axis=0), b.min(axis=0) - a.max(axis=0)) > TOUCHING).any():
            return False
        # Corners are those of a box: back-left-bottom, then those next to it along y, x and z.
        edges = [[points[1] - points[0], points[2] - points[0], points[4] - points[0]] for points in (a, b)]
        axes = edges[0] + edges[1] + [np.cross(u, v) for u in edges[0] for v in edges[1]]
        for axis in axes:
            length = math.sqrt(axis @ axis)
            if length < 1e-9:
                continue
            p, q = a @ axis / length, b @ axis / length
            if max(p.min() - q.max(), q.min() - p.max()) > TOUCHING:
                return False
        return True


WORLD = {}


def load(path):
    if path == "plane.urdf":
        return -1
    WORLD[0] = Simulated(path)
    return 0


def raise_base(_, position, __):
    WORLD[0].lift = float(position[2])


def link_state(_, index):
    turn, at = WORLD[0].frames[WORLD[0].name(index)]
    at = tuple((at + np.array([0, 0, WORLD[0].lift])).tolist())
    quaternion = tuple(Rotation.from_matrix(turn).as_quat().tolist())
    return (at, quaternion, (0, 0, 0), (0, 0, 0, 1), at, quaternion)


pybullet.connect = lambda mode: 0
pybullet.disconnect = lambda client: None
pybullet.setAdditionalSearchPath = lambda path: None
pybullet.setGravity = lambda x, y, z: None
pybullet.stepSimulation = lambda: None
pybullet.DIRECT, pybullet.GUI = 0, 1
pybullet.loadURDF = load
pybullet.getNumJoints = lambda robot: len(WORLD[0].names)
pybullet.getBodyInfo = lambda robot: (WORLD[0].base.encode(), b"robot")
pybullet.getJointInfo = lambda robot, i: [None] * 12 + [WORLD[0].names[i].encode()]
pybullet.getAABB = lambda robot, linkIndex: WORLD[0].box(linkIndex)
pybullet.getBasePositionAndOrientation = lambda robot: ((0.0, 0.0, WORLD[0].lift), (0.0, 0.0, 0.0, 1.0))
pybullet.resetBasePositionAndOrientation = raise_base
pybullet.getLinkState = link_state
pybullet.getClosestPoints = lambda bodyA, bodyB, linkIndexA, linkIndexB, distance: (
    [1] if WORLD[0].touch(linkIndexA, linkIndexB) else []
)
sys.modules["pybullet_data"].getDataPath = lambda: ""

import logging

logging.disable(logging.CRITICAL)
from actor_critic import actor_critic_loop
from articulate_anything.api import odio_urdf as dsl
from articulate_anything.physics import pybullet_utils
from articulate_anything.utils import metric

pybullet_utils.HideOutput = nullcontext
FOLDER = tempfile.mkdtemp(prefix="fuzz-articulate-")


def number(value):
    return {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}.get(value, value) if isinstance(value, str) else value


def words(values):
    return " ".join(repr(float(number(value))) for value in values)


def joint_state(given):
    return {
        "joint_type": given["type"],
        "joint_origin": {"xyz": words(given["origin"]), "orientation": words(given["orientation"])},
        "joint_axis": words(given["axis"]),
        "joint_limit": {"lower": words([given["lower"]]), "upper": words([given["upper"]])},
    }


def joint(case):
    gt, pred = joint_state(case["truth"]), joint_state(case["predicted"])
    diff = metric.compute_joint_diff({"joint_0": gt}, {"a_to_b": pred}, {"joint_0": "a_to_b"}, "joint_0")
    score, reason = metric.compute_joint_diff_score(diff)
    result = metric.adjust_result_for_prismatic(
        {"failure_reason": reason, "score": score}, case["truth"]["type"], True, True
    )
    return {
        # Angles near 0 lose half of their digits to arccos; their cosines do not.
        "axis": float(np.cos(diff["joint_axis"])),
        "orientation": float(np.cos(diff["joint_origin"]["orientation"] / 2)),
        "type": bool(diff["joint_type"]),
        "origin": diff["joint_origin"]["xyz"],
        "limit": diff["joint_limit"],
        "verdict": {"failure_reason": reason, "score": score},
        "forgiven": result,
    }


def link_states(given):
    return {
        name: {
            "position": [0, 0, 0],
            "orientation": [number(x) for x in state["orientation"]],
            "bbox_position": [number(x) for x in state["center"]],
        }
        for name, state in given.items()
    }


def link(case):
    diff = metric.average_link_difference(link_states(case["truth"]), link_states(case["predicted"]))
    reduced = metric.reduce_link_diff(diff)
    return {
        "position": diff["position_diff"],
        "orientation": {name: float(np.cos(angle / 2)) for name, angle in diff["orientation_diff"].items()},
        "success": bool(metric.is_success(reduced["average_diff"], 0.05, "average_diff")),
    }


def critic_class(path, name):
    """A published critic's `parse_response`, with the reply that it saves as its result."""
    sys.modules.setdefault("articulate_anything.preprocess.preprocess_partnet", Anything("preprocess"))
    module = __import__(path, fromlist=[name])
    saved = {}
    module.save_json = lambda data, path: saved.update(data=data)
    module.join_path = lambda *parts: ""
    return getattr(module, name), saved


class Text:
    def __init__(self, text):
        self.text = text


class Object:
    def __init__(self, **fields):
        self.__dict__.update(fields)


LINK = critic_class("articulate_anything.agent.critic.link_placement.link_critic", "LinkCritic")
JOINT = critic_class("articulate_anything.agent.critic.joint_prediction.joint_critic", "JointCritic")


def critic_score(kind, reply):
    cls, saved = JOINT if kind == "joint" else LINK
    cls.parse_response(Object(cfg=Object(out_dir=""), OUT_RESULT_PATH=""), Text(reply))
    return int(saved["data"]["realism_rating"]), saved["data"]


def critic(case):
    score, read = critic_score(case["critic"], case["reply"])
    return {"score": score, "reason": read.get("failure_reason") if case["critic"] == "joint" else None}


def loop(case):
    """Actor and critic as articulate_link.py and articulate_joint.py call them, one run of them after the other."""
    kind, calls = case["critic"], []

    def actor(iteration, seed, retry):
        calls.append([iteration, seed, sorted(retry)])
        run = case["runs"][iteration]
        # The joint actor's prompt needs the placement: a keyword without a default.
        if kind == "joint" and "link_placement_path" not in retry:
            raise TypeError("link_placement_path")
        if run["error"]:
            raise ValueError("does not compile")
        return {"candidate": iteration}

    def judge(iteration, seed, acted):
        run = case["runs"][iteration]
        if run["reply"] is None:
            return {"feedback_score": 10}
        score, _ = critic_score(kind, run["reply"])
        return {"feedback_score": score, "feedback": "f", "link_placement_path": "", "targetted_affordance": ""}

    cfg = Object(actor_critic=Object(max_iter=case["iterations"], num_seeds=1, conservative=True, cutoff=5))
    retry = {"link_placement_path": "", "targetted_affordance": ""} if kind == "joint" else {}
    best = actor_critic_loop(cfg, actor, judge, steps=None, retry_kwargs=retry)
    return {
        "asked": len(calls),
        "best": best["iteration"],
        "score": best["feedback_score"],
        # Whether the next actor is given anything to improve.
        "told": ["candidate" in keys for _, _, keys in calls],
    }


def part(name, corners):
    shape = lambda: dsl.Geometry(dsl.Mesh(filename=f"{name}.obj"))
    origin = lambda: dsl.Origin(xyz="0 0 0", rpy="0 0 0")
    BODIES[f"{name}.obj"] = corners
    return dsl.Link(name, dsl.Visual(origin(), shape()), dsl.Collision(origin(), shape()))


def program(case):
    turn = case["base_turn"]
    urdf = os.path.join(FOLDER, "mobility.urdf")
    if os.path.exists(urdf):
        os.remove(urdf)
    if turn is not None:
        with open(urdf, "w") as file:
            file.write(
                '<robot name="r"><joint name="j" type="fixed"><parent link="base"/><child link="b"/>'
                f'<origin xyz="0 0 0" rpy="{words(turn)}"/></joint></robot>'
            )
    links = {"base": dsl.Link("base")}
    for given in case["parts"]:
        size, center = np.array(given["size"]), np.array(given["center"])
        corners = dsl.compute_aabb_vertices(center - size / 2, center + size / 2)
        if turn is not None:
            corners = corners @ Rotation.from_euler("xyz", turn).as_matrix()
        links[given["name"]] = part(given["name"], corners)
    robot = dsl.Robot(FOLDER, name="robot")
    told = []
    for op, *given in case["ops"]:
        if op == "add_link":
            robot.add_link(links[given[0]])
        elif op == "fixed":
            parent, child = given
            robot.add_joint(
                dsl.Joint(f"{parent}_to_{child}", dsl.Parent(parent), dsl.Child(child), type="fixed")
            )
        elif op == "place":
            robot.place_relative_to(given[0], given[1], **given[2])
        elif op == "prismatic":
            robot.make_prismatic_joint(*given)
        elif op == "revolute":
            child, parent, options = given
            options = dict(options)
            vertex = options.pop("pivot_vertex", None)
            if vertex is not None:
                options["pivot_point"] = dsl.compute_aabb_vertices(*robot.get_bounding_boxes([child])[child])[vertex]
            robot.make_revolute_joint(child, parent, **options)
        elif op == "boxes":
            told.append(robot.get_bounding_boxes(given[0], include_dim=True))
        elif op == "states":
            told.append(states(robot))
    boxes = robot.get_bounding_boxes()
    with open(os.path.join(FOLDER, "raise_distances.json")) as file:
        raised = json.load(file)
    return {
        "told": told,
        "joints": sorted((written(one) for one in robot.get_joints().values()), key=lambda one: one["name"]),
        "shifts": {
            name: vector(robot.get_origin_of_link(name).xyz).tolist()
            for name in robot.get_links()
            if links.get(name) and len(links[name])
        },
        "boxes": boxes,
        "raised": raised,
    }


def only(elements, name):
    return getattr(elements[0], name, None) if elements else None


def written(one):
    origin, limit = one.get_named_elements("Origin"), one.get_named_elements("Limit")
    axis = only(one.get_named_elements("Axis"), "xyz")
    return {
        "name": one.name,
        "type": one.type,
        "parent": one.get_named_elements("Parent")[0].link,
        "child": one.get_named_elements("Child")[0].link,
        "xyz": vector(only(origin, "xyz") or "0 0 0").tolist(),
        "rpy": vector(only(origin, "rpy") or "0 0 0").tolist(),
        "axis": None if axis is None else vector(axis).tolist(),
        "limit": [float(limit[0].lower), float(limit[0].upper)] if limit else None,
    }


def states(robot):
    return {
        name: {
            "type": state["joint_type"],
            "origin": vector(state["joint_origin"]["xyz"]).tolist(),
            "axis": vector(state["joint_axis"]).tolist(),
            "turn": Rotation.from_quat(vector(state["joint_origin"]["orientation"])).as_matrix().tolist(),
        }
        for name, state in robot.get_joint_states().items()
    }


KINDS = {"joint": joint, "link": link, "critic": critic, "loop": loop, "program": program}
serve(lambda case: KINDS[case["kind"]](case))
