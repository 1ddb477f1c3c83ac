/** Opens the batches of a model, if it has any. */
import { UserError } from '../../base/errors.ts'
import { anthropicBatches } from './batch-anthropic.ts'
import { googleBatches } from './batch-google.ts'
import { openaiBatches } from './batch-openai.ts'
import type { BatchHttp, BatchProtocol } from './batch-protocol.ts'
import { BatchQueue } from './batch-queue.ts'
import type { Clock } from '../clock.ts'
import { batchPrice } from '../prices.ts'
import type { Redact } from '../secrets.ts'
import type { WireContext } from './open.ts'
import type { Provider } from './providers.ts'
import type { Batching } from './remote.ts'
import type { SpooledCall } from './transport.ts'
import type { Wire } from './wire.ts'

/** Providers whose batches are sent; of other OpenAI-compatible servers the user knows. */
const SENT: readonly string[] = ['openai', 'anthropic', 'google']

const PROTOCOLS: Readonly<Partial<Record<Provider['family'], (http: BatchHttp) => BatchProtocol>>> = {
  openai: openaiBatches,
  compatible: openaiBatches,
  anthropic: anthropicBatches,
  google: googleBatches,
}

/** The format of a provider's batches; undefined if it has none. */
export function batchProtocol(family: Provider['family'], http: BatchHttp): BatchProtocol | undefined {
  return PROTOCOLS[family]?.(http)
}

export async function openBatching(
  context: WireContext,
  openWire: (context: WireContext) => Promise<Wire>,
  { clock, redact }: { clock: Clock; redact: Redact },
): Promise<Batching> {
  const { provider, spec, baseUrl, media, transport, deps, options } = context
  // The provider is asked about its batches as it is asked for replies.
  let headers: Readonly<Record<string, string>> = {}
  const protocol = batchProtocol(provider.family, {
    baseUrl,
    request: (call) => transport.request({ ...call, headers: { ...headers, ...call.headers } }),
  })
  if (!protocol || !deps.batches) {
    throw new UserError(`${provider.name} has no batches.`, { hint: `These have: ${SENT.join(', ')}.` })
  }
  const { replies } = deps
  const queue = new BatchQueue({
    model: spec,
    address: baseUrl,
    protocol,
    sends: options.batch === 'provider' || (options.batch === true && SENT.includes(provider.name)),
    ...deps.batches,
    media,
    clock,
    isStored: async (key) => (await replies?.has?.(key)) === true,
    log: (line) => context.log(line),
    redact,
  })
  const spool = (call: SpooledCall): Promise<Buffer> => {
    const { 'content-type': _, 'content-length': __, ...rest } = call.headers
    headers = rest
    return queue.spool(call)
  }
  const wire = await openWire({ ...context, transport: { ...transport, spool } })
  return { queue, wire, price: batchPrice(spec, deps.prices.of(spec)) }
}
