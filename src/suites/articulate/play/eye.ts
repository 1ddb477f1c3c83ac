/**
 * A perfect eye: it recognizes every part of which a picture shows enough, and where that part is, and knows of nothing
 * else. What it answers is the ceiling of a suite: what can be known from exactly the pictures that are shown.
 */
import {
  add,
  type Camera,
  compose,
  cross,
  dot,
  type Frame,
  inverse,
  lengthOf,
  originOf,
  type Robot,
  scaled,
  subtract,
  unit,
  type Vec3,
} from '../../../world.ts'
import type { ArticulatedModel, ModelJoint } from '../domain/objects/model.ts'
import { ENDLESS_TURN, partFrames, reachedBox } from '../domain/objects/pose.ts'
import { cameraFor, type PictureSize, type ViewName } from './pictures/cameras.ts'
import { sweepPoses } from './pictures/draw.ts'
import { type Look, PLAIN_LOOK } from './pictures/look.ts'
import { isSeen, type MotionView, motionCamera, plainRenderer } from './pictures/visible.ts'
import { jointOfPart } from './show.ts'
import { trueRobot } from '../domain/objects/model.ts'

/** Fewer pixels of a part cannot be recognized. */
const FEWEST_PIXELS = 12

type Poses = ReadonlyMap<string, Frame>

/** The parts that a picture shows, each with where it is. */
function recognized(model: ArticulatedModel, poses: Poses, camera: Camera, size: PictureSize): Poses {
  const { ids } = plainRenderer(model, poses).render(camera, { ...size, color: false, ids: true })
  const counts = new Map<number, number>()
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1)
  const shown = model.parts.filter((_, i) => (counts.get(i + 1) ?? 0) >= FEWEST_PIXELS)
  const names = new Set(shown.map(({ name }) => name))
  return new Map([...poses].filter(([name]) => names.has(name)))
}

/** Parts recognized in any of several stills of a robot. Cameras are those of the original. */
export function seenInStills(
  model: ArticulatedModel,
  robot: Robot,
  views: readonly ViewName[],
  size: PictureSize,
  look = PLAIN_LOOK,
): Poses {
  const box = reachedBox(model, trueRobot(model))
  const poses = partFrames(robot)
  return new Map(views.flatMap((view) => [...recognized(model, poses, cameraFor(view, box, size, look), size)]))
}

export interface Watched {
  part: string
  view: MotionView
  size: PictureSize
  frames: number
  look?: Look
}

/** The joint that the pictures of a motion show; null if they do not show one. Position 0 is where `robot` has the part. */
export function seenJoint(
  model: ArticulatedModel,
  robot: Robot,
  { part, view, size, frames, look = PLAIN_LOOK }: Watched,
): ModelJoint | null {
  const joint = jointOfPart(robot, part)
  const known = model.joints.find(({ child }) => child === part)
  if (!joint || !known || !isSeen(view)) return null
  const camera = motionCamera(model, trueRobot(model), part, view, size, look)
  const rest = inverse(partFrames(robot).get(part)!)
  const motions = sweepPoses(robot, joint, frames).flatMap((poses) => {
    const pose = recognized(model, poses, camera, size).get(part)
    return pose ? [compose(pose, rest)] : []
  })
  return motions.length < 2 ? null : jointThrough(motions, known)
}

/** Degrees: below it nothing turns. */
const LEAST_TURN = 0.005
const ENDLESS_ERROR = 0.05

/** The joint that takes a part through these motions, each from where it was placed. */
function jointThrough(motions: readonly Frame[], { child, parent, origin: center }: ModelJoint): ModelJoint | null {
  const steps = motions.slice(1).map((motion, i) => compose(motion, inverse(motions[i]!)))
  const turns = steps.map(turnOf)
  const total = turns.reduce((sum, { angle }) => sum + angle, 0)
  const named = { child, parent }
  if (total < LEAST_TURN) {
    const way = subtract(originOf(motions.at(-1)!), originOf(motions[0]!))
    if (lengthOf(way) < 1e-6) return null
    const axis = unit(way)
    const ends = [motions[0]!, motions.at(-1)!].map((motion) => dot(originOf(motion), axis))
    return { ...named, type: 'prismatic', axis, origin: center, lower: ends[0]!, upper: ends[1]! }
  }
  const axis = turns.reduce((most, turn) => (turn.angle > most.angle ? turn : most)).axis
  const origin = centerOfTurn(steps[turns.findIndex((turn) => turn.axis === axis)]!, axis)
  const first = turnOf(motions[0]!)
  const lower = first.angle * Math.sign(dot(first.axis, axis))
  if (Math.abs(total - ENDLESS_TURN) < ENDLESS_ERROR)
    return { ...named, type: 'continuous', axis, origin, lower: 0, upper: 0 }
  return { ...named, type: 'revolute', axis, origin, lower, upper: lower + total }
}

/** Axis and angle of a turn, 0 to π. */
function turnOf(f: Frame): { axis: Vec3; angle: number } {
  const skew: Vec3 = [f[9]! - f[6]!, f[2]! - f[8]!, f[4]! - f[1]!]
  const sine = lengthOf(skew) / 2
  const angle = Math.atan2(sine, (f[0]! + f[5]! + f[10]! - 1) / 2)
  return { axis: sine > 1e-9 ? unit(skew) : [0, 0, 1], angle }
}

/** The point of the axis nearest to the origin that a turn leaves where it is. */
function centerOfTurn(f: Frame, axis: Vec3): Vec3 {
  const { angle } = turnOf(f)
  const moved = originOf(f)
  const across = subtract(moved, scaled(axis, dot(moved, axis)))
  return add(scaled(across, 0.5), scaled(cross(axis, across), 0.5 / Math.tan(angle / 2)))
}
