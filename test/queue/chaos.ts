/**
 * Chaos test of a run on a queue: kills workers repeatedly with `kill -9`, restarts the queue server once, and optionally
 * the coordinator. Checks that no episode is lost or duplicated and that the report matches an undisturbed local run.
 */
import type { ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Random } from '../../src/base/random.ts'
import type { TestServer } from '../support/engine/queue.ts'
import { episodeLines, finish, firstDifference, reportOf, start } from '../chaos/chaos.ts'
import { startModelServer } from '../chaos/model-server.ts'

export interface ClusterChaos {
  server: TestServer
  samples: number
  workers: number
  /** Interval between kills; it waits for some replies in between, so a slow machine still makes progress. */
  killEveryMs: number
  leaseSeconds: number
  /** Kills the coordinator once, and resumes. */
  killsCoordinator: boolean
  seed: string
  slowestReplyMs: number
  log(line: string): void
}

export interface ClusterChaosResult {
  episodes: number
  workersKilled: number
  serverRestarts: number
  problems: string[]
  /** Replies sent, including repeats. */
  replies: number
  /** Unique requests. */
  unique: number
}

/** Shares of finished episodes at which the server and the coordinator are killed. */
const SERVER_AT = 0.3
const COORDINATOR_AT = 0.6
const POLL_MS = 50
const REPLIES_BETWEEN_KILLS = 20

export async function clusterChaos(options: ClusterChaos): Promise<ClusterChaosResult> {
  const { server, samples } = options
  const random = new Random(`cluster-chaos/${options.seed}`)
  const folder = await mkdtemp(join(tmpdir(), 'sightline-cluster-'))
  const calm = join(folder, 'calm')
  const wild = join(folder, 'wild')
  const models = await startModelServer(() => random.int(options.slowestReplyMs))
  const problems: string[] = []
  const run = (logDir: string, more: string): string[] =>
    splitArguments(
      `run space/text --model vllm/chaos --source builtin:scenes=${samples} -M base_url=${models.url} -T questions=1`,
      `--log-dir ${logDir} --json ${more}`,
    )
  const workers = new Map<number, ChildProcess>()
  const state = { over: false, ended: false }
  let workersKilled = 0
  const startWorker = (place: number): void => {
    const child = start(
      splitArguments(
        `worker --queue ${server.url} --slots 4 --threads 1 --allow-base-url ${models.url} --log-dir ${join(folder, `worker-${place}`)}`,
      ),
    )
    workers.set(place, child)
  }
  try {
    await finish(start(run(calm, '--max-connections 8')))
    const expected = await reportOf(calm)
    const unique = models.answered.size
    models.answered.clear()

    for (let place = 0; place < options.workers; place++) startWorker(place)
    let coordinator = start(run(wild, `--queue ${server.url} --lease ${options.leaseSeconds}`))
    const killing = (async () => {
      for (let seen = 0; !state.over; seen = total(models.answered)) {
        await pause(options.killEveryMs)
        while (!state.over && total(models.answered) < seen + REPLIES_BETWEEN_KILLS) await pause(POLL_MS)
        if (state.over) return
        const place = random.int(options.workers)
        workers.get(place)?.kill('SIGKILL')
        workersKilled += 1
        options.log(`killed worker ${place}; ${(await episodeLines(wild)).length} of ${samples} episodes`)
        startWorker(place)
      }
    })()
    let serverRestarts = 0
    const untilDone = async (share: number): Promise<boolean> => {
      while (!state.ended && (await episodeLines(wild)).length < samples * share) {
        await Promise.race([pause(POLL_MS), finish(coordinator).then(() => (state.ended = true))])
      }
      return !state.ended
    }
    if (await untilDone(SERVER_AT)) {
      await server.restart()
      serverRestarts += 1
      options.log('restarted the queue server')
    }
    if (options.killsCoordinator && (await untilDone(COORDINATOR_AT))) {
      coordinator.kill('SIGKILL')
      await finish(coordinator).catch(() => undefined)
      const before = (await episodeLines(wild)).length
      await pause(options.killEveryMs * 2)
      options.log(`killed the coordinator at ${before} episodes`)
      coordinator = start(splitArguments(`resume latest --log-dir ${wild} --json --lease ${options.leaseSeconds}`))
    }
    await finish(coordinator)
    state.over = true
    await killing

    const final = (await episodeLines(wild)).map((line) => JSON.parse(line) as { sample: string; epoch: number })
    const names = new Set(final.map(({ sample: id, epoch }) => `${id}#${epoch}`))
    if (names.size !== final.length) problems.push('duplicate episode in the journal')
    if (final.length !== samples) problems.push(`${final.length} episodes, expected ${samples}`)
    if (serverRestarts === 0) problems.push('the run ended before the server was killed: use more samples')
    const actual = await reportOf(wild)
    if (actual !== expected)
      problems.push(`the report differs from that of an undisturbed run:\n${firstDifference(expected, actual)}`)
    const replies = total(models.answered)
    return { episodes: final.length, workersKilled, serverRestarts, problems, replies, unique }
  } finally {
    state.over = true
    for (const child of workers.values()) child.kill('SIGKILL')
    await Promise.all([...workers.values()].map((child) => finish(child).catch(() => undefined)))
    await models.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Splits a command line whose arguments contain no spaces. */
function splitArguments(...text: readonly string[]): string[] {
  return text.join(' ').split(' ')
}

/** Replies sent, including repeats. */
function total(answered: ReadonlyMap<string, number>): number {
  let sum = 0
  for (const times of answered.values()) sum += times
  return sum
}
