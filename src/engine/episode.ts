/** Plays one sample once. Independent of other episodes, the journal and the scheduler. */
import { MissingAssetError, messageOf } from '../base/errors.ts'
import { Random } from '../base/random.ts'
import type { MediaRef, MediaType, Provenance } from '../media/ref.ts'
import type { HeldBytes } from '../models/byte-budget.ts'
import {
  addUsage,
  type Message,
  ModelError,
  type ModelRequest,
  NO_USAGE,
  type Payments,
  type Reply,
  type Role,
  type Usage,
} from '../models/types.ts'
import type { EpisodeLine, ReplyProblem, Scores, Status } from '../store/records.ts'
import type { DataFiles } from './data-files.ts'
import { type Measured, measurementsIn, measureOutcome, valuesByInstrument } from './measure.ts'
import { Recorder } from './recorder.ts'
import type { Responder, Players } from './players.ts'
import { problemOf } from './reply-problem.ts'
import type { AnySuite, AskOptions, Episode, EpisodeEvent, OpenedInstruments, Played, SampleBase } from './suite.ts'

export interface EpisodeJob {
  index: number
  sample: SampleBase
  epoch: number
  /** A recorded episode to measure and score again, without playing it. */
  recorded?: RecordedEpisode
}

export interface RecordedEpisode {
  line: Omit<EpisodeLine, 'events'>
  /** How playing ended; excludes failures of measuring. */
  played: Pick<EpisodeLine, 'status' | 'error'>
  outcome: unknown
  /** All recorded events, in order. */
  events: readonly unknown[]
}

/** Shared by all episodes of a run. */
export interface EpisodeContext {
  suite: AnySuite
  options: unknown
  profile: string
  seed: number
  players: Players
  keep(bytes: Uint8Array, type: MediaType, size?: { width: number; height: number }): Promise<MediaRef>
  /** Path of stored media on this machine. */
  fileOf(ref: MediaRef): string
  files: DataFiles
  /** Undefined if the suite has no measure stage. */
  instruments?: OpenedInstruments<unknown, unknown> | undefined
  /** Nobody reads the events: the episode is not recorded. */
  isUnrecorded?: boolean
  /** Called with the events that the suite records. */
  onEvent?(event: EpisodeEvent): void
  /** Called for all media that is stored. */
  onMedia?(ref: MediaRef): void
  /** Called with what the suite is preparing. */
  onWork?(work: Work): void
  /** Called before every request. Throws if the run is stopping. */
  beforeRequest(): void | Promise<void>
  /** Where the cost of a request is recorded before it is sent. Absent in threads: the main thread asks. */
  payments?: Payments
  /** What the episode holds of the memory for replies. Absent in threads: the main thread reads them. */
  held?: HeldBytes
  /** Called after every reply with its usage. */
  onUsage(usage: Usage, cached: boolean): void
  /** Aborts requests in flight. */
  signal: AbortSignal
  /** Aborted when no new requests may be sent. */
  draining: AbortSignal
}

/** What a suite is preparing before it asks: `{ what: 'Rendering objects', done: 3, total: 14 }` */
export interface Work {
  what: string
  done: number
  total: number
}

export interface FinishedEpisode {
  line: Omit<EpisodeLine, 'events'>
  events: readonly string[]
  /** A model failed in a way that every other episode would meet too. */
  fatal?: boolean
}

/**
 * Thrown when the run stops in the middle of an episode. Nothing is recorded; a later resume plays the episode again from
 * cached replies.
 */
export class EpisodeStopped extends Error {
  override readonly name = 'EpisodeStopped'
}

/** Plays, measures and scores one sample. Failures of the model or dataset are results; stops and bugs are thrown. */
export async function playEpisode(job: EpisodeJob, context: EpisodeContext): Promise<FinishedEpisode> {
  const { suite } = context
  const { sample, epoch, recorded } = job
  const started = performance.now()
  const recorder = new Recorder(recorded?.events, context.isUnrecorded)
  const random = new Random(`${suite.name}/${context.seed}/${sample.id}/${epoch}`)
  const talk = new Conversation(job, context, recorder, random)
  let ending: Pick<EpisodeLine, 'status' | 'error'> = { status: 'answered' }
  let scores: Scores = {}
  try {
    let outcome: unknown
    if (recorded) {
      ending = recorded.played
      outcome = recorded.outcome
    } else {
      recorder.sample(sample)
      const played = (await suite.play(sample, talk.episode, context.options)) as Played<unknown>
      ending = endingOf(played)
      outcome = played.outcome
      recorder.outcome(ending.status, outcome, ending.error)
    }
    if (outcome !== null) scores = await scoreOutcome(job, outcome, talk.episode, context, recorder)
  } catch (thrown) {
    const stop = talk.stopReason ?? (thrown === context.draining.reason || context.signal.aborted ? thrown : undefined)
    if (stop !== undefined) throw new EpisodeStopped(messageOf(stop), { cause: stop })
    ending = { status: statusOf(thrown), error: context.files.redact(messageOf(thrown)) }
    if (!recorder.hasOutcome) recorder.outcome(ending.status, null, ending.error)
  }
  const ms = Math.round(performance.now() - started)
  const problems = recorded ? (recorded.line.problems ?? []) : talk.problems
  const line: FinishedEpisode['line'] = {
    index: job.index,
    sample: sample.id,
    epoch,
    cluster: sample.cluster,
    labels: sample.labels,
    status: ending.status,
    ...(ending.error !== undefined && { error: ending.error }),
    ...(problems.length > 0 && { problems }),
    scores,
    usage: recorded ? addUsage(recorded.line.usage, talk.usage) : talk.usage,
    ms: recorded ? recorded.line.ms : ms,
  }
  const finished: FinishedEpisode = { line, events: recorder.lines }
  if (talk.hasFatalError) finished.fatal = true
  return finished
}

/** Omits `error` if there is none, because journal lines are compared and written as they are. */
function endingOf({ status, problem }: Played<unknown>): Pick<EpisodeLine, 'status' | 'error'> {
  return problem === undefined ? { status } : { status, error: problem }
}

/** Scores an outcome from what was measured before, and what the missing instruments measure now. */
function scoreOutcome(
  { sample, recorded }: EpisodeJob,
  outcome: unknown,
  episode: Episode,
  context: EpisodeContext,
  recorder: Recorder,
): Scores | Promise<Scores> {
  const { suite, options, profile, instruments } = context
  const before = recorded && measurementsIn(recorded.events)
  const score = (measured: readonly Measured[]): Scores | Promise<Scores> => {
    const measurements = valuesByInstrument(before ? [...before.values(), ...measured] : measured)
    return suite.score(sample, outcome, { profile, options, measurements })
  }
  if (!instruments) return score([])
  return measureOutcome(context, sample, outcome, episode, before ?? new Map()).then((measured) => {
    for (const each of measured) recorder.measurement(each)
    return score(measured)
  })
}

/** A bug in a suite must not look like a bad model, so it ends the run. */
function statusOf(thrown: unknown): Status {
  if (thrown instanceof ModelError) return 'model_error'
  if (thrown instanceof MissingAssetError) return 'missing_asset'
  throw thrown
}

/** Implements `Episode` for the suite: sends requests and records everything. */
class Conversation {
  usage: Usage = NO_USAGE
  /** Why the run is stopping. Remembered, because a suite may catch the error. */
  stopReason: unknown
  /** Remembered, because a suite may catch the error. */
  hasFatalError = false
  readonly problems: ReplyProblem[] = []
  readonly episode: Episode
  readonly #job: EpisodeJob
  readonly #context: EpisodeContext
  readonly #recorder: Recorder
  readonly #random: Random
  readonly #responders = new Map<Role, Responder>()
  #asked = 0

  constructor(job: EpisodeJob, context: EpisodeContext, recorder: Recorder, random: Random) {
    this.#job = job
    this.#context = context
    this.#recorder = recorder
    this.#random = random
    this.episode = {
      profile: context.profile,
      epoch: job.epoch,
      random,
      signal: context.signal,
      ...(context.isUnrecorded && { isUnrecorded: true }),
      has: (role) => context.players.has(role),
      ask: (role, messages, how) => this.#ask(role, messages, how),
      note: (event) => {
        context.onEvent?.(event)
        recorder.note(event)
      },
      progress: (what, done, total) => context.onWork?.({ what, done, total }),
      keep: async (bytes, type, provenance, size) => {
        const ref = await this.#keep(bytes, type, size)
        recorder.media(ref, provenance)
        return ref
      },
      ...(!context.isUnrecorded && {
        keepAgain: (ref: MediaRef, provenance: Provenance) => {
          context.onMedia?.(ref)
          recorder.media(ref, provenance)
        },
        keepUnnoted: (...media: Parameters<EpisodeContext['keep']>) => context.keep(...media),
      }),
      fileOf: (ref) => context.fileOf(ref),
      files: context.files,
    }
  }

  async #ask(role: Role, messages: readonly Message[], how: AskOptions = {}): Promise<Reply> {
    try {
      const wait = this.#context.beforeRequest()
      if (wait) await wait
    } catch (reason) {
      this.stopReason = reason
      throw reason
    }
    const { baselineInput, purpose, sampling } = splitAskOptions(how)
    const ordinal = this.#asked++
    this.#recorder.ask(ordinal, role, messages, sampling, purpose)
    const { draining, payments, held, signal } = this.#context
    const origin: ModelRequest['origin'] = { sampleId: this.#job.sample.id, ordinal, role }
    if (purpose !== undefined) origin.purpose = purpose
    const request: ModelRequest = { messages, sampling, epoch: this.#job.epoch, origin, draining, baselineInput }
    if (payments) request.payments = payments
    if (held) request.held = held
    let reply
    try {
      reply = await this.#responderFor(role)(request, signal)
    } catch (error) {
      this.hasFatalError ||= error instanceof ModelError && error.fatal
      throw error
    }
    this.usage = addUsage(this.usage, reply.usage)
    const problem = problemOf(reply)
    if (problem !== null && !this.problems.includes(problem)) this.problems.push(problem)
    this.#context.onUsage(reply.usage, reply.cached)
    for (const ref of reply.media ?? []) this.#context.onMedia?.(ref)
    this.#recorder.reply(ordinal, role, reply)
    return reply
  }

  async #keep(...media: Parameters<EpisodeContext['keep']>): Promise<MediaRef> {
    const ref = await this.#context.keep(...media)
    this.#context.onMedia?.(ref)
    return ref
  }

  #responderFor(role: Role): Responder {
    let responder = this.#responders.get(role)
    if (!responder) {
      const player = this.#context.players.get(role)
      if (!player)
        throw new Error(`${this.#context.suite.name} asked the ${role}, but the run has no model for that role`)
      const { options, profile, files } = this.#context
      const keep: EpisodeContext['keep'] = (...media) => this.#keep(...media)
      responder = player.startEpisode(this.#job.sample, { random: this.#random, options, profile, files, keep })
      this.#responders.set(role, responder)
    }
    return responder
  }
}

function splitAskOptions({ baselineInput, purpose, ...sampling }: AskOptions) {
  return { baselineInput, purpose, sampling }
}
