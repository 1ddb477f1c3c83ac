/** A model behind a network: response cache, shared calls, queue, retries and prices around one provider's adapter. */
import { setMaxListeners } from 'node:events'
import { MissingAssetError, messageOf } from '../../base/errors.ts'
import { type Clock, eitherOf, reasonOf } from '../clock.ts'
import type { ReplyStore } from '../deps.ts'
import { type Failure, RequestFailed } from './failure.ts'
import { type Addressee, cacheKey, requestKey } from '../key.ts'
import type { Limiter } from '../limiter.ts'
import { costOf, type Price } from '../prices.ts'
import { backoffMs } from '../retry.ts'
import type { Redact } from '../secrets.ts'
import { SharedCalls } from './shared-calls.ts'
import type { RateSlot, RateLimiter } from '../rate-limiter.ts'
import { fromStored, toStored } from '../stored-reply.ts'
import { ModelError, type Model, type Reply, type Sampling } from '../types.ts'
import { checkMedia, type Wire, type WireReply, type WireRequest, wireBytes } from './wire.ts'

/** An error's words are for a line of a log, not for a page of HTML. */
const MAX_MESSAGE_LENGTH = 600

export interface RemoteSettings {
  id: string
  wire: Wire
  addressee: Addressee
  /** The user's sampling parameters; they go over what a suite asks for. */
  sampling: Sampling
  limiter: Limiter
  rateLimiter?: RateLimiter
  replies: ReplyStore | null
  price: Price | null
  /** Trust what the provider says it charged over the price list. */
  charges: boolean
  maxRetries: number
  timeoutMs: number
  clock: Clock
  redact: Redact
  /** What to do about a refused key. */
  authHint: string
  log(line: string): void
  close(): Promise<void>
}

export function remoteModel(settings: RemoteSettings): Model {
  const { id, wire, limiter, replies } = settings
  const calls = new SharedCalls<Reply>()
  let unshared = 0
  let closed = false
  let storeFailed = false
  const storeTrouble = (what: string, error: unknown) => {
    if (!storeFailed) settings.log(`${id}: replies can no longer be ${what}: ${settings.redact(messageOf(error))}`)
    storeFailed = true
  }

  const fetchReply = async (
    key: string,
    request: WireRequest,
    signal: AbortSignal,
    draining: AbortSignal,
  ): Promise<Reply> => {
    if (replies === null) return askWithRetries(settings, request, signal, draining)
    const stored = await replies.get(key).catch((error: unknown) => storeTrouble('read from the cache', error))
    const known = fromStored(stored)
    if (known) return known
    const reply = await askWithRetries(settings, request, signal, draining)
    try {
      await replies.put(key, toStored(id, reply))
    } catch (error) {
      // The reply is here and paid for: it must not be lost because the cache is full.
      storeTrouble('cached', error)
    }
    return reply
  }

  return {
    id,
    local: false,
    address: settings.addressee.baseUrl,
    connections: () => limiter.limit,
    async ask(request, signal) {
      if (closed) throw new ModelError('network', `${id} is closed.`, 0)
      checkMedia(id, wire.accepts, request.messages)
      const { messages, epoch } = request
      const sampling = { ...request.sampling, ...settings.sampling }
      const key = replies === null ? `unshared ${unshared++}` : cacheKey(settings.addressee, messages, sampling, epoch)
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
      calls.abortAll(new ModelError('network', `${id} was closed while it was asked.`))
      limiter.close()
      await settings.close()
    },
  }
}

/** For who never drains; everyone listens to it, and that is no leak. */
const NEVER = new AbortController().signal
setMaxListeners(0, NEVER)

/** `draining` ends the waits between attempts; an attempt that is under way is only ended by `signal`. */
async function askWithRetries(
  settings: RemoteSettings,
  request: WireRequest,
  signal: AbortSignal,
  draining: AbortSignal,
): Promise<Reply> {
  const { limiter, clock, maxRetries } = settings
  const ticket = limiter.ticket()
  const bytes = wireBytes(request.messages)
  const waiting = eitherOf(signal, draining)
  try {
    for (let attempt = 1; ; attempt++) {
      const failure = await tryOnce(settings, request, ticket, bytes, { signal, waiting: waiting.signal })
      if (!('retry' in failure)) return failure
      if (!failure.retry || attempt > maxRetries) throw modelError(settings, failure, attempt)
      await clock.sleep(
        backoffMs(attempt, failure.retryAfterMs, () => clock.random()),
        waiting.signal,
      )
    }
  } finally {
    waiting.release()
  }
}

/** One attempt: the reply, or what went wrong. */
async function tryOnce(
  settings: RemoteSettings,
  request: WireRequest,
  ticket: number,
  bytes: number,
  { signal, waiting }: { signal: AbortSignal; waiting: AbortSignal },
): Promise<Reply | Failure> {
  const lease = await settings.limiter.acquire(ticket, bytes, waiting)
  let turn: RateSlot | undefined
  try {
    turn = await settings.rateLimiter?.acquire(waiting)
  } catch (error) {
    lease.release('neutral')
    throw error
  }
  const attempt = new AbortController()
  const onAbort = () => attempt.abort(reasonOf(signal))
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  const forgetLimit = settings.clock.after(settings.timeoutMs, () => attempt.abort(timedOut(settings.timeoutMs)))
  const started = performance.now()
  try {
    const reply = await settings.wire.ask(request, attempt.signal)
    lease.release('ok')
    turn?.release(reply.tokens.input + reply.tokens.output)
    return toReply(settings, reply, performance.now() - started)
  } catch (error) {
    if (signal.aborted) throw reasonOf(signal)
    if (error instanceof RequestFailed) {
      const { failure } = error
      lease.release(failure.overload ? 'overload' : 'neutral', failure.retryAfterMs)
      turn?.release(0, failure.overload ? failure.retryAfterMs : undefined)
      return failure
    }
    if (error instanceof ModelError)
      throw new ModelError(error.kind, `${settings.id}: ${settings.redact(error.message)}`)
    if (error instanceof MissingAssetError) throw error
    return { kind: 'bad-reply', retry: false, message: messageOf(error) }
  } finally {
    forgetLimit()
    signal.removeEventListener('abort', onAbort)
    lease.release('neutral')
    turn?.release(0)
  }
}

function timedOut(timeoutMs: number): RequestFailed {
  return new RequestFailed({ kind: 'timeout', retry: true, message: `no complete answer within ${timeoutMs / 1000} s` })
}

function toReply({ redact, price, charges }: RemoteSettings, wire: WireReply, ms: number): Reply {
  const { tokens } = wire
  const listed = price && costOf(price, tokens)
  return {
    // A hostile server may put what we sent into its answer.
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

function modelError({ id, redact, authHint }: RemoteSettings, failure: Failure, attempts: number): ModelError {
  // Redacted before it is cut: half a key is still half a key.
  const words = redact(failure.message)
  const short = words.length > MAX_MESSAGE_LENGTH ? `${words.slice(0, MAX_MESSAGE_LENGTH)}…` : words
  const tries = attempts > 1 ? ` (after ${attempts} attempts)` : ''
  const hint = failure.kind === 'auth' ? ` ${authHint}` : ''
  return new ModelError(failure.kind, `${id}: ${short}${tries}.${hint}`, attempts)
}
