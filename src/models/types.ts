/** Types exchanged between suites and models. */
import type { MediaRef } from '../media/ref.ts'
import type { HeldBytes } from './byte-budget.ts'
import type { Usage } from '../store/records.ts'

export { NO_USAGE, type Usage } from '../store/records.ts'

/** `player` is the model under test; the others help to evaluate it. A transcriber writes down what is said. */
export const ROLES = ['player', 'judge', 'critic', 'captioner', 'transcriber'] as const
export type Role = (typeof ROLES)[number]

export type Part = { type: 'text'; text: string } | { type: 'media'; media: MediaRef }

export interface Message {
  role: 'system' | 'user' | 'assistant'
  content: string | readonly Part[]
}

/** Sampling parameters. Omitted ones are not sent, so the provider's defaults apply. */
export interface Sampling {
  temperature?: number
  topP?: number
  maxTokens?: number
  seed?: number
  stop?: readonly string[]
  /** Reasoning effort: `low`, `medium`, `high` or any other value the provider accepts. */
  effort?: string
}

export type FinishReason = 'stop' | 'length' | 'content-filter' | 'other'

/** The tokens of a reply, where the server says them (`-M logprobs=true`, vLLM's `-M return_token_ids=true`). */
export interface SampledTokens {
  texts?: readonly string[]
  logprobs?: readonly number[]
  ids?: readonly number[]
}

export interface Reply {
  text: string
  /** The model's reasoning, where the provider returns it separately from the text. */
  reasoning?: string
  finish: FinishReason
  usage: Usage
  /** Milliseconds until the reply was complete; for a cached reply, those of the original request. */
  ms: number
  /** True if nothing was sent: the reply came from the response cache or a recorded run. */
  cached: boolean
  /** Tokens and their log-probabilities, where the server sends them. */
  sampled?: SampledTokens
  /** Generated media, such as a video. */
  media?: readonly MediaRef[]
  /** `requestKey` of the request, for replays. Baselines have none. */
  key?: string
  /** Key of the reply in the response cache, if cached. */
  storedAs?: string
}

export interface ModelRequest {
  messages: readonly Message[]
  sampling: Sampling
  /** Distinguishes repetitions: part of the cache key, never sent. */
  epoch: number
  /** The sample and the number of earlier requests, for recorded runs and logs; not in the cache key, never sent. */
  origin: { sampleId: string; ordinal: number; role: Role; purpose?: string }
  /** Aborted when nothing new may be sent: requests still waiting for a connection or a retry give up. */
  draining?: AbortSignal
  /** Where the cost of the request is recorded before it is sent. */
  payments?: Payments
  /** What the episode holds of the memory for replies; its replies are read into it. */
  held?: HeldBytes
  /** The request as data, for baselines; never sent and not in the cache key. */
  baselineInput?: unknown
}

/** Records what requests cost: before they are sent, and when they are answered. */
export interface Payments {
  /**
   * Called before every attempt. Resolves when the intent is recorded; nothing is sent if it rejects.
   *
   * @param batched key of a request that goes into a batch, which a later process may find again
   */
  intend(estimate: Usage, batched?: string): Promise<Receipt>
}

/** What an attempt cost: null for nothing, `unknown` if it may have been charged though no reply came. */
export type Charged = Usage | null | 'unknown'
export type Receipt = (charged: Charged) => Promise<void>

export interface Model {
  /** As given by the user: `openai/gpt-5.2`, `baseline/random`, `replay/<run>`. */
  readonly id: string
  /** Base URL without credentials; absent for models that run in this process. */
  readonly address?: string
  /** The server holds one model in memory: two models in turns would be loaded again and again. */
  readonly swapsModels?: boolean
  /** Type of output; defaults to text. A recorded run returns whatever was recorded. */
  readonly output?: 'text' | 'video' | 'recorded'
  /** Runs in this process: no connections, no cost, no caching. */
  readonly local: boolean
  /**
   * Returns one reply, with retries, limits and caching handled inside. Throws `ModelError` when the model cannot
   * answer, and the signal's reason when aborted.
   */
  ask(request: ModelRequest, signal: AbortSignal): Promise<Reply>
  /** Current limit on concurrent requests; the engine runs about as many episodes at once. */
  connections(): number
  /** Milliseconds until the next request is sent, if the server asked for a pause. */
  pausedMs?(): number
  /** Where its requests gather before they are sent as batches. */
  readonly batches?: Batches
  close(): Promise<void>
}

/** Requests that are sent together when no episode can go on without a reply. */
export interface Batches {
  watch(watch: BatchWatch): void
  /** Called when fewer episodes are in progress, or no other will start. */
  check(): void
}

/** What the engine tells. */
export interface BatchWatch {
  /** Episodes in progress; null while another one could start. */
  active(): number | null
  run: string
  /** Nothing more can happen before someone else has sent the requests. */
  suspend(why: string): void
}

/** A model could not answer, after all retries. Scores do not depend on `kind`: every kind is a failure. */
export class ModelError extends Error {
  override readonly name = 'ModelError'
  readonly kind:
    | 'auth'
    | 'rate-limit'
    | 'server'
    | 'network'
    | 'timeout'
    | 'bad-request'
    | 'bad-reply'
    | 'too-large'
    | 'unsupported'
  readonly attempts: number
  /** No other request to this model would succeed: a wrong key, an unknown model, a spent quota, a dead endpoint. */
  readonly fatal: boolean

  constructor(
    kind: ModelError['kind'],
    message: string,
    attempts = 1,
    { fatal = false, ...options }: { cause?: unknown; fatal?: boolean } = {},
  ) {
    super(message, options)
    this.kind = kind
    this.attempts = attempts
    this.fatal = fatal
  }
}

export function addUsage(a: Usage, b: Usage): Usage {
  const sum: Usage = {
    calls: a.calls + b.calls,
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    reasoningTokens: a.reasoningTokens + b.reasoningTokens,
    cachedInputTokens: a.cachedInputTokens + b.cachedInputTokens,
    usd: a.usd === null || b.usd === null ? null : a.usd + b.usd,
  }
  const estimatedCalls = (a.estimatedCalls ?? 0) + (b.estimatedCalls ?? 0)
  if (estimatedCalls > 0) sum.estimatedCalls = estimatedCalls
  return sum
}

/** The text of a message, without media. */
export function textOf(message: Message): string {
  if (typeof message.content === 'string') return message.content
  return message.content.map((part) => (part.type === 'text' ? part.text : '')).join('')
}

/** All media of a conversation, in order. */
export function mediaIn(messages: readonly Message[]): MediaRef[] {
  return messages.flatMap(({ content }) =>
    typeof content === 'string' ? [] : content.flatMap((part) => (part.type === 'media' ? [part.media] : [])),
  )
}
