/** Classifies failed requests. This is the only place that decides which errors are retried. */
import type { ModelError } from '../types.ts'
import { MAX_RETRY_AFTER_MS, retryAfterMs } from '../retry.ts'

export interface Failure {
  kind: ModelError['kind']
  /** The HTTP status, if there was a response. */
  status?: number
  /** Whether the same request could succeed later. */
  retry: boolean
  /** Whether every other request would fail in the same way. */
  fatal?: boolean
  /** Whether the server never got it. */
  unsent?: boolean
  /** Human-readable, without a trailing period. */
  message: string
  /** What the user can do about it, as a full sentence. */
  hint?: string | undefined
  /** The provider's content filter rejected the prompt: an answer of a kind, not a failure of the model. */
  filtered?: boolean
  /** The server reported overload: the connection limit is reduced. */
  overload?: boolean
  retryAfterMs?: number | undefined
}

/** One attempt failed. Internal to this layer: callers see `ModelError`. */
export class RequestError extends Error {
  override readonly name = 'RequestError'
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.message)
    this.failure = failure
  }
}

/** A request was meant for a batch, and is sent on its own after all. */
export class SentDirectly extends Error {
  override readonly name = 'SentDirectly'
}

export function badReply(message: string): RequestError {
  return new RequestError({ kind: 'bad-reply', retry: true, message })
}

/** Statuses that signal overload: 429 everywhere, 503 from local servers, 529 from Anthropic. */
const OVERLOADED = new Set([429, 503, 529])
/** Request Timeout, Conflict, Too Early and Too Many Requests. */
const RETRYABLE_BELOW_500 = new Set([408, 409, 425, 429])
/** Not Implemented and HTTP Version Not Supported. */
const PERMANENT_FROM_500 = new Set([501, 505])

/** llama-server answers 503 until the model is in memory, which takes seconds to minutes. */
const LOADING = /loading model/i
const LOADING_WAIT_MS = 5000
/** llama-server answers 500 if the model, or its projector, is for text only. */
const UNSUPPORTED_INPUT = /(?:image|audio|video) input is not supported/i

/** The prompt and the token limit together do not fit into the context. */
const TOO_LONG = /maximum context length|context size|max_tokens.{0,40}too large/i

type Headers = Readonly<Record<string, string | string[] | undefined>>

/** Classifies an HTTP status other than 2xx. */
export function httpFailure(status: number, headers: Headers, body: string, now: number): RequestError {
  const said = bodyMessage(body)
  const message = `HTTP ${status}${said === '' ? '' : `: ${said}`}`
  if (status >= 300 && status < 400) {
    const to = String(headers.location ?? 'another URL')
    return new RequestError({
      kind: 'bad-request',
      status,
      retry: false,
      fatal: true,
      message: `${message} (redirect to ${to})`,
      hint: 'Redirects are not followed: set the base URL to the final address.',
    })
  }
  const asked = retryAfterMs(headers, body, now)
  const loading = status === 503 && LOADING.test(body)
  const overload = OVERLOADED.has(status) && !loading
  const blind = status === 500 && UNSUPPORTED_INPUT.test(body)
  const retryable = RETRYABLE_BELOW_500.has(status) || (status >= 500 && !PERMANENT_FROM_500.has(status) && !blind)
  const wait = asked ?? (loading ? LOADING_WAIT_MS : undefined)
  const outOfQuota = status === 402 || (isQuotaStatus(status) && OUT_OF_QUOTA.test(body))
  if (wait !== undefined && wait > MAX_RETRY_AFTER_MS && retryable) {
    return new RequestError({
      kind: kindOf(status),
      status,
      retry: false,
      fatal: true,
      message: `${message} (retry after ${Math.ceil(wait / 60_000)} minutes)`,
      hint: 'Resume the run then.',
      overload,
    })
  }
  return new RequestError({
    kind: kindOf(status),
    status,
    retry: retryable && !outOfQuota,
    fatal: outOfQuota || loading || blind || isFatal(status, body),
    message,
    hint: outOfQuota
      ? 'Check the credit and quota of the account.'
      : loading
        ? 'The server is still loading the model.'
        : status === 400 && TOO_LONG.test(body)
          ? 'Give the server a larger context, or set a lower -M max_tokens.'
          : undefined,
    filtered: status === 400 && FILTERED.test(body),
    overload: overload && !outOfQuota,
    retryAfterMs: retryable && !outOfQuota ? wait : undefined,
  })
}

/** Azure, and gateways in front of it. */
const FILTERED = /"code"\s*:\s*"content_filter"|ResponsibleAIPolicyViolation/

/** Waiting does not help then. OpenAI and Bedrock say so with 429, Anthropic with 400. */
const OUT_OF_QUOTA =
  /insufficient_quota|billing_hard_limit|credit balance is too low|exceeded your current quota|too many tokens per day/i

function isQuotaStatus(status: number): boolean {
  return status === 400 || status === 403 || status === 429
}

/** An unknown model: 404 nearly everywhere, 400 from some gateways. */
const UNKNOWN_MODEL =
  /model_not_found|invalid model|not a valid model|model identifier is invalid|model[^.\n]{0,80}(?:not found|does not exist)|on-demand throughput isn.t supported/i
/** A gateway that moderates answers 403 for a single flagged request. */
const MODERATED = /moderation|flagged|content[ _-]?policy|safety/i

function isFatal(status: number, body: string): boolean {
  if (status === 403) return !MODERATED.test(body)
  return status === 401 || status === 404 || (status === 400 && UNKNOWN_MODEL.test(body))
}

function kindOf(status: number): Failure['kind'] {
  if (status === 401 || status === 402 || status === 403) return 'auth'
  if (status === 429 || status === 529) return 'rate-limit'
  if (status === 408) return 'timeout'
  return status >= 500 ? 'server' : 'bad-request'
}

/** How much of an error body without a message is shown. */
const MAX_BODY_LENGTH = 4096

/** The error message in a response body: `message` in the usual JSON shapes, else the start of the body. */
function bodyMessage(body: string): string {
  return messageIn(parseJson(body)) ?? body.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_BODY_LENGTH)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Bounds the recursion into nested errors from an untrusted server. */
const MAX_DEPTH = 4

function messageIn(value: unknown, depth = 0): string | undefined {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return undefined
  if ('error' in value) return typeof value.error === 'string' ? value.error : messageIn(value.error, depth + 1)
  if ('message' in value && typeof value.message === 'string') return value.message
  // vLLM and FastAPI use `detail`; Google may wrap its error in an array.
  if ('detail' in value) return typeof value.detail === 'string' ? value.detail : undefined
  return Array.isArray(value) ? messageIn(value[0], depth + 1) : undefined
}
