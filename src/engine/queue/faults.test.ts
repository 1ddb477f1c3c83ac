/** Servers that stop doing what they are asked, in the middle of a run. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { compass } from '../../../test/support/compass.ts'
import { testEnvironment, walker } from '../../../test/support/engine.ts'
import { startTestWorker, testRunner } from '../../../test/support/engine/cluster.ts'
import {
  administer,
  POSTGRES,
  REDIS,
  reportMissingServers,
  startPostgres,
  startRedis,
  type TestServer,
} from '../../../test/support/engine/queue.ts'
import {
  playersUrl,
  POSTGRES_FAULTS,
  type QueueFault,
  REDIS_FAULTS,
} from '../../../test/support/engine/queue-faults.ts'
import type { Model } from '../../models/types.ts'
import { planRun, replan } from '../plan.ts'
import { StopControl, RunStopped } from '../control.ts'
import { resumeRun, startRun } from '../run.ts'

reportMissingServers()

/** A connection to a local port that can be cut. */
async function lay(to: number): Promise<{ port: number; cut(): void; fix(): void }> {
  const sockets = new Set<Socket>()
  let isCut = false
  const proxy = createServer((socket) => {
    if (isCut) return void socket.destroy()
    const far = connect(to, '127.0.0.1')
    for (const [end, other] of [
      [socket, far],
      [far, socket],
    ] as const) {
      sockets.add(end)
      end.on('error', () => undefined)
      end.on('close', () => {
        sockets.delete(end)
        other.destroy()
      })
      end.pipe(other)
    }
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  proxy.unref()
  const { port } = proxy.address() as AddressInfo
  return {
    port,
    cut: () => {
      isCut = true
      for (const socket of sockets) socket.destroy()
    },
    fix: () => (isCut = false),
  }
}

const SAMPLES = 40
/** The request during which the fault begins. */
const FAULT_AT = 10
/** Longer than a coordinator needs to collect results, so few are on the server at a time. */
const REPLY_MS = 60
/** Lost jobs are added again after two leases, but no worker may look dead on a busy machine. */
const LEASE_MS = 3000
const WORKERS = 2
const SLOTS = 2
const CONNECTIONS = WORKERS * SLOTS

const servers: { name: string; start: (() => Promise<TestServer>) | null; faults: readonly QueueFault[] }[] = [
  { name: 'Redis', start: REDIS === null ? null : () => startRedis(), faults: REDIS_FAULTS },
  { name: 'PostgreSQL', start: POSTGRES === null ? null : () => startPostgres(), faults: POSTGRES_FAULTS },
]

describe.each(servers)('a run on $name', ({ name, start, faults }) => {
  let server: TestServer
  let url: string
  let folder: string
  const ends: (() => Promise<void>)[] = []
  beforeAll(async () => {
    if (!start) return
    server = await start()
    url = await playersUrl(server)
  }, 60_000)
  afterAll(() => server?.stop())
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sightline-faults-'))
  })
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
    await rm(folder, { recursive: true })
  })

  async function startWorkers(model: Model): Promise<void> {
    const findSuite = (): Promise<typeof compass> => Promise.resolve(compass)
    for (let number = 0; number < WORKERS; number++) {
      const place = join(folder, `${number}`)
      ends.push(await startTestWorker(url, place, { name: `${number}`, slots: SLOTS, model, findSuite }))
    }
  }

  it.skipIf(!start || name !== 'Redis')(
    'stops asking when the coordinator is cut off',
    { timeout: 60_000 },
    async () => {
      const LONG_MS = 300
      const cable = await lay(server.port)
      let askedAtCut = 0
      const model = walker(async (_, call) => {
        await pause(LONG_MS)
        if (call !== FAULT_AT) return
        cable.cut()
        askedAtCut = model.asked.length
      })
      await startWorkers(model)
      const here = await testEnvironment(join(folder, 'store'), model)
      const cutUrl = server.url.replace(`:${server.port}`, `:${cable.port}`)
      const control = new StopControl()
      const plan = await planRun({ suite: compass, models: { player: 'test/walker' }, source: 'builtin:samples=200' })
      const run = startRun(
        plan,
        { ...here, makeRunner: testRunner(cutUrl, here.store, { leaseMs: 30_000 }) },
        { control },
      )
      await expect.poll(() => askedAtCut, { timeout: 20_000 }).toBeGreaterThan(0)
      for (let seen = -1; seen !== model.asked.length; await pause(3 * LONG_MS)) seen = model.asked.length
      // Two seconds' worth; the jobs handed out would have lasted for five.
      expect(model.asked.length - askedAtCut).toBeLessThan(((2000 + LONG_MS) / LONG_MS) * CONNECTIONS)
      cable.fix()
      await expect.poll(() => model.asked.length - askedAtCut, { timeout: 20_000 }).toBeGreaterThan(40)
      control.abort(new RunStopped('interrupted', 'enough'))
      expect(await run).toMatchObject({ state: 'interrupted' })
    },
  )

  it.skipIf(!start).each(faults)(
    'asks nothing more if the server $name',
    { timeout: 60_000 },
    async ({ fault, repair, ends: sentence }) => {
      let askedAtFault = Infinity
      const model = walker(async (_, call) => {
        if (!repair) await pause(REPLY_MS)
        if (call !== FAULT_AT) return
        ends.push(async () => (repair ? administer(server.url, ...repair) : undefined))
        await administer(server.url, ...fault)
        askedAtFault = model.asked.length
      })
      await startWorkers(model)
      const here = await testEnvironment(join(folder, 'store'), model)
      const patienceMs = sentence ? 500 : 60_000
      const environment = { ...here, makeRunner: testRunner(url, here.store, { leaseMs: LEASE_MS, patienceMs }) }
      const plan = await planRun({
        suite: compass,
        models: { player: 'test/walker' },
        source: `builtin:samples=${SAMPLES}`,
        budget: '100k-tokens',
      })
      let id = ''
      const run = startRun(plan, environment, {
        onStart: (header) => (id = header.id),
        onNote: (note) => {
          if (!sentence && repair && note.startsWith('The queue does not work')) void administer(server.url, ...repair)
        },
      })
      if (!sentence) {
        expect(await run).toMatchObject({ state: 'done', progress: { finished: SAMPLES } })
        // What was on a server that lost everything is asked again; otherwise workers keep it until the server takes it.
        expect(model.asked.length).toBeLessThanOrEqual(SAMPLES + (repair ? 1 : 3) * CONNECTIONS)
        return
      }
      await expect(run).rejects.toThrow(sentence)
      expect(model.asked.length).toBeLessThanOrEqual(askedAtFault + CONNECTIONS)
      if (repair) await administer(server.url, ...repair)
      const reader = await here.store.openRun(id)
      expect((await reader.status()).reason).toMatch(sentence)
      const again = await resumeRun(await replan(compass, reader.header, 'resume'), id, environment)
      expect(again).toMatchObject({ state: 'done', progress: { finished: SAMPLES } })
      // Requests in flight, and jobs that the server did not note as done.
      expect(model.asked.length).toBeLessThanOrEqual(SAMPLES + 2 * CONNECTIONS)
    },
  )
})
