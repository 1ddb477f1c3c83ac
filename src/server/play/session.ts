/** One human playing one run. */
import { randomUUID } from 'node:crypto'
import { messageOf } from '../../base/errors.ts'
import { RunStopped, StopControl } from '../../engine/control.ts'
import type { RunPlan } from '../../engine/plan.ts'
import type { Work } from '../../engine/episode.ts'
import type { MakeRunner } from '../../engine/runner.ts'
import { resumeRun, type RunHooks, type RunResult, startRun, type RunEnvironment } from '../../engine/run.ts'
import type { PlayState } from '../api.ts'
import { HumanPlayer } from './human-player.ts'

export interface PlayEnvironment extends Omit<RunEnvironment, 'openModel' | 'makeRunner'> {
  /**
   * The runner for one session. Suites render for seconds, so it should not block this thread: the server could not
   * answer anybody meanwhile. Default: this thread.
   *
   * @param suiteModule where a custom suite is loaded from
   */
  runnerFor?: (suiteModule: string | null) => MakeRunner
}

const MINUTE_MS = 60_000
/** When a session without its player is paused. */
export const PRESENCE = {
  /** After the last request of the page: it was closed, or its computer sleeps. */
  awayMs: 2 * MINUTE_MS,
  /** After the last question or reply, while the page is open. */
  idleMs: 60 * MINUTE_MS,
}

export class PlaySession {
  readonly id: string
  readonly name: string
  readonly #plan: RunPlan
  readonly #suiteModule: string | null
  readonly #environment: PlayEnvironment
  readonly #player: HumanPlayer
  readonly #control = new StopControl()
  readonly #listeners = new Set<() => void>()
  #version = 1
  #work: Work | null = null
  /** Requests of the page that wait for a change. */
  #waiting = 0
  #away: NodeJS.Timeout | undefined
  #idle: NodeJS.Timeout | undefined
  #run: string | null = null
  #finished = 0
  #ended: { state: 'done' | 'stopped' | 'failed'; problem: string | null } | null = null
  #end: Promise<void> = Promise.resolve()

  /** @param suiteModule where a custom suite is loaded from */
  constructor(name: string, plan: RunPlan, suiteModule: string | null, environment: PlayEnvironment) {
    this.id = randomUUID()
    this.name = name
    this.#plan = plan
    this.#suiteModule = suiteModule
    this.#environment = environment
    this.#player = new HumanPlayer(name, environment.store.replies, plan.suite.metrics, () => {
      this.#work = null
      this.#stay()
      this.#changed()
    })
  }

  /** Resolves when the session has ended. */
  get done(): Promise<void> {
    return this.#end
  }

  get ended(): boolean {
    return this.#ended !== null
  }

  /** Starts a new run or resumes the given one. Resolves once the run has an id or failed to start. */
  async begin(resumed?: string): Promise<void> {
    const { runnerFor, ...environment } = this.#environment
    const full: RunEnvironment = {
      ...environment,
      ...(runnerFor && { makeRunner: runnerFor(this.#suiteModule) }),
      openModel: () => Promise.resolve(this.#player),
    }
    this.#expectPage()
    this.#stay()
    await new Promise<void>((resolve) => {
      const hooks: RunHooks = {
        control: this.#control,
        onStart: (header) => {
          this.#run = header.id
          this.#player.setRun(header.id)
          resolve()
        },
        onProgress: (progress) => this.#progressed(progress().finished),
        onWork: (work) => {
          this.#work = work
          this.#changed()
        },
      }
      const run =
        resumed === undefined ? startRun(this.#plan, full, hooks) : resumeRun(this.#plan, resumed, full, {}, hooks)
      this.#end = run.then(
        (result) => this.#finish(result),
        (error: unknown) => this.#finish(error),
      )
      void this.#end.then(resolve)
    })
  }

  state(): PlayState {
    const turn = this.#player.turn
    return {
      id: this.id,
      version: this.#version,
      state: this.#ended?.state ?? (turn ? 'asking' : 'preparing'),
      problem: this.#ended?.problem ?? null,
      run: this.#run,
      suite: this.#plan.header.suite,
      name: this.name,
      planned: this.#plan.header.planned,
      finished: this.#finished,
      turn,
      work: this.#work,
    }
  }

  reply(turn: number, text: string): boolean {
    return this.#player.reply(turn, text)
  }

  async stop(reason = 'stopped by the player'): Promise<void> {
    this.#control.abort(new RunStopped('interrupted', reason))
    await this.#end
  }

  /** Waits up to `ms` for a version newer than this one. The page is open as long as it asks. */
  async waitForChange(version: number, ms: number, signal: AbortSignal): Promise<void> {
    this.#waiting += 1
    clearTimeout(this.#away)
    try {
      await this.#nextVersion(version, ms, signal)
    } finally {
      this.#waiting -= 1
      this.#expectPage()
    }
  }

  async #nextVersion(version: number, ms: number, signal: AbortSignal): Promise<void> {
    if (this.#version > version || signal.aborted) return
    await new Promise<void>((resolve) => {
      const settle = (): void => {
        clearTimeout(timer)
        this.#listeners.delete(settle)
        signal.removeEventListener('abort', settle)
        resolve()
      }
      const timer = setTimeout(settle, ms)
      this.#listeners.add(settle)
      signal.addEventListener('abort', settle, { once: true })
    })
  }

  /** Pauses the session unless its page asks again soon. */
  #expectPage(): void {
    clearTimeout(this.#away)
    if (this.#waiting > 0 || this.ended) return
    this.#away = this.#pauseAfter(PRESENCE.awayMs, 'the player left the page')
  }

  /** Pauses the session unless something happens in it soon. */
  #stay(): void {
    clearTimeout(this.#idle)
    if (this.ended) return
    const { idleMs } = PRESENCE
    this.#idle = this.#pauseAfter(idleMs, `no answer for ${Math.round(idleMs / MINUTE_MS)} minutes`)
  }

  #pauseAfter(ms: number, reason: string): NodeJS.Timeout {
    return setTimeout(() => void this.stop(reason), ms).unref()
  }

  #progressed(finished: number): void {
    if (finished === this.#finished) return
    this.#finished = finished
    this.#changed()
  }

  #finish(result: unknown): void {
    if (isRunResult(result)) {
      this.#finished = result.progress.finished
      this.#ended = { state: result.state === 'done' ? 'done' : 'stopped', problem: result.reason }
    } else this.#ended = { state: 'failed', problem: messageOf(result) }
    this.#work = null
    clearTimeout(this.#away)
    clearTimeout(this.#idle)
    this.#changed()
  }

  #changed(): void {
    this.#version += 1
    for (const listener of this.#listeners) listener()
  }
}

function isRunResult(value: unknown): value is RunResult {
  return typeof value === 'object' && value !== null && 'progress' in value && 'state' in value
}
