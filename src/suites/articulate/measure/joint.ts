/** Differences between a true and a predicted joint, each measured by what it does to the moving part. */
import { aboutAxis, add, cross, dot, lengthOf, moved, scaled, subtract, unit, type Vec3 } from '../../../world.ts'
import { type Box, centerOf, cornersOf, diagonalOf } from '../domain/assembly/box.ts'
import type { JointReason, MeasuredJoint } from '../domain/states.ts'

const SHORTEST_AXIS = 1e-9
const PARALLEL = 1e-6
/** A hinge that turns this far is as good as one without end. */
const FULL_TURN = (350 * Math.PI) / 180
const SWEEP = [0, 0.25, 0.5, 0.75, 1]

export const TOLERANCES = {
  /** Radians. */
  axis: 0.25,
  /** Meters, and as a share of the moving part's diagonal: the larger of both counts. */
  position: 0.05,
  positionShare: 0.1,
  /** Radians, for hinges. */
  turn: Math.PI / 6,
  /** Share of the true travel, for slides. */
  travelShare: 0.2,
} as const

/** Diagonals of the object: one slide of 1e300 m must not be the mean of a run. */
const FARTHEST_SWEEP = 10

export interface JointDiff {
  sameType: boolean
  /** A hinge of 350° or more counts as one without end. */
  compatibleType: boolean
  axisAngle: number
  axisCosine: number
  lineDistance: number
  /** From the true axis, at its point nearest to the moving part, to the predicted axis. */
  axisPosition: number
  originDistance: number
  lowerError: number
  upperError: number
  intervalIou: number
  trueFar: number
  predictedFar: number
  /** Null when one of them does not move at all. */
  sameDirection: boolean | null
  rangeError: number
  /** Mean distance between the part's corners where they should be and where they are, as a share of the diagonal. */
  sweepError: number
}

/** `part` is the moving part's box with the joint at 0, `diagonal` the whole object's. */
export function jointDiff(
  truth: MeasuredJoint,
  predicted: MeasuredJoint,
  { part = null, diagonal = 1 }: { part?: Box | null; diagonal?: number } = {},
): JointDiff {
  const [a, b] = [direction(truth.axis), direction(predicted.axis)]
  const cosine = dot(a, b)
  const [lower, upper] = cosine < 0 ? [-predicted.upper, -predicted.lower] : [predicted.lower, predicted.upper]
  const apart = cross(a, b)
  const offset = subtract(truth.origin, predicted.origin)
  const pivot = part ? nearestOnLine(truth.origin, a, centerOf(part)) : truth.origin
  const [trueFar, predictedFar] = [far(truth.lower, truth.upper), far(lower, upper)]
  return {
    sameType: truth.type === predicted.type,
    compatibleType: turnsLike(truth) === turnsLike(predicted),
    axisAngle: Math.atan2(lengthOf(apart), Math.abs(cosine)),
    axisCosine: cosine,
    lineDistance:
      lengthOf(apart) < PARALLEL ? lengthOf(cross(offset, a)) : Math.abs(dot(offset, apart)) / lengthOf(apart),
    axisPosition: lengthOf(cross(subtract(pivot, predicted.origin), b)),
    originDistance: lengthOf(offset),
    lowerError: Math.abs(lower - truth.lower),
    upperError: Math.abs(upper - truth.upper),
    intervalIou: overlap(truth.lower, truth.upper, lower, upper),
    trueFar,
    predictedFar,
    sameDirection: trueFar === 0 || predictedFar === 0 ? null : Math.sign(trueFar) === Math.sign(predictedFar),
    rangeError: Math.abs(upper - lower - (truth.upper - truth.lower)),
    sweepError: part ? Math.min(FARTHEST_SWEEP, sweepError(truth, predicted, part) / diagonal) : Number.NaN,
  }
}

export interface JointVerdict {
  reason: JointReason
  /** M, MA and MAO of the field: type; type and axis; type, axis and position. */
  type: boolean
  axis: boolean
  position: boolean
}

/** The first failure wins; what is not a number fails. `part` gives the scale of the position's tolerance. */
export function jointVerdict(
  truth: MeasuredJoint,
  predicted: MeasuredJoint,
  diff: JointDiff,
  part: Box | null = null,
): JointVerdict {
  const slides = truth.type === 'prismatic'
  const near = Math.max(TOLERANCES.position, part ? TOLERANCES.positionShare * diagonalOf(part) : 0)
  const type = diff.compatibleType
  const axis = type && diff.axisAngle <= TOLERANCES.axis
  const position = axis && (slides || diff.axisPosition <= near)
  const reason = ((): JointReason => {
    if (!type) return 'joint_type'
    if (!axis) return 'joint_axis'
    if (!position) return 'joint_origin'
    return limitsFit(truth, predicted, diff) ? 'success' : 'joint_limit'
  })()
  return { reason, type, axis, position }
}

function limitsFit(truth: MeasuredJoint, predicted: MeasuredJoint, diff: JointDiff): boolean {
  if (turnsLike(truth) === 'continuous') return true
  const span = truth.upper - truth.lower
  const wanted = truth.type === 'prismatic' ? TOLERANCES.travelShare * span : TOLERANCES.turn
  if (movesBothWays(truth, diff)) return diff.lowerError <= wanted && diff.upperError <= wanted
  const movesAtAll = predicted.upper - predicted.lower > 0
  return movesAtAll && diff.sameDirection === true && Math.abs(diff.predictedFar - diff.trueFar) <= wanted
}

/** A joint that moves both ways about the same distance has no far end to compare: both ends must fit. */
function movesBothWays({ lower, upper }: MeasuredJoint, { trueFar }: JointDiff): boolean {
  return Math.min(Math.abs(lower), Math.abs(upper)) > 0.25 * Math.abs(trueFar)
}

/** Whether a joint of the right kind goes where the true one goes: to its far end, or somewhere in its range. */
export function movesTheRightWay(truth: MeasuredJoint, diff: JointDiff): boolean {
  if (!diff.compatibleType) return false
  return movesBothWays(truth, diff) ? diff.intervalIou > 0 : diff.sameDirection === true
}

/** What kind of motion it is, whatever its name. */
function turnsLike({ type, lower, upper }: MeasuredJoint): string {
  return type === 'revolute' && upper - lower >= FULL_TURN ? 'continuous' : type
}

function direction(axis: Vec3): Vec3 {
  return lengthOf(axis) < SHORTEST_AXIS ? [Number.NaN, Number.NaN, Number.NaN] : unit(axis)
}

function far(lower: number, upper: number): number {
  return Math.abs(upper) >= Math.abs(lower) ? upper : lower
}

function overlap(a: number, b: number, c: number, d: number): number {
  const shared = Math.max(0, Math.min(b, d) - Math.max(a, c))
  const total = b - a + (d - c) - shared
  if (total > 0) return shared / total
  return a === c && b === d ? 1 : 0
}

function nearestOnLine(origin: Vec3, axis: Vec3, point: Vec3): Vec3 {
  return add(origin, scaled(axis, dot(subtract(point, origin), axis)))
}

function sweepError(truth: MeasuredJoint, predicted: MeasuredJoint, part: Box): number {
  let sum = 0
  const corners = cornersOf(part)
  for (const t of SWEEP) {
    for (const corner of corners) sum += lengthOf(subtract(swept(truth, corner, t), swept(predicted, corner, t)))
  }
  return sum / (SWEEP.length * corners.length)
}

/** Where a point of the part is after a share `t` of the way from the nearer end of the range to the far one. */
function swept(joint: MeasuredJoint, point: Vec3, t: number): Vec3 {
  const axis = direction(joint.axis)
  const isEndless = joint.type === 'continuous'
  const end = isEndless ? Math.PI / 2 : far(joint.lower, joint.upper)
  const start = isEndless ? 0 : end === joint.upper ? joint.lower : joint.upper
  const q = start + (end - start) * t
  if (joint.type === 'prismatic') return add(point, scaled(axis, q))
  if (joint.type !== 'revolute' && joint.type !== 'continuous') return point
  return add(joint.origin, moved(aboutAxis(axis, q), subtract(point, joint.origin)))
}
