/** A store written by the released version (fixtures/store-v1) stays readable and usable. */
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { headerForProfile } from '../src/engine/fingerprint.ts'
import { replan } from '../src/engine/plan.ts'
import { makeReport } from '../src/engine/reporting.ts'
import { linesForProfile, rescoreRun } from '../src/engine/rescore.ts'
import { resumeRun } from '../src/engine/run.ts'
import { Prices } from '../src/models/prices.ts'
import { compare } from '../src/report/compare.ts'
import type { CompareDetail, EpisodeColumns, EpisodeDetail, RunDetail, RunRow } from '../src/server/api.ts'
import { type ExampleServer, startExampleServer } from './support/server.ts'
import { Store } from '../src/store/store.ts'
import { suiteFinder } from '../src/library/suites.ts'

// The same as `sightline report`, `score`, `compare` and `resume`.

async function opened(store: Store, id: string) {
  const reader = await store.openRun(id)
  return { reader, suite: await suiteFinder().ofRun(reader) }
}

async function reportOf(store: Store, id: string, profile?: string) {
  const { reader, suite } = await opened(store, id)
  return makeReport(reader, suite, profile)
}

async function scoredAgain(store: Store, id: string, profile: string) {
  const { reader, suite } = await opened(store, id)
  return rescoreRun(reader, suite, profile)
}

async function compared(store: Store, a: string, b: string) {
  const side = async (id: string) => {
    const { reader, suite } = await opened(store, id)
    const { profile } = reader.header
    return { header: headerForProfile(reader.header, profile), rows: await linesForProfile(reader, suite, profile) }
  }
  return compare(await side(a), await side(b), (await opened(store, a)).suite)
}

async function resumed(store: Store, id: string) {
  const { reader, suite } = await opened(store, id)
  const plan = await replan(suite, reader.header, 'resume')
  return resumeRun(plan, id, {
    store,
    prices: new Prices([]),
    versions: {},
    git: null,
    now: () => new Date(),
    openModel: () => Promise.reject(new Error('baselines need no model')),
  })
}

// The store, and the output of the version that wrote it.

const FIXTURE = fileURLToPath(new URL('fixtures/store-v1', import.meta.url))

interface ExpectedRow {
  key: string
  value: number
}

interface Expected {
  runs: Record<
    string,
    { suite: string; profile: string; planned: number; finished: number; rows: Record<string, ExpectedRow> }
  >
  comparisons: { suite: string; a: string; b: string; key: string; shared: number; difference: number }[]
}

const { runs, comparisons } = JSON.parse(await readFile(join(FIXTURE, 'expected.json'), 'utf8')) as Expected
const all = Object.entries(runs)
const played = all.filter(([, { suite }]) => !suite.startsWith('imported/'))
const interrupted = all.find(([, { finished, planned }]) => finished < planned)![0]

let server: ExampleServer
let store: Store
beforeAll(async () => {
  server = await startExampleServer()
  store = server.store
  await cp(join(FIXTURE, 'store'), store.dir, { recursive: true })
})
afterAll(() => server.close())

const read = async <T>(path: string): Promise<T> => {
  const answer = await server.ask(path)
  expect(answer.status, answer.text).toBe(200)
  return answer.json() as T
}

it('lists all runs, newest first', async () => {
  const problems: string[] = []
  const listed = await store.listRuns({ onProblem: (problem) => problems.push(problem) })
  expect(problems).toEqual([])
  expect(listed.map(({ id }) => id)).toEqual(Object.keys(runs).sort().reverse())
  for (const { id, header, status, finished } of listed) {
    expect(header).toMatchObject({ suite: runs[id]!.suite, profile: runs[id]!.profile, planned: runs[id]!.planned })
    expect(finished).toBe(runs[id]!.finished)
    expect(status.state).toBe(id === interrupted ? 'interrupted' : 'done')
  }
})

describe('through the server', () => {
  it('shows the leaderboard without problems', async () => {
    const rows = await read<RunRow[]>('/api/runs')
    expect(rows).toHaveLength(all.length)
    expect(rows.filter(({ problem, headline }) => problem !== undefined || headline === null)).toEqual([])
  })

  it.each(all)('opens %s with its table and all episodes', async (id, { profile, finished, rows }) => {
    const { report, header } = await read<RunDetail>(`/api/runs/${id}`)
    expect(header.id).toBe(id)
    expect(report?.rows.find(({ key }) => key === rows[profile]!.key)?.value).toBeCloseTo(rows[profile]!.value, 9)
    const columns = await read<EpisodeColumns>(`/api/runs/${id}/episodes`)
    expect(columns.index).toHaveLength(finished)
    for (const [at, index] of columns.index.entries()) {
      const episode = await read<EpisodeDetail>(`/api/runs/${id}/episodes/${index}/${columns.epoch[at]}`)
      expect(episode.line.sample).toBe(columns.sample[at])
      expect(episode.events.at(-1)).toMatchObject({ type: 'outcome', status: episode.line.status })
    }
    expect(server.faults).toEqual([])
  })

  it.each(comparisons)('compares the runs of $suite', async ({ a, b, key, difference }) => {
    const { comparison } = await read<CompareDetail>(`/api/compare?a=${a}&b=${b}`)
    expect(comparison?.rows.find((row) => row.key === key)?.difference).toBeCloseTo(difference, 9)
  })
})

it.each(all)('reports %s with the original numbers', async (id, { profile, finished, rows }) => {
  const valueOf = async () => {
    const report = await reportOf(store, id)
    expect(report).toMatchObject({ profile, finished })
    return report.rows.find(({ key }) => key === rows[profile]!.key)?.value
  }
  expect(await valueOf()).toBeCloseTo(rows[profile]!.value, 9)
  // The same from the journal alone, without the stored report.
  await (await store.openRun(id)).forgetReport()
  expect(await valueOf()).toBeCloseTo(rows[profile]!.value, 9)
})

/** Version 0.1 did not record samples, and every suite has other ones now. */
it.each(played)('rejects rescoring %s with a clear error', async (id, run) => {
  await expect(scoredAgain(store, id, run.profile)).rejects.toThrow(
    /^Cannot rescore run .*, because this has changed since it started: source \(then \S+/,
  )
})

it.each(comparisons)('compares the runs of $suite with the original difference', async ({ a, b, key, ...expected }) => {
  const { rows, shared } = await compared(store, a, b)
  expect(shared).toBe(expected.shared)
  expect(rows.find((row) => row.key === key)?.difference).toBeCloseTo(expected.difference, 9)
})

describe('the interrupted run', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sightline-old-store-'))
    await cp(join(FIXTURE, 'store'), folder, { recursive: true })
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('is resumed, or rejected with a clear error if its suite has changed', async () => {
    const fresh = await Store.open(folder)
    const { reader, suite } = await opened(fresh, interrupted)
    if (suite.version !== reader.header.suiteVersion) {
      await expect(resumed(fresh, interrupted)).rejects.toMatchObject({
        name: 'UserError',
        message: expect.stringMatching(/Cannot resume run .*has changed since it started: .*suiteVersion \(then/),
      })
      return
    }
    const before = await reader.episodes()
    expect(await resumed(fresh, interrupted)).toMatchObject({ state: 'done' })
    const after = await reader.episodes()
    expect(after).toHaveLength(runs[interrupted]!.planned)
    expect(after).toEqual(expect.arrayContaining(before))
  })
})
