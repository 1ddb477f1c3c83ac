/**
 * Plays a run over a cluster: gives episodes out through the queue, and is the only one who writes the journal. Everything
 * that workers have to say comes as messages; a message is thrown away after what it says is on disk. So any process may
 * die at any moment: an episode may be played twice, and is written once.
 */
import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { sha256 } from '../../base/hash.ts'
import { messageOf, UserError } from '../../base/errors.ts'
import { NO_USAGE } from '../../models/types.ts'
import { RunStopped } from '../control.ts'
import type { EpisodeJob, FinishedEpisode } from '../episode.ts'
import { filesOf } from '../plan.ts'
import type { Runner, RunnerSetup } from '../runner.ts'
import { WorkerRegistry } from './worker-registry.ts'
import { type JobBatch, EpisodeJobs, MAX_STALLS } from './jobs.ts'
import { KEEP_MS } from './shared-state.ts'
import { readMessage, type WorkerMessage } from './worker-messages.ts'
import { MediaReceiver } from './media-receiver.ts'
import { HEARTBEAT_FORMAT, packHeartbeat, type RunHeartbeat } from './heartbeat.ts'
import type { OpenedQueue } from './open.ts'
import { batches, PendingJobs } from './pending-jobs.ts'
import { answerLookup, replyName } from './replies.ts'

export interface ClusterSettings {
  /** Of this program: workers have the same, or are refused. */
  version: string
  /** A worker that is silent for so long is dead. Default 30 s. */
  leaseMs: number
  model: RunHeartbeat['model']
  cache: boolean
  repliesInStore: boolean
  /** Media that may be on their way at once. */
  mediaQuota: number
}

export const DEFAULT_LEASE_MS = 30_000
export const DEFAULT_MEDIA_QUOTA = 256 * 2 ** 20

const BEAT_MS = 1000
/** Who leads a run and is silent for so long has lost the lead. */
const LEAD_MS = 15_000
const LETTERS_AT_ONCE = 64
/** Letters that come in this time are handled together, and share a sync of the disk. */
const FIRST_LOOK_MS = 25
const MAX_LOOK_MS = 100
/** Jobs given out for every slot: the one that is played, and the next. */
const JOBS_OUT = 2
const MIN_GIVEN = 64
const ADDED_AT_ONCE = 16
const LARGEST_BUNDLE = 8
/** So many jobs for every slot before the end: nobody waits long for the last one. */
const JOBS_A_SLOT = 4
/** What is under way may take so long to come home after a second Ctrl-C or a fault. */
const ABORT_PATIENCE_MS = 3000

type Finished = (episode: FinishedEpisode) => Promise<void>

export class QueueRunner implements Runner {
  readonly #setup: RunnerSetup
  readonly #queue: OpenedQueue
  readonly #settings: ClusterSettings
  readonly #run: string
  /** A store lets one process write a run; so who has the same store may take the lead over at once. */
  readonly #me: string
  readonly #pending = new PendingJobs()
  readonly #taken: Set<string>
  readonly #media: MediaReceiver
  readonly #registry: WorkerRegistry
  #jobs: EpisodeJobs | null = null
  #state: RunHeartbeat['state'] = 'open'
  #files: string | null = null
  #failure: { error: unknown } | null = null
  #leads = true
  #room: (() => void) | null = null

  constructor(setup: RunnerSetup, queue: OpenedQueue, settings: ClusterSettings) {
    this.#setup = setup
    this.#queue = queue
    this.#settings = settings
    this.#run = setup.header.id
    this.#me = sha256(`${hostname()}\n${setup.store.dir}`)
    this.#taken = new Set(setup.done)
    this.#media = new MediaReceiver(this.#run, queue.shared, setup.store.media)
    this.#registry = new WorkerRegistry(queue, this.#run, (words) => setup.note(words))
  }

  slots(): number {
    return this.#registry.slots
  }

  get media(): { fetched: number; bytes: number } {
    return { fetched: this.#media.fetched, bytes: this.#media.fetchedBytes }
  }

  async play(jobs: AsyncIterable<EpisodeJob>, finished: Finished): Promise<void> {
    const { shared } = this.#queue
    await this.#takeLead()
    this.#jobs = await EpisodeJobs.open(this.#queue, this.#run)
    const { usd, inputTokens, outputTokens } = this.#setup.paidBefore
    await shared.startSpending(this.#run, { usd, tokens: inputTokens + outputTokens })
    // First what workers finished while nobody led, then what is still with them.
    await this.#readAll(finished)
    const now = performance.now()
    for (const batch of await this.#jobs.left()) this.#adopt(batch, now)
    this.#files = await filesOf(this.#setup.plan)
    await this.#announce()

    const over = new AbortController()
    const keeping = this.#keep(over.signal)
    const feeding = this.#feed(jobs).catch((error: unknown) => this.#fail(error))
    const reading = this.#readUntil(finished, feeding, over.signal)
    try {
      await this.#unlessAborted(reading)
    } finally {
      over.abort()
      this.#room?.()
      await this.#unlessAborted(Promise.all([feeding, keeping]))
    }
    if (this.#leads) await this.#unlessAborted(this.#leave(finished))
    if (this.#failure) throw this.#failure.error
  }

  async close(): Promise<void> {
    const closing = this.#jobs?.close().catch(() => undefined)
    await Promise.race([closing, pause(ABORT_PATIENCE_MS)])
    await this.#queue.close()
  }

  /** A server that is away must not keep someone waiting who wants to stop at once. */
  async #unlessAborted(work: Promise<unknown>): Promise<void> {
    const { signal } = this.#setup.control
    let patience = ABORT_PATIENCE_MS * 2
    while (!signal.aborted || patience > 0) {
      const ended = await Promise.race([work.then(() => true), pause(BEAT_MS / 4).then(() => false)])
      if (ended) return
      if (signal.aborted) patience -= BEAT_MS / 4
    }
    work.catch(() => undefined)
  }

  async #takeLead(): Promise<void> {
    const until = performance.now() + LEAD_MS + BEAT_MS
    let told = false
    while (!(await this.#queue.shared.lead(this.#run, this.#me, LEAD_MS))) {
      this.#setup.control.check()
      if (performance.now() > until) {
        throw new UserError(`Another process coordinates run ${this.#run} on ${this.#queue.address.shown}.`, {
          hint: 'Only one can; stop it, or wait for it.',
        })
      }
      if (!told)
        this.#setup.note('Another process was the coordinator of this run a moment ago; making sure that it is gone.')
      told = true
      await pause(BEAT_MS)
    }
  }

  /** Jobs of an earlier coordinator go on as they are, but for those that are in the journal already. */
  #adopt(batch: JobBatch, now: number): void {
    const episodes = batch.episodes.filter(({ sample, epoch }) => !this.#taken.has(`${sample.id}#${epoch}`))
    if (episodes.length > 0) this.#pending.give({ id: batch.id, episodes }, now)
  }

  async #feed(jobs: AsyncIterable<EpisodeJob>): Promise<void> {
    let ready: JobBatch[] = []
    for await (const batch of batches(this.#missing(jobs), () => this.#bundleSize())) {
      this.#pending.give(batch, performance.now())
      ready.push(batch)
      const isFull = this.#pending.size >= this.#window()
      if (!isFull && ready.length < ADDED_AT_ONCE) continue
      await this.#jobs!.add(ready)
      ready = []
      // Room for several is waited for, so that they are added together.
      while (this.#pending.size > this.#window() - ADDED_AT_ONCE && this.#goesOn()) {
        await new Promise<void>((resolve) => {
          this.#room = resolve
        })
      }
      if (!this.#goesOn()) return
    }
    await this.#jobs!.add(ready)
  }

  async *#missing(jobs: AsyncIterable<EpisodeJob>): AsyncGenerator<EpisodeJob> {
    for await (const job of jobs) {
      if (!this.#goesOn()) return
      const name = `${job.sample.id}#${job.epoch}`
      if (!this.#taken.has(name) && !this.#pending.has(name)) yield job
    }
  }

  #window(): number {
    return Math.max(MIN_GIVEN, this.#registry.slots * JOBS_OUT * this.#bundleSize())
  }

  #bundleSize(): number {
    const slots = Math.max(1, this.#registry.slots)
    return Math.max(1, Math.min(LARGEST_BUNDLE, Math.floor(this.#setup.header.planned / (slots * JOBS_A_SLOT))))
  }

  #goesOn(): boolean {
    return !this.#setup.control.reason && !this.#failure
  }

  #fail(error: unknown): void {
    this.#failure ??= { error }
    this.#room?.()
  }

  /** Reads messages until every episode is in the journal or the run is to stop. */
  async #readUntil(finished: Finished, feeding: Promise<void>, over: AbortSignal): Promise<void> {
    const progress = { fed: false }
    void feeding.then(() => (progress.fed = true))
    const stopped = new Promise<void>((resolve) => {
      this.#setup.control.draining.addEventListener('abort', () => resolve(), { once: true })
    })
    let wait = FIRST_LOOK_MS
    while (this.#goesOn() && !over.aborted && !(progress.fed && this.#pending.size === 0)) {
      const read = await this.#read(finished)
      wait = read > 0 ? FIRST_LOOK_MS : Math.min(MAX_LOOK_MS, wait * 2)
      if (read < LETTERS_AT_ONCE) await Promise.race([pause(wait), stopped])
    }
  }

  async #readAll(finished: Finished): Promise<void> {
    while ((await this.#read(finished)) > 0);
  }

  /** One handful of messages: first what media and money say, then the episodes, which share one sync of the disk. */
  async #read(finished: Finished): Promise<number> {
    const { shared } = this.#queue
    const messages = await shared.messages(this.#run, LETTERS_AT_ONCE)
    if (messages.length === 0) return 0
    const opened = messages.flatMap(({ body }) => readMessage(body) ?? [])
    const said = opened.map(({ message }) => message)
    await this.#media.fetch(said.filter((message) => message.type === 'sent'))
    await this.#media.offered(said.flatMap((message) => (message.type === 'offer' ? message.media : [])))
    await Promise.all(said.map((message) => this.#handle(message)))
    const stale = await Promise.all(
      opened.flatMap(({ message, events }) =>
        message.type === 'finished' ? [this.#finished(message, events, finished)] : [],
      ),
    )
    await Promise.all([
      shared.remove('reply', stale.flat()),
      shared.discard(
        this.#run,
        messages.map(({ id }) => id),
      ),
    ])
    this.#room?.()
    return messages.length
  }

  async #handle(message: WorkerMessage): Promise<void> {
    const { context, store, control } = this.#setup
    switch (message.type) {
      case 'lookup':
        return answerLookup(this.#run, message.key, store.replies, this.#queue.shared)
      case 'reply':
        return store.replies.put(message.key, message.reply)
      case 'paid':
        context.used(message.usage, false)
        // A spent budget stops the run here too, also when no worker asks again.
        await Promise.resolve()
          .then(() => context.mayAsk())
          .catch(() => undefined)
        return
      case 'budget':
        control.drain(new RunStopped('budget', message.words))
        return
      case 'fault': {
        const error = new Error(`${message.message} (in episode ${message.episode}, on ${message.worker})`)
        if (message.stack !== null) error.stack = message.stack
        this.#fail(error)
        return
      }
      case 'note':
        this.#setup.note(message.words)
        return
      // Handled together with their like.
      case 'offer':
      case 'sent':
      case 'finished':
        return
    }
  }

  /** Writes an episode, once. Gives the names of what was kept beside the queue for it and is not needed any more. */
  async #finished(
    message: Extract<WorkerMessage, { type: 'finished' }>,
    events: readonly string[],
    finished: Finished,
  ): Promise<string[]> {
    const { line } = message
    const name = `${line.sample}#${line.epoch}`
    if (!this.#taken.has(name)) {
      this.#taken.add(name)
      const lacking = await this.#media.lacking(message.media)
      if (lacking.length > 0) {
        this.#taken.delete(name)
        await this.#again(name, lacking)
        return []
      }
      try {
        await finished({ line, events })
      } catch (error) {
        this.#taken.delete(name)
        throw error
      }
      const { context } = this.#setup
      if (message.calls > 0) context.used({ ...NO_USAGE, calls: message.calls }, false)
      if (message.cachedCalls > 0) context.used({ ...NO_USAGE, calls: message.cachedCalls }, true)
    }
    this.#pending.strike(name, performance.now())
    return message.replies.map((key) => replyName(this.#run, key))
  }

  /** Media that got lost on the way are made again with their episode; its replies are not paid again. */
  async #again(name: string, lacking: readonly string[]): Promise<void> {
    await this.#media.ask(lacking)
    const batch = this.#pending.again(name, performance.now())
    if (!batch) return
    this.#setup.note(`${lacking.length} pictures of ${name} got lost on the way; it is played again.`)
    await this.#jobs!.add([batch])
  }

  /** Tells workers, every second, that the run goes on or is to stop; looks after jobs of which nobody hears. */
  async #keep(over: AbortSignal): Promise<void> {
    const stop = new Promise<void>((resolve) => {
      over.addEventListener('abort', () => resolve(), { once: true })
    })
    let auditedAt = performance.now()
    while (!over.aborted) {
      try {
        if (!(await this.#queue.shared.lead(this.#run, this.#me, LEAD_MS))) {
          this.#leads = false
          throw new UserError(`Another process has taken over run ${this.#run}; this one stops.`)
        }
        await this.#announce()
        await this.#registry.take()
        if (performance.now() - auditedAt > 2 * this.#settings.leaseMs) {
          auditedAt = performance.now()
          await this.#audit()
        }
      } catch (error) {
        this.#fail(error)
        return
      }
      await Promise.race([pause(BEAT_MS), stop])
    }
  }

  /** Jobs that a server lost are added again: those that are there stay as they are. Jobs that failed end the run. */
  async #audit(): Promise<void> {
    const [failed] = await this.#jobs!.failed()
    if (failed) {
      const first = failed.batch.episodes[0]
      const where = first ? ` of sample ${first.sample.id}` : ''
      throw new UserError(`The episodes${where} could not be played by any worker: ${failed.reason}.`, {
        hint: `A job is given out again ${MAX_STALLS} times when its worker dies; look at the workers' memory and words.`,
      })
    }
    await this.#jobs!.add(this.#pending.silent(2 * this.#settings.leaseMs, performance.now()))
  }

  async #announce(): Promise<void> {
    const { control, header, plan } = this.#setup
    if (control.reason && this.#state === 'open') {
      this.#state = 'draining'
      await this.#jobs!.pause()
    }
    if (control.signal.aborted || this.#failure) this.#state = 'aborted'
    const heartbeat: RunHeartbeat = {
      format: HEARTBEAT_FORMAT,
      // A resumed run may have another budget than it was started with, and its data elsewhere.
      header: { ...header, budget: plan.header.budget, source: plan.header.source },
      files: this.#files,
      state: this.#state,
      reason: control.reason?.message ?? null,
      ...this.#settings,
      beat: Date.now(),
    }
    await this.#queue.shared.set('run', this.#run, packHeartbeat(heartbeat), KEEP_MS)
  }

  /** The run is over or stops: waits for what is under way, reads the last messages and clears everything away. */
  async #leave(finished: Finished): Promise<void> {
    if (this.#pending.size > 0) await this.#comeHome(finished)
    if (!this.#failure) await this.#readAll(finished)
    await this.#jobs!.forget().catch((error: unknown) => {
      this.#setup.note(`The run's jobs could not be cleared away: ${this.#queue.address.redact(messageOf(error))}.`)
    })
    await this.#queue.shared.forget(this.#run)
  }

  async #comeHome(finished: Finished): Promise<void> {
    const started = performance.now()
    const { control } = this.#setup
    let abortedAt: number | null = null
    for (;;) {
      await this.#announce()
      if (!this.#failure) await this.#read(finished)
      const now = performance.now()
      if (this.#failure || control.signal.aborted) abortedAt ??= now
      if (abortedAt !== null && now - abortedAt > ABORT_PATIENCE_MS) return
      await this.#queue.shared.lead(this.#run, this.#me, LEAD_MS)
      await this.#registry.take()
      const isQuiet = (await this.#jobs!.underWay()) === 0 && this.#registry.underWay === 0
      if (isQuiet && now - started > BEAT_MS) return
      // Jobs of the dead stay under way until someone looks; nobody alive has them.
      if (this.#registry.underWay === 0 && now - started > 2 * this.#settings.leaseMs) return
      await pause(FIRST_LOOK_MS * 2)
    }
  }
}
