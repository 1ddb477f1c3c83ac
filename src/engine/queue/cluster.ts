/** Creates the runner for `--queue`. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../../base/errors.ts'
import type { RunHeader } from '../../store/records.ts'
import type { Store } from '../../store/store.ts'
import { isBatched } from '../estimate.ts'
import type { MakeRunner } from '../runner.ts'
import type { QueueAddress } from './address.ts'
import { type ClusterSettings, DEFAULT_MEDIA_QUOTA, QueueRunner } from './coordinator.ts'
import { describeTrouble } from './health.ts'
import { openQueue } from './open.ts'
import { writeQueueFile } from './queue-file.ts'

const PATIENCE_LEASES = 2

/** Players that depend on the process that started the run: its store, browser or config. */
const COORDINATOR_ONLY = /^(replay|human|generator)\//

/** Throws for models that cannot be played on a queue, before anything is opened. */
export function checkModelsForQueue({ models, modelOptions }: Pick<RunHeader, 'models' | 'modelOptions'>): void {
  if (isBatched({ modelOptions })) throw new UserError('Workers cannot send batches: use --batch without --queue.')
  const unsupported = Object.values(models).find((model) => COORDINATOR_ONLY.test(model))
  if (unsupported !== undefined) {
    throw new UserError(`${unsupported} runs only in the process that started the run, not on workers.`, {
      hint: 'Run it without --queue.',
    })
  }
}

export type RequestedSettings = Omit<ClusterSettings, 'repliesInStore' | 'mediaQuota'>

/** Throws if a queue cannot be reached, before a run is created. */
export async function checkReachable(address: QueueAddress): Promise<void> {
  await (await openQueue(address)).close()
}

/** @param patienceMs how long a queue may not work before the run ends; it can be resumed */
export function clusterRunner(
  address: QueueAddress,
  store: Store,
  settings: RequestedSettings,
  patienceMs = PATIENCE_LEASES * settings.leaseMs,
): MakeRunner {
  return async (setup) => {
    const queue = await openQueue(address, {
      patienceMs,
      onChange: (trouble) => setup.note(describeTrouble(trouble)),
    })
    await writeQueueFile(store, setup.header.id, address.shown)
    return new QueueRunner(setup, queue, {
      ...settings,
      mediaQuota: DEFAULT_MEDIA_QUOTA,
      repliesInStore: existsSync(join(store.dir, 'replies')),
    })
  }
}
