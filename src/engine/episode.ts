/** One case, played once. Knows nothing of other episodes, of the journal or of who schedules it. */
import { MissingAssetError, messageOf } from '../base/errors.ts'
import { Random } from '../base/random.ts'
import type { MediaRef, MediaType } from '../media/ref.ts'
import { addUsage, ModelError, NO_USAGE, type Role, type Usage } from '../models/types.ts'
import type { EpisodeLine, Scores, Status } from '../store/records.ts'
import { withoutPlaces } from './places.ts'
import { Recorder } from './recorder.ts'
import type { Answer, Players } from './players.ts'
import type { AnySuite, AskOptions, SampleBase, Episode, Played } from './suite.ts'

export interface EpisodeJob {
  index: number
  sample: SampleBase
  epoch: number
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
  fileOf?(ref: MediaRef): string
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

/** Plays and scores one case. Failures of the model or the data are results; only a stop of the run is thrown. */
export async function playEpisode(job: EpisodeJob, context: EpisodeContext): Promise<FinishedEpisode> {
  const { suite, options, profile } = context
  const { sample, epoch } = job
  const started = performance.now()
  const recorder = new Recorder()
  const random = new Random(`${suite.name}/${context.seed}/${sample.id}/${epoch}`)
  const talk = new Conversation(job, context, recorder, random)
  let status: Status
  let error: string | undefined
  let scores: Scores = {}
  try {
    const played = (await suite.play(sample, talk.episode, options)) as Played<unknown>
    status = played.status
    error = played.problem
    scores = await suite.score(sample, played.outcome, { profile, options })
    recorder.outcome(status, played.outcome, played.problem)
  } catch (thrown) {
    const stop = talk.stopReason ?? (thrown === context.draining.reason || context.signal.aborted ? thrown : undefined)
    if (stop !== undefined) throw new EpisodeStopped(messageOf(stop), { cause: stop })
    status = statusOf(thrown)
    error = withoutPlaces(messageOf(thrown))
    recorder.outcome(status, null, error)
  }
  return {
    line: {
      index: job.index,
      case: sample.id,
      epoch,
      cluster: sample.cluster,
      labels: sample.labels,
      status,
      ...(error === undefined ? {} : { error }),
      scores,
      usage: talk.usage,
      ms: Math.round(performance.now() - started),
    },
    events: recorder.lines,
  }
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
      ...(context.fileOf ? { fileOf: (ref) => context.fileOf!(ref) } : {}),
    }
  }

  async #ask(...[role, messages, how = {}]: Parameters<Episode['ask']>): ReturnType<Episode['ask']> {
    try {
      await this.#context.mayAsk()
    } catch (reason) {
      this.stopReason = reason
      throw reason
    }
    const { cue, purpose, sampling } = splitAskOptions(how)
    const ordinal = this.#asked++
    this.#recorder.ask(ordinal, role, messages, sampling, purpose)
    const origin = { caseId: this.#job.sample.id, ordinal, role, ...(purpose === undefined ? {} : { purpose }) }
    const reply = await this.#answerOf(role)(
      { messages, sampling, epoch: this.#job.epoch, origin, cue, draining: this.#context.draining },
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
      const { options, profile } = this.#context
      const keep: EpisodeContext['keep'] = (...media) => this.#keep(...media)
      answer = player.begin(this.#job.sample, { random: this.#random, options, profile, keep })
      this.#answers.set(role, answer)
    }
    return answer
  }
}

function splitAskOptions({ cue, purpose, ...sampling }: AskOptions) {
  return { cue, purpose, sampling }
}
