/** Plays in this process: in this thread as long as it keeps up, in threads of their own when it does not. */
import { performance } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import type { RunHeader } from '../../store/records.ts'
import { playEpisode } from '../episode.ts'
import { LocalRunner, type MakeRunner, type PlayEpisode, type RunnerSetup } from '../runner.ts'
import type { RunBrief } from './messages.ts'
import type { EpisodeThreads } from './pool.ts'

/** How long episodes are watched before it is decided: starting threads costs about as much. */
const TRIAL_MS = 1000
/** Episodes that are under way at once during the trial. */
const TRIAL_EPISODES = 2
/** The share of its time that this thread may be busy without replies of models having to wait. */
const BUSY_SHARE = 0.5

/** Threads that play when this one has too much to do. */
export interface ThreadSettings {
  count: number
  /** Module that exports `loadSuite`. */
  suites: string
  /** Where a guest suite is loaded from. */
  suiteModule: string | null
}

/** What a thread must know of a run. */
export function briefOf(header: RunHeader, roots: RunBrief['roots'] = {}, suiteModule: string | null = null): RunBrief {
  const { id, suite, options, profile, seed, models } = header
  return { id, suite, suiteModule, options, profile, seed, models, roots }
}

export function runnerWithThreads(threads: ThreadSettings): MakeRunner {
  return (setup) => {
    if (threads.count < 2) return new LocalRunner(setup)
    const performer = new ThreadsWhenBusy(setup, threads)
    const runner = new LocalRunner(setup, performer.perform)
    return { play: (jobs, finished) => runner.play(jobs, finished), close: () => performer.close() }
  }
}

class ThreadsWhenBusy {
  readonly #setup: RunnerSetup
  readonly #threads: ThreadSettings
  readonly #load = performance.eventLoopUtilization()
  readonly #closing = new AbortController()
  /** Over when it is known what episodes cost. */
  readonly #trial: Promise<void>
  #onTrial = true
  #underWay = 0
  #pool: Promise<EpisodeThreads> | null = null

  constructor(setup: RunnerSetup, threads: ThreadSettings) {
    this.#setup = setup
    this.#threads = threads
    // It keeps the process alive: when the first episodes end before it, the others wait for nothing else.
    this.#trial = setTimeout(TRIAL_MS, undefined, { signal: this.#closing.signal }).then(
      () => void (this.#onTrial = false),
      () => undefined,
    )
  }

  readonly perform: PlayEpisode = async (job, context) => {
    // Once an episode is begun here it stays here: few are, before it is known.
    if (this.#onTrial && this.#underWay >= TRIAL_EPISODES) await this.#trial
    this.#underWay += 1
    try {
      if (this.#pool === null && !this.#onTrial && this.#isBusy()) this.#pool = this.#start()
      if (this.#pool === null) return await playEpisode(job, context)
      return await (
        await this.#pool
      ).perform(briefOf(this.#setup.header, this.#setup.plan.source.roots, this.#threads.suiteModule), job, context)
    } finally {
      this.#underWay -= 1
    }
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await (await this.#pool)?.close()
  }

  #isBusy(): boolean {
    return performance.eventLoopUtilization(this.#load).utilization > BUSY_SHARE
  }

  async #start(): Promise<EpisodeThreads> {
    const { EpisodeThreads } = await import('./pool.ts')
    return new EpisodeThreads({ suites: this.#threads.suites, store: this.#setup.store.dir }, this.#threads.count)
  }
}
