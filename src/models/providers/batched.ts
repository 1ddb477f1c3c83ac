/** Asks through a batch: the same request at half the price, answered within a day. */
import { isQueueFull } from './batch-protocol.ts'
import { abortReason } from '../clock.ts'
import { estimateUsage } from '../estimate.ts'
import type { Charged, Reply } from '../types.ts'
import { RequestError, SentDirectly } from './failure.ts'
import { modelError } from './model-error.ts'
import type { AskOptions, Batching, RemoteSettings } from './remote.ts'
import { toReply } from './to-reply.ts'
import type { WireRequest } from './wire.ts'

/** Undefined if the request must be sent directly: a batch does not pay, or it does not fit into one. */
export async function askInBatch(
  settings: RemoteSettings,
  { wire, price }: Batching,
  request: WireRequest & { id: string },
  signal: AbortSignal,
  { payments, held }: AskOptions,
): Promise<Reply | undefined> {
  const started = performance.now()
  for (let attempt = 1; ;) {
    const receipt = await payments?.intend(estimateUsage(request.messages, price), request.id)
    let charged: Charged = 'unknown'
    // Each attempt has a signal of its own: what the SDK is given is looked up by it.
    const own = new AbortController()
    const onAbort = (): void => own.abort(abortReason(signal))
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
    try {
      const receive = held && ((bytes: number) => held.take(bytes, signal))
      const answer = await wire.ask({ ...request, ...(receive && { receive }) }, own.signal)
      const reply = toReply({ ...settings, price }, answer, request.messages, performance.now() - started)
      charged = reply.usage
      return reply
    } catch (error) {
      if (signal.aborted) throw abortReason(signal)
      if (error instanceof SentDirectly) {
        charged = null
        return undefined
      }
      if (!(error instanceof RequestError)) throw error
      // Providers charge for what a batch answers, and for nothing else.
      charged = error.failure.kind === 'bad-reply' ? 'unknown' : null
      if (isQueueFull(error)) continue
      if (error.failure.retry && attempt <= settings.maxRetries) {
        attempt += 1
        continue
      }
      throw modelError(settings, settings.servers[0]!, error.failure, attempt)
    } finally {
      signal.removeEventListener('abort', onAbort)
      await receipt?.(charged).catch(() => {})
    }
  }
}
