/** Constant programs and the joint origins of one cabinet, as published and as they are. */
import { z } from 'zod'
import { Assembly, fixedJoint } from '../../src/suites/articulate/domain/assembly/assembly.ts'
import { centerOf } from '../../src/suites/articulate/domain/assembly/box.ts'
import { shelfOf } from '../../src/suites/articulate/domain/assembly/parts.ts'
import { boxPart } from '../../test/support/suites/articulate/boxes.ts'
import type { LinkState, LinkStates } from '../../src/suites/articulate/domain/states.ts'
import { publishedLinkDiff, reducePublished } from '../../src/suites/articulate/published/link.ts'
import {
  compose,
  type Frame,
  frameOf,
  jointStates,
  moved,
  quaternionOf,
  type Robot,
  turnedBack,
  type Vec3,
} from '../../src/world/urdf/index.ts'
import { type Check, firstDifference, verdict } from '../agreement/check.ts'
import { ACOS, byLink, firstOf, mapsDiffer, number, vec3 } from './shared.ts'
import { lying } from './program.ts'

const leakFile = z.object({
  always_one_placement: z.record(
    z.string(),
    z.object({
      diff: z.object({ position_diff: byLink, orientation_diff: byLink }),
      reduced: z.object({ position_diff: number, orientation_diff: number, average_diff: number }),
    }),
  ),
  ground_truth_joint_origins: z.record(z.string(), z.object({ upstream_xyz: vec3, true_xyz: vec3 })),
})

/** The cabinet behind the file: as in the data set, all meshes share one frame and lie on their side. */
const CABINET = {
  turn: [Math.PI / 2, 0, Math.PI / 2] as Vec3,
  parts: [
    boxPart('furniture_body', [1, 1, 1]),
    boxPart('door', [0.05, 0.45, 0.8], [0.525, 0.25, 0]),
    boxPart('door_2', [0.05, 0.45, 0.8], [0.525, -0.25, 0]),
    boxPart('knob', [0.05, 0.05, 0.05], [0.575, 0.1, 0]),
  ],
  /** Joint, parent, child, its origin in the frame of the object. */
  joints: [
    { name: 'joint_0', parent: 'furniture_body', child: 'door', at: [0.5, 0.475, 0] as Vec3 },
    { name: 'joint_1', parent: 'furniture_body', child: 'door_2', at: [0.5, -0.475, 0] as Vec3 },
    { name: 'joint_2', parent: 'door', child: 'knob', at: [0.55, 0.1, 0] as Vec3 },
  ],
}

export const leakAndKinematics: Check = function* (file) {
  const known = leakFile.parse(file)
  const truth = placedCabinet('inside')
  for (const [placement, { diff, reduced }] of Object.entries(known.always_one_placement)) {
    const ours = publishedLinkDiff(truth, placedCabinet(placement))
    yield verdict(
      `always_one_placement.${placement}`,
      firstOf(
        mapsDiffer(ours.position_diff, diff.position_diff, 'position', 1e-9),
        mapsDiffer(ours.orientation_diff, diff.orientation_diff, 'orientation', ACOS),
        mapsDiffer({ ...reducePublished(ours) }, reduced, 'reduced', ACOS),
      ),
    )
  }
  const published = publishedOrigins()
  const right = new Map(jointStates(cabinetRobot()).map(({ name, origin }) => [name, origin]))
  for (const [name, { upstream_xyz, true_xyz }] of Object.entries(known.ground_truth_joint_origins)) {
    yield verdict(`ground_truth_joint_origins.${name}.upstream`, firstDifference(published.get(name), upstream_xyz))
    yield verdict(`ground_truth_joint_origins.${name}.true`, firstDifference(right.get(name), true_xyz))
  }
}

/** The constant program that puts every part against the body in the same way. */
function placedCabinet(placement: string): LinkStates {
  const { parts, turn } = CABINET
  const robot = new Assembly('cabinet', shelfOf(parts.map((part) => lying(part, turn))), {
    profile: 'upstream',
    baseTurn: turn,
  })
  robot.addLink('base')
  for (const { name } of parts) {
    robot.addLink(name)
    if (name === 'furniture_body') robot.addJoint(fixedJoint(name, 'base'))
    else robot.place(name, 'furniture_body', { placement })
  }
  const { frames } = robot.world()
  return Object.fromEntries(
    [...robot.boxes()].map(([name, box]): [string, LinkState] => [
      name,
      { center: centerOf(box), orientation: quaternionOf(frames.get(name)!) },
    ]),
  )
}

/** The cabinet's own file: joint origins along the chain, visual origins that undo them. */
function cabinetRobot(): Robot {
  const up = frameOf([0, 0, 0], CABINET.turn)
  const inFrame = new Map<string, Vec3>([['furniture_body', [0, 0, 0]]])
  const joints = CABINET.joints.map(({ name, parent, child, at }) => {
    const lyingAt = turnedBack(up, at)
    const above = inFrame.get(parent)!
    inFrame.set(child, lyingAt)
    const xyz: Vec3 = [lyingAt[0] - above[0], lyingAt[1] - above[1], lyingAt[2] - above[2]]
    return {
      name,
      type: 'continuous' as const,
      parent,
      child,
      origin: { xyz, rpy: [0, 0, 0] as Vec3 },
      axis: [0, 1, 0] as Vec3,
    }
  })
  const root = {
    name: 'root',
    type: 'fixed' as const,
    parent: 'base',
    child: 'furniture_body',
    axis: [1, 0, 0] as Vec3,
  }
  return {
    name: 'cabinet',
    links: ['base', ...CABINET.parts.map(({ name }) => name)].map((name) => {
      const [x, y, z_] = inFrame.get(name) ?? [0, 0, 0]
      const geometry = { kind: 'mesh', filename: `${name}.obj`, scale: [1, 1, 1] } as const
      return {
        name,
        visuals: name === 'base' ? [] : [{ origin: { xyz: [-x, -y, -z_] as Vec3, rpy: [0, 0, 0] as Vec3 }, geometry }],
        collisions: [],
      }
    }),
    joints: [{ ...root, origin: { xyz: [0, 0, 0], rpy: CABINET.turn } }, ...joints],
  }
}

function publishedOrigins(): Map<string, Vec3> {
  const robot = cabinetRobot()
  const frames = new Map<string, Frame>([['base', frameOf([0, 0, 0])]])
  const origins = new Map<string, Vec3>()
  for (const { name, parent, child, origin } of robot.joints) {
    const frame = compose(frames.get(parent)!, frameOf(origin.xyz, origin.rpy))
    origins.set(name, moved(frame, [0, 0, 0]))
    const visual = robot.links.find((link) => link.name === child)?.visuals[0]
    frames.set(child, visual ? compose(frame, frameOf(visual.origin.xyz)) : frame)
  }
  return origins
}
