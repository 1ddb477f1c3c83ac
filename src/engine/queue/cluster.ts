/** From `--on` to a runner. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../../base/errors.ts'
import type { Store } from '../../store/store.ts'
import type { MakeRunner } from '../runner.ts'
import type { QueueAddress } from './address.ts'
import { type ClusterSettings, DEFAULT_MEDIA_QUOTA, QueueRunner } from './coordinator.ts'
import { openQueue } from './open.ts'
import { writeQueueFile } from './queue-file.ts'

/** Players that need something of the process that started the run: its runs, its browser, its settings. */
const ONLY_HERE = /^(replay|human|generator)\//

/** Says what cannot be played on a queue before anything is opened. */
export function checkModelsForQueue(models: Readonly<Record<string, string>>): void {
  const here = Object.values(models).find((model) => ONLY_HERE.test(model))
  if (here !== undefined) {
    throw new UserError(`${here} answers only in the process that started the run, not on workers.`, {
      hint: 'Leave out --on.',
    })
  }
}

export type GivenSettings = Omit<ClusterSettings, 'repliesInStore' | 'mediaQuota'>

/** Says what is wrong with a queue before a run is made. */
export async function reach(address: QueueAddress): Promise<void> {
  await (await openQueue(address)).close()
}

export function clusterRunner(address: QueueAddress, store: Store, given: GivenSettings): MakeRunner {
  return async (setup) => {
    const queue = await openQueue(address)
    await writeQueueFile(store, setup.header.id, address.shown)
    return new QueueRunner(setup, queue, {
      ...given,
      mediaQuota: DEFAULT_MEDIA_QUOTA,
      repliesInStore: existsSync(join(store.dir, 'replies')),
    })
  }
}
