/** `--on`: from what was typed to a runner over a queue. The queue's code is loaded only when there is one. */
import type { RunReader } from '../store/run-reader.ts'
import type { MakeRunner } from '../engine/runner.ts'
import type { Store } from '../store/store.ts'
import { environment } from './config.ts'
import { type ModelSettings, modelDefaults, packageVersion } from './environment.ts'

export interface ClusterOptions {
  queue?: string | undefined
  lease?: number | undefined
}

/** Word for "in this process" where a queue is remembered. */
const HERE = 'here'

/** What plays a run, if it is not this process. What is wrong with the queue is said now. */
export async function runnerOn(
  { queue: on, lease }: ClusterOptions,
  store: Store,
  models: Readonly<Record<string, string>>,
  settings: ModelSettings,
): Promise<MakeRunner | null> {
  if (on === undefined || on === HERE) return null
  const { parseQueueAddress } = await import('../engine/queue/address.ts')
  const { checkModelsForQueue, clusterRunner, reach } = await import('../engine/queue/cluster.ts')
  const { DEFAULT_LEASE_MS } = await import('../engine/queue/coordinator.ts')
  const address = parseQueueAddress(on, environment())
  checkModelsForQueue(models)
  await reach(address)
  const { maxRetries, timeoutMs } = modelDefaults(settings)
  return clusterRunner(address, store, {
    version: packageVersion(),
    leaseMs: lease === undefined ? DEFAULT_LEASE_MS : lease * 1000,
    cache: settings.cache !== false,
    model: {
      maxConnections: settings.maxConnections ?? null,
      requestsPerMinute: settings.requestsPerMinute ?? null,
      tokensPerMinute: settings.tokensPerMinute ?? null,
      maxRetries,
      timeoutMs,
    },
  })
}

/** Where to go on with a run: where it is said, else where it was, with the password that the environment has. */
export async function queueOf(reader: RunReader, said: string | undefined): Promise<string | undefined> {
  const { removeQueueFile: forgetQueue, readQueueFile: rememberedQueue } = await import('../engine/queue/queue-file.ts')
  if (said === HERE) {
    await forgetQueue(reader.dir)
    return undefined
  }
  if (said !== undefined) return said
  const shown = await rememberedQueue(reader.dir)
  if (shown === null) return undefined
  const { rememberedAddress } = await import('../engine/queue/address.ts')
  return rememberedAddress(shown, environment()).url
}
