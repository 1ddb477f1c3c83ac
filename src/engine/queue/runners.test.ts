/** One test suite for all runners. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { compass } from '../../../test/support/compass.ts'
import { ModelError, type Model, NO_USAGE } from '../../models/types.ts'
import type { Store } from '../../store/store.ts'
import { RunStopped, StopControl } from '../control.ts'
import { planRun, replan, type RunRequest } from '../plan.ts'
import { makeReport } from '../reporting.ts'
import { resumeRun, type RunHooks, startRun, type RunEnvironment } from '../run.ts'
import type { AnySuite } from '../suite.ts'
import { testEnvironment, walker } from '../../../test/support/engine.ts'
import { startTestWorker, testRunner } from '../../../test/support/engine/cluster.ts'
import {
  namesOn,
  POSTGRES,
  REDIS,
  reportMissingServers,
  startPostgres,
  startRedis,
  type TestServer,
} from '../../../test/support/engine/queue.ts'

reportMissingServers()

/** The compass suite with images: one shared by all samples, and a large one per sample. */
const withImages: AnySuite = {
  ...compass,
  name: 'with-images',
  async play(sample, episode, options) {
    const image = (text: string, times: number): Buffer => Buffer.from(text.repeat(times))
    await episode.keep(image('shared', 100), 'image/png', { made: 'drawing' })
    await episode.keep(image(sample.id, 50_000), 'image/png', { made: 'drawing' })
    return compass.play(sample, episode, options)
  },
}

const broken: AnySuite = {
  ...compass,
  name: 'broken',
  play(sample, episode, options) {
    if (episode.random.int(4) === 0) throw new TypeError('a bug in the suite')
    return compass.play(sample, episode, options)
  },
}

const suites = new Map<string, AnySuite>([compass, withImages, broken].map((suite) => [suite.name, suite]))

const request = (more: Partial<RunRequest> = {}): RunRequest => ({
  suite: compass,
  models: { player: 'test/walker' },
  source: 'builtin:samples=20',
  ...more,
})

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-runners-'))
})
afterEach(() => rm(folder, { recursive: true }))

const environment = (model: Model, place = 'store'): Promise<RunEnvironment> =>
  testEnvironment(join(folder, place), model)

/** The results of a run, without timings and byte offsets. */
async function resultsOf(store: Store, id: string): Promise<{ lines: unknown[]; events: unknown[]; report: string }> {
  const reader = await store.openRun(id)
  const lines = await reader.episodes()
  const events = await Promise.all(lines.map((line) => reader.events(line)))
  const report = await makeReport(reader, suites.get(reader.header.suite)!)
  return {
    lines: lines.map((line) => ({ ...line, ms: 0, events: 0 })),
    events,
    report: JSON.stringify(report)
      .replaceAll(id, 'RUN')
      .replaceAll(/"(ms|seconds)":[\d.]+/g, '"$1":0'),
  }
}

/** No worker dies here: a busy machine must not make one look dead. */
const LEASE_MS = 20_000

interface Backend {
  name: string
  isInstalled: boolean
  start: (() => Promise<TestServer>) | null
}

const backends: Backend[] = [
  { name: 'this process', isInstalled: true, start: null },
  { name: 'Redis', isInstalled: REDIS !== null, start: () => startRedis() },
  { name: 'PostgreSQL', isInstalled: POSTGRES !== null, start: () => startPostgres() },
]

describe.each(backends)('a run played on $name', ({ isInstalled, start }) => {
  let server: TestServer | null = null
  const ends: (() => Promise<void>)[] = []
  beforeAll(async () => {
    if (isInstalled && start) server = await start()
  }, 60_000)
  afterAll(async () => server?.stop())
  afterEach(async () => {
    for (const end of ends.splice(0)) await end()
  })
  const test = it.skipIf(!isInstalled)

  /** An environment for this backend, with two workers if it is a queue. */
  async function environmentFor(
    model: Model,
    { workers = 2, version = '1', place = 'store' } = {},
  ): Promise<RunEnvironment> {
    const here = await environment(model, place)
    if (!server) return here
    for (let number = 0; number < workers; number++) await startWorker(model, number, version)
    const makeRunner = testRunner(server.url, here.store, { leaseMs: LEASE_MS })
    return { ...here, makeRunner }
  }

  async function startWorker(
    model: Model,
    number: number,
    version = '1',
    findSuite: (name: string) => Promise<AnySuite> = (name) => Promise.resolve(suites.get(name)!),
  ): Promise<void> {
    const place = join(folder, `worker-${number}`)
    ends.push(await startTestWorker(server!.url, place, { name: `worker-${number}`, model, version, findSuite }))
  }

  test('produces the same journal, media and report as a local run', async () => {
    const plan = await planRun(request({ suite: withImages, epochs: 2 }))
    const local = await environment(walker(), 'local')
    const expected = await resultsOf(local.store, (await startRun(plan, local)).id)

    const here = await environmentFor(walker())
    const result = await startRun(plan, here)
    expect(result).toMatchObject({ state: 'done', progress: { finished: 40, planned: 40, calls: 40, tokens: 400 } })
    const results = await resultsOf(here.store, result.id)
    expect(results).toEqual(expected)
    for (const event of results.events.flat() as { type: string; sha256: string }[]) {
      if (event.type === 'media') expect(await here.store.media.read(event.sha256)).toBeTruthy()
    }
  })

  test('plays baselines', async () => {
    const plan = await planRun(request({ models: { player: 'baseline/random' } }))
    const local = await environment(walker(), 'local')
    const expected = await resultsOf(local.store, (await startRun(plan, local)).id)
    const here = await environmentFor(walker())
    const result = await startRun(plan, here)
    expect(result).toMatchObject({ state: 'done', progress: { calls: 20 } })
    expect(await resultsOf(here.store, result.id)).toEqual(expected)
  })

  test('counts failures and continues', async () => {
    const model = walker(({ origin }) => {
      if (/[37]$/.test(origin.sampleId)) throw new ModelError('server', 'the server is on fire', 5)
    })
    const { progress, state } = await startRun(await planRun(request()), await environmentFor(model))
    expect(state).toBe('done')
    expect(progress.byStatus.model_error).toBe(4)
    expect(progress.lastError).toBe('the server is on fire')
  })

  test('fails at the first fatal error', async () => {
    const model = walker(() => {
      throw new ModelError('auth', 'the key is wrong', 1, { fatal: true })
    })
    const plan = await planRun(request({ source: 'builtin:samples=300' }))
    const result = await startRun(plan, await environmentFor(model))
    expect(result).toMatchObject({ state: 'failed', reason: 'the key is wrong', progress: { finished: 0 } })
  })

  test('stops and resumes without replaying finished episodes', async () => {
    const SAMPLES = 60
    const control = new StopControl()
    const first = walker(async (_, call) => {
      if (call === 6) control.drain(new RunStopped('interrupted', 'stopped by Ctrl-C'))
      // Slow down, so all workers notice the stop long before the last sample.
      await new Promise((resolve) => setTimeout(resolve, call < 6 ? 1 : 500))
    })
    const plan = await planRun(request({ source: `builtin:samples=${SAMPLES}` }))
    const here = await environmentFor(first)
    const stopped = await startRun(plan, here, { control })
    expect(stopped).toMatchObject({ state: 'interrupted', reason: 'stopped by Ctrl-C' })
    expect(stopped.progress.finished).toBeGreaterThan(0)
    expect(stopped.progress.finished).toBeLessThan(SAMPLES)
    const reader = await here.store.openRun(stopped.id)
    const before = (await reader.episodes()).map((line) => line.sample)
    for (const end of ends.splice(0)) await end()

    const second = walker()
    const again = await environmentFor(second)
    const result = await resumeRun(await replan(compass, reader.header, 'resume'), stopped.id, again)
    expect(result).toMatchObject({ state: 'done', progress: { finished: SAMPLES, before: before.length } })
    expect(second.asked.some((name) => before.includes(name.split('#')[0]!))).toBe(false)
    const text = await readFile(join(reader.dir, 'episodes.jsonl'), 'utf8')
    expect(text.trim().split('\n')).toHaveLength(SAMPLES)
  })

  test('enforces one budget for all workers', async () => {
    const model = walker(() => new Promise((resolve) => setTimeout(resolve, 20)))
    const plan = await planRun(request({ source: 'builtin:samples=100', budget: '300-tokens' }))
    const here = await environmentFor(model)
    const result = await startRun(plan, here)
    expect(result).toMatchObject({ state: 'interrupted', cause: 'budget' })
    // Requests in flight may still finish: at most one per slot.
    expect(model.asked.length).toBeGreaterThanOrEqual(30)
    expect(model.asked.length).toBeLessThanOrEqual(36)
    const reader = await here.store.openRun(result.id)
    for (const end of ends.splice(0)) await end()
    const again = await resumeRun(
      await replan(compass, reader.header, 'resume'),
      result.id,
      await environmentFor(walker()),
      {
        budget: '100k-tokens',
      },
    )
    expect(again).toMatchObject({ state: 'done', progress: { finished: 100 } })
    expect(again.progress.tokens).toBeGreaterThanOrEqual(1000)
  })

  test('reports a bug in a suite', async () => {
    await expect(startRun(await planRun(request({ suite: broken })), await environmentFor(walker()))).rejects.toThrow(
      'a bug in the suite',
    )
  })

  if (start === null) return

  test('is rejected by a worker of another version and played by the others', async () => {
    let refused = (): void => undefined
    const refusal = new Promise<void>((resolve) => (refused = resolve))
    const here = await environmentFor(
      walker(() => refusal),
      { workers: 1 },
    )
    await startWorker(walker(), 7, '0.0.9')
    const hooks: RunHooks = {
      onNote: (note) => {
        if (/cannot play this run: the worker has Sightline 0\.0\.9, the run uses 1/.test(note)) refused()
      },
    }
    expect(await startRun(await planRun(request()), here, hooks)).toMatchObject({ state: 'done' })
  })

  test('is joined by a worker after a temporary failure', async () => {
    const here = await environmentFor(walker(), { workers: 0 })
    const failure = { reported: false }
    await startWorker(walker(), 8, '1', (name) =>
      failure.reported ? Promise.resolve(suites.get(name)!) : Promise.reject(new Error('Connection is closed.')),
    )
    const hooks: RunHooks = {
      onNote: (note) => {
        if (note.endsWith('cannot play this run: Connection is closed. Retrying.')) failure.reported = true
      },
    }
    expect(await startRun(await planRun(request()), here, hooks)).toMatchObject({ state: 'done' })
    expect(failure.reported).toBe(true)
  })

  test('counts requests in flight with their estimate, and with their cost once it is known', async () => {
    const estimate = { ...NO_USAGE, calls: 1, inputTokens: 200 }
    const paying = (how: 'answered' | 'killed' | 'late'): ReturnType<typeof walker> =>
      walker(async ({ payments }) => {
        if (how === 'late') await (await payments!.intend(estimate))('unknown')
        const settle = await payments!.intend(estimate)
        if (how === 'killed') throw new ModelError('network', 'no reply', 1)
        await settle({ ...NO_USAGE, calls: 1, inputTokens: 9, outputTokens: 1, usd: 0.01 })
      })
    // Together 4,000 tokens by the estimates, 200 by the replies; 800 in flight at a time.
    const plan = await planRun(request({ budget: '2k-tokens' }))
    const here = await environmentFor(paying('answered'))
    expect(await startRun(plan, here)).toMatchObject({ state: 'done', progress: { tokens: 200 } })
    for (const end of ends.splice(0)) await end()

    for (const how of ['killed', 'late'] as const) {
      const model = paying(how)
      const failures = { failFast: false }
      const there = await environmentFor(model, { place: how })
      const result = await startRun(plan, there, { failures })
      expect(result).toMatchObject({ state: 'interrupted', cause: 'budget' })
      expect(model.asked.length).toBeGreaterThanOrEqual(8)
      expect(model.asked.length).toBeLessThan(20)
      // The budget stays spent when the run is resumed. Workers may still be at what they had taken.
      for (const end of ends.splice(0)) await end()
      const asked = model.asked.length
      const { header } = await there.store.openRun(result.id)
      const again = await environmentFor(model, { place: how })
      await resumeRun(await replan(compass, header, 'resume'), result.id, again, {}, { failures })
      const left = Math.ceil((2000 - asked * (how === 'late' ? 400 : 200)) / 200)
      // What is left, and those in flight with the last of them.
      expect(model.asked.length - asked).toBeLessThanOrEqual(Math.max(0, left) + 4)
      for (const end of ends.splice(0)) await end()
    }
  })

  test('sends media again that got lost in transit, but not forever', async () => {
    // Another worker would send it in any case.
    const here = await environmentFor(walker(), { workers: 1 })
    const plan = await planRun(request({ suite: withImages, source: 'builtin:samples=2' }))
    const keep = vi.spyOn(here.store.media, 'keep')
    const damaged = { sha256: 'd'.repeat(64), type: 'image/png', bytes: 1 } as const
    keep.mockResolvedValueOnce(damaged)
    expect(await startRun(plan, here)).toMatchObject({ state: 'done' })

    const other = await environment(walker(), 'another store')
    vi.spyOn(other.store.media, 'keep').mockResolvedValue(damaged)
    const makeRunner = testRunner(server!.url, other.store, { leaseMs: LEASE_MS })
    await expect(startRun(plan, { ...other, makeRunner })).rejects.toThrow(
      /^2 media files of .* got lost in transit, also when it was played 3 more times\.$/,
    )
  })

  test('leaves no data of the run on the server', async () => {
    const here = await environmentFor(walker())
    const { id, state } = await startRun(await planRun(request({ suite: withImages })), here)
    expect(state).toBe('done')
    // Workers notice the end a moment later and clean up.
    await expect.poll(async () => (await namesOn(server!.url)).filter((name) => name.includes(id))).toEqual([])
  })
})
