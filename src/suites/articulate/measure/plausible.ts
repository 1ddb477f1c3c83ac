/** A critic that knows neither model nor truth: could this object be real? */
import { type Frame, isMovable, type JointState, jointStates, type Robot } from '../../../world.ts'
import { type Box, boxAround, sizeOf } from '../domain/assembly/box.ts'
import { hullDistance, isNearAxis, type Solid } from '../domain/assembly/hull-distance.ts'
import { type Block, blocksOf, bodyOf, depthOf, shareWithin } from '../domain/objects/clearance.ts'
import type { ArticulatedModel } from '../domain/objects/model.ts'
import { partFrames, partOfLink } from '../domain/objects/pose.ts'
import type { Critique } from './critique.ts'

/** Parts nearer than this touch, meters. */
const CONTACT = 0.005
/** Two parts that share more than this of the smaller one's box are in each other. */
const OVERLAP = 0.9
/** Flat parts have a volume too, meters. */
const THINNEST = 1e-4

export interface Implausible {
  kind: 'floating' | 'hinge-away' | 'immovable' | 'same-place' | 'inside'
  part: string
  text: string
}

/** What cannot be, by part. */
export function implausible(robot: Robot, { shelf, parts }: Bodies): Implausible[] {
  const solids = new Map<string, Solid>()
  const frames = partFrames(robot)
  for (const [name, frame] of frames) {
    const points = shelf.get(name)?.points ?? []
    if (points.length > 0) solids.set(name, { points, frame })
  }
  const loose = floating(solids)
  return [
    ...loose,
    ...inEachOther(robot, solids),
    ...misplaced(parts, frames).filter(({ part }) => !loose.some((other) => other.part === part)),
    ...jointStates(robot).flatMap((joint) => wrongJoint(robot, joint, solids)),
  ]
}

type Bodies = Pick<ArticulatedModel, 'shelf' | 'parts'>

/**
 * Parts that are within another one's material, cut through it, or hang free in its hollow. Bodies are the boxes they are
 * built of; a body known by one box alone may be hollow, and is left out. Axles, and rims that lie on each other, stay
 * below all limits in every built-in object.
 */
const WITHIN = 0.9
const CUTS = [
  { depth: 0.008, share: 0.015 },
  { depth: 0.09, share: 0.2 },
  { depth: 0.13, share: 0.5 },
] as const
const FREE = 0.03

function misplaced(parts: Bodies['parts'], frames: ReadonlyMap<string, Frame>): Implausible[] {
  const bodies = parts.flatMap((part) => {
    const frame = frames.get(part.name)
    if (!frame) return []
    const isKnown = part.occluders.length > 1
    return [{ part: part.name, blocks: blocksOf(part, frame), whole: bodyOf(part, frame), isKnown }]
  })
  const depthOfAll = (some: readonly Block[], others: readonly Block[]): number =>
    Math.max(...some.flatMap((block) => others.map((other) => depthOf(block, other))))
  return bodies.slice(1).flatMap(({ part, blocks, whole }): Implausible[] => {
    const others = bodies.filter((other) => other.part !== part)
    const around = others.flatMap((other) => other.whole)
    if (depthOfAll(whole, around) < -FREE)
      return [{ kind: 'floating', part, text: `${part} touches nothing that holds it.` }]
    const known = others.filter(({ isKnown }) => isKnown).flatMap((other) => other.blocks)
    const depth = depthOfAll(blocks, known)
    if (depth <= 0) return []
    const share = shareWithin(blocks, known)
    if (share <= WITHIN && !CUTS.some((cut) => depth > cut.depth && share < cut.share)) return []
    return [{ kind: 'inside', part, text: `${part} goes through what it should be next to.` }]
  })
}

/** Parts that no chain of touching parts ties to the first one. */
function floating(solids: ReadonlyMap<string, Solid>): Implausible[] {
  const left = new Set(solids.keys())
  const waiting = [...left].slice(0, 1)
  for (const name of waiting) left.delete(name)
  for (let at = 0; at < waiting.length; at++) {
    for (const other of left) {
      if (hullDistance(solids.get(waiting[at]!)!, solids.get(other)!) > CONTACT) continue
      left.delete(other)
      waiting.push(other)
    }
  }
  return [...left].map((part) => ({ kind: 'floating', part, text: `${part} touches nothing that holds it.` }))
}

/**
 * Parts that fill the same space. Not a part and what it hangs on: bodies are convex here, and a drawer belongs inside the
 * hull of its hollow cabinet.
 */
function inEachOther(robot: Robot, solids: ReadonlyMap<string, Solid>): Implausible[] {
  const parents = new Map(
    robot.joints.map((joint) => [partOfLink(robot, joint.child), partOfLink(robot, joint.parent)]),
  )
  const boxes = [...solids].flatMap(([part, { points, frame }]) => {
    const box = boxAround(points, frame)
    return box ? [{ part, box }] : []
  })
  return boxes.flatMap(({ part, box }, i) => {
    const other = boxes
      .slice(0, i)
      .filter((earlier) => parents.get(part) === parents.get(earlier.part))
      .find((earlier) => shareInside(box, earlier.box) > OVERLAP)
    return other ? [{ kind: 'same-place' as const, part, text: `${part} is inside ${other.part}.` }] : []
  })
}

/** How much of the smaller box the other one holds. */
function shareInside(a: Box, b: Box): number {
  const volume = (box: Box): number => sizeOf(box).reduce((product, side) => product * Math.max(side, THINNEST), 1)
  const both = [0, 1, 2].map((k) => Math.min(a.max[k]!, b.max[k]!) - Math.max(a.min[k]!, b.min[k]!))
  if (both.some((side) => side < 0)) return 0
  return both.reduce((product, side) => product * Math.max(side, THINNEST), 1) / Math.min(volume(a), volume(b))
}

function wrongJoint(robot: Robot, joint: JointState, solids: ReadonlyMap<string, Solid>): Implausible[] {
  if (!isMovable(joint)) return []
  const part = partOfLink(robot, joint.child)
  const { lower, upper } = joint.limit
  if (joint.type !== 'continuous' && !(upper > lower))
    return [{ kind: 'immovable', part, text: `The joint of ${part} has no range: it cannot move.` }]
  if (joint.type === 'prismatic') return []
  const away = [part, partOfLink(robot, joint.parent)].filter((name) => {
    const solid = solids.get(name)
    return solid !== undefined && !isNearAxis(joint, solid)
  })
  if (away.length === 0) return []
  return [{ kind: 'hinge-away', part, text: `The axis of ${part} runs beside ${away.join(' and ')}.` }]
}

/** On ten points: 10 when nothing is wrong, below 5 as soon as something is. */
export function plausibilityCritique(robot: Robot, bodies: Bodies): Critique {
  const found = implausible(robot, bodies)
  const parts = Math.max(1, robot.links.length - 1)
  const wrong = new Set(found.map(({ part }) => part)).size
  return {
    feedback_score: found.length === 0 ? 10 : 4 * (1 - Math.min(1, wrong / parts)),
    feedback: found.length === 0 ? 'Nothing about it is impossible.' : found.map(({ text }) => text).join(' '),
  }
}
