/** From sample and outcome to numbers. */
import { type EpisodeLine, groupBy, mean, MissingAssetError, type ScoreContext, type Scores } from '../../suite.ts'
import { isMovable, readUrdf, type Robot } from '../../world.ts'
import { readCriticReply } from './parse/critic-reply.ts'
import type { CriticSample, LoopSample, Task } from './samples/sample.ts'
import { builtinModel } from './domain/objects/find.ts'
import type { ObjectShape } from './domain/objects/model.ts'
import { readShape } from './domain/objects/shape.ts'
import type { CriticOutcome, Iteration, LoopOutcome } from './domain/outcome.ts'
import { evaluate, type Evaluation, type JointResult } from './measure/evaluate.ts'
import { type FieldMeasures, fieldMeasures } from './measure/field.ts'
import { matchedByGeometry } from './measure/matching.ts'
import { ENDLESS, FAILURES, FINDINGS } from './domain/states.ts'
import type { CriticOptions, LoopOptions } from './options.ts'
import { partFrames, rangeOf } from './domain/objects/pose.ts'
import type { Profile } from './domain/profile.ts'

const bit = (value: boolean): number => (value ? 1 : 0)

export function scoreLoop(task: Task) {
  return (
    sample: LoopSample,
    outcome: LoopOutcome,
    { profile, options }: ScoreContext<LoopOptions, Profile>,
  ): Scores => {
    const best = outcome.iterations.find(({ iteration }) => iteration === outcome.best)
    const scores = scoreOne(task, sample, best, profile)
    const [opening] = outcome.iterations
    const first = opening === best ? scores : scoreOne(task, sample, opening, profile)
    const iterations = outcome.iterations.length
    // The published success is over hinges and slides: joints without end are neither right nor wrong.
    if (profile === 'upstream' && task === 'joint' && sample.labels['type'] === ENDLESS) {
      const { success: _, ...measured } = scores
      return { ...measured, ...leftOut(sample), iterations }
    }
    const driven = options.physics && task !== 'place' ? physicsScores(sample, outcome) : {}
    return { ...scores, ...driven, first: first['success'] ?? 0, ...leftOut(sample), iterations }
  }
}

/** What was not built or cannot be simulated does nothing, and neither does what has no joint although the object moves. */
function physicsScores(sample: LoopSample, { physics }: LoopOutcome): Scores {
  const nothing = { 'physics.executable': 0, 'physics.moves': 0 }
  if (!physics || physics.problem !== null) return nothing
  const { executable, moves, rest, moving } = physics
  const driven = { 'physics.executable': bit(executable), 'physics.rest': rest }
  if (moves !== null) return { ...driven, 'physics.moves': moves, 'physics.moving': moving }
  const isMoving = shapeOf(sample).joints.some(({ type }) => type !== 'fixed')
  return isMoving ? { ...driven, ...nothing } : driven
}

function leftOut({ leftOut: count }: LoopSample | CriticSample): Scores {
  return count === undefined ? {} : { leftOut: count }
}

function scoreOne(task: Task, sample: LoopSample, iteration: Iteration | undefined, profile: Profile): Scores {
  if (typeof iteration?.urdf !== 'string') {
    const isLimited = task === 'joint' && sample.labels['type'] !== ENDLESS
    return { ...NOTHING[task], ...(isLimited ? { direction: 0, limits: 0 } : {}) }
  }
  const { robot } = readUrdf(iteration.urdf)
  const found = evaluate(shapeOf(sample), robot, profile)
  const executable = bit(isExecutable(robot))
  switch (task) {
    case 'place': {
      const { giou, chamfer } = fieldMeasures(shapeOf(sample), robot)
      const agreement = { ...(giou.rest !== null && { giou: giou.rest }), chamfer: chamfer.rest }
      return { success: bit(found.placed), ...placement(found), ...agreement, executable }
    }
    case 'joint': {
      const joint = found.joints.find(({ child }) => child === sample.target)
      return { ...oneJoint(joint), executable }
    }
    case 'build': {
      const shape = shapeOf(sample)
      const matched = matchedByGeometry(shape, robot)
      return {
        ...whole(found),
        ...placement(found),
        ...inMotion(fieldMeasures(shape, robot)),
        'geometry.type': matched.type,
        'geometry.axis': matched.axis,
        'geometry.origin': matched.origin,
        executable,
      }
    }
  }
}

/** No files: what is built in follows from category and seed, of anything else the sample has what is needed. */
export function shapeOf({ id, object, shape }: LoopSample): ObjectShape {
  if (!('folder' in object)) return builtinModel(object)
  if (!shape) throw new MissingAssetError(`the sample ${id} does not say what its object looks like`)
  return readShape(shape)
}

const JOINT_NOTHING = { success: 0, type: 0, 'type.strict': 0, axis: 0, origin: 0 }
const NOTHING: Readonly<Record<Task, Scores>> = {
  place: { success: 0, links: 0, parts: 0, executable: 0 },
  joint: { ...JOINT_NOTHING, executable: 0 },
  build: {
    success: 0,
    placed: 0,
    links: 0,
    parts: 0,
    joints: 0,
    type: 0,
    axis: 0,
    origin: 0,
    'geometry.type': 0,
    'geometry.axis': 0,
    'geometry.origin': 0,
    executable: 0,
  },
}

function placement({ links }: Evaluation): Scores {
  return {
    links: links.placed,
    ...(links.parts === null ? {} : { parts: links.parts }),
    ...(links.meanPosition === null ? {} : { distance: links.meanPosition }),
  }
}

function inMotion({ giou, chamfer, overlap }: FieldMeasures): Scores {
  return {
    ...(giou.rest !== null && { giou: giou.rest }),
    ...(giou.moving !== null && { 'giou.moving': giou.moving }),
    chamfer: chamfer.rest,
    'chamfer.moving': chamfer.moving,
    ...(overlap !== null && { overlap }),
  }
}

function oneJoint(joint: JointResult | undefined): Scores {
  const finding = joint?.finding ?? 'missing_joint'
  return {
    ...JOINT_NOTHING,
    ...(joint
      ? { success: bit(joint.success), type: bit(joint.type), axis: bit(joint.axis), origin: bit(joint.position) }
      : {}),
    ...Object.fromEntries(FINDINGS.map((name) => [`fail.${name}`, bit(name === finding)])),
    ...(joint ? measures(joint) : {}),
  }
}

/** How far off a joint is. Angles and distances only where there is something to measure. */
function measures({ diff, trueType, direction }: JointResult): Scores {
  const known = (key: string, value: number | undefined): Scores =>
    value !== undefined && Number.isFinite(value) ? { [key]: value } : {}
  const turns = diff?.compatibleType === true && trueType !== 'prismatic'
  return {
    'type.strict': bit(diff?.sameType === true),
    ...known('angle', diff ? (diff.axisAngle * 180) / Math.PI : undefined),
    ...known('offset', turns ? diff.axisPosition : undefined),
    // The range of another kind of motion has another unit: nothing of it is shared.
    ...(trueType === ENDLESS
      ? {}
      : {
          direction: bit(direction),
          limits: diff?.compatibleType === true && Number.isFinite(diff.intervalIou) ? diff.intervalIou : 0,
        }),
    ...known('sweep', diff?.sweepError),
  }
}

/** F1 of M, MA and MAO over the object's joints. */
function whole({ joints, placed, extraJoints }: Evaluation): Scores {
  const found = joints.filter(({ finding }) => finding !== 'missing_joint').length + extraJoints
  const f1 = (is: (joint: JointResult) => boolean): number => {
    const total = joints.length + found
    return total === 0 ? 1 : (2 * joints.filter(is).length) / total
  }
  const right = joints.filter(({ success }) => success).length
  return {
    success: bit(placed && right === joints.length && extraJoints === 0),
    placed: bit(placed),
    joints: joints.length === 0 ? 1 : right / joints.length,
    type: f1(({ type }) => type),
    axis: f1(({ axis }) => axis),
    origin: f1(({ position }) => position),
  }
}

/** It stands where numbers are finite, and every joint that should move has somewhere to go. */
function isExecutable(robot: Robot): boolean {
  return robot.joints.every((joint) => {
    if (!isMovable(joint)) return true
    const [lower, upper] = rangeOf(joint)
    if (!(upper > lower)) return false
    return [lower, (lower + upper) / 2, upper].every((q) =>
      [...partFrames(robot, { [joint.name]: q }).values()].every((frame) =>
        frame.every((value) => Number.isFinite(value)),
      ),
    )
  })
}

/** The joints of what was built, as its URDF names them. */
export function movableIn({ critic, fault }: CriticSample): string[] {
  if (critic !== 'urdf') return []
  return fault.joints.filter(({ type }) => type !== 'fixed').map(({ parent, child }) => `${parent}_to_${child}`)
}

export function scoreCritic(
  sample: CriticSample,
  { reply }: CriticOutcome,
  { profile }: ScoreContext<CriticOptions, Profile>,
): Scores {
  const { critic, labels } = sample
  const said = readCriticReply(critic, reply, profile, movableIn(sample))
  const truth = labels['truth']!
  const isClean = truth === 'success'
  const isSubtle = truth === 'subtle'
  return {
    ...(isSubtle
      ? {}
      : { right: bit(said?.reason === truth), verdict: bit(said !== null && said.accepts === isClean) }),
    ...(isClean ? { accepted: bit(said?.accepts === true) } : {}),
    ...(labels['fault'] === 'none' ? {} : { flagged: bit(said?.accepts === false) }),
    ...leftOut(sample),
    ...(isClean || isSubtle ? {} : { caught: bit(said?.accepts === false) }),
    ...Object.fromEntries(
      ['success', ...FAILURES, 'placement', 'joint'].map((reason) => [`says.${reason}`, bit(said?.reason === reason)]),
    ),
    ...(said === null ? {} : { inconsistent: bit(said.isInconsistent) }),
    readable: bit(said !== null),
    ...(said === null ? {} : { accepts: bit(said.accepts) }),
  }
}

/** Over repeats of a sample: how often two of its episodes have the same verdict. */
export function criticConsistency(lines: readonly EpisodeLine[]): EpisodeLine[] {
  const repeats = groupBy(lines, ({ sample }) => sample)
  return lines.map((line) => {
    const others = repeats.get(line.sample)!.filter((other) => other !== line)
    const verdicts = others.flatMap(({ scores }) => scores['accepts'] ?? [])
    const own = line.scores['accepts']
    if (own === undefined || verdicts.length === 0) return line
    return { ...line, scores: { ...line.scores, consistent: mean(verdicts.map((verdict) => bit(verdict === own))) } }
  })
}
