/** Programs in the manner of different models, each with the joints it builds. Parts: body, door, drawer, lid, knob. */

export interface Program {
  source: string
  /** `child:type` of every joint, by child. */
  joints: readonly string[]
}

const BASE = ['body:fixed']

export const PROGRAMS: Readonly<Record<string, Program>> = {
  terse: {
    source: `def partnet_7(input_dir, links) -> Robot:
    r = Robot(input_dir=input_dir, name="partnet_7")
    for n in ("base", "body", "door"): r.add_link(links[n])
    r.add_joint(Joint("base_to_body", Parent("base"), Child("body"), type="fixed"))
    r.place_relative_to("door", "body", placement="front")
    r.make_revolute_joint("door", "body", [0, 0, 1], 0, 90)
    return r`,
    joints: [...BASE, 'door:revolute'],
  },
  broken: {
    source: `from articulate_anything.api.odio_urdf import *


def partnet_42(input_dir, links) -> Robot:
    """
    No. masked_links: 3
    Object: a cabinet with a drawer
    """
    pred_robot = Robot(input_dir=input_dir, name="cabinet")
    pred_robot.add_link(links["base"])
    pred_robot.add_link(links["body"])
    pred_robot.add_joint(
        Joint(
            "base_to_body",
            Parent("base"),
            Child("body"),
            type="fixed",
        ),
    )
    # the drawer sits inside, at the front
    pred_robot.add_link(links["drawer"])
    pred_robot.place_relative_to(
        "drawer", "body", placement="front_inside", clearance=0.0
    )
    # ====================JOINT PREDICTION====================
    bb = pred_robot.get_bounding_boxes(["drawer"], include_dim=True)["drawer"]
    dims = bb[1]
    lower_point = [
        0,
        0,
        0,
    ]  # closed
    upper_point = [0.8 * dims["length"], 0, 0]
    pred_robot.make_prismatic_joint(
        "drawer", "body", global_lower_point=lower_point, global_upper_point=upper_point
    )
    return pred_robot`,
    joints: [...BASE, 'drawer:prismatic'],
  },
  numeric: {
    source: `import math
import numpy as np

def partnet_9(input_dir, links):
    robot = Robot(input_dir=input_dir, name="box")
    robot.add_link(links["base"]); robot.add_link(links["body"])
    robot.make_fixed_joint("body", "base")
    robot.add_link(links["lid"])
    robot.place_relative_to("lid", "body", placement="above")
    boxes = robot.get_bounding_boxes(["lid"], include_dim=True)
    (lo, hi), dim = boxes["lid"]
    corners = np.array(compute_aabb_vertices(lo, hi))
    back = corners[corners[:, 0] <= lo[0] + 1e-9]
    pivot = back.mean(axis=0)
    pivot[2] = lo[2]
    axis = np.cross([0, 0, 1], [1, 0, 0]) * -1.0
    axis = axis / np.linalg.norm(axis)
    robot.make_revolute_joint("lid", "body", global_axis=axis.tolist(), lower_angle_deg=0, upper_angle_deg=math.degrees(math.pi / 2), pivot_point=pivot)
    return robot`,
    joints: [...BASE, 'lid:revolute'],
  },
  classes: {
    source: `from __future__ import annotations
from dataclasses import dataclass, field
from typing import Optional, List
from enum import Enum


class Side(str, Enum):
    FRONT = "front"
    ABOVE = "above"


@dataclass
class PartSpec:
    """One part and how it is attached."""
    name: str
    parent: str = "body"
    side: Side = Side.FRONT
    axis: Optional[List[float]] = None
    limits: tuple[float, float] = field(default=(0.0, 90.0))


SPECS: List[PartSpec] = [
    PartSpec("door", axis=[0, 0, 1]),
    PartSpec("knob", parent="door"),
]


def attach(robot: Robot, spec: PartSpec, links: dict) -> None:
    robot.add_link(links[spec.name])
    robot.place_relative_to(spec.name, spec.parent, placement=spec.side)
    if spec.axis is not None:
        low, high = spec.limits
        robot.make_revolute_joint(spec.name, spec.parent, spec.axis, low, high)


def partnet_11(input_dir: str, links: dict) -> Robot:
    robot = Robot(input_dir=input_dir, name="partnet_11")
    for name in ("base", "body"):
        robot.add_link(links[name])
    robot.add_joint(Joint("base_to_body", Parent("base"), Child("body"), type="fixed"))
    for spec in SPECS:
        attach(robot, spec, links)
    return robot


if __name__ == "__main__":
    print(partnet_11(".", {}))`,
    joints: [...BASE, 'door:revolute', 'knob:fixed'],
  },
  careful: {
    source: `def partnet_13(input_dir, links):
    robot = Robot(input_dir=input_dir, name="careful")
    try:
        for name in ["base", "body", "door", "drawer"]:
            if name not in links:
                raise KeyError(f"missing part: {name!r}")
            robot.add_link(links[name])
    except KeyError as error:
        print("warning:", error)
    finally:
        pass
    robot.add_joint(Joint("base_to_body", Parent("base"), Child("body"), type="fixed"))
    try:
        robot.place_relative_to("door", "body", placement="frnt")
    except Exception:
        robot.place_relative_to("door", "body", placement="front")
    robot.place_relative_to("drawer", "body", placement="inside")
    size = robot.get_bounding_boxes(["drawer"], include_dim=True)["drawer"][1]
    travel = max(min(size.get("length", 0.3), 0.5), 0.05)
    robot.make_prismatic_joint("drawer", "body", [0, 0, 0], [travel, 0, 0])
    robot.make_revolute_joint("door", "body", global_axis=[0, 0, -1], lower_angle_deg=0, upper_angle_deg=110)
    return robot`,
    joints: [...BASE, 'door:revolute', 'drawer:prismatic'],
  },
  dense: {
    source: `def partnet_15(input_dir, links):
    r = Robot(name="dense")
    [r.add_link(links[k]) for k in ["base", "body", *sorted({"lid", "knob"})]]
    r.add_joint(Joint("base_to_body", Parent("base"), Child("body"), type="fixed"))
    tops = {child: parent for child, parent in zip(["lid", "knob"], ["body", "lid"])}
    {r.place_relative_to(c, p, placement="above") for c, p in tops.items()}
    r.make_continuous_joint("lid", "body", [0, 0, 1], pivot_point=(lambda b: [(x + y) / 2 for x, y in zip(*b)])(r.get_bounding_boxes(["lid"])["lid"]))
    return r`,
    joints: [...BASE, 'knob:fixed', 'lid:continuous'],
  },
  generic: {
    source: `class Builder:
    """Collects parts, then builds."""

    def __init__(self, input_dir, links):
        self.links = links
        self.robot = Robot(input_dir=input_dir, name="generic")
        self._steps = []

    def part(self, name, *, on=None, where="above", **motion):
        self._steps.append((name, on, where, motion))
        return self

    def build(self):
        for name, on, where, motion in self._steps:
            self.robot.add_link(self.links[name])
            if on is None:
                continue
            elif on == "base":
                self.robot.add_joint(Joint(f"{on}_to_{name}", Parent(on), Child(name), type="fixed"))
                continue
            self.robot.place_relative_to(name, on, placement=where)
            match motion:
                case {"hinge": axis}:
                    self.robot.make_revolute_joint(name, on, axis, 0, motion.get("upto", 90))
                case {"slide": [_, _, _] as way}:
                    self.robot.make_prismatic_joint(name, on, [0, 0, 0], way)
        return self.robot


def partnet_17(input_dir, links):
    return (
        Builder(input_dir, links)
        .part("base")
        .part("body", on="base")
        .part("lid", on="body", hinge=[0, -1, 0], upto=100)
        .part("drawer", on="body", where="front_inside", slide=[0.3, 0, 0])
        .build()
    )`,
    joints: [...BASE, 'drawer:prismatic', 'lid:revolute'],
  },
}
