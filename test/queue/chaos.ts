/**
 * A run on a cluster under fire: workers are killed with `kill -9` again and again, the server of the queue is killed and
 * started again, and so is the coordinator if that is wanted. In the end nothing is lost, nothing is there twice, and
 * the report is that of an undisturbed run in one process.
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
  /** One worker is killed so often, as long as there was any reply since: a slow machine is not killed to a standstill. */
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
  /** Replies sent, and how many different ones were asked for. */
  replies: number
  different: number
}

/** Parts of the run after which the server, and the coordinator, are killed. */
const SERVER_AT = 0.3
const COORDINATOR_AT = 0.6
const LOOK_EVERY_MS = 50
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
    words(
      `run space/text --model vllm/chaos --source builtin:scenes=${samples} -M base_url=${models.url} -T questions=1`,
      `--log-dir ${logDir} --json ${more}`,
    )
  const workers = new Map<number, ChildProcess>()
  const state = { over: false, ended: false }
  let workersKilled = 0
  const startWorker = (place: number): void => {
    const child = start(
      words(`worker --queue ${server.url} --slots 4 --threads 1 --log-dir ${join(folder, `worker-${place}`)}`),
    )
    workers.set(place, child)
  }
  try {
    await finish(start(run(calm, '--max-connections 8')))
    const expected = await reportOf(calm)
    const different = models.answered.size
    models.answered.clear()

    for (let place = 0; place < options.workers; place++) startWorker(place)
    let coordinator = start(run(wild, `--queue ${server.url} --lease ${options.leaseSeconds}`))
    const killing = (async () => {
      for (let seen = 0; !state.over; seen = total(models.answered)) {
        await pause(options.killEveryMs)
        while (!state.over && total(models.answered) < seen + REPLIES_BETWEEN_KILLS) await pause(LOOK_EVERY_MS)
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
        await Promise.race([pause(LOOK_EVERY_MS), finish(coordinator).then(() => (state.ended = true))])
      }
      return !state.ended
    }
    if (await untilDone(SERVER_AT)) {
      await server.restart()
      serverRestarts += 1
      options.log('the server of the queue was killed and started again')
    }
    if (options.killsCoordinator && (await untilDone(COORDINATOR_AT))) {
      coordinator.kill('SIGKILL')
      await finish(coordinator).catch(() => undefined)
      const before = (await episodeLines(wild)).length
      await pause(options.killEveryMs * 2)
      options.log(`killed the coordinator at ${before} episodes`)
      coordinator = start(words(`resume latest --log-dir ${wild} --json --lease ${options.leaseSeconds}`))
    }
    await finish(coordinator)
    state.over = true
    await killing

    const final = (await episodeLines(wild)).map((line) => JSON.parse(line) as { case: string; epoch: number })
    const names = new Set(final.map(({ case: id, epoch }) => `${id}#${epoch}`))
    if (names.size !== final.length) problems.push('an episode is in the journal twice')
    if (final.length !== samples) problems.push(`${final.length} episodes instead of ${samples}`)
    if (serverRestarts === 0) problems.push('the run was over before the server was killed: give it more samples')
    const actual = await reportOf(wild)
    if (actual !== expected)
      problems.push(`the report differs from an undisturbed run's:\n${firstDifference(expected, actual)}`)
    const replies = total(models.answered)
    return { episodes: final.length, workersKilled, serverRestarts, problems, replies, different }
  } finally {
    state.over = true
    for (const child of workers.values()) child.kill('SIGKILL')
    await Promise.all([...workers.values()].map((child) => finish(child).catch(() => undefined)))
    await models.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** A command line of words without spaces in them. */
function words(...text: readonly string[]): string[] {
  return text.join(' ').split(' ')
}

/** Replies sent, repeats included. */
function total(answered: ReadonlyMap<string, number>): number {
  let sum = 0
  for (const times of answered.values()) sum += times
  return sum
}
