/** One client of an environment: an episode whose player waits for the client's actions. */
import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { sha256 } from '../base/hash.ts'
import { UserError } from '../base/errors.ts'
import { DataFiles } from '../engine/data-files.ts'
import { type EpisodeContext, EpisodeStopped, type FinishedEpisode, playEpisode } from '../engine/episode.ts'
import type { RunPlan } from '../engine/plan.ts'
import type { Player } from '../engine/players.ts'
import type { AnySuite } from '../engine/suite.ts'
import { type Message, type ModelRequest, NO_USAGE, type Part, type Reply } from '../models/types.ts'
import type { Scores, Status } from '../store/records.ts'
import type { Environment } from './environment.ts'
import { dataUrl } from './json.ts'
import type { PlayerReply } from './openenv.ts'
import { SentFiles } from './sent-files.ts'

export interface Observation {
  /** Names the episode in requests over HTTP. */
  episode_id: string
  /** The first messages of the last observation that still hold; `messages` follow them. */
  kept: number
  messages: readonly ShownMessage[]
  /** What the request is for, if the suite says so: a question type, a probe. */
  purpose: string | null
  /** When done: how the episode ended, and all its scores. */
  status: Status | null
  scores: Scores
  /** When done: why it failed, if it did. */
  error: string | null
}

/** A message in the form that chat APIs use. */
export interface ShownMessage {
  role: Message['role']
  content: string | readonly ShownPart[]
}

export type ShownPart =
  | { type: 'text'; text: string }
  | { type: 'image_url'; image_url: { url: string } }
  | { type: 'video_url'; video_url: { url: string } }
  | { type: 'audio_url'; audio_url: { url: string } }

export interface StepResult {
  observation: Observation
  reward: number | null
  done: boolean
}

export interface SessionState {
  episode_id: string | null
  step_count: number
  suite: string
  sample: string | null
  /** The number of the sample, as given to `reset`. */
  seed: number | null
  source: string | null
  done: boolean
}

export interface ResetOptions {
  seed?: number | undefined
  episode_id?: string | undefined
  /** How pictures are shown: as data URLs (default), or as addresses of this server, which hold until the next reset. */
  media?: 'data' | 'address' | undefined
}

/** The player's move is due, or the episode is over. */
type Turn =
  | { request: ModelRequest; answer: (answer: PlayerReply) => void }
  | { finished: FinishedEpisode; plan: RunPlan }

export class Session {
  readonly #environment: Environment
  readonly #nextSeed: () => number
  readonly #address: string
  readonly #media = new Map<string, { bytes: Uint8Array; type: string; dataUrl?: { url: string } }>()
  #byAddress = false
  #stop: AbortController | null = null
  #sent = new SentFiles()
  #state: SessionState
  #turn: Turn | null = null
  #shown: readonly Message[] = []
  /**
   * How far the player was when it was last rewarded, and is now. Null until something is known: what is seen before the
   * first action is nobody's merit.
   */
  #progress: { rewarded: number; now: number } | null = null
  /** One reset or step at a time. */
  #busy = false

  /**
   * @param nextSeed for resets without a seed
   * @param address of the server, for media
   */
  constructor(environment: Environment, nextSeed: () => number, address = '') {
    this.#environment = environment
    this.#address = address
    this.#nextSeed = nextSeed
    this.#state = {
      episode_id: null,
      step_count: 0,
      suite: environment.suite.name,
      sample: null,
      seed: null,
      source: null,
      done: false,
    }
  }

  get suite(): AnySuite {
    return this.#environment.suite
  }

  get state(): SessionState {
    return this.#state
  }

  /** A picture or video of the episode, by hash. */
  media(hash: string): { bytes: Uint8Array; type: string } | undefined {
    return this.#media.get(hash)
  }

  /** Starts a new episode; the one in progress is dropped. */
  async reset({ seed = this.#nextSeed(), episode_id = randomUUID(), media }: ResetOptions = {}): Promise<StepResult> {
    return this.#alone(async () => {
      this.#drop()
      const { plan, sample, index } = await this.#environment.sample(seed)
      const { source } = plan.header
      this.#state = { ...this.#state, episode_id, step_count: 0, sample: sample.id, seed, source, done: false }
      this.#shown = []
      this.#progress = null
      this.#media.clear()
      this.#byAddress = media === 'address'
      return this.#result(await this.#begin(plan, { index, sample, epoch: 0 }))
    })
  }

  /** Answers the last observation. */
  async step(answer: PlayerReply): Promise<StepResult> {
    return this.#alone(async () => {
      const turn = this.#turn
      if (turn === null) throw new UserError('There is no episode: start one first.')
      if ('finished' in turn) throw new UserError('The episode is over: start another one.')
      this.#state = { ...this.#state, step_count: this.#state.step_count + 1 }
      this.#turn = null
      const next = this.#nextTurn()
      turn.answer(answer)
      return this.#result(await next)
    })
  }

  /** Resolves when nothing of it is left. */
  async close(): Promise<void> {
    this.#drop()
    this.#media.clear()
    await this.#sent.remove()
  }

  async #alone<T>(work: () => Promise<T>): Promise<T> {
    if (this.#busy) throw new UserError('The last reset or step is not finished.')
    this.#busy = true
    try {
      return await work()
    } finally {
      this.#busy = false
    }
  }

  #drop(): void {
    this.#stop?.abort(new Error('dropped'))
    this.#stop = null
    this.#turn = null
    this.#fail(new UserError('The session was closed.'))
    this.#fail = () => {}
  }

  #offer: (turn: Turn) => void = () => {}
  #fail: (error: unknown) => void = () => {}

  #nextTurn(): Promise<Turn> {
    return new Promise((resolve, reject) => {
      this.#offer = (turn) => {
        this.#turn = turn
        resolve(turn)
      }
      this.#fail = reject
    })
  }

  #begin(plan: RunPlan, job: Parameters<typeof playEpisode>[0]): Promise<Turn> {
    const stop = new AbortController()
    this.#stop = stop
    const first = this.#nextTurn()
    const isCurrent = (): boolean => this.#stop === stop
    const sent = new SentFiles()
    this.#sent = sent
    const player: Player = {
      id: plan.header.models['player'] ?? 'client',
      local: true,
      output: 'suite',
      address: null,
      connections: () => 1,
      startEpisode: () => (request, signal) =>
        new Promise<Reply>((resolve, reject) => {
          const ends = (): void => reject(signal.reason as Error)
          if (signal.aborted) return ends()
          signal.addEventListener('abort', ends, { once: true })
          const answer = (given: PlayerReply): void => {
            signal.removeEventListener('abort', ends)
            if (typeof given === 'string') resolve(replyWith({ text: given }))
            else sent.keep(given).then((ref) => resolve(replyWith({ text: '', media: [ref] })), reject)
          }
          if (isCurrent()) this.#offer({ request, answer })
        }),
      close: async () => {},
    }
    const context: EpisodeContext = {
      suite: plan.suite,
      options: plan.options,
      profile: plan.header.profile,
      seed: plan.header.seed,
      players: new Map([['player', player]]),
      files: new DataFiles(plan.source.roots),
      isUnrecorded: true,
      onEvent: (event) => {
        const now = isCurrent() ? this.#environment.progress(event, job.sample) : null
        if (now !== null) this.#progress = { rewarded: this.#progress?.rewarded ?? now, now }
      },
      signal: stop.signal,
      draining: stop.signal,
      keep: async (bytes, type, size) => {
        const ref = { sha256: sha256(bytes), type, bytes: bytes.length, ...size }
        if (isCurrent()) this.#media.set(ref.sha256, { bytes, type })
        return ref
      },
      fileOf: (ref) => sent.pathOf(ref),
      instruments: this.#environment.instruments,
      beforeRequest: () => stop.signal.throwIfAborted(),
      onUsage: () => {},
    }
    const play = async (): Promise<FinishedEpisode> => {
      try {
        return await playEpisode(job, context)
      } finally {
        await sent.remove()
      }
    }
    play().then(
      (finished) => isCurrent() && this.#offer({ finished, plan }),
      (error: unknown) => isCurrent() && !(error instanceof EpisodeStopped) && this.#fail(error),
    )
    return first
  }

  #result(turn: Turn): StepResult {
    const episode_id = this.#state.episode_id ?? ''
    if ('finished' in turn) {
      const { line } = turn.finished
      this.#state = { ...this.#state, done: true }
      const { status, scores, error = null } = line
      const observation = { episode_id, kept: this.#shown.length, messages: [], purpose: null, status, scores, error }
      return { observation, reward: this.#environment.reward(line, turn.plan) + this.#gain(), done: true }
    }
    const { messages, origin } = turn.request
    const kept = commonStart(this.#shown, messages)
    this.#shown = messages
    const observation = {
      episode_id,
      kept,
      messages: messages.slice(kept).map((message) => this.#show(message)),
      purpose: origin.purpose ?? null,
      status: null,
      scores: {},
      error: null,
    }
    const gain = this.#gain()
    return { observation, reward: gain === 0 ? null : gain, done: false }
  }

  #gain(): number {
    if (this.#progress === null) return 0
    const { rewarded, now } = this.#progress
    this.#progress = { rewarded: now, now }
    return now - rewarded
  }

  #show({ role, content }: Message): ShownMessage {
    if (typeof content === 'string') return { role, content }
    return { role, content: content.map((part) => this.#showPart(part)) }
  }

  #showPart(part: Part): ShownPart {
    if (part.type === 'text') return part
    const { sha256: hash, type } = part.media
    const address = this.#byAddress ? { url: `${this.#address}/media/${hash}` } : this.#dataUrl(hash)
    if (type.startsWith('video/')) return { type: 'video_url', video_url: address }
    if (type.startsWith('audio/')) return { type: 'audio_url', audio_url: address }
    return { type: 'image_url', image_url: address }
  }

  #dataUrl(hash: string): { url: string } {
    const known = this.#media.get(hash)
    if (known === undefined) throw new Error(`media ${hash} of a message is not in its episode`)
    known.dataUrl ??= dataUrl(known.bytes, known.type)
    return known.dataUrl
  }
}

function replyWith(said: Pick<Reply, 'text' | 'media'>): Reply {
  return { ...said, finish: 'stop', usage: { ...NO_USAGE, calls: 1 }, ms: 0, cached: false }
}

/** How many messages at the start of both conversations are the same. */
function commonStart(a: readonly Message[], b: readonly Message[]): number {
  let same = 0
  while (same < a.length && same < b.length && isSame(a[same]!, b[same]!)) same++
  return same
}

function isSame(a: Message, b: Message): boolean {
  if (a === b) return true
  return a.role === b.role && isDeepStrictEqual(a.content, b.content)
}
