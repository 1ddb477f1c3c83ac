/** `--queue`: makes a runner that hands episodes to workers. The queue's code is loaded only when it is used. */
import type { RunReader } from '../store/run-reader.ts'
import type { MakeRunner } from '../engine/runner.ts'
import type { Store } from '../store/store.ts'
import { environment } from './config.ts'
import { knownAddresses, rememberAddresses } from './known-addresses.ts'
import { type ModelSettings, modelDefaults, packageVersion } from './environment.ts'

export interface ClusterOptions {
  queue?: string | undefined
  lease?: number | undefined
}

/** `--queue here`: play in this process, although the run used a queue before. */
const HERE = 'here'
/** Queues among the known addresses. */
const QUEUE = 'queue'

/** The runner for a queue, or null to play in this process. Fails early if the queue cannot be used. */
export async function runnerOn(
  { queue, lease }: ClusterOptions,
  store: Store,
  models: Readonly<Record<string, string>>,
  settings: ModelSettings,
): Promise<MakeRunner | null> {
  if (queue === undefined || queue === HERE) return null
  const { parseQueueAddress } = await import('../engine/queue/address.ts')
  const { checkModelsForQueue, clusterRunner, checkReachable } = await import('../engine/queue/cluster.ts')
  const { DEFAULT_LEASE_MS } = await import('../engine/queue/coordinator.ts')
  const address = parseQueueAddress(queue, environment())
  checkModelsForQueue({ models, modelOptions: settings.modelOptions ?? {} })
  await checkReachable(address)
  await rememberAddresses([{ id: QUEUE, address: address.shown }])
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

/** The queue to resume a run on: the given one, else the one it used before, with the password from the environment. */
export async function queueOf(reader: RunReader, given: string | undefined): Promise<string | undefined> {
  const { readQueueFile, removeQueueFile } = await import('../engine/queue/queue-file.ts')
  if (given === HERE) {
    await removeQueueFile(reader.dir)
    return undefined
  }
  if (given !== undefined) return given
  const address = await readQueueFile(reader.dir)
  if (address === null) return undefined
  const { savedAddress } = await import('../engine/queue/address.ts')
  const known = (await knownAddresses()).filter(({ provider }) => provider === QUEUE)
  return savedAddress(
    address,
    environment(),
    known.map(({ url }) => url),
  ).url
}
