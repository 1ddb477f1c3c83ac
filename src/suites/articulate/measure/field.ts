/**
 * Measures of the field (docs/suites/articulate): generalized IoU of part boxes and Chamfer distance, at rest and over
 * states of motion, and how much of each other's space siblings take. The root part is left out of boxes: it is in place
 * for everyone.
 */
import { mean } from '../../../suite.ts'
import { isMovable, moved, type Robot } from '../../../world.ts'
import { type Box, sizeOf, union } from '../domain/assembly/box.ts'
import { type ObjectShape, trueRobot } from '../domain/objects/model.ts'
import { partBoxes, partFrames, partOfLink, rangeOf } from '../domain/objects/pose.ts'
import { linkStates } from './evaluate.ts'
import { partnersOf } from './link.ts'

/** Shares of their ranges that all joints stand at, together. */
const STATES = [0, 0.25, 0.5, 0.75, 1] as const
/** A sheet has no volume; thinner boxes than this count as this thick, in meters. */
const THINNEST = 1e-3
/** Of the whole object, for the Chamfer distance. */
const POINTS = 384

export interface FieldMeasures {
  /** Mean over the parts but the root, −1 for one that is missing; null if the root is all there is. */
  giou: { rest: number | null; moving: number | null }
  /** Meters: the mean distance to the nearest point of the other, over both directions. */
  chamfer: { rest: number; moving: number }
  /** Mean IoU of the boxes of parts that hang on the same one, over the states; null without such parts. */
  overlap: number | null
}

export function fieldMeasures(object: ObjectShape, predicted: Robot): FieldMeasures {
  const truth = trueRobot(object)
  const partner = partnersOf(linkStates(object, truth), linkStates(object, predicted))
  const names = object.parts.slice(1).map(({ name }) => name)
  const at = (share: number | null) => {
    const [here, there] = [truth, predicted].map((robot) => framesAt(robot, share)) as [Frames, Frames]
    const [boxes, others] = [partBoxes(object, here), partBoxes(object, there)]
    return {
      giou: names.map((name) => {
        const [box, other] = [boxes.get(name), others.get(partner.get(name) ?? '')]
        return box && other ? generalizedIou(box, other) : -1
      }),
      chamfer: chamfer(pointsOf(object, here), pointsOf(object, there)),
      overlaps: siblings(predicted).map(([a, b]) => {
        const [box, other] = [others.get(a), others.get(b)]
        return box && other ? iou(box, other) : 0
      }),
    }
  }
  const rest = at(null)
  const states = STATES.map(at)
  return {
    giou: {
      rest: mean(rest.giou, null),
      moving: mean(
        states.flatMap(({ giou }) => giou),
        null,
      ),
    },
    chamfer: { rest: rest.chamfer, moving: mean(states.map((state) => state.chamfer)) },
    overlap: mean(
      states.flatMap(({ overlaps }) => overlaps),
      null,
    ),
  }
}

type Frames = ReturnType<typeof partFrames>

/** With all joints at a share of their ranges; null is rest. */
function framesAt(robot: Robot, share: number | null): Frames {
  if (share === null) return partFrames(robot)
  const positions = robot.joints
    .filter((joint) => isMovable(joint))
    .map((joint): [string, number] => {
      const [lower, upper] = rangeOf(joint)
      return [joint.name, lower + (upper - lower) * share]
    })
  return partFrames(robot, Object.fromEntries(positions))
}

/** Pairs of parts with the same parent. */
function siblings(robot: Robot): [string, string][] {
  const children = robot.joints.map(({ child, parent }) => ({
    part: partOfLink(robot, child),
    parent: partOfLink(robot, parent),
  }))
  return children.flatMap(({ part, parent }, i) =>
    children.slice(0, i).flatMap((other): [string, string][] => (other.parent === parent ? [[other.part, part]] : [])),
  )
}

const volume = (box: Box): number => sizeOf(box).reduce((product, side) => product * Math.max(side, THINNEST), 1)

function shared(a: Box, b: Box): number {
  const sides = [0, 1, 2].map((k) => Math.min(a.max[k]!, b.max[k]!) - Math.max(a.min[k]!, b.min[k]!))
  return sides.some((side) => side < 0) ? 0 : sides.reduce((product, side) => product * Math.max(side, THINNEST), 1)
}

export function iou(a: Box, b: Box): number {
  const both = shared(a, b)
  return Math.min(1, both / (volume(a) + volume(b) - both))
}

/** IoU less the share of the enclosing box that neither fills: 1 for the same box, down to −1 for boxes far apart. */
export function generalizedIou(a: Box, b: Box): number {
  const both = shared(a, b)
  const either = volume(a) + volume(b) - both
  const around = Math.max(either, volume(union(a, b)))
  return Math.min(1, both / either) - (around - either) / around
}

/** Points of all parts, evenly taken: x, y, z one after the other. */
export function pointsOf({ shelf }: Pick<ObjectShape, 'shelf'>, frames: Frames): Float64Array {
  const total = [...shelf.values()].reduce((sum, { points }) => sum + points.length / 3, 0)
  const stride = Math.max(1, Math.ceil(total / POINTS))
  const found: number[] = []
  for (const [name, { points }] of shelf) {
    const frame = frames.get(name)
    if (!frame) continue
    for (let i = 0; i < points.length; i += 3 * stride)
      found.push(...moved(frame, [points[i]!, points[i + 1]!, points[i + 2]!]))
  }
  return Float64Array.from(found)
}

/** The mean distance to the nearest point of the other set, over both directions. */
export function chamfer(a: Float64Array, b: Float64Array): number {
  if (a.length === 0 || b.length === 0) return 0
  return (directed(a, b) + directed(b, a)) / 2
}

function directed(from: Float64Array, to: Float64Array): number {
  let sum = 0
  for (let i = 0; i < from.length; i += 3) {
    const [x, y, z] = [from[i]!, from[i + 1]!, from[i + 2]!]
    let least = Infinity
    for (let k = 0; k < to.length; k += 3) {
      const [dx, dy, dz] = [x - to[k]!, y - to[k + 1]!, z - to[k + 2]!]
      const squared = dx * dx + dy * dy + dz * dz
      if (squared < least) least = squared
    }
    sum += Math.sqrt(least)
  }
  return sum / (from.length / 3)
}
