/** Plays an episode: exploration, belief probes and questions on forks of the conversation, and revision. */
import type { Episode, MediaRef, Played } from '../../suite.ts'
import type { SpaceSample } from './samples/sample.ts'
import { scoreReply } from './domain/answers/forms.ts'
import { drawFogProbe, type FogProbe, fogMapText, fogRandom } from './domain/belief/fog-probe.ts'
import { trueMapText } from './domain/belief/map-text.ts'
import {
  type ExplorationState,
  startExploration,
  startRevision,
  step,
  type Turn,
  turnLine,
} from './domain/explore/exploration.ts'
import { Progress } from './domain/explore/progress.ts'
import { SINGLE_VIEWS, singleView } from './domain/explore/single-view.ts'
import { repliesOf, replay, startPassive } from './domain/explore/replay.ts'
import type { RevisedScene } from './domain/grid/scene.ts'
import type { MapReply, SpaceOutcome } from './domain/outcome.ts'
import type { Profile } from './domain/profile.ts'
import { runProxy } from './domain/proxies/run.ts'
import type { SpaceEvent } from './events.ts'
import type { SpaceOptions } from './options.ts'
import type { MapContext } from './parse/maps.ts'
import { type ComposedMessage, Conversation, textMessage } from './play/conversation.ts'
import type { BaselineInput, SeenTurn } from './play/baseline-input.ts'
import { answerEvent, fogEvent, mapEvent, sceneEvent, turnEvent } from './play/event-builders.ts'
import { explorationPrompt } from './play/opening.ts'
import type { ObservationRenderer, OpenRenderer } from './play/renderer.ts'
import { fogPrompt, type MapKind, mapPrompt, questionPrompt, systemPrompt } from './prompts/prompts.ts'

/** Numbers of rounds for single views, beyond those of changes. */
const SINGLE_ROUNDS = 100

/** Plays a sample in text, or in images if `openRenderer` is given. */
export async function play(
  sample: SpaceSample,
  episode: Episode<Profile>,
  options: SpaceOptions,
  openRenderer?: OpenRenderer,
): Promise<Played<SpaceOutcome>> {
  const game = new Game(sample, episode, options, openRenderer?.(sample, episode) ?? null)
  await (options.explore === 'active' ? game.explore() : game.readLog())
  await game.answer()
  if (options.revision) await game.revise()
  if (options.views !== undefined) await game.perceive(options.views)
  return game.result()
}

class Game {
  readonly #sample: SpaceSample
  readonly #episode: Episode<Profile>
  readonly #options: SpaceOptions
  readonly #profile: Profile
  readonly #renderer: ObservationRenderer | null
  readonly #conversation = new Conversation()
  readonly #outcome: SpaceOutcome
  readonly #progress: Progress
  readonly #seen: SeenTurn[] = []
  #state: ExplorationState
  /** How often the scene has changed. */
  #round = 0
  /** Whether any action list or answer could be parsed. */
  #understood = false

  constructor(
    sample: SpaceSample,
    episode: Episode<Profile>,
    options: SpaceOptions,
    renderer: ObservationRenderer | null,
  ) {
    this.#sample = sample
    this.#episode = episode
    this.#options = options
    this.#renderer = renderer
    this.#profile = episode.profile
    this.#state = startExploration(sample.scene, {
      profile: this.#profile,
      maxSteps: options.steps,
      think: options.think,
      images: renderer !== null,
    })
    this.#progress = new Progress(sample.scene, this.#profile)
    this.#outcome = { profile: this.#profile, explored: [], maps: [], answers: [], revision: null }
  }

  result(): Played<SpaceOutcome> {
    const outcome = this.#outcome
    const replies = [...outcome.explored, ...outcome.answers.map(({ reply }) => reply)]
    if (replies.every((reply) => reply.trim() === '')) {
      return { status: 'no_answer', outcome, problem: 'every reply was empty' }
    }
    if (this.#understood) return { status: 'answered', outcome }
    return { status: 'parse_failed', outcome, problem: 'no action or answer could be parsed' }
  }

  /** Explores until the player stops or runs out of steps. */
  async explore(): Promise<void> {
    const { think, steps } = this.#options
    const vision = this.#renderer !== null
    this.#episode.note(sceneEvent('exploration', this.#sample.scene, null))
    await this.#openConversation(
      explorationPrompt(this.#sample.scene, this.#profile, { think, maxSteps: steps, vision }),
    )
    await this.#exploreUntilDone(this.#outcome.explored, this.#outcome.maps, { after: true, atEnd: true })
  }

  /** Shows the player the log of a proxy agent instead. */
  async readLog(): Promise<void> {
    const { scene } = this.#sample
    const { proxy, think, maps } = this.#options
    const log = runProxy(proxy, scene, this.#profile)
    const vision = this.#renderer !== null
    const started = startPassive(scene, this.#profile, log.turns.length, vision)
    this.#episode.note(sceneEvent('exploration', scene, null))
    const turns = replay(started, repliesOf(log.turns), this.#progress, (number, { turn, state }) => {
      this.#episode.note(turnEvent(turn, number, state, this.#progress))
    })
    this.#state = turns.at(-1)!.state
    const history = vision ? turns.map(({ turn }, i) => turnLine(i + 1, turn.executed)).join('\n') : log.history
    const images: MediaRef[] = []
    for (const [i, { turn }] of turns.entries()) images.push(...(await this.#renderObservation(turn, i + 1)))
    await this.#openConversation(
      explorationPrompt(scene, this.#profile, { think, active: false, history, vision }),
      images,
    )
    const read: SpaceEvent<'space/log'> = { type: 'space/log', proxy, turns: log.turns.length, cost: log.cost }
    this.#episode.note(read)
    if (maps !== 'none') await this.#probeMap('global', this.#outcome.maps, log.turns.length)
  }

  /** Asks every question on its own fork of the conversation. */
  async answer(): Promise<void> {
    const { evaluation, think } = this.#options
    const { questions, scene } = this.#sample
    const lastMap = evaluation === 'last-map' && questions.length > 0 ? await this.#lastMap() : null
    for (const question of questions) {
      const how =
        evaluation === 'true-map'
          ? ({ mode: 'true-map', map: trueMapText(scene, this.#profile) } as const)
          : ({ mode: evaluation } as const)
      const text = textMessage(questionPrompt(question.text, think, this.#profile, how))
      const between = this.#seam()
      const messages =
        lastMap === null
          ? this.#conversation.fork(text, between)
          : this.#conversation.forkAfter(textMessage(this.#mapPrompt('global')), between, lastMap, text)
      const baselineInput: BaselineInput = { kind: 'question', question, evaluation, ...this.#baselineFrames }
      const { text: reply } = await this.#episode.ask('player', messages, {
        baselineInput,
        purpose: `question ${question.task}`,
      })
      this.#outcome.answers.push({ question: question.id, reply })
      const reading = { profile: this.#profile, afterMap: evaluation === 'own-map' }
      const { answer, result } = scoreReply(question, reply, scene, reading)
      this.#understood ||= result.formatError === 0
      this.#episode.note(answerEvent(question, scene, answer, result))
    }
  }

  /** Changes the scene and lets the player explore again to find the changes. */
  async revise(): Promise<void> {
    const { revision, later = [] } = this.#sample
    const replies = { explored: [], maps: [] }
    this.#outcome.revision = replies
    await this.#exploreChanged(revision!, replies)
    if (later.length > 0) this.#outcome.later = []
    for (const changed of later) {
      const more = { explored: [], maps: [] }
      this.#outcome.later!.push(more)
      await this.#exploreChanged(changed, more)
    }
  }

  async #exploreChanged(
    { scene: changed, changes }: RevisedScene,
    { explored, maps }: NonNullable<SpaceOutcome['revision']>,
  ): Promise<void> {
    this.#round += 1
    const { think, revisionSteps } = this.#options
    const started = startRevision(this.#state, changed, { changes: changes.length, maxSteps: revisionSteps, think })
    this.#state = started.state
    this.#progress.revise(changed)
    // The published environment sends this in place of "Task finished".
    if (this.#profile === 'upstream') this.#conversation.replaceUserMessage(textMessage(started.message))
    else this.#conversation.addUserMessage(textMessage(started.message))
    this.#episode.note(sceneEvent('false-belief', changed, changes))
    await this.#exploreUntilDone(explored, maps, {
      after: true,
      atEnd: this.#profile === 'fixed',
    })
  }

  /** Shows single views from the start, each in a conversation of its own, and asks for a map of what is in view. */
  async perceive(count: number): Promise<void> {
    const { scene } = this.#sample
    const { think } = this.#options
    const vision = this.#renderer !== null
    this.#outcome.singles = []
    for (const [i, degrees] of SINGLE_VIEWS.slice(0, count).entries()) {
      const seen = singleView(scene, this.#profile, degrees, vision)
      if (seen === null) continue
      const { turn, state } = seen
      const shown = this.#renderer === null ? null : await this.#renderer.observe(turn.view!, scene)
      // A memory of its own for those that remember what they have seen.
      const round = SINGLE_ROUNDS + i
      this.#seen.push({ round, executed: turn.executed, frame: shown?.frame ?? null })
      const conversation = new Conversation()
      const history = turnLine(1, turn.executed)
      conversation.open(systemPrompt(think, this.#profile), {
        text: explorationPrompt(scene, this.#profile, { think, active: false, history, vision }),
        images: [...((await this.#renderer?.instructions()) ?? []), ...(shown ? [shown.image] : [])],
      })
      const baselineInput: BaselineInput = { kind: 'map', map: 'local', state, ...this.#baselineFrames, round }
      const asked = conversation.fork(textMessage(this.#mapPrompt('local')), this.#seam())
      const { text: reply } = await this.#episode.ask('player', asked, { baselineInput, purpose: 'map local' })
      this.#outcome.singles.push({ degrees, reply })
      const probed = { kind: 'local' as const, reply, number: 0, phase: 'exploration' as const }
      this.#episode.note(mapEvent(probed, { scene, pose: state.pose, observed: state.observed }, this.#profile))
    }
  }

  async #exploreUntilDone(
    replies: string[],
    maps: MapReply[],
    probes: { after: boolean; atEnd: boolean },
  ): Promise<void> {
    for (;;) {
      const baselineInput: BaselineInput = { kind: 'explore', state: this.#state, ...this.#baselineFrames }
      const { text } = await this.#episode.ask('player', this.#conversation.messages, {
        baselineInput,
        purpose: this.#state.phase,
      })
      replies.push(text)
      const { state, turn } = step(this.#state, text)
      this.#state = state
      this.#understood ||= turn.valid && turn.ended !== 'budget'
      this.#progress.record(turn)
      this.#episode.note(turnEvent(turn, replies.length, state, this.#progress))
      const images = await this.#renderObservation(turn, replies.length)
      this.#conversation.addReply(text)
      this.#conversation.addUserMessage({ text: turn.message, images })
      if (turn.done) {
        if (probes.atEnd && this.#options.maps !== 'none')
          await this.#probeMap(this.#globalKind(), maps, replies.length)
        return
      }
      if (probes.after && this.#options.maps === 'every' && turn.valid) {
        await this.#probeBeliefs(turn, { text: actionTexts(turn), images }, maps, replies.length)
      }
    }
  }

  /** Asks for all maps after a turn: local, global, rooms, and the fog probe. */
  async #probeBeliefs(turn: Turn, shown: ComposedMessage, maps: MapReply[], at: number): Promise<void> {
    // After a Query, the published code still asks about the view before it.
    const inView = this.#profile === 'upstream' ? this.#state.lastVisible : (turn.view?.visible ?? [])
    if (this.#state.phase === 'exploration' && inView.length > 0) {
      await this.#probeMap('local', maps, at, shown)
    }
    await this.#probeMap(this.#globalKind(), maps, at, shown)
    if (this.#state.phase !== 'exploration') return
    // The published code has no rooms map.
    if (this.#profile === 'fixed') await this.#probeMap('rooms', maps, at, shown)
    const { scene, pose } = this.#state
    const random = fogRandom(this.#sample.id, at)
    const probe = drawFogProbe(this.#progress.fog, scene, pose, random, this.#profile)
    if (probe) await this.#probeFog(probe, maps, at, shown)
  }

  async #probeMap(kind: MapKind, maps: MapReply[], at: number, shown?: ComposedMessage): Promise<string> {
    const baselineInput: BaselineInput = { kind: 'map', map: kind, state: this.#state, ...this.#baselineFrames }
    const asked = textMessage(this.#mapPrompt(kind))
    const { text: reply } = await this.#episode.ask(
      'player',
      this.#conversation.fork(asked, this.#seam(shown), shown),
      {
        baselineInput,
        purpose: `map ${kind}`,
      },
    )
    maps.push({ turn: at, kind, reply })
    const probed = { kind, reply, number: at, phase: this.#state.phase }
    this.#episode.note(mapEvent(probed, this.#mapContext, this.#profile))
    return reply
  }

  async #probeFog(probe: FogProbe, maps: MapReply[], at: number, shown: ComposedMessage): Promise<void> {
    const { scene, pose } = this.#state
    const baselineInput: BaselineInput = { kind: 'fog', probe, state: this.#state, ...this.#baselineFrames }
    const map = this.#renderer === null ? { text: fogMapText(probe, scene, pose) } : 'image'
    const asked: ComposedMessage = {
      text: fogPrompt(map, this.#options.think, this.#profile),
      images: this.#renderer === null ? [] : [await this.#renderer.fog(probe, scene, pose)],
    }
    const { text: reply } = await this.#episode.ask(
      'player',
      this.#conversation.fork(asked, this.#seam(shown), shown),
      {
        baselineInput,
        purpose: 'fog',
      },
    )
    maps.push({ turn: at, kind: 'fog', reply })
    this.#episode.note(fogEvent(probe, reply, at, this.#profile))
  }

  /** The player's last global map; asks for one if there is none yet. */
  async #lastMap(): Promise<string> {
    const known = this.#outcome.maps.findLast(({ kind }) => kind === 'global')
    return known?.reply ?? this.#probeMap('global', this.#outcome.maps, this.#outcome.explored.length)
  }

  #mapPrompt(kind: MapKind): string {
    return mapPrompt(kind, this.#options.think, this.#profile, this.#sample.scene.start.room)
  }

  /** Between a message and what is appended to it. The published code cuts off the step counter, not its line break. */
  #seam(shown?: ComposedMessage): string {
    if (this.#profile === 'fixed') return '\n\n'
    return shown === undefined ? '' : '\n'
  }

  #globalKind(): 'global' | 'global-false-belief' {
    return this.#state.phase === 'exploration' ? 'global' : 'global-false-belief'
  }

  /** `images` follow the instruction images. */
  async #openConversation(prompt: string, images: readonly MediaRef[] = []): Promise<void> {
    const first = (await this.#renderer?.instructions()) ?? []
    this.#conversation.open(systemPrompt(this.#options.think, this.#profile), {
      text: prompt,
      images: [...first, ...images],
    })
  }

  /** Renders a turn's Observe; an empty list in text or without an Observe. */
  async #renderObservation({ phase, view, executed }: Turn, number: number): Promise<readonly MediaRef[]> {
    if (this.#renderer === null) return []
    const shown = view === undefined ? null : await this.#renderer.observe(view, this.#state.scene)
    this.#seen.push({ round: this.#round, executed, frame: shown?.frame ?? null })
    if (view === undefined || shown === null) return []
    const { image, hidden } = shown
    const seen: SpaceEvent<'space/picture'> = {
      type: 'space/picture',
      phase,
      turn: number,
      pose: view.pose,
      picture: image,
      hidden,
    }
    this.#episode.note(seen)
    return [image]
  }

  get #baselineFrames(): Pick<BaselineInput, 'seen' | 'round'> {
    return { round: this.#round, ...(this.#renderer !== null && { seen: [...this.#seen] }) }
  }

  get #mapContext(): MapContext {
    const { scene, pose, observed } = this.#state
    return { scene, pose, observed }
  }
}

/** The text of a turn without the step counter and the format reminder. */
function actionTexts(turn: Turn): string {
  return turn.executed.map(({ text }) => text).join(' ')
}
