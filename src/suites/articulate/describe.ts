/** What was to be built or judged, in words for readers. */
import type { DescribeContext, EpisodeDescription } from '../../suite.ts'
import { type JointState, readUrdf, type Robot, type Vec3 } from '../../world.ts'
import type { ObjectShape } from './domain/objects/model.ts'
import { trueRobot } from './domain/objects/model.ts'
import { partOfLink } from './domain/objects/pose.ts'
import type { CriticOutcome, LoopOutcome } from './domain/outcome.ts'
import type { Profile } from './domain/profile.ts'
import { linkStates, movingJoints } from './measure/evaluate.ts'
import type { CriticOptions, LoopOptions } from './options.ts'
import { readCriticReply } from './parse/critic-reply.ts'
import type { CriticSample, LoopSample, Task } from './samples/sample.ts'
import { movableIn, shapeOf } from './score.ts'
import { SAID_BY, words } from './summary.ts'

export function describeLoop(task: Task) {
  return (
    sample: LoopSample,
    outcome: LoopOutcome | null,
    { images }: DescribeContext<LoopOptions, Profile>,
  ): EpisodeDescription => {
    const object = words(sample.labels['category'] ?? 'object')
    const shape = shapeOf(sample)
    const parts = shape.parts.map(({ name }) => words(name)).join(', ')
    const questions: Readonly<Record<Task, string>> = {
      place: `Where are the parts of the ${object}: ${parts}?`,
      joint: `How does the ${words(sample.target ?? '')} of the ${object} move?`,
      build: `Where are the parts of the ${object} and how do they move: ${parts}?`,
    }
    const best = outcome?.iterations.find(({ iteration }) => iteration === outcome.best)
    const written = (robot: Robot): string => statesOf(task, shape, robot, sample.target)
    return {
      question: questions[task],
      answer: typeof best?.urdf === 'string' ? written(readUrdf(best.urdf).robot) : null,
      truth: written(trueRobot(shape)),
      ...(images[0] && { image: images[0] }),
    }
  }
}

/** One line per part, and one per joint. */
function statesOf(task: Task, shape: ObjectShape, robot: Robot, target: string | null): string {
  const joints = movingJoints(robot).map((joint) => ({ part: partOfLink(robot, joint.child), joint }))
  if (task === 'joint') {
    const asked = joints.find(({ part }) => part === target)
    return asked ? motion(asked.joint) : 'does not move'
  }
  const places = Object.entries(linkStates(shape, robot)).map(
    ([name, { center }]) => `${words(name)} at ${point(center)}`,
  )
  if (task === 'place') return places.join('\n')
  return [...places, ...joints.map(({ part, joint }) => `${words(part)}: ${motion(joint)}`)].join('\n')
}

/** `revolute about +z through (0.2, -0.4, 0) m, 0° to 110°` */
function motion({ type, axis, origin, limit: { lower, upper } }: JointState): string {
  if (type === 'prismatic') return `prismatic along ${direction(axis)}, ${short(lower)} to ${short(upper)} m`
  const turns = `${type} about ${direction(axis)} through ${point(origin)}`
  const degrees = (radians: number): string => `${Math.round((radians * 180) / Math.PI)}°`
  return type === 'continuous' ? turns : `${turns}, ${degrees(lower)} to ${degrees(upper)}`
}

/** An axis of the object by its name, any other by its numbers. */
function direction(axis: Vec3): string {
  const at = axis.findIndex((value) => Math.abs(value) > 0.999)
  return at < 0 ? `(${axis.map(short).join(', ')})` : `${axis[at]! < 0 ? '−' : '+'}${'xyz'[at]}`
}

function point(at: Vec3): string {
  return `(${at.map(short).join(', ')}) m`
}

function short(value: number): string {
  const rounded = Math.round(value * 100) / 100
  return String(rounded === 0 ? 0 : rounded).replace('-', '−')
}

export function describeCritic(
  sample: CriticSample,
  outcome: CriticOutcome | null,
  { profile, images }: DescribeContext<CriticOptions, Profile>,
): EpisodeDescription {
  const { critic, labels, fault } = sample
  const said = outcome && readCriticReply(critic, outcome.reply, profile, movableIn(sample))
  const truth = labels['truth'] ?? null
  const about = {
    joint: `Is the joint of the ${words(fault.part)} right`,
    link: 'Are the parts placed right',
    urdf: 'Are parts and joints plausible',
  }[critic]
  const known = SAID_BY[critic]
  // A fault within tolerance: nothing that a critic says of it is right or wrong.
  const isSubtle = truth === 'subtle'
  return {
    question: `${about} in this ${words(labels['category'] ?? 'object')}?`,
    answer: said ? words(said.reason) : null,
    truth: isSubtle ? `too small to count (${fault.name})` : truth && words(truth),
    ...(!isSubtle && { choices: known.map(words) }),
    ...(images.length > 0 && {
      image: images.find(({ provenance }) => provenance['what'] === 'prediction') ?? images[0],
    }),
  }
}
