/** A remote model: response cache, shared calls, queue, retries and prices around one provider's adapter. */
import { setMaxListeners } from 'node:events'
import { MissingAssetError, messageOf, trimFullStop, UserError } from '../../base/errors.ts'
import { plural } from '../../base/plural.ts'
import type { HeldBytes } from '../byte-budget.ts'
import { type Clock, anySignal, abortReason } from '../clock.ts'
import type { ReplyStore } from '../deps.ts'
import { estimateUsage } from '../estimate.ts'
import { type Failure, RequestError } from './failure.ts'
import { type ErrorSettings, modelError } from './model-error.ts'
import { type RequestTarget, cacheKey, requestKey } from '../key.ts'
import type { BatchQueue } from './batch-queue.ts'
import { backoffMs } from '../retry.ts'
import { askInBatch } from './batched.ts'
import { SharedCalls } from './shared-calls.ts'
import { type Server, Servers } from './servers.ts'
import { type ReplySettings, toReply } from './to-reply.ts'
import type { RateSlot, RateLimiter } from '../rate-limiter.ts'
import { fromStored, toStored } from '../stored-reply.ts'
import {
  type Charged,
  ModelError,
  type Model,
  type ModelRequest,
  type Payments,
  type Receipt,
  type Reply,
  type Sampling,
} from '../types.ts'
import { checkMedia, type Wire, type WireReply, type WireRequest } from './wire.ts'

/** Retries while the server has never answered: it is more likely a wrong address than a restart. */
const MAX_RETRIES_BEFORE_CONTACT = 2

/** Requests that wait for batches at the same time. */
const MAX_BATCHED = 50_000

/** The reply to a prompt that the provider's content filter rejected. */
const FILTERED_PROMPT: WireReply = {
  text: '',
  finish: 'content-filter',
  tokens: { input: 0, output: 0, reasoning: 0, cachedInput: 0, cacheWrite: 0 },
}

/** Requests that go into batches. */
export interface Batching {
  queue: BatchQueue
  /** The wire format, over the queue. */
  wire: Wire
  price: ReplySettings['price']
}

export interface RemoteSettings extends ReplySettings, ErrorSettings {
  /** One, or several that serve the same model. */
  servers: readonly Server[]
  target: RequestTarget
  /** The user's sampling parameters; they override the suite's. */
  sampling: Sampling
  /** Tokens that a thinking model gets on top of the suite's limit. */
  thinkingAllowance: number
  swapsModels: boolean
  rateLimiter?: RateLimiter
  replies: ReplyStore | null
  batching?: Batching
  maxRetries: number
  timeoutMs: number
  clock: Clock
  log(line: string): void
  close(): Promise<void>
}

export function remoteModel(settings: RemoteSettings): Model {
  const { id, replies } = settings
  const calls = new SharedCalls<Reply>()
  const servers = new Servers(settings.servers, settings.clock, (line) => settings.log(`${id}: ${line}`))
  const { accepts } = settings.servers[0]!.wire
  const said: Said = { overload: false }
  let unshared = 0
  let closed = false
  let readFailed = false
  let writeFailure: UserError | undefined

  const fetchReply = async (
    key: string,
    request: WireRequest,
    signal: AbortSignal,
    how: AskOptions,
  ): Promise<Reply> => {
    const ask = async (): Promise<Reply> =>
      (settings.batching && (await askInBatch(settings, settings.batching, { ...request, id: key }, signal, how))) ??
      (await askWithRetries(settings, servers, request, signal, how, said))
    if (replies === null) return ask()
    const stored = await replies.get(key).catch((error: unknown) => {
      if (!readFailed) settings.log(`${id}: cannot read the response cache: ${settings.redact(messageOf(error))}`)
      readFailed = true
    })
    const cached = fromStored(stored)
    if (cached) {
      await how.held?.take(cached.text.length + (cached.reasoning?.length ?? 0), signal)
      return cached
    }
    if (writeFailure) throw writeFailure
    const reply = await ask()
    try {
      await replies.put(key, toStored(id, reply))
    } catch (error) {
      // This reply is paid for and is used. No other is asked for: a resumed run would pay for it again.
      const problem = trimFullStop(settings.redact(messageOf(error)))
      writeFailure ??= new UserError(`Cannot store the replies of ${id}: ${problem}.`, {
        hint: 'Nothing more was asked. Fix that, then resume the run.',
        cause: error,
      })
    }
    return reply
  }

  return {
    id,
    local: false,
    address: settings.target.baseUrl,
    swapsModels: settings.swapsModels,
    connections: () =>
      settings.batching ? MAX_BATCHED : servers.answering.reduce((sum, { limiter }) => sum + limiter.limit, 0),
    ...(settings.batching && { batches: settings.batching.queue }),
    pausedMs: () => Math.min(...servers.answering.map(({ limiter }) => limiter.pausedMs)),
    async ask(request, signal) {
      if (closed) throw new ModelError('network', `${id} is closed.`, 0)
      checkMedia(id, accepts, request.messages)
      const { messages, epoch } = request
      const { maxTokens } = request.sampling
      const withThinking = maxTokens === undefined ? {} : { maxTokens: maxTokens + settings.thinkingAllowance }
      const sampling = { ...request.sampling, ...withThinking, ...settings.sampling }
      const key = replies === null ? `unshared-${unshared++}` : cacheKey(settings.target, messages, sampling, epoch)
      settings.batching?.queue.count(key, 1)
      const { value, first } = await calls
        .run(key, signal, (shared) => fetchReply(key, { messages, sampling }, shared, request))
        .finally(() => settings.batching?.queue.count(key, -1))
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
      await settings.batching?.queue.close()
      await settings.close()
    },
  }
}

export type AskOptions = Pick<ModelRequest, 'draining' | 'payments' | 'held'>

/** For requests that never drain. Shared by all of them, so the listener warning is off. */
const NEVER = new AbortController().signal
setMaxListeners(0, NEVER)

/** What the user has been told. */
interface Said {
  overload: boolean
}

/** `draining` ends waits between attempts; only `signal` aborts an attempt in flight. */
async function askWithRetries(
  settings: RemoteSettings,
  servers: Servers,
  request: WireRequest,
  signal: AbortSignal,
  { draining = NEVER, payments, held }: AskOptions,
  said: Said,
): Promise<Reply> {
  const { clock, maxRetries } = settings
  const tickets = new Map<Server, number>()
  const waiting = anySignal(signal, draining)
  try {
    for (let attempt = 1; ; attempt++) {
      const server = servers.pick(request.messages, new Set(tickets.keys()))
      const ticket = tickets.get(server) ?? server.limiter.ticket()
      tickets.set(server, ticket)
      const how = { signal, waiting: waiting.signal, payments, held }
      const failure = await tryOnce(settings, server, request, ticket, how)
      if (!('retry' in failure)) {
        servers.answered(server)
        return failure
      }
      const isSilent = failure.kind === 'network' || (failure.kind === 'timeout' && failure.status === undefined)
      if (!isSilent) servers.answered(server)
      else if (servers.silent(server, failure.kind, failure.message) && attempt <= maxRetries) continue
      if (failure.overload && failure.retry && !said.overload) {
        said.overload = true
        settings.log(overloadLine(settings.id, server, failure))
      }
      const limit = servers.contacted ? maxRetries : Math.min(maxRetries, MAX_RETRIES_BEFORE_CONTACT)
      if (!failure.retry || attempt > limit) throw modelError(settings, server, failure, attempt)
      await clock.sleep(
        backoffMs(attempt, failure.retryAfterMs, () => clock.random()),
        waiting.signal,
      )
    }
  } finally {
    waiting.release()
  }
}

interface AttemptOptions {
  signal: AbortSignal
  waiting: AbortSignal
  payments: Payments | undefined
  held: HeldBytes | undefined
}

/** Makes one attempt. */
async function tryOnce(
  settings: RemoteSettings,
  { wire, limiter }: Server,
  request: WireRequest,
  ticket: number,
  { signal, waiting, payments, held }: AttemptOptions,
): Promise<Reply | Failure> {
  const lease = await limiter.acquire(ticket, waiting)
  let slot: RateSlot | undefined
  let receipt: Receipt | undefined
  try {
    slot = await settings.rateLimiter?.acquire(waiting)
    receipt = await payments?.intend(estimateUsage(request.messages, settings.price))
  } catch (error) {
    lease.release('neutral')
    slot?.release(0)
    throw error
  }
  const attempt = new AbortController()
  const onAbort = () => attempt.abort(abortReason(signal))
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  const startTimeout = () => settings.clock.after(settings.timeoutMs, () => attempt.abort(timedOut(settings.timeoutMs)))
  let cancelTimeout = startTimeout()
  let started = performance.now()
  let isQueued = false
  // The server can do nothing about that.
  const onQueued = (queued: boolean) => {
    if (queued === isQueued) return
    isQueued = queued
    cancelTimeout()
    if (queued) return
    started = performance.now()
    cancelTimeout = startTimeout()
  }
  // The server has answered: while the reply waits for memory, another request may have its connection.
  const receive = async (size: number) =>
    held?.take(size, attempt.signal, () => {
      lease.release('neutral')
      slot?.release(0)
    })
  let charged: Charged = 'unknown'
  try {
    const wireReply = await wire.ask({ ...request, onQueued, ...(held && { receive }) }, attempt.signal)
    lease.release('ok')
    const reply = toReply(settings, wireReply, request.messages, performance.now() - started)
    slot?.release(reply.usage.inputTokens + reply.usage.outputTokens)
    charged = reply.usage
    return reply
  } catch (error) {
    if (isQueued) charged = null
    if (signal.aborted) throw abortReason(signal)
    if (error instanceof RequestError) {
      const { failure } = error
      charged = isFree(failure) ? null : 'unknown'
      if (failure.filtered) return toReply(settings, FILTERED_PROMPT, request.messages, performance.now() - started)
      lease.release(failure.overload ? 'overload' : 'neutral', failure.retryAfterMs)
      slot?.release(0, failure.overload ? failure.retryAfterMs : undefined)
      return failure
    }
    // Nothing was sent, or not all of it.
    if (error instanceof ModelError || error instanceof MissingAssetError) charged = null
    if (error instanceof ModelError)
      throw new ModelError(error.kind, `${settings.id}: ${settings.redact(error.message)}.`)
    if (error instanceof MissingAssetError) throw error
    return { kind: 'bad-reply', retry: false, message: messageOf(error) }
  } finally {
    cancelTimeout()
    signal.removeEventListener('abort', onAbort)
    lease.release('neutral')
    slot?.release(0)
    // If it cannot be written, neither can the next intent, and this one counts with its estimate.
    await receipt?.(charged).catch(() => {})
  }
}

/** Gave up waiting, though the model may have worked. */
const TIMEOUTS: ReadonlySet<number> = new Set([408, 499, 502, 504, 522, 524])

/** Whether a provider does not charge for an attempt that failed like this: it was refused, or it never arrived. */
function isFree({ status, kind, fatal }: Failure): boolean {
  if (status !== undefined) return !TIMEOUTS.has(status)
  return kind === 'network' && fatal === true
}

function timedOut(timeoutMs: number): RequestError {
  return new RequestError({
    kind: 'timeout',
    retry: true,
    message: `no complete reply within ${timeoutMs / 1000} s`,
    hint: 'If the model needs longer, increase --timeout.',
  })
}

/** Printed once: a busy server rejects many requests, and each of them is retried. */
function overloadLine(id: string, { limiter }: Server, { status, retryAfterMs }: Failure): string {
  const what = status === 429 ? 'rate limited' : 'the server is overloaded'
  const wait = retryAfterMs === undefined ? '' : `waiting ${Math.ceil(retryAfterMs / 1000)} s as asked, `
  const code = status === undefined ? '' : ` (HTTP ${status})`
  return `${id}: ${what}${code}; ${wait}now at most ${plural(limiter.limit, 'concurrent request')}. Rejected requests are retried.`
}
