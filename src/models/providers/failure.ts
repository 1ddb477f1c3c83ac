/** What went wrong with one attempt, and what follows from it. One place decides which errors are tried again. */
import type { ModelError } from '../types.ts'
import { MAX_RETRY_AFTER_MS, retryAfterMs } from '../retry.ts'

export interface Failure {
  kind: ModelError['kind']
  /** Could the same request succeed later? */
  retry: boolean
  /** For people: a clause without a full stop. */
  message: string
  /** The server said that it has too much to do: the limit of connections is cut. */
  overload?: boolean
  retryAfterMs?: number | undefined
}

/** One attempt has failed. Never leaves this layer: `ModelError` is what others see. */
export class RequestFailed extends Error {
  override readonly name = 'RequestFailed'
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.message)
    this.failure = failure
  }
}

export function badReply(message: string): RequestFailed {
  return new RequestFailed({ kind: 'bad-reply', retry: true, message })
}

/** Said of a server with too much to do: 429 everywhere, 503 by local servers, 529 by Anthropic. */
const OVERLOADED = new Set([429, 503, 529])
/** Of those below 500, the ones that pass: time-out, conflict, too early, too many requests. */
const PASSING = new Set([408, 409, 425, 429])
/** Of those from 500 up, the ones that stay: not implemented, HTTP version not supported. */
const LASTING = new Set([501, 505])

type Headers = Readonly<Record<string, string | string[] | undefined>>

/** What an HTTP status other than 2xx means. */
export function httpFailure(status: number, headers: Headers, body: string, now: number): RequestFailed {
  const said = wordsOf(body)
  const message = `HTTP ${status}${said === '' ? '' : `: ${said}`}`
  if (status >= 300 && status < 400) {
    const to = String(headers.location ?? 'another address')
    return new RequestFailed({ kind: 'bad-request', retry: false, message: `${message} (redirected to ${to})` })
  }
  const wait = retryAfterMs(headers, body, now)
  const overload = OVERLOADED.has(status)
  const passing = PASSING.has(status) || (status >= 500 && !LASTING.has(status))
  // OpenAI answers 429 also when there is no money left, and that does not pass.
  const spent = status === 429 && body.includes('insufficient_quota')
  if (wait !== undefined && wait > MAX_RETRY_AFTER_MS && passing) {
    const asked = `${message} (it asks to wait ${Math.ceil(wait / 60_000)} minutes)`
    return new RequestFailed({ kind: kindOf(status), retry: false, message: asked, overload })
  }
  return new RequestFailed({
    kind: kindOf(status),
    retry: passing && !spent,
    message,
    overload: overload && !spent,
    retryAfterMs: passing && !spent ? wait : undefined,
  })
}

function kindOf(status: number): Failure['kind'] {
  if (status === 401 || status === 402 || status === 403) return 'auth'
  if (status === 429 || status === 529) return 'rate-limit'
  if (status === 408) return 'timeout'
  return status >= 500 ? 'server' : 'bad-request'
}

/** Of a body without a message the start will do. */
const MAX_BODY_LENGTH = 4096

/** The words of an error's body: the `message` of the usual JSON shapes, or the start of whatever it is. */
function wordsOf(body: string): string {
  return messageIn(parseJson(body)) ?? body.slice(0, MAX_BODY_LENGTH).replaceAll(/\s+/g, ' ').trim()
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** An error wraps another at most so deep; a server that nests deeper wants our stack. */
const DEEPEST = 4

function messageIn(value: unknown, depth = 0): string | undefined {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return undefined
  if ('error' in value) return typeof value.error === 'string' ? value.error : messageIn(value.error, depth + 1)
  if ('message' in value && typeof value.message === 'string') return value.message
  // vLLM and FastAPI say `detail`; Google may wrap its error into a list.
  if ('detail' in value) return typeof value.detail === 'string' ? value.detail : undefined
  return Array.isArray(value) ? messageIn(value[0], depth + 1) : undefined
}
