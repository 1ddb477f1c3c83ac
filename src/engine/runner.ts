/** Runners play the episodes of a run, in this process or on a cluster. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { messageOf } from '../base/errors.ts'
import type { Items } from '../base/items.ts'
import type { RunHeader, Usage } from '../store/records.ts'
import type { Store } from '../store/store.ts'
import { type EpisodeContext, type EpisodeJob, EpisodeStopped, type FinishedEpisode, playEpisode } from './episode.ts'
import { ByteBudget, type HeldBytes } from '../models/byte-budget.ts'
import type { RunPlan } from './plan.ts'
import { batchesOf, maxConcurrentEpisodes } from './players.ts'
import { RunStopped, type StopControl } from './control.ts'
import { Semaphore } from './semaphore.ts'
import { type Turn, Turns } from './turns.ts'

/** Plays one episode, in this thread or another. */
export type PlayEpisode = (job: EpisodeJob, context: EpisodeContext) => Promise<FinishedEpisode>

/** Passed to a runner when it is created. */
export interface RunnerSetup {
  plan: RunPlan
  header: RunHeader
  context: EpisodeContext
  control: StopControl
  store: Store
  /** Keys (`sample#epoch`) of the episodes in the journal that are not replayed. */
  done: ReadonlySet<string>
  paidBefore: Usage
  /** Records a reply that another process paid for. */
  recordPayment(usage: Usage): Promise<void>
  /** Reports a human-readable warning. */
  note(text: string): void
}

export type MakeRunner = (setup: RunnerSetup) => Runner | Promise<Runner>

export interface Runner {
  /** Current number of concurrent episodes, if not limited by the model connections of this process. */
  slots?(): number
  /**
   * Plays all jobs and passes each finished episode to `finished` exactly once, in no particular order. Returns when all
   * are played, or when the run was stopped and no episode is running.
   */
  play(jobs: Items<EpisodeJob>, finished: (episode: FinishedEpisode) => Promise<unknown>): Promise<void>
  close?(): Promise<void>
}

/** Episodes that never await anything must not starve timers, signals and replies. */
const MAX_BLOCKING_MS = 20

/** Finished episodes that may wait for the disk before no new ones are started. */
const MAX_UNWRITTEN_EPISODES = 256

/**
 * Replies of all episodes in progress, from their first byte until the episode is on disk. A text is in memory several
 * times: in the conversation, in the log, in the request that repeats it.
 */
export const REPLY_MEMORY = new ByteBudget(32 * 2 ** 20)
/** The same with batches, where thousands of episodes are in progress. One that waits would end up in a batch of its own. */
const BATCH_MEMORY = new ByteBudget(512 * 2 ** 20)

/**
 * Episodes that are prepared ahead: their media are decoded, drawn and encoded while others are asked about, so that the model
 * never waits for them. As many as are asked about, since replies may come all at once; this bounds their memory.
 */
const MAX_AHEAD = 64

/** Episodes of several turns that wait for batches: they keep their scenes and conversations in memory. */
const MAX_BATCHED_CONVERSATIONS = 2000

/** Plays episodes in this process: one per model connection, and the next ones up to their first request. */
export class LocalRunner implements Runner {
  readonly #context: EpisodeContext
  readonly #control: StopControl
  readonly #playEpisode: PlayEpisode
  readonly #run: string

  constructor(
    { context, control, header }: Pick<RunnerSetup, 'context' | 'control'> & { header?: Pick<RunHeader, 'id'> },
    play: PlayEpisode = playEpisode,
  ) {
    this.#context = context
    this.#control = control
    this.#run = header?.id ?? 'latest'
    this.#playEpisode = play
  }

  async play(jobs: Items<EpisodeJob>, finished: (episode: FinishedEpisode) => Promise<unknown>): Promise<void> {
    const { players } = this.#context
    const batches = batchesOf(players)
    // Not for people, who have no address: the next episode would take the thread that draws their moves.
    const isAhead = batches.length === 0 && [...players.values()].some(({ address }) => address !== null)
    const isLocal = [...players.values()].every(({ local }) => local)
    const localSlots = isLocal ? maxConcurrentEpisodes(players) : null
    let limit = Infinity
    const slots = new Semaphore(() => {
      if (localSlots !== null) return localSlots
      const concurrent = maxConcurrentEpisodes(players)
      return Math.min(limit, concurrent + (isAhead ? Math.min(concurrent, MAX_AHEAD) : 0))
    })
    const turns = new Turns(() => maxConcurrentEpisodes(players))
    let isLast = false
    for (const each of batches) {
      each.watch({
        active: () => (isLast || slots.isFull ? slots.held : null),
        run: this.#run,
        suspend: (why) => this.#control.abort(new RunStopped('interrupted', why)),
      })
    }
    const checkBatches = (): void => {
      for (const each of batches) each.check()
    }
    // A reply may have raised the connection limit; long episodes must not delay new ones.
    const onUsage: EpisodeContext['onUsage'] = (usage, cached) => {
      this.#context.onUsage(usage, cached)
      turns.wake()
      slots.wake()
    }
    const context = isLocal ? this.#context : { ...this.#context, onUsage }
    const unwritten = new Semaphore(() => MAX_UNWRITTEN_EPISODES)
    let failure: { error: unknown } | null = null
    const fail = (error: unknown): void => {
      failure ??= { error }
      // Episodes in progress must not ask for replies that cannot be stored.
      this.#control.drain(new RunStopped('failed', messageOf(error)))
    }
    const replyMemory = batches.length > 0 ? BATCH_MEMORY : REPLY_MEMORY
    /** What belongs to one episode is made for it only where replies come from elsewhere. */
    const contextOf = (held: HeldBytes | undefined, turn: Turn | undefined): EpisodeContext => {
      if (!held) return context
      if (!turn) return { ...context, held }
      return {
        ...context,
        held,
        beforeRequest: async () => {
          await turn.ask()
          await context.beforeRequest()
        },
        onUsage: (usage, cached) => {
          turn.answered()
          context.onUsage(usage, cached)
        },
      }
    }
    const playOne = async (job: EpisodeJob, isFirst: boolean): Promise<void> => {
      const held = isLocal ? undefined : replyMemory.hold()
      const turn = isAhead ? turns.turn(isFirst) : undefined
      let isPlaying = true
      const played = (): void => {
        isPlaying = false
        turn?.end()
        slots.release()
        checkBatches()
      }
      try {
        const episode = await this.#playEpisode(job, contextOf(held, turn))
        // Its turn is not a part of the episode's duration.
        if (turn && !job.recorded) episode.line.ms = Math.max(0, episode.line.ms - Math.round(turn.waitedMs))
        const wait = unwritten.acquire()
        if (wait) await wait
        played()
        await finished(episode)
      } catch (error) {
        if (!(error instanceof EpisodeStopped)) fail(error)
      } finally {
        if (isPlaying) played()
        else unwritten.release()
        held?.release()
      }
    }
    let lastYield = performance.now()
    let scene: string | null = null
    for await (const job of jobs) {
      if (batches.length > 0) {
        if (this.#hasSeveralTurns(job)) limit = MAX_BATCHED_CONVERSATIONS
        if (slots.isFull) checkBatches()
      }
      const wait = slots.acquire()
      if (wait) await wait
      if (performance.now() - lastYield > MAX_BLOCKING_MS) {
        await yieldToEventLoop()
        lastYield = performance.now()
      }
      if (this.#control.reason || failure) {
        slots.release()
        break
      }
      void playOne(job, job.sample.cluster !== scene)
      scene = job.sample.cluster
    }
    isLast = true
    checkBatches()
    await slots.idle()
    await unwritten.idle()
    if (failure) throw (failure as { error: unknown }).error
  }

  #hasSeveralTurns({ sample, recorded }: EpisodeJob): boolean {
    const { suite, options } = this.#context
    return !recorded && suite.estimate(sample, options).calls > 1
  }
}
