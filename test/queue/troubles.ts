/** What `chaos:cluster` does to the server of a queue, or to the coordinator, in the middle of a run. */
import type { ChildProcess } from 'node:child_process'
import { parseQueueAddress } from '../../src/engine/queue/address.ts'
import { openQueue } from '../../src/engine/queue/open.ts'
import { Seal } from '../../src/engine/queue/seal.ts'
import { packMessage } from '../../src/engine/queue/worker-messages.ts'
import { administer, fillDisk, type TestServer } from '../support/engine/queue.ts'
import { POSTGRES_FAULTS, type QueueFault, REDIS_FAULTS } from '../support/engine/queue-faults.ts'

export interface Trouble {
  name: string
  begin(place: Place): Promise<void>
  /** Null if nothing has to be repaired. */
  repair: ((place: Place) => Promise<void>) | null
  /** Part of the sentence of a run that ends; null if it waits and continues on its own. */
  ends: RegExp | null
  /** Whether the server forgets what was on it. */
  losesData: boolean
  /** Needs a server with a disk of its own. */
  ownDisk?: true
}

export interface Place {
  server: TestServer
  coordinator: ChildProcess
  run: string
}

function fromFault({ name, fault, repair, ends }: QueueFault): Trouble {
  return {
    name: `the server ${name}`,
    begin: ({ server }) => administer(server.url, ...fault),
    repair: repair && (({ server }) => administer(server.url, ...repair)),
    ends,
    losesData: repair === null,
  }
}

const common: Trouble[] = [
  {
    name: 'the server restarts',
    begin: ({ server }) => server.restart(),
    repair: null,
    ends: null,
    losesData: true,
  },
  {
    name: 'SIGSTOP of the coordinator',
    begin: async ({ coordinator }) => void coordinator.kill('SIGSTOP'),
    repair: async ({ coordinator }) => void coordinator.kill('SIGCONT'),
    ends: null,
    losesData: false,
  },
  {
    name: 'forged messages',
    begin: async ({ server, run }) => {
      const queue = await openQueue(parseQueueAddress(server.url, {}))
      const sender = '00000000-0000-4000-8000-000000000000'
      const stop = { message: { type: 'budget', words: 'stop' }, sender, number: 1 } as const
      // Without the secret, with another one, and of another run.
      const seals = [new Seal('', run), new Seal('another secret', run), new Seal('', 'another-run')]
      const forged = seals.map((seal) => packMessage(stop, [], seal))
      await queue.shared.post(run, [...forged, Buffer.from('not a message'), Buffer.alloc(2 ** 20)])
      await queue.close()
    },
    repair: null,
    ends: null,
    losesData: false,
  },
]

let makeRoom = (): void => undefined
const fullDisk: Trouble = {
  name: 'the disk of the server is full',
  begin: async ({ server }) => {
    makeRoom = fillDisk(server)
  },
  repair: async () => makeRoom(),
  ends: null,
  losesData: false,
  ownDisk: true,
}

export const TROUBLES: Readonly<Record<'redis' | 'postgres', readonly Trouble[]>> = {
  redis: [...REDIS_FAULTS.map(fromFault), ...common, fullDisk],
  postgres: [...POSTGRES_FAULTS.map(fromFault), ...common, fullDisk],
}
