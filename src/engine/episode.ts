/** One case, played once. Knows nothing of other episodes, of the journal or of who schedules it. */
import { MissingAssetError, messageOf } from '../base/errors.ts'
import { Random } from '../base/random.ts'
import type { MediaRef, MediaType } from '../media/ref.ts'
import { addUsage, ModelError, NO_USAGE, type Role, type Usage } from '../models/types.ts'
import type { EpisodeLine, Scores, Status } from '../store/records.ts'
import type { DataFiles } from './data-files.ts'
import { measurementsIn, measureOutcome, valuesOf } from './measure.ts'
import { Recorder } from './recorder.ts'
import type { Answer, Players } from './players.ts'
import type { AnySuite, AskOptions, Episode, OpenedInstruments, Played, SampleBase } from './suite.ts'

export interface EpisodeJob {
  index: number
  sample: SampleBase
  epoch: number
  /** What was played before: it is measured and scored again, and nothing is played. */
  recorded?: RecordedEpisode
}

export interface RecordedEpisode {
  line: Omit<EpisodeLine, 'events'>
  /** How it was played: what went wrong later, when it was measured, is not in it. */
  played: Pick<EpisodeLine, 'status' | 'error'>
  outcome: unknown
  /** Everything that was written down, in order. */
  events: readonly unknown[]
}

/** What every episode of a run has in common. */
export interface EpisodeContext {
  suite: AnySuite
  options: unknown
  profile: string
  seed: number
  players: Players
  keep(bytes: Uint8Array, type: MediaType, size?: { width: number; height: number }): Promise<MediaRef>
  /** Where kept bytes lie on this machine. */
  fileOf(ref: MediaRef): string
  files: DataFiles
  /** Of suites that have a measure stage. */
  instruments?: OpenedInstruments<unknown, unknown> | undefined
  /** Told of everything that was kept. */
  kept?(ref: MediaRef): void
  /** Asked before every request: throws when the run is to stop. */
  mayAsk(): void | Promise<void>
  /** Told after every reply: what it cost. */
  used(usage: Usage, cached: boolean): void
  /** Aborts requests that are under way. */
  signal: AbortSignal
  /** Aborted when nothing new may be sent. */
  draining: AbortSignal
}

export interface FinishedEpisode {
  line: Omit<EpisodeLine, 'events'>
  events: readonly string[]
}

/**
 * Thrown out of an episode when the run stops in the middle of it: nothing is recorded, and a later resume plays the
 * episode again from cached replies.
 */
export class EpisodeStopped extends Error {
  override readonly name = 'EpisodeStopped'
}

/** Plays, measures and scores one sample. Failures of the model or the data are results; only a stop of the run is thrown. */
export async function playEpisode(job: EpisodeJob, context: EpisodeContext): Promise<FinishedEpisode> {
  const { suite, options, profile } = context
  const { sample, epoch, recorded } = job
  const started = performance.now()
  const recorder = new Recorder(recorded?.events)
  const random = new Random(`${suite.name}/${context.seed}/${sample.id}/${epoch}`)
  const talk = new Conversation(job, context, recorder, random)
  let ending: Pick<EpisodeLine, 'status' | 'error'> = { status: 'answered' }
  let scores: Scores = {}
  try {
    const before = recorded && measurementsIn(recorded.events)
    const played = recorded ? { ...recorded.played, outcome: recorded.outcome } : await play(talk)
    ending = endingOf(played)
    if (!recorded) recorder.outcome(ending.status, played.outcome, ending.error)
    if (played.outcome !== null) {
      const measured = await measureOutcome(context, sample, played.outcome, talk.episode, before ?? new Map())
      for (const each of measured) recorder.measurement(each)
      const measurements = valuesOf([...(before?.values() ?? []), ...measured])
      scores = await suite.score(sample, played.outcome, { profile, options, measurements })
    }
  } catch (thrown) {
    const stop = talk.stopReason ?? (thrown === context.draining.reason || context.signal.aborted ? thrown : undefined)
    if (stop !== undefined) throw new EpisodeStopped(messageOf(stop), { cause: stop })
    ending = { status: statusOf(thrown), error: context.files.redact(messageOf(thrown)) }
    if (!recorder.hasOutcome) recorder.outcome(ending.status, null, ending.error)
  }
  const ms = Math.round(performance.now() - started)
  return {
    line: {
      index: job.index,
      sample: sample.id,
      epoch,
      cluster: sample.cluster,
      labels: sample.labels,
      ...ending,
      scores,
      usage: recorded ? addUsage(recorded.line.usage, talk.usage) : talk.usage,
      ms: recorded ? recorded.line.ms : ms,
    },
    events: recorder.lines,
  }

  async function play({ episode }: Conversation): Promise<Played<unknown>> {
    recorder.sample(sample)
    return suite.play(sample, episode, options) as Promise<Played<unknown>>
  }
}

/** Without `error` where there is none: lines are compared and written as they are. */
function endingOf({
  status,
  ...rest
}: {
  status: Status
  error?: string
  problem?: string
}): Pick<EpisodeLine, 'status' | 'error'> {
  const error = rest.error ?? rest.problem
  return error === undefined ? { status } : { status, error }
}

/** A bug in a suite must not pass for a bad model: it ends the run, loudly. */
function statusOf(thrown: unknown): Status {
  if (thrown instanceof ModelError) return 'model_error'
  if (thrown instanceof MissingAssetError) return 'missing_asset'
  throw thrown
}

/** The suite's side of an episode: asks go out, everything is written down. */
class Conversation {
  usage: Usage = NO_USAGE
  /** Why the run stops, once it does: suites may catch errors, but not this one. */
  stopReason: unknown
  readonly episode: Episode
  readonly #job: EpisodeJob
  readonly #context: EpisodeContext
  readonly #recorder: Recorder
  readonly #random: Random
  readonly #answers = new Map<Role, Answer>()
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
      has: (role) => context.players.has(role),
      ask: (role, messages, how) => this.#ask(role, messages, how),
      note: (event) => recorder.note(event),
      keep: async (bytes, type, provenance, size) => {
        const ref = await this.#keep(bytes, type, size)
        recorder.media(ref, provenance)
        return ref
      },
      fileOf: (ref) => context.fileOf(ref),
      files: context.files,
    }
  }

  async #ask(...[role, messages, how = {}]: Parameters<Episode['ask']>): ReturnType<Episode['ask']> {
    try {
      await this.#context.mayAsk()
    } catch (reason) {
      this.stopReason = reason
      throw reason
    }
    const { baselineInput, purpose, sampling } = splitAskOptions(how)
    const ordinal = this.#asked++
    this.#recorder.ask(ordinal, role, messages, sampling, purpose)
    const origin = { sampleId: this.#job.sample.id, ordinal, role, ...(purpose === undefined ? {} : { purpose }) }
    const reply = await this.#answerOf(role)(
      {
        messages,
        sampling,
        epoch: this.#job.epoch,
        origin,
        baselineInput: baselineInput,
        draining: this.#context.draining,
      },
      this.#context.signal,
    )
    this.usage = addUsage(this.usage, reply.usage)
    this.#context.used(reply.usage, reply.cached)
    for (const ref of reply.media ?? []) this.#context.kept?.(ref)
    this.#recorder.reply(ordinal, role, reply)
    return reply
  }

  async #keep(...media: Parameters<EpisodeContext['keep']>): Promise<MediaRef> {
    const ref = await this.#context.keep(...media)
    this.#context.kept?.(ref)
    return ref
  }

  #answerOf(role: Role): Answer {
    let answer = this.#answers.get(role)
    if (!answer) {
      const player = this.#context.players.get(role)
      if (!player)
        throw new Error(`${this.#context.suite.name} asked the ${role}, but the run has no model for that role`)
      const { options, profile, files } = this.#context
      const keep: EpisodeContext['keep'] = (...media) => this.#keep(...media)
      answer = player.begin(this.#job.sample, { random: this.#random, options, profile, files, keep })
      this.#answers.set(role, answer)
    }
    return answer
  }
}

function splitAskOptions({ baselineInput, purpose, ...sampling }: AskOptions) {
  return { baselineInput, purpose, sampling }
}
