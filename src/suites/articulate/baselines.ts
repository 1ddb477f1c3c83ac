/** Baselines answer as text, like any model, so that every episode exercises prompts and parsers. */
import type { Baseline, BaselinePlayer, DataFiles, Random } from '../../suite.ts'
import { AXES, distance, isMovable, originOf, readUrdf, type Robot, scaled, subtract, type Vec3 } from '../../world.ts'
import { LINK_TOLERANCES } from './measure/link.ts'
import { buildCritique, jointCritique, placementCritique } from './measure/critique.ts'
import type { CriticSample, LoopSample, Task } from './samples/sample.ts'
import type { BaselineInput } from './domain/outcome.ts'
import type { Profile } from './domain/profile.ts'
import { FAILURES, type Finding, type JointReason, RATINGS, reasonOf } from './domain/states.ts'
import { modelOf } from './domain/objects/find.ts'
import { type ArticulatedModel, type ModelJoint, trueRobot } from './domain/objects/model.ts'
import type { CriticOptions, LoopOptions } from './options.ts'
import { SUCCESS_SCORE } from './parse/critique.ts'
import { faulty } from './parse/faulty.ts'
import { type Written, writeProgram } from './domain/objects/write-program.ts'
import { seenInStills, seenJoint } from './play/eye.ts'
import { STILLS } from './play/pictures/cameras.ts'
import { motionView, WHOLE } from './play/pictures/visible.ts'
import { framesInBuild, sizeOfPictures } from './play/show.ts'

const fenced = (source: string): string => `\`\`\`python\n${source}\`\`\``
const json = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``

type Actor = (model: ArticulatedModel, joints: readonly ModelJoint[], given: Given) => string

interface Given {
  random: Random
  sample: LoopSample
  options: LoopOptions
  profile: Profile
}

function loopBaseline(task: Task, title: string, act: Actor): Baseline<LoopSample, LoopOptions, Profile> {
  return {
    title,
    start(sample, { random, files, options, profile }): BaselinePlayer {
      const { object, target } = sample
      return async ({ baselineInput: given }) => {
        const baselineInput = given as BaselineInput
        const model = await modelOf(object, files)
        if (baselineInput.kind !== 'actor') return geometricReply(model, baselineInput)
        const asked = task === 'place' ? [] : model.joints.filter(({ child }) => target === null || child === target)
        return act(model, asked, { random, sample, options, profile })
      }
    },
  }
}

/** Every baseline critiques by measuring. */
function geometricReply(model: ArticulatedModel, baselineInput: Exclude<BaselineInput, { kind: 'actor' }>): string {
  const { robot } = readUrdf(baselineInput.urdf)
  if (baselineInput.kind === 'link-critic') {
    const { feedback_score, feedback } = placementCritique(model, robot)
    return json({ realism_rating: feedback_score, description: feedback })
  }
  if (baselineInput.kind === 'joint-critic')
    return jointReply(jointCritique(model, robot, baselineInput.target ?? '').finding)
  const { position_score = 0, joint_score = 0, feedback } = buildCritique(model, robot)
  return urdfScores(position_score, joint_score, robot, feedback)
}

function jointReply(finding: Finding): string {
  const reason = reasonOf(finding)
  return json({
    gt_description: 'measured',
    pred_description: 'measured',
    candidate_function_description: 'not read',
    failure_reason: reason,
    improvement_suggestion: reason === 'success' ? '' : `fix the ${reason.replace('joint_', '')}`,
    realism_rating: RATINGS[reason],
  })
}

/** One hinge for everything that moves: about the upright through the back left corner, 90 degrees. */
function plainHinge(model: ArticulatedModel, joint: ModelJoint): ModelJoint {
  const { center, size } = model.parts.find(({ name }) => name === joint.child)!
  const corner = subtract(center, scaled(size, 0.5))
  return { ...joint, type: 'revolute', origin: corner, axis: [0, 0, -1], lower: 0, upper: Math.PI / 2 }
}

export function loopBaselines(task: Task): Record<string, Baseline<LoopSample, LoopOptions, Profile>> {
  return {
    oracle: loopBaseline(task, 'knows the ground truth', (model, joints) => fenced(writeProgram(model, { joints }))),
    eye: loopBaseline(task, 'a perfect eye: knows where the parts are that the pictures show', (model, joints, given) =>
      fenced(writeProgram(model, seenByEye(task, model, joints, given))),
    ),
    constant: loopBaseline(
      task,
      'every part centered in its parent, one vertical hinge per moving part',
      (model, joints) => {
        const inside = new Map(model.parts.map(({ name }): [string, Vec3] => [name, [0, 0, 0]]))
        const hinges = joints.map((joint) => plainHinge(model, joint))
        return fenced(writeProgram(model, task === 'joint' ? { joints: hinges } : { joints: hinges, centers: inside }))
      },
    ),
    random: loopBaseline(task, 'random placements and joints', (model, joints, { random }) => {
      const [x, y, z] = model.parts[0]!.size
      const share = (): number => random.range(-0.5, 0.5)
      const somewhere = (): Vec3 => [share() * x, share() * y, share() * z]
      const centers = new Map(model.parts.map(({ name }) => [name, somewhere()]))
      const drawn = joints.map((joint) => randomJoint(model, joint, random))
      return fenced(writeProgram(model, task === 'joint' ? { joints: drawn } : { joints: drawn, centers }))
    }),
  }
}

/** What the pictures of a loop's first question show. */
function seenByEye(
  task: Task,
  model: ArticulatedModel,
  joints: readonly ModelJoint[],
  { sample, options, profile }: Given,
): Written {
  const robot = trueRobot(model)
  const size = sizeOfPictures(options)
  const frames = task === 'build' ? Math.max(2, framesInBuild(joints.length, options)) : options.frames
  const found = joints.flatMap(({ child: part }) => {
    const view = profile === 'upstream' ? WHOLE : (sample.view ?? motionView(model, part))
    return seenJoint(model, robot, { part, view, size, frames }) ?? []
  })
  if (task === 'joint') return { joints: found }
  const seen = seenInStills(model, robot, task === 'place' ? STILLS : ['front'], size)
  const inside = (name: string): Vec3 => {
    const above = model.joints.find(({ child }) => child === name)?.parent
    return above === undefined ? [0, 0, 0] : centers.get(above)!
  }
  const centers = new Map<string, Vec3>()
  for (const { name, center } of model.parts) {
    const isKnown = seen.has(name) || found.some(({ child }) => child === name)
    centers.set(name, isKnown ? center : inside(name))
  }
  return { joints: found, centers }
}

function randomJoint(model: ArticulatedModel, joint: ModelJoint, random: Random): ModelJoint {
  const { center, size } = model.parts.find(({ name }) => name === joint.child)!
  const axis = random.pick(AXES)
  const side = (k: 0 | 1 | 2): number => center[k] + random.pick([-0.5, 0.5]) * size[k]
  const origin: Vec3 = [side(0), side(1), side(2)]
  const type = random.pick(['revolute', 'prismatic', 'continuous'] as const)
  const upper = type === 'prismatic' ? Math.max(...size) * 0.5 : Math.PI / 2
  return { ...joint, type, axis, origin, lower: 0, upper }
}

type Verdict = JointReason | 'placement' | 'joint'

function criticBaseline(
  title: string,
  judge: (
    sample: CriticSample,
    context: { random: Random; files: DataFiles; options: CriticOptions; profile: Profile },
  ) => Verdict | Promise<Verdict>,
): Baseline<CriticSample, CriticOptions, Profile> {
  return {
    title,
    start: (sample, context) => async () => {
      const said = await judge(sample, context)
      if (sample.critic === 'urdf') return urdfReply(said, (await faulty(sample, context.files)).robot)
      if (sample.critic === 'joint') return jointReply(said === 'placement' || said === 'joint' ? 'joint_origin' : said)
      return json({
        realism_rating: said === 'success' ? 9 : 2,
        description: said === 'success' ? 'the same' : 'a part is misplaced',
      })
    },
  }
}

/** Scores that say it. */
function urdfReply(said: Verdict, robot: Robot): string {
  const joint = said === 'success' || said === 'placement' ? 9 : 3
  return urdfScores(said === 'placement' ? 3 : 9, joint, robot, said)
}

function urdfScores(position: number, joint: number, robot: Robot, reasoning: string): string {
  return json({
    link_position_score: position,
    link_position_reasoning: reasoning,
    joint_score: joint,
    joint_evaluation_details: robot.joints
      .filter((each) => isMovable(each))
      .map(({ name }) => ({ joint_name: name, type_score: joint, position_score: joint, reasoning })),
    success: position >= SUCCESS_SCORE && joint >= SUCCESS_SCORE,
  })
}

/** Against the object as it should be. */
function measuredVerdict(model: ArticulatedModel, robot: Robot): Verdict {
  const { position_score = 0, joint_score = 0 } = buildCritique(model, robot)
  if (position_score >= SUCCESS_SCORE && joint_score >= SUCCESS_SCORE) return 'success'
  return position_score <= joint_score ? 'placement' : 'joint'
}

const REASONS: readonly JointReason[] = ['success', ...FAILURES]

export const criticBaselines: Record<string, Baseline<CriticSample, CriticOptions, Profile>> = {
  oracle: criticBaseline('knows the ground truth', ({ labels }) => {
    const truth = labels['truth']!
    if (truth === 'subtle') return 'joint_axis'
    return truth === 'placement' || truth === 'joint'
      ? truth
      : (REASONS.find((reason) => reason === truth) ?? 'success')
  }),
  geometric: criticBaseline('measures the built object against the ground truth', async (sample, { files }) => {
    const { model, robot } = await faulty(sample, files)
    if (sample.critic === 'urdf') return measuredVerdict(model, robot)
    if (sample.critic === 'link') return placementCritique(model, robot).feedback_score > 5 ? 'success' : 'placement'
    return reasonOf(jointCritique(model, robot, sample.fault.part).finding)
  }),
  eye: criticBaseline(
    'a perfect eye: compares where the pictures show the parts',
    async (sample, { files, options, profile }) => {
      if (options.sees === 'code') return 'success'
      const { model, robot } = await faulty(sample, files)
      if (sample.critic === 'urdf') return measuredVerdict(model, robot)
      const size = sizeOfPictures(options)
      const { looks } = sample
      if (sample.critic === 'link') {
        const [truth, built] = [
          seenInStills(model, trueRobot(model), ['front'], size, looks?.truth),
          seenInStills(model, robot, ['front'], size, looks?.prediction),
        ]
        const isOff = [...new Set([...truth.keys(), ...built.keys()])].some((name) => {
          const [a, b] = [truth.get(name), built.get(name)]
          return !a || !b || distance(originOf(a), originOf(b)) > LINK_TOLERANCES.position
        })
        return isOff ? 'placement' : 'success'
      }
      const { part } = sample.fault
      const view = profile === 'upstream' ? WHOLE : (sample.view ?? motionView(model, part))
      const watched = { part, view, size, frames: options.frames }
      const truth = seenJoint(model, trueRobot(model), { ...watched, ...(looks && { look: looks.truth }) })
      const built = seenJoint(model, robot, { ...watched, ...(looks && { look: looks.prediction }) })
      if (!truth || !built) return built ? 'success' : 'joint_type'
      const withJoint = (own: ModelJoint): ArticulatedModel => ({
        ...model,
        shelf: model.shelf,
        joints: model.joints.map((joint) => (joint.child === part ? own : joint)),
      })
      return reasonOf(jointCritique(withJoint(truth), trueRobot(withJoint(built)), part).finding)
    },
  ),
  constant: criticBaseline('accepts everything', () => 'success'),
  random: criticBaseline('random verdicts', ({ critic }, { random }) =>
    critic === 'joint'
      ? random.pick(REASONS)
      : random.pick(['success', critic === 'link' ? 'placement' : 'joint'] as const),
  ),
}
