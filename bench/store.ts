/** The journal: how fast a long run opens, and how many episodes per second can be made durable. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exampleHeader, exampleLine } from '../test/support/store.ts'
import { Store } from '../src/store/store.ts'
import type { BenchResult } from './harness.ts'
import { median } from './harness.ts'

const EPISODES = 100_000
const ONE_BY_ONE = 1000
const IN_FLIGHT = 100
const BATCHED = 50_000
const RUNS = 5

export default async function bench(): Promise<BenchResult> {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-bench-'))
  try {
    return {
      figures: { ...(await opening(folder)), ...(await appending(folder)) },
      bars: { openSeconds: { atMost: 1 } },
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** A finished run of 100,000 episodes, as its user meets it: list the runs, open it, read its episodes. */
async function opening(folder: string): Promise<Record<string, number>> {
  const store = await Store.open(join(folder, 'long'))
  const header = exampleHeader({ id: 'long', planned: EPISODES })
  const writer = await store.createRun(header)
  const appended = []
  for (let i = 0; i < EPISODES; i++) appended.push(writer.append(exampleLine(i), [`{"type":"answer","text":"${i}"}`]))
  await Promise.all(appended)
  await writer.setStatus({ state: 'done', reason: null })
  await writer.close()

  const seconds: number[] = []
  const listSeconds: number[] = []
  for (let run = 0; run < RUNS; run++) {
    const start = performance.now()
    const fresh = await Store.open(store.dir)
    const [listing] = await fresh.listRuns()
    listSeconds.push((performance.now() - start) / 1000)
    const episodes = await (await fresh.openRun('latest')).episodes()
    seconds.push((performance.now() - start) / 1000)
    if (listing?.finished !== EPISODES || episodes.length !== EPISODES) throw new Error('episodes are missing')
  }
  // The same after a crash: nothing is known about the journal, so its lines are counted.
  await writeFile(join(store.dir, 'runs', 'long', 'state.json'), '')
  const start = performance.now()
  const [listing] = await store.listRuns()
  if (listing?.finished !== EPISODES) throw new Error('episodes are missing')
  const listAfterCrashSeconds = (performance.now() - start) / 1000
  return { openSeconds: median(seconds), listSeconds: median(listSeconds), listAfterCrashSeconds }
}

async function appending(folder: string): Promise<Record<string, number>> {
  const store = await Store.open(join(folder, 'appends'))
  return {
    durableOneByOnePerSecond: await appendRate(store, 'one-by-one', ONE_BY_ONE, 1),
    durableHundredInFlightPerSecond: await appendRate(store, 'hundred', BATCHED, IN_FLIGHT),
  }
}

/** `inFlight` episodes at a time, each starting the next when it is on disk. */
async function appendRate(store: Store, id: string, episodes: number, inFlight: number): Promise<number> {
  const writer = await store.createRun(exampleHeader({ id, planned: episodes }))
  let next = 0
  const start = performance.now()
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      while (next < episodes) await writer.append(exampleLine(next++), ['{"type":"ask"}', '{"type":"answer"}'])
    }),
  )
  const seconds = (performance.now() - start) / 1000
  await writer.close()
  return episodes / seconds
}
