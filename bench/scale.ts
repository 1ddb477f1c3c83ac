/**
 * What a cluster costs and brings: CPU of the coordinator for an episode, how much faster two workers draw than one, how
 * free a worker's main thread is while its threads draw, and how the coordinator fares with up to a thousand workers.
 */
import { fileURLToPath } from 'node:url'
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  POSTGRES,
  REDIS,
  reportMissingServers,
  startPostgres,
  startRedis,
  type TestServer,
} from '../test/support/engine/queue.ts'
import type { Bar, BenchResult } from './harness.ts'

const OVERHEAD_EPISODES = 500
const OVERHEAD_RUNS = 3
const DRAWN_EPISODES = 160
const CROWD_EPISODES = 400
const CROWDS = [10, 100, 1000]

interface CoordinatorFigures {
  state: string
  cpuMsPerEpisode: number
  storeMsAnEpisode: number
  idleMsASecond: number
  waitingMsAnEpisode: number
  episodesASecond: number
  episodesACpuSecond: number
  peakMegabytes: number
  loopDelayMs: number
}

export default async function bench(): Promise<BenchResult> {
  const figures: Record<string, number> = {}
  const bars: Record<string, Bar> = {}
  reportMissingServers()
  const folder = await mkdtemp(join(tmpdir(), 'sightline-scale-'))
  try {
    if (REDIS) await on(await startRedis(), folder, 'Redis', figures, bars)
    if (POSTGRES) {
      const server = await startPostgres()
      await overhead(server, folder, 'PostgreSQL', figures, bars)
      await server.stop()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return { figures, bars }
}

async function on(
  server: TestServer,
  folder: string,
  name: string,
  figures: Record<string, number>,
  bars: Record<string, Bar>,
): Promise<void> {
  await overhead(server, folder, name, figures, bars)
  const one = await drawn(server, folder, 1, 1)
  const two = await drawn(server, folder, 2, 1)
  figures['two workers to one, drawing'] = two.episodesASecond / one.episodesASecond
  bars['two workers to one, drawing'] = { atLeast: 1.8 }
  const inside = await drawn(server, folder, 1, 0)
  figures["main thread's delay while it draws itself, ms (p99)"] = inside.loopDelayMs
  figures["main thread's delay while a thread draws, ms (p99)"] = one.loopDelayMs
  for (const workers of CROWDS) {
    const crowd = await coordinate(server, 'pictures', CROWD_EPISODES, join(folder, `of-${workers}`), [
      ['crowd.ts', server.url, String(workers), join(folder, `crowd-${workers}`)],
    ])
    figures[`${workers} workers: coordinator's CPU, ms per episode`] = crowd.result.cpuMsPerEpisode
    figures[`${workers} workers: episodes a CPU second`] = crowd.result.episodesACpuSecond
    figures[`${workers} workers: coordinator's memory, MB`] = crowd.result.peakMegabytes
  }
  await server.stop()
}

/** Everything that the coordinator does for an episode with a picture of 100 kB and a log of 20 kB, journal included. */
async function overhead(
  server: TestServer,
  folder: string,
  name: string,
  figures: Record<string, number>,
  bars: Record<string, Bar>,
): Promise<void> {
  const results: CoordinatorFigures[] = []
  for (let i = 0; i < OVERHEAD_RUNS; i++) {
    const { result } = await coordinate(server, 'pictures', OVERHEAD_EPISODES, join(folder, `${name}-run-${i}`), [
      ['worker.ts', server.url, '8', '0', join(folder, `${name}-worker-${i}`)],
    ])
    results.push(result)
  }
  const result = middle(results, overheadOf)
  figures[`${name}: coordinator's CPU, ms per episode`] = result.cpuMsPerEpisode
  figures[`${name}: of that the store, as without a queue`] = result.storeMsAnEpisode
  figures[`${name}: of that waiting for episodes`] = result.waitingMsAnEpisode
  figures[`${name}: a coordinator that waits, ms of CPU a second`] = result.idleMsASecond
  const label = `${name}: overhead of the queue, ms per episode`
  figures[label] = overheadOf(result)
  bars[label] = { atMost: 3 }
  figures[`${name}: coordinator's memory, MB`] = result.peakMegabytes
}

function overheadOf({ cpuMsPerEpisode, storeMsAnEpisode, waitingMsAnEpisode }: CoordinatorFigures): number {
  return cpuMsPerEpisode - storeMsAnEpisode - waitingMsAnEpisode
}

/** The one in the middle when they are ordered by a number. */
function middle<T>(items: readonly T[], by: (item: T) => number): T {
  return items.toSorted((a, b) => by(a) - by(b))[items.length >> 1]!
}

async function drawn(
  server: TestServer,
  folder: string,
  workers: number,
  threads: number,
): Promise<{ episodesASecond: number; loopDelayMs: number }> {
  const place = `${workers}-${threads}`
  const commands = Array.from({ length: workers }, (_, i) => [
    'worker.ts',
    server.url,
    '1',
    String(threads),
    join(folder, `draws-${place}-${i}`),
  ])
  const { result, said } = await coordinate(server, 'render', DRAWN_EPISODES, join(folder, `drawn-${place}`), commands)
  const delays = said.map((text) => (JSON.parse(text) as { loopDelayMs: number }).loopDelayMs)
  return { episodesASecond: result.episodesASecond, loopDelayMs: Math.max(...delays) }
}

/** The coordinator first: what waiting costs it is measured while it is alone. Then its workers. */
async function coordinate(
  server: TestServer,
  suite: string,
  episodes: number,
  folder: string,
  commands: readonly string[][],
): Promise<{ result: CoordinatorFigures; said: string[] }> {
  console.log(`  ${suite}, ${episodes} episodes …`)
  const coordinator = script(['coordinator.ts', server.url, suite, String(episodes), folder])
  const text = said(coordinator)
  await new Promise((resolve) => coordinator.stdout!.once('data', resolve))
  const workers = commands.map((command) => script(command))
  const words = workers.map((worker) => said(worker))
  try {
    const result = JSON.parse((await text).trim().split('\n').at(-1)!) as CoordinatorFigures
    if (result.state !== 'done') throw new Error(`the run ended as ${result.state}`)
    for (const worker of workers) worker.kill('SIGTERM')
    return { result, said: (await Promise.all(words)).map((each) => each.trim().split('\n').at(-1)!) }
  } finally {
    for (const worker of workers) worker.kill('SIGKILL')
  }
}

function script([file, ...args]: readonly string[]): ChildProcess {
  const path = fileURLToPath(new URL(`scale/${file}`, import.meta.url))
  return spawn(process.execPath, ['--import', 'tsx', path, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
}

function said(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    child.stdout!.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')))
    child.on('close', () => resolve(text))
  })
}
