/** Somebody with access to the server of a queue, but without its secret. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { compass } from '../../../test/support/compass.ts'
import { testEnvironment, walker } from '../../../test/support/engine.ts'
import { startTestWorker, type TestWorker, testRunner } from '../../../test/support/engine/cluster.ts'
import { REDIS, startRedis, type TestServer } from '../../../test/support/engine/queue.ts'
import { exampleHeader } from '../../../test/support/store.ts'
import type { Model } from '../../models/types.ts'
import { RunStopped, StopControl } from '../control.ts'
import { planRun, replan } from '../plan.ts'
import { resumeRun, startRun } from '../run.ts'
import { parseQueueAddress } from './address.ts'
import { DEAD_LETTERS_FILE } from './dead-letters.ts'
import { HEARTBEAT_FORMAT, packHeartbeat, packWorkerHeartbeat, readWorkerHeartbeat } from './heartbeat.ts'
import { queueName } from './jobs.ts'
import { openQueue, type OpenedQueue } from './open.ts'
import { PREFIX } from './redis-state.ts'
import { Seal } from './seal.ts'
import { packMessage, readMessage } from './worker-messages.ts'

const SAMPLES = 30
/** Jobs that got lost are added again after two leases, which the test would not survive. */
const LEASE_MS = 300_000
const SECRET = { SIGHTLINE_QUEUE_SECRET: 'known to coordinator and workers' }
const HASH = 'a'.repeat(64)
const SENDER = '00000000-0000-4000-8000-000000000000'

const LETTERS: readonly unknown[] = [
  { type: 'lookup', key: '../x' },
  { type: 'sent', sha256: HASH, bytes: 1e15, mediaType: 'image/png' },
  { type: 'sent', sha256: '../../etc/passwd', bytes: 1, mediaType: 'image/png' },
  { type: 'reply', key: '../../x', reply: {} },
  { type: 'reply', key: HASH },
  {
    type: 'paid',
    usage: { calls: 1, inputTokens: 1e300, outputTokens: 0, reasoningTokens: 0, cachedInputTokens: 0, usd: 1 },
  },
  {
    type: 'paid',
    usage: { calls: 1, inputTokens: -5, outputTokens: 0, reasoningTokens: 0, cachedInputTokens: 0, usd: -1 },
  },
  { type: 'offer', media: ['x'] },
  {
    type: 'finished',
    worker: 'w',
    job: 'j',
    line: { sample: 'x' },
    fatal: false,
    media: [],
    calls: 0,
    cachedCalls: 0,
    replies: [],
  },
  { type: 'fault', worker: 'w', episode: 'e', message: 5, stack: null },
  { type: 'note', worker: 'w', words: 'w'.repeat(100_000) },
  { type: 'unknown' },
  null,
  'text',
]

describe('a letter', () => {
  const seal = new Seal('', 'run')
  const forged = (message: unknown): Buffer =>
    seal.close('message', Buffer.from(JSON.stringify({ message, sender: SENDER, number: 1 })))

  it.each(LETTERS.map((letter) => [JSON.stringify(letter).slice(0, 60), letter]))('%s is rejected', (_, letter) => {
    expect(readMessage(forged(letter), seal)).toMatch(/is not valid/)
  })

  it('is only read with the secret, run and place it was signed for', () => {
    const envelope = { message: { type: 'budget', words: 'stop' }, sender: SENDER, number: 1 } as const
    const packed = packMessage(envelope, ['{}'], new Seal('secret', 'run'))
    expect(readMessage(packed, new Seal('secret', 'run'))).toEqual({ envelope, events: ['{}'] })
    const others = [new Seal('', 'run'), new Seal('secret', 'other')].map((other) => readMessage(packed, other))
    expect(others).toEqual(others.map(() => expect.stringContaining('not signed')))
    expect(new Seal('secret', 'run').open('heartbeat', packed)).toBe(null)
    for (const bytes of [Buffer.alloc(0), Buffer.alloc(31), Buffer.from('{"type":"note"}')])
      expect(readMessage(bytes, seal)).toMatch(/not signed/)
  })
})

describe('a heartbeat of a worker', () => {
  const worker = {
    host: 'h',
    pid: 1,
    version: '1',
    slots: 4,
    threads: 0,
    runs: { run: 1 },
    refused: {},
    started: 'now',
  }

  it('counts only if it was signed with the secret', () => {
    const packed = packWorkerHeartbeat(worker, 'secret')
    expect(readWorkerHeartbeat(packed, 'secret')).toEqual({ ...worker, isSigned: true })
    expect(readWorkerHeartbeat(packed, 'other')).toEqual({ ...worker, isSigned: false })
    expect(readWorkerHeartbeat(packWorkerHeartbeat(worker, ''), 'secret')).toMatchObject({ isSigned: false })
  })

  it.each([{ slots: 1e9 }, { slots: -1 }, { runs: { run: 0.5 } }, { refused: { run: 7 } }, { host: null }])(
    'with %o is not read',
    (more) => {
      const forged = new Seal('', 'workers').close('heartbeat', Buffer.from(JSON.stringify({ ...worker, ...more })))
      expect(readWorkerHeartbeat(forged, '')).toBeNull()
    },
  )
})

describe.skipIf(REDIS === null)('a run with a secret', () => {
  let server: TestServer
  let queue: OpenedQueue
  let folder: string
  const ends: (() => Promise<void>)[] = []
  beforeAll(async () => {
    server = await startRedis()
    queue = await openQueue(parseQueueAddress(server.url, {}))
  }, 60_000)
  afterAll(async () => {
    await queue.close()
    await server.stop()
  })
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sightline-attacks-'))
  })
  afterEach(async () => {
    for (const end of ends.splice(0)) await end()
    await rm(folder, { recursive: true })
  })

  const work = async (model: Model, name: string, more: Pick<TestWorker, 'env' | 'note'>): Promise<void> => {
    const findSuite = (): Promise<typeof compass> => Promise.resolve(compass)
    ends.push(await startTestWorker(server.url, join(folder, name), { name, model, findSuite, ...more }))
  }

  it.each(['generator/http://127.0.0.1:9/v1/videos', 'generator/mine', 'replay/run', 'human/me'])(
    'does not make a worker open %s',
    async (model) => {
      const header = exampleHeader({ id: 'theirs', models: { player: model } })
      const limits = {
        maxConnections: null,
        requestsPerMinute: null,
        tokensPerMinute: null,
        maxRetries: 0,
        timeoutMs: 1000,
      }
      const heartbeat = {
        ...({ format: HEARTBEAT_FORMAT, header, version: '1', files: null, state: 'open', reason: null } as const),
        leaseMs: 1000,
        model: limits,
        cache: true,
        repliesInStore: false,
        mediaQuota: 0,
        beat: 1,
      }
      const notes: string[] = []
      await work(walker(), 'good', { note: (text) => void notes.push(text) })
      await queue.shared.set('run', new Map([['theirs', packHeartbeat(heartbeat, new Seal('', 'theirs'))]]), 60_000)
      const refusal = `Cannot play run theirs: ${model} runs only in the process that started the run, not on workers`
      await expect.poll(() => notes.join('\n')).toContain(refusal)
      await queue.shared.remove('run', ['theirs'])
    },
  )

  it('ignores forged messages, jobs and workers, while it runs and when it is resumed', async () => {
    const attacker = walker()
    const control = new StopControl()
    let id = ''
    let refuse = (): void => undefined
    /** By the worker without the secret, which looks for runs once a second and may start late. */
    const refusal = new Promise<void>((resolve) => (refuse = resolve))
    const attack = async (): Promise<void> => {
      const seal = new Seal('', id)
      const letters = LETTERS.map((message) =>
        seal.close('message', Buffer.from(JSON.stringify({ message, sender: SENDER, number: 1 }))),
      )
      const stop = { message: { type: 'budget', words: 'stop' }, sender: SENDER, number: 1 } as const
      await queue.shared.post(id, [...letters, packMessage(stop, [], seal), Buffer.from('not a letter')])
      const { Queue } = await import('bullmq')
      if (queue.bull.kind !== 'redis') throw new Error('not Redis')
      const jobs = new Queue(queueName(id), { connection: queue.bull.connection, prefix: PREFIX })
      await jobs.add(
        'episodes',
        { episodes: [{ index: 0, epoch: 1, sample: { id: 'x', cluster: 'x', labels: {} } }] },
        { jobId: 'forged1' },
      )
      await jobs.add('episodes', { sealed: 'AAAA' }, { jobId: 'forged2' })
      await jobs.close()
    }
    let isResumed = false
    const model = walker(async ({ draining }, call) => {
      if (call === 5) {
        await attack()
        await refusal
      }
      if (call === 15) {
        await attack()
        control.drain(new RunStopped('interrupted', 'stopped'))
      }
      // Otherwise the rest could be played before the worker hears that the run is stopping.
      if (call >= 15 && !isResumed) await new Promise((resolve) => draining!.addEventListener('abort', resolve))
    })
    await work(model, 'good', { env: SECRET })
    await work(attacker, 'evil', {
      note: (text) => {
        if (text.includes('with another SIGHTLINE_QUEUE_SECRET')) refuse()
      },
    })
    const here = await testEnvironment(join(folder, 'store'), model)
    const environment = { ...here, makeRunner: testRunner(server.url, here.store, { leaseMs: LEASE_MS, env: SECRET }) }
    const plan = await planRun({
      suite: compass,
      models: { player: 'test/walker' },
      source: `builtin:samples=${SAMPLES}`,
    })
    const notes: string[] = []
    const hooks = { onNote: (note: string) => void notes.push(note) }
    const stopped = await startRun(plan, environment, { ...hooks, control, onStart: (header) => (id = header.id) })
    expect(stopped).toMatchObject({ state: 'interrupted', reason: 'stopped' })

    isResumed = true
    await attack()
    const reader = await here.store.openRun(id)
    const result = await resumeRun(await replan(compass, reader.header, 'resume'), id, environment, {}, hooks)
    expect(result).toMatchObject({ state: 'done', progress: { finished: SAMPLES } })
    expect(attacker.asked).toEqual([])
    expect(model.asked.length).toBeLessThanOrEqual(SAMPLES + 2)
    expect(notes.join('\n')).toMatch(/Ignored something on the queue: the message is not signed/)
    const dead = (await readFile(join(reader.dir, DEAD_LETTERS_FILE), 'utf8')).trim().split('\n')
    expect(dead.length).toBeGreaterThanOrEqual(2 * LETTERS.length)
  })
})
