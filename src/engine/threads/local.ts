/** Plays in this process: in the main thread while it keeps up, in worker threads when it is busy. */
import { performance } from 'node:perf_hooks'
import { messageOf } from '../../base/errors.ts'
import { Shared, type Held } from '../../base/shared.ts'
import type { RunHeader } from '../../store/records.ts'
import { type EpisodeContext, type EpisodeJob, EpisodeStopped, type FinishedEpisode, playEpisode } from '../episode.ts'
import { LocalRunner, type MakeRunner, type PlayEpisode, type RunnerSetup } from '../runner.ts'
import type { ThreadRun } from './messages.ts'
import type { EpisodeThreads } from './pool.ts'

/**
 * Scenes that are prepared at the same time, per thread: one is drawn while the files of another are read or written. The
 * first requests would come late if all were prepared at once, and an episode stays in the thread it started in.
 */
const MAX_SCENES_PER_THREAD = 2
/** In the main thread alone, scenes take little work, but their files wait for the disk. */
const MAX_SCENES_WITHOUT_THREADS = 8
/** Event-loop utilization above which model replies would have to wait for the main thread. */
const MAX_LOAD = 0.5
/** CPU milliseconds for compiling code while the first few hundred replies come. */
const WARM_UP_CPU_MS = 1500
/**
 * CPU milliseconds per reply from which threads are worth their messages and their memory. A suite that only writes
 * prompts and reads replies takes one or two, most of it for the network and the store, which stay here anyway.
 */
const MIN_CPU_MS_PER_REPLY = 10
/** Fewer replies say little: on a busy machine they come late, and compiling takes longer. */
const MIN_REPLIES = 200

/** Worker threads to use when the main thread is busy. */
export interface ThreadSettings {
  count: number
  /** Module that exports `loadSuite`. */
  suites: string
  /** Where the suite is loaded from; null for bundled suites. */
  suiteModule: string | null
}

/** The part of a run that threads need. */
export function threadRunOf(
  header: RunHeader,
  roots: ThreadRun['roots'] = {},
  suiteModule: string | null = null,
): ThreadRun {
  const { id, suite, options, profile, seed, models } = header
  return { id, suite, suiteModule, options, profile, seed, models, roots }
}

export function runnerWithThreads(threads: ThreadSettings): MakeRunner {
  return (setup) => {
    const adaptive = new ThreadsWhenBusy(setup, threads)
    const onUsage: EpisodeContext['onUsage'] = (usage, cached) => {
      adaptive.replies += 1
      setup.context.onUsage(usage, cached)
    }
    const runner = new LocalRunner({ ...setup, context: { ...setup.context, onUsage } }, adaptive.playEpisode)
    return { play: (jobs, finished) => runner.play(jobs, finished), close: () => adaptive.close() }
  }
}

/** Always plays in a thread of its own, so that the main thread can answer others meanwhile. */
export function runnerInThread(threads: Omit<ThreadSettings, 'count'>): MakeRunner {
  return async (setup) => {
    const { EpisodeThreads } = await import('./pool.ts')
    const thread = new EpisodeThreads({ suites: threads.suites, store: setup.store.dir }, 1)
    const run = threadRunOf(setup.header, setup.plan.source.roots, threads.suiteModule)
    const runner = new LocalRunner(setup, (job, context) => thread.play(run, job, context))
    return { play: (jobs, finished) => runner.play(jobs, finished), close: () => thread.close() }
  }
}

/** Runs side by side share one pool: more threads than cores would only wait for each other. */
const POOLS = new Shared<EpisodeThreads>()

class ThreadsWhenBusy {
  replies = 0
  readonly #setup: RunnerSetup
  readonly #threads: ThreadSettings
  readonly #load = performance.eventLoopUtilization()
  readonly #cpu = process.cpuUsage()
  /** Episodes that have not asked yet, by scene. */
  readonly #preparing = new Map<string, number>()
  /** Starts of the others. */
  readonly #waiting: (() => void)[] = []
  #pool: Promise<Held<EpisodeThreads>> | null = null
  /** Until then, the first scene has everything to itself, so that the model gets something to do. */
  #hasAsked = false

  constructor(setup: RunnerSetup, threads: ThreadSettings) {
    this.#setup = setup
    this.#threads = threads
  }

  readonly playEpisode: PlayEpisode = async (job, context) => {
    const { cluster } = job.sample
    let isPreparing = false
    const prepared = (): void => {
      if (isPreparing) this.#prepared(cluster)
      isPreparing = false
    }
    const beforeRequest = (): void | Promise<void> => {
      prepared()
      return context.beforeRequest()
    }
    try {
      // A recorded episode is only measured.
      if (job.recorded === undefined) isPreparing = await this.#mayPrepare(cluster, context.draining)
      // Otherwise its scene would be built and drawn before it notices.
      if (context.draining.aborted) throw new EpisodeStopped(messageOf(context.draining.reason))
      if (this.#pool === null && this.#threads.count > 1 && this.#isBusy()) {
        this.#pool = this.#start()
        this.#wake()
      }
      return await this.#play(job, { ...context, beforeRequest })
    } finally {
      prepared()
    }
  }

  async #play(job: EpisodeJob, context: EpisodeContext): Promise<FinishedEpisode> {
    if (this.#pool === null) return playEpisode(job, context)
    const { header, plan } = this.#setup
    const { value } = await this.#pool
    return value.play(threadRunOf(header, plan.source.roots, this.#threads.suiteModule), job, context)
  }

  /** Waits until one more scene may be prepared, and counts it; false after a stop. */
  async #mayPrepare(cluster: string, draining: AbortSignal): Promise<boolean> {
    while (!this.#preparing.has(cluster) && this.#preparing.size >= this.#maxScenes()) {
      if (draining.aborted) return false
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
    this.#preparing.set(cluster, (this.#preparing.get(cluster) ?? 0) + 1)
    return true
  }

  #maxScenes(): number {
    if (!this.#hasAsked) return 1
    return this.#pool === null ? MAX_SCENES_WITHOUT_THREADS : this.#threads.count * MAX_SCENES_PER_THREAD
  }

  #prepared(cluster: string): void {
    if (!this.#hasAsked) {
      this.#hasAsked = true
      this.#wake()
    }
    const rest = this.#preparing.get(cluster)! - 1
    if (rest > 0) {
      this.#preparing.set(cluster, rest)
      return
    }
    this.#preparing.delete(cluster)
    this.#wake()
  }

  #wake(): void {
    for (const start of this.#waiting.splice(0)) start()
  }

  async close(): Promise<void> {
    await (await this.#pool)?.release()
  }

  #isBusy(): boolean {
    const { user, system } = process.cpuUsage(this.#cpu)
    return (
      performance.eventLoopUtilization(this.#load).utilization > MAX_LOAD &&
      (user + system) / 1000 - WARM_UP_CPU_MS > Math.max(this.replies, MIN_REPLIES) * MIN_CPU_MS_PER_REPLY
    )
  }

  async #start(): Promise<Held<EpisodeThreads>> {
    const { EpisodeThreads } = await import('./pool.ts')
    const { suites, count } = this.#threads
    const store = this.#setup.store.dir
    return POOLS.hold(`${suites} ${store} ${count}`, () => new EpisodeThreads({ suites, store }, count))
  }
}
