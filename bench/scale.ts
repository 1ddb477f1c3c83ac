/**
 * What a cluster costs and brings: CPU of the coordinator for an episode, how much faster two workers draw than one, how
 * free a worker's main thread is while its threads draw, and how the coordinator fares with up to a thousand workers.
 *
 * Two workers are compared with two processes that draw the same without a queue: on a machine that is busy with other work,
 * or whose cores share their memory, those are less than twice as fast as one, too.
 */
import { once } from 'node:events'
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
import { type Bar, type BenchResult, median } from './harness.ts'

const OVERHEAD_EPISODES = 500
const OVERHEAD_RUNS = 3
const DRAWN_EPISODES = 80
const DRAWN_RUNS = 3
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
  const rounds: { workers: number; processes: number; loopDelayMs: number }[] = []
  // In turns: what else runs on the machine slows all alike.
  for (let i = 0; i < DRAWN_RUNS; i++) {
    const one = await drawn(server, join(folder, String(i)), 1, 1)
    const oneAlone = await drawnAlone(1)
    const two = await drawn(server, join(folder, String(i)), 2, 1)
    const twoAlone = await drawnAlone(2)
    rounds.push({
      workers: two.episodesASecond / one.episodesASecond,
      processes: twoAlone / oneAlone,
      loopDelayMs: one.loopDelayMs,
    })
  }
  figures['two workers to one, drawing'] = median(rounds.map(({ workers }) => workers))
  figures['two processes to one, drawing without a queue'] = median(rounds.map(({ processes }) => processes))
  const label = 'two workers to one, of what two processes bring'
  figures[label] = median(rounds.map(({ workers, processes }) => workers / processes))
  bars[label] = { atLeast: 0.9 }
  const inside = await drawn(server, folder, 1, 0)
  figures["main thread's delay while it draws itself, ms (p99)"] = inside.loopDelayMs
  figures["main thread's delay while a thread draws, ms (p99)"] = median(rounds.map(({ loopDelayMs }) => loopDelayMs))
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

/** Episodes per second of processes that start together. */
async function drawnAlone(processes: number): Promise<number> {
  const children = Array.from({ length: processes }, () => script(['draws.ts', String(DRAWN_EPISODES)]))
  const texts = children.map(said)
  await Promise.all(children.map((child) => once(child.stdout!, 'data')))
  for (const child of children) child.stdin!.write('go\n')
  const rates = (await Promise.all(texts)).map((text) => Number(text.trim().split('\n').at(-1)))
  return rates.reduce((sum, rate) => sum + rate, 0)
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
  return spawn(process.execPath, ['--import', 'tsx', path, ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
}

function said(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    child.stdout!.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')))
    child.on('close', () => resolve(text))
  })
}
