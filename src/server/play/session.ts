/** One human playing one run. */
import { messageOf } from '../../base/errors.ts'
import { RunStopped, StopControl } from '../../engine/control.ts'
import type { RunPlan } from '../../engine/plan.ts'
import { resumeRun, type RunHooks, type RunResult, startRun, type RunEnvironment } from '../../engine/run.ts'
import type { PlayState } from '../api.ts'
import { HumanPlayer } from './human-player.ts'

export type PlayEnvironment = Omit<RunEnvironment, 'openModel'>

export class PlaySession {
  readonly id: string
  readonly name: string
  readonly #plan: RunPlan
  readonly #player: HumanPlayer
  readonly #control = new StopControl()
  readonly #listeners = new Set<() => void>()
  #version = 1
  #run: string | null = null
  #finished = 0
  #ended: { state: 'done' | 'stopped' | 'failed'; problem: string | null } | null = null
  #end: Promise<void> = Promise.resolve()

  constructor(id: string, name: string, plan: RunPlan, replies: RunEnvironment['store']['replies']) {
    this.id = id
    this.name = name
    this.#plan = plan
    this.#player = new HumanPlayer(name, replies, () => this.#changed())
  }

  get ended(): boolean {
    return this.#ended !== null
  }

  /** Starts a new run or resumes the given one. Resolves once the run has an id or failed to start. */
  async begin(environment: PlayEnvironment, resumed?: string): Promise<void> {
    const full: RunEnvironment = { ...environment, openModel: () => Promise.resolve(this.#player) }
    await new Promise<void>((resolve) => {
      const hooks: RunHooks = {
        control: this.#control,
        onStart: (header) => {
          this.#run = header.id
          this.#player.setRun(header.id)
          resolve()
        },
        onProgress: (progress) => this.#progressed(progress().finished),
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
    }
  }

  reply(turn: number, text: string): boolean {
    return this.#player.reply(turn, text)
  }

  async stop(reason = 'stopped by the player'): Promise<void> {
    this.#control.abort(new RunStopped('interrupted', reason))
    await this.#end
  }

  /** Waits up to `ms` for a version newer than this one. */
  async waitForChange(version: number, ms: number, signal: AbortSignal): Promise<void> {
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
