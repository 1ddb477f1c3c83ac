/** What passes between a suite and a model. */
import type { MediaRef } from '../media/ref.ts'
import type { Usage } from '../store/records.ts'

export { NO_USAGE, type Usage } from '../store/records.ts'

/** Who is asked: the model under test, or a model that helps to judge it. */
export const ROLES = ['player', 'judge', 'critic'] as const
export type Role = (typeof ROLES)[number]

export type Part = { type: 'text'; text: string } | { type: 'media'; media: MediaRef }

export interface Message {
  role: 'system' | 'user' | 'assistant'
  content: string | readonly Part[]
}

/** Sampling parameters. What is left out is the provider's default, and stays out of the request. */
export interface Sampling {
  temperature?: number
  topP?: number
  maxTokens?: number
  seed?: number
  stop?: readonly string[]
  /** For reasoning models: `low`, `medium`, `high`, or whatever the provider calls it. */
  effort?: string
}

export type FinishReason = 'stop' | 'length' | 'content-filter' | 'other'

export interface Reply {
  text: string
  /** The model's thinking, where the provider hands it out apart from the text. */
  reasoning?: string
  finish: FinishReason
  usage: Usage
  /** Milliseconds until the reply was complete; of a cached reply, those it took when it was paid for. */
  ms: number
  /** True when nothing was sent: the reply came from the response cache or a recorded run. */
  cached: boolean
  /** What the model made besides words: a video. */
  media?: readonly MediaRef[]
  /** Names what was asked, whoever answered (`requestKey`), for replays. Built-in players have none. */
  key?: string
  /** Where the response cache keeps it, if it does. */
  storedAs?: string
}

export interface ModelRequest {
  messages: readonly Message[]
  sampling: Sampling
  /** Tells repeats apart: part of the cache key, never sent. */
  epoch: number
  /** Which case is played, how often it was asked so far: for recorded runs and logs; not in the key, never sent. */
  origin: { sampleId: string; ordinal: number; role: Role; purpose?: string }
  /** Aborted when nothing new may be sent: a request that is still waiting to be sent, or to be tried again, gives up. */
  draining?: AbortSignal
  /** What is asked, as data. Built-in players read it; it is never sent and never part of the cache key. */
  baselineInput?: unknown
}

export interface Model {
  /** As the user spells it: `openai/gpt-5.2`, `baseline/random`, `replay/<run>`. */
  readonly id: string
  /** Where it is asked, without credentials; absent for those that answer here. */
  readonly address?: string
  /** What it answers with: words unless it says otherwise; a recorded run answers with what was recorded. */
  readonly output?: 'text' | 'video' | 'recorded'
  /** Answers come from this process: no connection to wait for, nothing to pay, nothing to cache. */
  readonly local: boolean
  /**
   * One reply. Retries, limits and the cache are its business. Throws `ModelError` when the model cannot answer and
   * the signal's reason when aborted.
   */
  ask(request: ModelRequest, signal: AbortSignal): Promise<Reply>
  /** How many requests may be under way now; the engine keeps about as many episodes going. */
  connections(): number
  close(): Promise<void>
}

/** Why a model could not answer, after all retries. `kind` decides nothing in a score: all of them are failures. */
export class ModelError extends Error {
  override readonly name = 'ModelError'
  readonly kind: 'auth' | 'rate-limit' | 'server' | 'network' | 'timeout' | 'bad-request' | 'bad-reply' | 'unsupported'
  readonly attempts: number

  constructor(kind: ModelError['kind'], message: string, attempts = 1, options?: { cause?: unknown }) {
    super(message, options)
    this.kind = kind
    this.attempts = attempts
  }
}

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    calls: a.calls + b.calls,
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    reasoningTokens: a.reasoningTokens + b.reasoningTokens,
    cachedInputTokens: a.cachedInputTokens + b.cachedInputTokens,
    usd: a.usd === null || b.usd === null ? null : a.usd + b.usd,
  }
}

/** The text of a message, media left out. */
export function textOf(message: Message): string {
  if (typeof message.content === 'string') return message.content
  return message.content.map((part) => (part.type === 'text' ? part.text : '')).join('')
}
