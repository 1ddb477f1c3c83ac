/** Who plays the episodes of a run: one interface, so that a run can go over this process or over a cluster. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { RunHeader, Usage } from '../store/records.ts'
import type { Store } from '../store/store.ts'
import { type EpisodeContext, type EpisodeJob, EpisodeStopped, type FinishedEpisode, playEpisode } from './episode.ts'
import type { RunPlan } from './plan.ts'
import { episodesAtOnce } from './players.ts'
import type { StopControl } from './control.ts'

/** Plays one episode: in this thread, or in another. */
export type PlayEpisode = (job: EpisodeJob, context: EpisodeContext) => Promise<FinishedEpisode>

/** What a runner is made from. */
export interface RunnerSetup {
  plan: RunPlan
  header: RunHeader
  context: EpisodeContext
  control: StopControl
  store: Store
  /** Names (`case#epoch`) of the episodes that are in the journal and stay there. */
  done: ReadonlySet<string>
  paidBefore: Usage
  /** Something that people should know. */
  note(words: string): void
}

export type MakeRunner = (setup: RunnerSetup) => Runner | Promise<Runner>

export interface Runner {
  /** How many episodes may be under way at this moment, where that is not the model's limit in this process. */
  slots?(): number
  /**
   * Plays all jobs and hands each finished episode to `finished`, exactly once, in no particular order. Returns when
   * all are played or the control has stopped the run and nothing is under way any more.
   */
  play(jobs: AsyncIterable<EpisodeJob>, finished: (episode: FinishedEpisode) => Promise<void>): Promise<void>
  close?(): Promise<void>
}

/** Episodes that never wait for anything must not keep timers, signals and replies waiting. */
const MAX_TURN_MS = 20

/** Results that may wait for the disk before no further episode is started. */
const UNWRITTEN_EPISODES = 512

/** Plays episodes in this process, about as many at once as requests may be under way. */
export class LocalRunner implements Runner {
  readonly #context: EpisodeContext
  readonly #control: StopControl
  readonly #perform: PlayEpisode

  constructor({ context, control }: Pick<RunnerSetup, 'context' | 'control'>, perform: PlayEpisode = playEpisode) {
    this.#context = context
    this.#control = control
    this.#perform = perform
  }

  async play(jobs: AsyncIterable<EpisodeJob>, finished: (episode: FinishedEpisode) => Promise<void>): Promise<void> {
    const gate = new Gate(() => episodesAtOnce(this.#context.players))
    const context: EpisodeContext = {
      ...this.#context,
      used: (usage, cached) => {
        this.#context.used(usage, cached)
        // A reply may have raised the number of connections: episodes of many turns must not hold new ones back.
        gate.wake()
      },
    }
    const unwritten = new Gate(() => UNWRITTEN_EPISODES)
    let failure: { error: unknown } | null = null
    const fail = (error: unknown): void => {
      failure ??= { error }
    }
    const write = async (episode: FinishedEpisode): Promise<void> => {
      try {
        await finished(episode)
      } catch (error) {
        fail(error)
      } finally {
        unwritten.leave()
      }
    }
    const playOne = async (job: EpisodeJob): Promise<void> => {
      try {
        const episode = await this.#perform(job, context)
        await unwritten.enter()
        void write(episode)
      } catch (error) {
        if (!(error instanceof EpisodeStopped)) fail(error)
      } finally {
        gate.leave()
      }
    }
    let turn = performance.now()
    for await (const job of jobs) {
      await gate.enter()
      if (performance.now() - turn > MAX_TURN_MS) {
        await nextTurn()
        turn = performance.now()
      }
      if (this.#control.reason || failure) {
        gate.leave()
        break
      }
      void playOne(job)
    }
    await gate.empty()
    await unwritten.empty()
    if (failure) throw (failure as { error: unknown }).error
  }
}

/** Lets a changing number through at once. */
class Gate {
  readonly #limit: () => number
  readonly #waiting: (() => void)[] = []
  readonly #emptied: (() => void)[] = []
  #inside = 0

  constructor(limit: () => number) {
    this.#limit = limit
  }

  async enter(): Promise<void> {
    if (this.#inside < this.#limit()) {
      this.#inside += 1
      return
    }
    await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  leave(): void {
    this.#inside -= 1
    this.wake()
    if (this.#inside === 0 && this.#waiting.length === 0) for (const resolve of this.#emptied.splice(0)) resolve()
  }

  /** Lets in whoever may enter now. */
  wake(): void {
    while (this.#waiting.length > 0 && this.#inside < this.#limit()) {
      this.#inside += 1
      this.#waiting.shift()!()
    }
  }

  async empty(): Promise<void> {
    if (this.#inside === 0 && this.#waiting.length === 0) return
    await new Promise<void>((resolve) => this.#emptied.push(resolve))
  }
}
