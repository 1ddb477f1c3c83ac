/** The conversation of an episode: build, be critiqued, build again until it is enough. */
import type { Episode, Message, Part, Played, Role } from '../../../suite.ts'
import { isMovable, type Robot } from '../../../world.ts'
import type { LoopSample, Task } from '../samples/sample.ts'
import { modelOf } from '../domain/objects/find.ts'
import { type ArticulatedModel, trueRobot } from '../domain/objects/model.ts'
import type { BaselineInput, Iteration, LoopOutcome } from '../domain/outcome.ts'
import type { Profile } from '../domain/profile.ts'
import { buildCritique, type Critique, jointCritique, placementCritique } from '../measure/critique.ts'
import { evaluate } from '../measure/evaluate.ts'
import { heuristicCritique } from '../measure/heuristic.ts'
import { physicsOf } from '../measure/physics/index.ts'
import { plausibilityCritique } from '../measure/plausible.ts'
import type { LoopOptions } from '../options.ts'
import { type Built, buildFrom } from '../parse/answer.ts'
import { buildPrompt, jointPrompt, placePrompt, promptWith } from '../prompts/prompts.ts'
import {
  askJointCritic,
  askLinkCritic,
  askUrdfCritic,
  jointCriticMessages,
  linkCriticMessages,
  urdfCriticMessages,
} from './ask-critic.ts'
import { STILLS, VIEWS } from './pictures/cameras.ts'
import { iterationEvent, note, noteObject } from './record.ts'
import { type LoopRules, rulesFor } from './rules.ts'
import { Show, shownAs } from './show.ts'

const LOST = 'after an error the published loop has lost the placement: its joint actor cannot be asked again'

/** @param motion what is shown instead of the object's own motion, in `joint` */
export function playLoop(task: Task, motion?: readonly Part[]) {
  return async (sample: LoopSample, episode: Episode<Profile>, options: LoopOptions): Promise<Played<LoopOutcome>> =>
    new Loop(task, sample, await modelOf(sample.object, episode.files), episode, options, motion).run()
}

/** One answer and what became of it. */
interface Turn {
  reply: string
  built: Built
  critique: Critique | null
}

class Loop {
  readonly #motion: readonly Part[] | undefined
  readonly #task: Task
  readonly #sample: LoopSample
  readonly #episode: Episode<Profile>
  readonly #options: LoopOptions
  readonly #model: ArticulatedModel
  readonly #show: Show
  readonly #rules: LoopRules

  constructor(
    task: Task,
    sample: LoopSample,
    model: ArticulatedModel,
    episode: Episode<Profile>,
    options: LoopOptions,
    motion?: readonly Part[],
  ) {
    this.#motion = motion
    this.#task = task
    this.#sample = sample
    this.#episode = episode
    this.#options = options
    this.#model = model
    this.#show = new Show(episode, this.#model, { ...options, ...shownAs({ view: sample.view, part: sample.target }) })
    this.#rules = rulesFor(episode.profile, task, options)
  }

  async run(): Promise<Played<LoopOutcome>> {
    const { profile } = this.#episode
    const turns: Turn[] = []
    const iterations: Iteration[] = []
    await noteObject(this.#episode, this.#model, this.#sample.target)
    const opening = await this.#open()
    for (;;) {
      const turn = await this.#answer(turns.length, opening)
      const { built, critique } = turn
      const record = this.#record(turns.length, turn)
      const stop = this.#rules.after(record, critique)
      turns.push(turn)
      iterations.push(record)
      const robot = built.kind === 'robot' ? built.robot : null
      const measured = robot && evaluate(this.#model, robot, profile)
      note(this.#episode, iterationEvent({ record, robot, critique, measured, stop }))
      if (stop) return this.#result(turns, { iterations, best: this.#rules.best(), stop })
      await this.#rules.remember(() => this.#comeback(turn))
    }
  }

  async #result(turns: readonly Turn[], given: LoopOutcome): Promise<Played<LoopOutcome>> {
    note(this.#episode, { type: 'articulate/stop', ...given.stop, best: given.best })
    const best = given.best === null ? undefined : turns[given.best]?.built
    const isSimulated = this.#options.physics && this.#task !== 'place' && best?.kind === 'robot'
    const physics = isSimulated ? await physicsOf(best.robot, this.#model) : null
    const outcome = physics ? { ...given, physics } : given
    if (turns.some(({ built }) => built.kind !== 'nothing')) return { status: 'answered', outcome }
    const problem = outcome.iterations.at(-1)?.problem ?? 'no answer'
    const hasWords = turns.some(({ reply }) => reply.trim() !== '')
    return { status: hasWords ? 'parse_failed' : 'no_answer', outcome, problem }
  }

  async #answer(iteration: number, opening: Message): Promise<Turn> {
    const reminders = this.#rules.reminders()
    if (!reminders) return { reply: '', built: { kind: 'nothing', problem: LOST }, critique: null }
    const baselineInput: BaselineInput = { kind: 'actor', iteration }
    const purpose = `${this.#task} ${iteration}`
    // Asked the same once more, the published actor draws anew.
    const isRepeat = iteration > 0 && reminders.length === 0
    const asked = { baselineInput, purpose, ...(isRepeat ? { seed: iteration } : {}) }
    const { text: reply } = await this.#episode.ask('player', [opening, ...reminders], asked)
    const built = buildFrom(reply, this.#model.shelf, this.#options.language)
    return { reply, built, critique: built.kind === 'robot' ? await this.#criticise(built) : null }
  }

  #record(iteration: number, { built, critique }: Turn): Iteration {
    const isBuilt = built.kind === 'robot'
    const problem = isBuilt ? (critique?.problem ?? null) : built.problem
    return {
      iteration,
      seed: 0,
      feedback_score: critique?.feedback_score ?? (isBuilt ? this.#rules.uncriticised : -1),
      ...(critique?.position_score === undefined ? {} : { position_score: critique.position_score }),
      ...(critique?.joint_score === undefined ? {} : { joint_score: critique.joint_score }),
      source: built.kind === 'nothing' ? '' : built.source,
      urdf: isBuilt && problem === null ? built.urdf : null,
      problem,
      feedback: critique?.feedback ?? null,
    }
  }

  async #open(): Promise<Message> {
    const truth = trueRobot(this.#model)
    const content: Part[] = []
    const target = this.#sample.target
    if (this.#task === 'joint' && target !== null) {
      content.push(
        { type: 'text', text: jointPrompt(this.#model, target, this.#show.viewOf(target)) },
        ...(this.#motion ?? (await this.#show.trueSweep(target))),
      )
    } else if (this.#task === 'place') {
      content.push(
        { type: 'text', text: placePrompt(this.#model) },
        ...(await this.#show.stills(truth, STILLS, 'truth')),
      )
    } else {
      const targets = this.#model.joints.filter(({ type }) => type !== 'fixed').map(({ child }) => child)
      content.push({ type: 'text', text: buildPrompt(this.#model, targets) })
      content.push(...(await this.#show.stills(truth, ['front'], 'truth')))
      content.push(...(await this.#show.trueSweeps(targets, this.#options.pictures)))
    }
    return { role: 'user', content }
  }

  /** An answer, and what the player is told about it. */
  async #comeback({ reply, built, critique }: Turn): Promise<Message[]> {
    const answer: Message = { role: 'assistant', content: reply }
    if (built.kind !== 'robot')
      return [answer, { role: 'user', content: promptWith('retry-error', { problem: built.problem }) }]
    const text = promptWith('retry-feedback', { feedback: critique?.feedback ?? '' })
    return [answer, { role: 'user', content: [{ type: 'text', text }, ...(await this.#predicted(built.robot))] }]
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
    if (feedback === 'plausible') return plausibilityCritique(robot, this.#model)
    if (feedback === 'heuristic') return heuristicCritique(urdf)
    if (feedback === 'geometric') {
      if (this.#task === 'place') return placementCritique(this.#model, robot)
      return target === null ? buildCritique(this.#model, robot) : jointCritique(this.#model, robot, target)
    }
    const role: Role | null =
      feedback === 'self' ? 'player' : feedback !== 'none' && this.#episode.has('critic') ? 'critic' : null
    if (!role) return null
    const asking = { episode: this.#episode, role }
    if (this.#task === 'build') {
      const images = await this.#show.stills(robot, VIEWS, 'prediction')
      const movable = robot.joints.filter((joint) => isMovable(joint)).map(({ name }) => name)
      const messages = urdfCriticMessages(urdf, images, VIEWS)
      return askUrdfCritic({ ...asking, messages, baselineInput: { kind: 'urdf-critic', urdf } }, movable)
    }
    const compared = { ...(await this.#show.compared(robot, target)), source }
    if (target === null) {
      const messages = linkCriticMessages(this.#model, compared, true)
      return askLinkCritic({ ...asking, messages, baselineInput: { kind: 'link-critic', urdf, target } })
    }
    const messages = jointCriticMessages(this.#model, compared, this.#options.traces)
    return askJointCritic({ ...asking, messages, baselineInput: { kind: 'joint-critic', urdf, target } })
  }
}
