/** Dependencies of a model, injected so this layer never touches files, the environment or the clock directly. */
import type { Shared } from '../base/shared.ts'
import type { MediaRef, MediaType } from '../media/ref.ts'
import type { BatchFiles } from '../store/batches.ts'
import type { Clock } from './clock.ts'
import type { Destinations } from './destinations.ts'
import type { GeneratorSettings } from './generators/open.ts'
import type { Limiter } from './limiter.ts'
import type { Prices } from './prices.ts'
import type { RateLimiter } from './rate-limiter.ts'
import type { FinishReason, Role, Usage } from './types.ts'

/** The response cache on disk. Values from `get` are validated by the caller: a damaged file is a cache miss. */
export interface ReplyStore {
  get(key: string): Promise<unknown>
  has?(key: string): Promise<boolean>
  put(key: string, value: unknown): Promise<void>
}

/** A reply as recorded in a run's journal. */
export interface RecordedReply {
  text: string
  media?: readonly MediaRef[]
  reasoning?: string
  finish: FinishReason
  usage: Usage
  ms: number
  /** `requestKey` of the recorded request; empty when there is none to compare with (baselines). */
  requestKey: string
}

/** The replies of a finished or interrupted run, for `replay/<run>`. */
export interface RecordedReplies {
  find(sampleId: string, epoch: number, role: Role, ordinal: number): RecordedReply | undefined
}

export interface ModelDeps {
  readMedia(ref: MediaRef): Promise<Uint8Array>
  /** Stores generated media. */
  storeMedia?(bytes: Uint8Array, type: MediaType): Promise<MediaRef>
  /** Whether stored media still exists. */
  hasMedia?(ref: MediaRef): Promise<boolean>
  /** Settings for `generator/<name>`, by name. */
  generators?: Readonly<Record<string, GeneratorSettings>>
  /** `null` disables the response cache. */
  replies: ReplyStore | null
  /** Where batches are kept; without it, requests cannot be sent as batches. */
  batches?: {
    files: BatchFiles
    /** Whether batches of earlier processes are used, as cached replies are. */
    adopts: boolean
  }
  /** Environment variables with API keys and base URLs. */
  env: Readonly<Record<string, string | undefined>>
  /** `-M key=value`; values are strings or already parsed. */
  options: Readonly<Record<string, unknown>>
  /** Where requests may go, if the options do not come from the user of this machine. */
  destinations?: Destinations
  /** A fixed number of connections instead of the adaptive limit. */
  maxConnections?: number
  /** Connection limits by endpoint, shared by the models of this process. Default: one per model. */
  limiters?: Shared<Limiter>
  /** Rate limits of this process, or shared across processes; called with the provider's connection limit. */
  rateLimiter?(maxConnections: number): RateLimiter
  /** Attempts after the first. */
  maxRetries: number
  /** Timeout of one attempt, from connecting to the last byte. */
  timeoutMs: number
  prices: Prices
  /** Logs a human-readable line, such as a provider warning or a lowered connection limit. Never contains a key. */
  log(line: string): void
  /** For `replay/<run>`. */
  recorded?(run: string): Promise<RecordedReplies>
  /** Replaced in tests; defaults to the real clock. */
  clock?: Clock
}
