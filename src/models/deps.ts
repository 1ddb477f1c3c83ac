/** What a model needs from the outside, so that this layer reads no files, no environment and no clock by itself. */
import type { MediaRef, MediaType } from '../media/ref.ts'
import type { Clock } from './clock.ts'
import type { GeneratorSettings } from './generators/open.ts'
import type { Prices } from './prices.ts'
import type { RateLimiter } from './rate-limiter.ts'
import type { FinishReason, Role, Usage } from './types.ts'

/** The response cache on disk. What `get` gives back is checked here: a broken file is a miss. */
export interface ReplyStore {
  get(key: string): Promise<unknown>
  put(key: string, value: unknown): Promise<void>
}

/** A reply as a run's journal has it. */
export interface RecordedReply {
  text: string
  media?: readonly MediaRef[]
  reasoning?: string
  finish: FinishReason
  usage: Usage
  ms: number
  /** `requestKey` of what was asked then; empty when it was not kept (built-in players), and nothing can be compared. */
  requestKey: string
}

/** The replies of a finished or interrupted run, for `replay/<run>`. */
export interface RecordedReplies {
  find(sampleId: string, epoch: number, role: Role, ordinal: number): RecordedReply | undefined
}

export interface ModelDeps {
  readMedia(ref: MediaRef): Promise<Uint8Array>
  /** Where what a generator makes is stored, and whether it is still there. */
  keepMedia?(bytes: Uint8Array, type: MediaType): Promise<MediaRef>
  hasMedia?(ref: MediaRef): Promise<boolean>
  /** What `generator/<name>` stands for. */
  generators?: Readonly<Record<string, GeneratorSettings>>
  /** `null` switches the response cache off. */
  replies: ReplyStore | null
  /** Where keys and base URLs are looked up. */
  env: Readonly<Record<string, string | undefined>>
  /** `-M key=value`; values as text or already parsed. */
  options: Readonly<Record<string, unknown>>
  /** A fixed number of connections instead of the adaptive limit. */
  maxConnections?: number
  /** Rates, or what is shared with other processes; given the most connections that the provider is good for. */
  rateLimiter?(mostConnections: number): RateLimiter
  /** Further attempts after the first; finite. */
  maxRetries: number
  /** For one attempt, from connecting to the last byte. */
  timeoutMs: number
  prices: Prices
  /** A line for people: warnings of a provider, cuts of the limit. Never holds a key. */
  log(line: string): void
  /** For `replay/<run>`. */
  recorded?(run: string): Promise<RecordedReplies>
  /** Tests give their own; the default is the real one. */
  clock?: Clock
}
