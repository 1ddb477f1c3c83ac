/** The conversation of an episode: build, be criticised, build again until the verifier says enough. */
import type { Episode, Played } from '../../../engine/suite.ts'
import type { Message, Part, Role } from '../../../models/types.ts'
import { isMovable, type Robot } from '../../../world/urdf/index.ts'
import { type Built, buildFrom } from '../parse/answer.ts'
import {
  askJointCritic,
  askLinkCritic,
  askUrdfCritic,
  jointCriticMessages,
  linkCriticMessages,
  urdfCriticMessages,
} from './ask-critic.ts'
import { readSaid } from '../parse/said.ts'
import { buildCritique, type Critique, jointCritique, placementCritique } from '../measure/critique.ts'
import { plausibilityCritique } from '../measure/plausible.ts'
import type { CriticSample, CriticOutcome, Cue, Iteration, LoopSample, LoopOutcome, Task } from '../domain/episode.ts'
import { evaluate } from '../measure/evaluate.ts'
import { iterationEvent, noteObject, robotData } from './record.ts'
import { bestOfAll, latestThenBest, type Ranked } from './selection.ts'
import { modelOf } from '../domain/objects/find.ts'
import { type ArticulatedModel, shelfOfModel, trueRobot } from '../domain/objects/model.ts'
import { type CriticOptions, type LoopOptions, pictureSize } from '../options.ts'
import { Show } from './pictures/show.ts'
import { VIEWS, type ViewName } from './pictures/cameras.ts'
import type { Profile } from '../domain/profile.ts'
import { runProgram } from '../parse/program/index.ts'
import { writeProgram } from '../domain/write-program.ts'
import { buildPrompt, jointPrompt, placePrompt, promptWith } from '../prompts.ts'
import { ADAPTIVE_DEFAULTS, Verifier } from './verifier.ts'

const STILLS: readonly ViewName[] = ['front', 'left']
/** The published loop accepts what scores more. */
const PUBLISHED_CUTOFF = 5

export function playLoop(task: Task) {
  return (sample: LoopSample, episode: Episode, options: LoopOptions): Promise<Played<LoopOutcome>> =>
    modelOf(sample.object).then((model) => new Loop(task, sample, model, episode, options).run())
}

class Loop {
  readonly #task: Task
  readonly #sample: LoopSample
  readonly #episode: Episode
  readonly #options: LoopOptions
  readonly #profile: Profile
  readonly #model: ArticulatedModel
  readonly #show: Show
  readonly #messages: Message[] = []
  readonly #iterations: Iteration[] = []

  constructor(task: Task, sample: LoopSample, model: ArticulatedModel, episode: Episode, options: LoopOptions) {
    this.#task = task
    this.#sample = sample
    this.#episode = episode
    this.#options = options
    this.#profile = episode.profile === 'upstream' ? 'upstream' : 'fixed'
    this.#model = model
    this.#show = new Show(episode, this.#model, { ...options, size: pictureSize(options) })
  }

  async run(): Promise<Played<LoopOutcome>> {
    const { iterations, verifier: kind } = this.#options
    const verifier = new Verifier('fixed', {
      max_iterations: iterations,
      adaptive: kind === 'adaptive' ? ADAPTIVE_DEFAULTS.fixed : null,
    })
    let sawProgram = false
    let sawWords = false
    let stop: LoopOutcome['stop'] | null = null
    await noteObject(this.#episode, this.#model, this.#sample.target)
    await this.#open()
    for (let i = 0; i < iterations && !stop; i++) {
      const cue: Cue = { kind: 'actor', iteration: i }
      const { text: reply } = await this.#episode.ask('player', this.#messages, { cue, purpose: `${this.#task} ${i}` })
      const built = buildFrom(reply, shelfOfModel(this.#model), 'fixed')
      sawProgram ||= built.kind !== 'nothing'
      sawWords ||= reply.trim() !== ''
      const critique = built.kind === 'robot' ? await this.#criticise(built) : null
      const record = this.#record(i, built, critique)
      stop = this.#stopAfter(built, critique, verifier)
      const robot = built.kind === 'robot' ? built.robot : null
      const measured = robot && evaluate(this.#model, robot, this.#profile)
      this.#episode.note(iterationEvent({ record, robot, critique, measured, stop }))
      if (!stop && i + 1 < iterations) await this.#retry(reply, built, critique)
    }
    return this.#result(stop ?? { code: 'exhausted', text: `Reached maximum iterations ${iterations}` }, {
      sawProgram,
      sawWords,
    })
  }

  #result(
    stop: LoopOutcome['stop'],
    { sawProgram, sawWords }: { sawProgram: boolean; sawWords: boolean },
  ): Played<LoopOutcome> {
    const ranked = this.#iterations.map(({ iteration, seed, feedback_score: score }): Ranked => ({
      iteration,
      seed,
      score,
    }))
    const best = (this.#profile === 'upstream' ? latestThenBest(ranked) : bestOfAll(ranked))?.iteration ?? null
    const outcome: LoopOutcome = { iterations: this.#iterations, best, stop }
    this.#episode.note({ type: 'articulate/stop', ...stop, best })
    if (sawProgram) return { status: 'answered', outcome }
    const problem = this.#iterations.at(-1)?.problem ?? 'no answer'
    return { status: sawWords ? 'parse_failed' : 'no_answer', outcome, problem }
  }

  #record(iteration: number, built: Built, critique: Critique | null): Iteration {
    const record: Iteration = {
      iteration,
      seed: 0,
      // Without a critic whatever runs is as good as anything else that runs.
      feedback_score: critique?.feedback_score ?? (built.kind === 'robot' ? 0 : -1),
      ...(critique?.position_score === undefined ? {} : { position_score: critique.position_score }),
      ...(critique?.joint_score === undefined ? {} : { joint_score: critique.joint_score }),
      source: built.kind === 'nothing' ? '' : built.source,
      urdf: built.kind === 'robot' ? built.urdf : null,
      problem: built.kind === 'robot' ? null : built.problem,
      feedback: critique?.feedback ?? null,
    }
    this.#iterations.push(record)
    return record
  }

  #stopAfter(built: Built, critique: Critique | null, verifier: Verifier): LoopOutcome['stop'] | null {
    if (built.kind === 'robot' && !critique)
      return { code: 'no_critic', text: 'The function runs, and nobody criticises it' }
    const last = this.#iterations.at(-1)!
    if (this.#profile === 'upstream') {
      const isAccepted = last.feedback_score > PUBLISHED_CUTOFF
      return isAccepted
        ? { code: 'accepted', text: `The critic gave ${last.feedback_score}, more than ${PUBLISHED_CUTOFF}` }
        : null
    }
    // Verifiers count iterations from 1: the last one is then the last that is allowed.
    const counted = this.#iterations.map((record) => ({ ...record, iteration: record.iteration + 1 }))
    if (verifier.shouldContinue(counted)) return null
    return verifier.stopReason()
  }

  async #open(): Promise<void> {
    const truth = trueRobot(this.#model)
    const content: Part[] = []
    const target = this.#sample.target
    if (this.#task === 'joint' && target !== null) {
      content.push({ type: 'text', text: jointPrompt(this.#model, target) }, ...(await this.#show.trueSweep(target)))
    } else if (this.#task === 'place') {
      content.push(
        { type: 'text', text: placePrompt(this.#model) },
        ...(await this.#show.stills(truth, STILLS, 'truth')),
      )
    } else {
      const targets = this.#model.joints.filter(({ type }) => type !== 'fixed').map(({ child }) => child)
      content.push({ type: 'text', text: buildPrompt(this.#model, targets) })
      content.push(...(await this.#show.stills(truth, ['front'], 'truth')))
      for (const part of targets)
        content.push({ type: 'text', text: `${part} moves:` }, ...(await this.#show.trueSweep(part)))
    }
    this.#messages.push({ role: 'user', content })
  }

  async #retry(reply: string, built: Built, critique: Critique | null): Promise<void> {
    this.#messages.push({ role: 'assistant', content: reply })
    if (built.kind !== 'robot') {
      this.#messages.push({ role: 'user', content: promptWith('retry-error', { problem: built.problem }) })
      return
    }
    const text = promptWith('retry-feedback', { feedback: critique?.feedback ?? '' })
    this.#messages.push({ role: 'user', content: [{ type: 'text', text }, ...(await this.#predicted(built.robot))] })
  }

  #predicted(robot: Robot): Promise<Part[]> {
    const { target } = this.#sample
    return target === null
      ? this.#show.stills(robot, this.#task === 'place' ? STILLS : ['front'], 'prediction')
      : this.#show.sweep(robot, target, 'prediction')
  }

  async #criticise(built: Extract<Built, { kind: 'robot' }>): Promise<Critique | null> {
    const { feedback } = this.#options
    const { target } = this.#sample
    const { robot, urdf, source } = built
    if (feedback === 'plausible') return plausibilityCritique(robot, shelfOfModel(this.#model))
    if (feedback === 'geometric') {
      if (this.#task === 'place') return placementCritique(this.#model, robot)
      return target === null ? buildCritique(this.#model, robot) : jointCritique(this.#model, robot, target)
    }
    const role: Role | null =
      feedback === 'self' ? 'player' : feedback !== 'none' && this.#episode.has('critic') ? 'critic' : null
    if (!role) return null
    const asking = { episode: this.#episode, role, profile: this.#profile }
    const truth = trueRobot(this.#model)
    if (this.#task === 'build') {
      const images = await this.#show.stills(robot, VIEWS, 'prediction')
      const movable = robot.joints.filter((joint) => isMovable(joint)).map(({ name }) => name)
      const messages = urdfCriticMessages(urdf, images, VIEWS)
      return askUrdfCritic({ ...asking, messages, cue: { kind: 'urdf-critic', urdf } }, movable)
    }
    if (target === null) {
      const pictures = {
        truth: await this.#show.stills(truth, ['front'], 'truth'),
        predicted: await this.#show.stills(robot, ['front'], 'prediction'),
      }
      const messages = linkCriticMessages(this.#model, { ...pictures, source })
      return askLinkCritic({ ...asking, messages, cue: { kind: 'link-critic', urdf, target } })
    }
    const pictures = {
      truth: await this.#show.trueSweep(target),
      predicted: await this.#show.sweep(robot, target, 'prediction'),
    }
    const messages = jointCriticMessages(this.#model, { ...pictures, source, traces: this.#options.traces })
    return askJointCritic({ ...asking, messages, cue: { kind: 'joint-critic', urdf, target } })
  }
}

/** The function of a faulty object, and the robot it builds. */
export async function faulty(sample: CriticSample): Promise<{ model: ArticulatedModel; source: string; robot: Robot }> {
  const model = await modelOf(sample.object)
  const { joints, centers, without } = sample.fault
  const source = writeProgram(model, {
    joints: sample.critic === 'link' ? [] : joints,
    centers: new Map(centers),
    without,
  })
  return { model, source, robot: runProgram(source, { profile: 'fixed', shelf: shelfOfModel(model) }).robot() }
}

export async function playCritic(
  sample: CriticSample,
  episode: Episode,
  options: CriticOptions,
): Promise<Played<CriticOutcome>> {
  const { model, source, robot } = await faulty(sample)
  const show = new Show(episode, model, { ...options, size: pictureSize(options) })
  const truth = trueRobot(model)
  const { part } = sample.fault
  await noteObject(episode, model, part)
  const messages =
    sample.critic === 'joint'
      ? jointCriticMessages(model, {
          truth: await show.trueSweep(part),
          predicted: await show.sweep(robot, part, 'prediction'),
          source,
          traces: options.traces,
        })
      : linkCriticMessages(model, {
          truth: await show.stills(truth, ['front'], 'truth'),
          predicted: await show.stills(robot, ['front'], 'prediction'),
          source,
        })
  const cue: Cue = { kind: sample.critic === 'joint' ? 'joint-critic' : 'link-critic', urdf: '', target: part }
  const { text: reply } = await episode.ask('player', messages, { cue, purpose: cue.kind })
  const said = readSaid(sample.critic, reply, episode.profile === 'upstream' ? 'upstream' : 'fixed')
  episode.note({
    type: 'articulate/critique',
    critic: sample.critic,
    fault: sample.fault.name,
    kind: sample.fault.kind,
    size: sample.fault.size,
    part,
    expected: sample.labels['truth'] ?? null,
    robot: robotData(robot),
    source,
    reply,
    said,
  })
  const outcome = { reply }
  if (reply.trim() === '') return { status: 'no_answer', outcome, problem: 'an empty reply' }
  if (said) return { status: 'answered', outcome }
  return { status: 'parse_failed', outcome, problem: 'no critique that can be read' }
}
