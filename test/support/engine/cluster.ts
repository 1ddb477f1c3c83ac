/** Coordinators and workers in this process, for tests of queues. */
import { playEpisode } from '../../../src/engine/episode.ts'
import { parseQueueAddress } from '../../../src/engine/queue/address.ts'
import { clusterRunner } from '../../../src/engine/queue/cluster.ts'
import { openQueue } from '../../../src/engine/queue/open.ts'
import type { WorkerSettings } from '../../../src/engine/queue/run-worker.ts'
import { ClusterWorker } from '../../../src/engine/queue/worker.ts'
import type { MakeRunner } from '../../../src/engine/runner.ts'
import type { AnySuite } from '../../../src/engine/suite.ts'
import type { Model } from '../../../src/models/types.ts'
import { Store } from '../../../src/store/store.ts'

type Environment = Parameters<typeof parseQueueAddress>[1]

interface TestCoordinator {
  leaseMs: number
  patienceMs?: number
  env?: Environment
}

/** The runner of a coordinator of version 1. */
export function testRunner(url: string, store: Store, { leaseMs, patienceMs, env = {} }: TestCoordinator): MakeRunner {
  const model = {
    maxConnections: null,
    requestsPerMinute: null,
    tokensPerMinute: null,
    maxRetries: 0,
    timeoutMs: 60_000,
  }
  return clusterRunner(parseQueueAddress(url, env), store, { version: '1', leaseMs, cache: true, model }, patienceMs)
}

export interface TestWorker extends Partial<Pick<WorkerSettings, 'version' | 'slots' | 'note' | 'openModel'>> {
  name: string
  model: Model
  findSuite: (name: string) => Promise<AnySuite>
  env?: Environment
}

/** Starts a worker with a store in `folder`. Returns what stops it. */
export async function startTestWorker(url: string, folder: string, settings: TestWorker): Promise<() => Promise<void>> {
  const { model, findSuite, env = {}, ...more } = settings
  const queue = await openQueue(parseQueueAddress(url, env), { patienceMs: Infinity })
  const worker = new ClusterWorker(
    {
      queue,
      store: await Store.open(folder),
      slots: 2,
      version: '1',
      findSuite: async ({ suite }) => ({ suite: await findSuite(suite), hash: null, loadFrom: null }),
      openModel: () => Promise.resolve(model),
      sources: {},
      playerForRun: () => playEpisode,
      note: () => undefined,
      ...more,
    },
    0,
  )
  worker.start()
  return async () => {
    await worker.stop(100)
    await queue.close()
  }
}
