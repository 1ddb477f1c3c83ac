/** A remote model: response cache, shared calls, queue, retries and prices around one provider's adapter. */
import { setMaxListeners } from 'node:events'
import { MissingAssetError, messageOf, trimFullStop } from '../../base/errors.ts'
import { plural } from '../../base/plural.ts'
import { type Clock, anySignal, abortReason } from '../clock.ts'
import type { ReplyStore } from '../deps.ts'
import { type Failure, RequestError } from './failure.ts'
import { type RequestTarget, cacheKey, requestKey } from '../key.ts'
import type { Limiter } from '../limiter.ts'
import { costOf, type Price } from '../prices.ts'
import { backoffMs } from '../retry.ts'
import type { Redact } from '../secrets.ts'
import { SharedCalls } from './shared-calls.ts'
import type { RateSlot, RateLimiter } from '../rate-limiter.ts'
import { fromStored, toStored } from '../stored-reply.ts'
import { ModelError, type Model, type Reply, type Sampling } from '../types.ts'
import { checkMedia, type Wire, type WireReply, type WireRequest, wireBytes } from './wire.ts'

/** Retries while the server has never answered: it is more likely a wrong address than a restart. */
const MAX_RETRIES_BEFORE_CONTACT = 2

/** Error messages go into a log line; some servers return a page of HTML. */
const MAX_MESSAGE_LENGTH = 600
const MAX_HTML_LENGTH = 200
const HTML = /<(?:!doctype|html|head|body)\b/i

export interface RemoteSettings {
  id: string
  wire: Wire
  target: RequestTarget
  /** The user's sampling parameters; they override the suite's. */
  sampling: Sampling
  limiter: Limiter
  rateLimiter?: RateLimiter
  replies: ReplyStore | null
  price: Price | null
  /** Prefer the cost that the provider reports over the price list. */
  trustReportedCost: boolean
  maxRetries: number
  timeoutMs: number
  clock: Clock
  redact: Redact
  /** Environment variable for the API key, for hints. */
  keyName: string
  /** What sets the base URL, for hints: `VLLM_BASE_URL` or `-M base_url=http://localhost:8000/v1`. */
  baseUrlSetting: string
  log(line: string): void
  close(): Promise<void>
}

export function remoteModel(settings: RemoteSettings): Model {
  const { id, wire, limiter, replies } = settings
  const calls = new SharedCalls<Reply>()
  const contact: Contact = { made: false, overloaded: false }
  let unshared = 0
  let closed = false
  let storeFailed = false
  const reportCacheFailure = (action: 'read' | 'write', error: unknown) => {
    if (!storeFailed) settings.log(`${id}: cannot ${action} the response cache: ${settings.redact(messageOf(error))}`)
    storeFailed = true
  }

  const fetchReply = async (
    key: string,
    request: WireRequest,
    signal: AbortSignal,
    draining: AbortSignal,
  ): Promise<Reply> => {
    if (replies === null) return askWithRetries(settings, request, signal, draining, contact)
    const stored = await replies.get(key).catch((error: unknown) => reportCacheFailure('read', error))
    const cached = fromStored(stored)
    if (cached) return cached
    const reply = await askWithRetries(settings, request, signal, draining, contact)
    try {
      await replies.put(key, toStored(id, reply))
    } catch (error) {
      // The reply is already paid for: a full disk must not lose it.
      reportCacheFailure('write', error)
    }
    return reply
  }

  return {
    id,
    local: false,
    address: settings.target.baseUrl,
    connections: () => limiter.limit,
    pausedMs: () => limiter.pausedMs,
    async ask(request, signal) {
      if (closed) throw new ModelError('network', `${id} is closed.`, 0)
      checkMedia(id, wire.accepts, request.messages)
      const { messages, epoch } = request
      const sampling = { ...request.sampling, ...settings.sampling }
      const key = replies === null ? `unshared ${unshared++}` : cacheKey(settings.target, messages, sampling, epoch)
      const { value, first } = await calls.run(key, signal, (shared) =>
        fetchReply(key, { messages, sampling }, shared, request.draining ?? NEVER),
      )
      return {
        ...value,
        cached: value.cached || !first,
        key: requestKey(request),
        ...(replies === null ? {} : { storedAs: key }),
      }
    },
    async close() {
      closed = true
      calls.abortAll(new ModelError('network', `${id} was closed during a request.`))
      limiter.close()
      await settings.close()
    },
  }
}

/** For requests that never drain. Shared by all of them, so the listener warning is off. */
const NEVER = new AbortController().signal
setMaxListeners(0, NEVER)

/** What is known about the server. */
interface Contact {
  made: boolean
  /** It has reported overload, and the user has been told. */
  overloaded: boolean
}

/** `draining` ends waits between attempts; only `signal` aborts an attempt in flight. */
async function askWithRetries(
  settings: RemoteSettings,
  request: WireRequest,
  signal: AbortSignal,
  draining: AbortSignal,
  contact: Contact,
): Promise<Reply> {
  const { limiter, clock, maxRetries } = settings
  const ticket = limiter.ticket()
  const bytes = wireBytes(request.messages)
  const waiting = anySignal(signal, draining)
  try {
    for (let attempt = 1; ; attempt++) {
      const failure = await tryOnce(settings, request, ticket, bytes, { signal, waiting: waiting.signal })
      if (!('retry' in failure)) {
        contact.made = true
        return failure
      }
      if (failure.kind !== 'network') contact.made = true
      if (failure.overload && failure.retry && !contact.overloaded) {
        contact.overloaded = true
        settings.log(overloadLine(settings, failure))
      }
      const limit = contact.made ? maxRetries : Math.min(maxRetries, MAX_RETRIES_BEFORE_CONTACT)
      if (!failure.retry || attempt > limit) throw modelError(settings, failure, attempt)
      await clock.sleep(
        backoffMs(attempt, failure.retryAfterMs, () => clock.random()),
        waiting.signal,
      )
    }
  } finally {
    waiting.release()
  }
}

/** Makes one attempt. */
async function tryOnce(
  settings: RemoteSettings,
  request: WireRequest,
  ticket: number,
  bytes: number,
  { signal, waiting }: { signal: AbortSignal; waiting: AbortSignal },
): Promise<Reply | Failure> {
  const lease = await settings.limiter.acquire(ticket, bytes, waiting)
  let slot: RateSlot | undefined
  try {
    slot = await settings.rateLimiter?.acquire(waiting)
  } catch (error) {
    lease.release('neutral')
    throw error
  }
  const attempt = new AbortController()
  const onAbort = () => attempt.abort(abortReason(signal))
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  const cancelTimeout = settings.clock.after(settings.timeoutMs, () => attempt.abort(timedOut(settings.timeoutMs)))
  const started = performance.now()
  try {
    const reply = await settings.wire.ask(request, attempt.signal)
    lease.release('ok')
    slot?.release(reply.tokens.input + reply.tokens.output)
    return toReply(settings, reply, performance.now() - started)
  } catch (error) {
    if (signal.aborted) throw abortReason(signal)
    if (error instanceof RequestError) {
      const { failure } = error
      lease.release(failure.overload ? 'overload' : 'neutral', failure.retryAfterMs)
      slot?.release(0, failure.overload ? failure.retryAfterMs : undefined)
      return failure
    }
    if (error instanceof ModelError)
      throw new ModelError(error.kind, `${settings.id}: ${settings.redact(error.message)}.`)
    if (error instanceof MissingAssetError) throw error
    return { kind: 'bad-reply', retry: false, message: messageOf(error) }
  } finally {
    cancelTimeout()
    signal.removeEventListener('abort', onAbort)
    lease.release('neutral')
    slot?.release(0)
  }
}

function timedOut(timeoutMs: number): RequestError {
  return new RequestError({
    kind: 'timeout',
    retry: true,
    message: `no complete reply within ${timeoutMs / 1000} s`,
    hint: 'If the model needs longer, increase --timeout.',
  })
}

function toReply({ redact, price, trustReportedCost: charges }: RemoteSettings, wire: WireReply, ms: number): Reply {
  const { tokens } = wire
  const listed = price && costOf(price, tokens)
  return {
    // A hostile server may echo what was sent, including the key.
    text: redact(wire.text),
    ...(wire.reasoning === undefined ? {} : { reasoning: redact(wire.reasoning) }),
    finish: wire.finish,
    usage: {
      calls: 1,
      inputTokens: tokens.input,
      outputTokens: tokens.output,
      reasoningTokens: tokens.reasoning,
      cachedInputTokens: tokens.cachedInput,
      usd: charges && wire.chargedUsd !== undefined ? wire.chargedUsd : listed,
    },
    ms: Math.round(ms),
    cached: false,
  }
}

function modelError(settings: RemoteSettings, failure: Failure, attempts: number): ModelError {
  // Redacted before it is truncated: part of a key would not be recognized.
  const message = trimFullStop(settings.redact(failure.message))
  const limit = HTML.test(message) ? MAX_HTML_LENGTH : MAX_MESSAGE_LENGTH
  const short = message.length > limit ? `${message.slice(0, limit)}…` : message
  const tries = attempts > 1 ? ` (after ${attempts} attempts)` : ''
  const hint = failure.hint ?? hintFor(settings, failure)
  const { host } = new URL(settings.target.baseUrl)
  const text = `${settings.id} at ${host}: ${short}${tries}.${hint === undefined ? '' : ` ${hint}`}`
  return new ModelError(failure.kind, text, attempts, { fatal: failure.fatal === true })
}

/** Printed once: a busy server rejects many requests, and each of them is retried. */
function overloadLine({ id, limiter }: RemoteSettings, { status, retryAfterMs }: Failure): string {
  const what = status === 429 ? 'rate limited' : 'the server is overloaded'
  const wait = retryAfterMs === undefined ? '' : `waiting ${Math.ceil(retryAfterMs / 1000)} s as asked, `
  const code = status === undefined ? '' : ` (HTTP ${status})`
  return `${id}: ${what}${code}; ${wait}now at most ${plural(limiter.limit, 'concurrent request')}. Rejected requests are retried.`
}

/** Advice that names the settings to check. */
function hintFor({ keyName, baseUrlSetting }: RemoteSettings, { kind, status }: Failure): string | undefined {
  if (kind === 'auth') return `Check ${keyName} and its permissions.`
  if (kind === 'rate-limit') return 'Lower --max-connections or set --requests-per-minute.'
  if (kind === 'network') return `Check that the server is reachable and that ${baseUrlSetting} is correct.`
  return status === 404 ? `Check the model name and ${baseUrlSetting}.` : undefined
}
