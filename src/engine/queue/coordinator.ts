/**
 * Plays a run on a cluster. The coordinator puts episodes into the queue and is the only process that writes the journal.
 * Workers report through messages, which are deleted once their content is on disk. Any process can die at any time: an
 * episode may be played twice, but is recorded once.
 */
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sha256 } from '../../base/hash.ts'
import type { Items } from '../../base/items.ts'
import { messageOf, trimFullStop, UserError } from '../../base/errors.ts'
import { plural } from '../../base/plural.ts'
import { addUsage, NO_USAGE, type Usage } from '../../models/types.ts'
import { episodeKey } from '../../store/journal.ts'
import { RunStopped } from '../control.ts'
import type { EpisodeJob, FinishedEpisode } from '../episode.ts'
import { sourceFilesHash } from '../plan.ts'
import type { Runner, RunnerSetup } from '../runner.ts'
import { WorkerRegistry } from './worker-registry.ts'
import { type JobBatch, EpisodeJobs, MAX_STALLS } from './jobs.ts'
import { KEEP_MS } from './shared-state.ts'
import { readMessage, type WorkerMessage } from './worker-messages.ts'
import { MediaReceiver } from './media-receiver.ts'
import { DeadLetters } from './dead-letters.ts'
import { QueueFault } from './health.ts'
import { HEARTBEAT_FORMAT, packHeartbeat, type RunHeartbeat } from './heartbeat.ts'
import type { OpenedQueue } from './open.ts'
import { batches, jobKey, PendingJobs, replaysOf } from './pending-jobs.ts'
import { Seal } from './seal.ts'
import { answerLookup, replyName } from './replies.ts'

export interface ClusterSettings {
  /** Version of Sightline; workers with another one are rejected. */
  version: string
  /** A worker without a heartbeat for this long counts as dead. Default: 30 s. */
  leaseMs: number
  model: RunHeartbeat['model']
  cache: boolean
  repliesInStore: boolean
  /** Maximum bytes of media in transit. */
  mediaQuota: number
}

export const DEFAULT_LEASE_MS = 30_000
export const DEFAULT_MEDIA_QUOTA = 256 * 2 ** 20

/** Workers stop asking after two seconds of silence. */
const HEARTBEAT_MS = 400
/** How often the list of workers is read. */
const REFRESH_MS = 1000
/** A coordinator that does not renew its lease for this long can be replaced. */
const LEADER_LEASE_MS = 15_000
const MESSAGES_PER_READ = 64
/** Messages that arrive within a poll are handled together and share one disk sync. */
const MIN_POLL_MS = 25
const MAX_POLL_MS = 100
/** Jobs in the queue per slot: the one being played, and the next. */
const JOBS_PER_SLOT = 2
const MIN_PENDING_EPISODES = 64
const JOBS_PER_ADD = 16
const MAX_BATCH_EPISODES = 8
/** Batches are small enough for this many per slot, so the end of a run is not one long batch. */
const MIN_BATCHES_PER_SLOT = 4
/** Replays of an episode whose media got lost; after that, the server loses it again and again. */
const MAX_REPLAYS = 3
/** How long to wait for running episodes after a second Ctrl-C or an error. */
const ABORT_TIMEOUT_MS = 3000

type Finished = (episode: FinishedEpisode) => Promise<unknown>

export class QueueRunner implements Runner {
  readonly #setup: RunnerSetup
  readonly #queue: OpenedQueue
  readonly #settings: ClusterSettings
  readonly #run: string
  /** Derived from host and store: the store lock admits one writer, so a new process with the same store is the successor. */
  readonly #leaderId: string
  readonly #pending = new PendingJobs()
  readonly #recorded: Set<string>
  readonly #media: MediaReceiver
  readonly #registry: WorkerRegistry
  readonly #seal: Seal
  readonly #deadLetters: DeadLetters
  /** Number of the last message of each sender. */
  readonly #lastNumber = new Map<string, number>()
  #jobs: EpisodeJobs | null = null
  #state: RunHeartbeat['state'] = 'open'
  #files: string | null = null
  #failure: { error: unknown } | null = null
  #isLeader = true
  #repliesInStore: boolean
  /** Whether all episodes of the run have been handed out or recorded. */
  #isFed = false
  /** Paid for in this run, as far as the coordinator knows. */
  #paid: Usage
  #wakeFeeder: (() => void) | null = null

  constructor(setup: RunnerSetup, queue: OpenedQueue, settings: ClusterSettings) {
    this.#setup = setup
    this.#queue = queue
    this.#settings = settings
    this.#run = setup.header.id
    this.#leaderId = sha256(`${hostname()}\n${setup.store.dir}`)
    this.#recorded = new Set(setup.done)
    this.#paid = setup.paidBefore
    this.#repliesInStore = settings.repliesInStore
    this.#media = new MediaReceiver(this.#run, queue.shared, setup.store.media)
    this.#seal = new Seal(queue.address.secret, this.#run)
    this.#deadLetters = new DeadLetters(join(setup.store.dir, 'runs', this.#run), (text) => setup.note(text))
    this.#registry = new WorkerRegistry(queue, this.#run, (text) => setup.note(text))
  }

  slots(): number {
    return this.#registry.slots
  }

  get media(): { fetched: number; bytes: number } {
    return { fetched: this.#media.fetched, bytes: this.#media.fetchedBytes }
  }

  async play(jobs: Items<EpisodeJob>, finished: Finished): Promise<void> {
    await this.#becomeLeader()
    this.#jobs = await EpisodeJobs.open(this.#queue, this.#run)
    await this.#startSpending()
    // First read what workers finished without a coordinator, then adopt the jobs they still have.
    await this.#readAll(finished)
    await this.#removeForeignJobs()
    const now = performance.now()
    for (const batch of await this.#jobs.remaining()) this.#adopt(batch, now)
    this.#files = await sourceFilesHash(this.#setup.plan)
    await this.#announce()

    const over = new AbortController()
    const heartbeats = this.#sendHeartbeats(over.signal)
    const feeding = this.#feed(jobs).catch((error: unknown) => this.#fail(error))
    const reading = this.#readUntil(finished, feeding, over.signal)
    try {
      await this.#untilAborted(reading)
    } finally {
      over.abort()
      this.#wakeFeeder?.()
      await this.#untilAborted(Promise.all([feeding, heartbeats]))
    }
    if (this.#isLeader && !(this.#failure?.error instanceof QueueFault)) {
      await this.#untilAborted(this.#finishRun(finished).catch((error: unknown) => this.#fail(error)))
    }
    this.#deadLetters.summarize()
    if (this.#failure) throw this.#failure.error
  }

  /** Has no effect unless the server lost what was spent. */
  #startSpending(): Promise<void> {
    const { usd, inputTokens, outputTokens } = this.#paid
    return this.#queue.shared.startSpending(this.#run, { usd, tokens: inputTokens + outputTokens })
  }

  async close(): Promise<void> {
    const closing = this.#jobs?.close().catch(() => undefined)
    await Promise.race([closing, pause(ABORT_TIMEOUT_MS)])
    await this.#queue.close()
  }

  /** Waits for `work`, but not for an unreachable server once the run is aborted. */
  async #untilAborted(work: Promise<unknown>): Promise<void> {
    const { signal } = this.#setup.control
    let graceMs = ABORT_TIMEOUT_MS * 2
    while (!signal.aborted || graceMs > 0) {
      const ended = await Promise.race([work.then(() => true), pause(HEARTBEAT_MS / 4).then(() => false)])
      if (ended) return
      if (signal.aborted) graceMs -= HEARTBEAT_MS / 4
    }
    work.catch(() => undefined)
  }

  async #becomeLeader(): Promise<void> {
    const until = performance.now() + LEADER_LEASE_MS + HEARTBEAT_MS
    let noted = false
    while (!(await this.#queue.shared.lead(this.#run, this.#leaderId, LEADER_LEASE_MS))) {
      this.#setup.control.check()
      if (performance.now() > until) {
        throw new UserError(`Another process is coordinating run ${this.#run} on ${this.#queue.address.shown}.`, {
          hint: 'Stop it or wait for it to finish.',
        })
      }
      if (!noted)
        this.#setup.note('Another process coordinated this run until recently. Waiting until its lease expires.')
      noted = true
      await pause(HEARTBEAT_MS)
    }
  }

  /** Takes over a job of an earlier coordinator, without episodes that are in the journal already. */
  #adopt(batch: JobBatch, now: number): void {
    const episodes = batch.episodes.filter((job) => !this.#recorded.has(jobKey(job)))
    if (episodes.length > 0) this.#pending.add({ id: batch.id, episodes }, now)
  }

  async #feed(jobs: Items<EpisodeJob>): Promise<void> {
    let ready: JobBatch[] = []
    for await (const batch of batches(this.#missing(jobs), () => this.#batchSize())) {
      this.#pending.add(batch, performance.now())
      ready.push(batch)
      const isFull = this.#pending.size >= this.#window()
      if (!isFull && ready.length < JOBS_PER_ADD) continue
      await this.#jobs!.add(ready)
      ready = []
      // Wait until several jobs fit, to add them together.
      while (this.#pending.size > this.#window() - JOBS_PER_ADD && this.#isActive()) {
        await new Promise<void>((resolve) => {
          this.#wakeFeeder = resolve
        })
      }
      if (!this.#isActive()) return
    }
    await this.#jobs!.add(ready)
  }

  async *#missing(jobs: Items<EpisodeJob>): AsyncGenerator<EpisodeJob> {
    for await (const job of jobs) {
      if (!this.#isActive()) return
      const name = jobKey(job)
      if (!this.#recorded.has(name) && !this.#pending.has(name)) yield job
    }
  }

  #window(): number {
    return Math.max(MIN_PENDING_EPISODES, this.#registry.slots * JOBS_PER_SLOT * this.#batchSize())
  }

  #batchSize(): number {
    const slots = Math.max(1, this.#registry.slots)
    return Math.max(
      1,
      Math.min(MAX_BATCH_EPISODES, Math.floor(this.#setup.header.planned / (slots * MIN_BATCHES_PER_SLOT))),
    )
  }

  #isActive(): boolean {
    return !this.#setup.control.reason && !this.#failure
  }

  #fail(error: unknown): void {
    this.#failure ??= { error }
    this.#wakeFeeder?.()
  }

  /** Reads messages until all episodes are in the journal or the run is stopping. */
  async #readUntil(finished: Finished, feeding: Promise<void>, over: AbortSignal): Promise<void> {
    void feeding.then(() => (this.#isFed = true))
    const stopped = new Promise<void>((resolve) => {
      this.#setup.control.draining.addEventListener('abort', () => resolve(), { once: true })
    })
    let wait = MIN_POLL_MS
    while (this.#isActive() && !over.aborted && !(this.#isFed && this.#pending.size === 0)) {
      const read = await this.#read(finished)
      wait = read > 0 ? MIN_POLL_MS : Math.min(MAX_POLL_MS, wait * 2)
      if (read < MESSAGES_PER_READ) await Promise.race([pause(wait), stopped])
    }
  }

  async #readAll(finished: Finished): Promise<void> {
    while ((await this.#read(finished)) > 0);
  }

  /** Handles one batch of messages: media and usage first, then episodes, which share one disk sync. */
  async #read(finished: Finished): Promise<number> {
    const { shared } = this.#queue
    const messages = await shared.messages(this.#run, MESSAGES_PER_READ)
    if (messages.length === 0) return 0
    const decoded = (await Promise.all(messages.map(({ body }) => this.#decode(body)))).flatMap((each) => each ?? [])
    const contents = decoded.map(({ message }) => message)
    const sent = contents.filter((message) => message.type === 'sent')
    const fetched = await this.#media.fetch(sent)
    await Promise.all(contents.map((message) => this.#handle(message)))
    const stale = await Promise.all(
      decoded.flatMap(({ message, events }) =>
        message.type === 'finished' ? [this.#finished(message, events, finished)] : [],
      ),
    )
    await Promise.all([
      shared.remove('reply', stale.flat()),
      this.#media.release(sent),
      shared.discard(
        this.#run,
        messages.map(({ id }) => id),
      ),
    ])
    this.#wakeFeeder?.()
    // Answers last: a full server has room for them once the messages are gone.
    await Promise.all([
      this.#media.answer(fetched),
      this.#media.answerOffers(contents.flatMap((message) => (message.type === 'offer' ? message.media : []))),
      ...contents.map((message) =>
        message.type === 'lookup'
          ? answerLookup(this.#run, message.key, { store: this.#setup.store.replies, shared, seal: this.#seal })
          : Promise.resolve(),
      ),
    ])
    return messages.length
  }

  /** Null for messages that came before, and for those that cannot be used. */
  async #decode(body: Buffer): Promise<{ message: WorkerMessage; events: string[] } | null> {
    const read = readMessage(body, this.#seal)
    if (typeof read === 'string') {
      await this.#deadLetters.add(read, body)
      return null
    }
    const { message, sender, number } = read.envelope
    if (number <= (this.#lastNumber.get(sender) ?? 0)) return null
    this.#lastNumber.set(sender, number)
    return { message, events: read.events }
  }

  async #handle(message: WorkerMessage): Promise<void> {
    const { context, store, control } = this.#setup
    switch (message.type) {
      case 'reply':
        return store.replies.put(message.key, message.reply)
      case 'paid':
        this.#paid = addUsage(this.#paid, message.usage)
        context.onUsage(message.usage, false)
        await this.#setup.recordPayment(message.usage)
        // Enforce the budget here too, in case no worker sends another request.
        await Promise.resolve()
          .then(() => context.beforeRequest())
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
      // Handled in batches by `#read`.
      case 'lookup':
      case 'offer':
      case 'sent':
      case 'finished':
        return
    }
  }

  /** Records an episode once. Returns the shared replies that are no longer needed. */
  async #finished(
    message: Extract<WorkerMessage, { type: 'finished' }>,
    events: readonly string[],
    finished: Finished,
  ): Promise<string[]> {
    const { line } = message
    const name = episodeKey(line)
    if (this.#isFed && !this.#recorded.has(name) && !this.#pending.has(name)) {
      await this.#deadLetters.add('its episode is not part of this run', Buffer.from(JSON.stringify(line)))
      return []
    }
    if (!this.#recorded.has(name)) {
      this.#recorded.add(name)
      const missing = await this.#media.missing(message.media)
      if (missing.length > 0) {
        this.#recorded.delete(name)
        await this.#replay(name, missing)
        return []
      }
      try {
        await finished({ line, events, fatal: message.fatal })
      } catch (error) {
        this.#recorded.delete(name)
        throw error
      }
      const { context } = this.#setup
      if (message.calls > 0) context.onUsage({ ...NO_USAGE, calls: message.calls }, false)
      if (message.cachedCalls > 0) context.onUsage({ ...NO_USAGE, calls: message.cachedCalls }, true)
    }
    this.#pending.finish(name, performance.now())
    return message.replies.map((key) => replyName(this.#run, key))
  }

  /** Replays an episode whose media was lost in transit, from its cached replies. */
  async #replay(name: string, missing: readonly string[]): Promise<void> {
    await this.#media.requestAgain(missing)
    const batch = this.#pending.replay(name, performance.now())
    if (!batch) return
    const lost = `${plural(missing.length, 'media file')} of ${name} got lost in transit`
    if (replaysOf(batch.id) > MAX_REPLAYS) {
      this.#fail(
        new UserError(`${lost}, also when it was played ${plural(MAX_REPLAYS, 'more time')}.`, {
          hint: 'Check the memory of the server with `sightline doctor --queue`, then resume the run.',
        }),
      )
      return
    }
    this.#setup.note(`${lost}. Playing it again.`)
    await this.#jobs!.add([batch])
  }

  /** Sends heartbeats with the state of the run, and looks for lost jobs. */
  async #sendHeartbeats(over: AbortSignal): Promise<void> {
    const stop = new Promise<void>((resolve) => {
      over.addEventListener('abort', () => resolve(), { once: true })
    })
    let auditedAt = performance.now()
    let refreshedAt = -Infinity
    while (!over.aborted) {
      try {
        if (!(await this.#queue.shared.lead(this.#run, this.#leaderId, LEADER_LEASE_MS))) {
          this.#isLeader = false
          throw new UserError(`Another process has taken over run ${this.#run}. This one stops.`)
        }
        await this.#announce()
        await this.#startSpending()
        if (performance.now() - refreshedAt > REFRESH_MS) {
          refreshedAt = performance.now()
          await this.#registry.refresh()
        }
        if (performance.now() - auditedAt > 2 * this.#settings.leaseMs) {
          auditedAt = performance.now()
          await this.#audit()
        }
      } catch (error) {
        this.#fail(error)
        return
      }
      await Promise.race([pause(HEARTBEAT_MS), stop])
    }
  }

  /** Adds jobs again that the server may have lost (existing jobs are unchanged). A failed job ends the run. */
  async #audit(): Promise<void> {
    await this.#removeForeignJobs()
    const [failed] = await this.#jobs!.failed()
    if (failed) {
      const first = failed.batch.episodes[0]
      const where = first ? ` of sample ${first.sample.id}` : ''
      throw new UserError(`No worker could play the episodes${where}: ${failed.reason}.`, {
        hint: `A job is retried ${MAX_STALLS} times if its worker dies. Check the memory and output of the workers.`,
      })
    }
    const lost = this.#pending.stale(2 * this.#settings.leaseMs, performance.now())
    // A server that lost them may have lost the replies to them, too.
    if (lost.length > 0) this.#repliesInStore = true
    await this.#jobs!.add(lost)
  }

  async #removeForeignJobs(): Promise<void> {
    for (const data of await this.#jobs!.removeForeign()) {
      await this.#deadLetters.add('a job was not added by this run', Buffer.from(JSON.stringify(data) ?? ''))
    }
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
      repliesInStore: this.#repliesInStore,
      beat: Date.now(),
    }
    await this.#queue.shared.set('run', new Map([[this.#run, packHeartbeat(heartbeat, this.#seal)]]), KEEP_MS)
  }

  /** Waits for running episodes, reads the last messages and removes the run from the queue. */
  async #finishRun(finished: Finished): Promise<void> {
    if (this.#pending.size > 0) await this.#drain(finished)
    if (!this.#failure) await this.#readAll(finished)
    await this.#recordUnanswered()
    try {
      await this.#jobs!.forget()
      await this.#queue.shared.forget(this.#run)
    } catch (error) {
      this.#setup.note(
        `Could not remove the run from the queue: ${trimFullStop(this.#queue.address.redact(messageOf(error)))}.`,
      )
    }
  }

  /** What was asked without an answer, for example by a killed worker, counts toward the budget of a resumed run. */
  async #recordUnanswered(): Promise<void> {
    const spent = await this.#queue.shared.spent(this.#run)
    const tokens = (spent?.tokens ?? 0) - this.#paid.inputTokens - this.#paid.outputTokens
    if (tokens <= 0) return
    const usd = (spent?.usd ?? 0) - (this.#paid.usd ?? 0)
    await this.#setup.recordPayment({ ...NO_USAGE, inputTokens: tokens, usd: Math.max(0, usd) })
  }

  async #drain(finished: Finished): Promise<void> {
    const started = performance.now()
    const { control } = this.#setup
    let abortedAt: number | null = null
    for (;;) {
      await this.#announce()
      if (!this.#failure) await this.#read(finished)
      const now = performance.now()
      if (this.#failure || control.signal.aborted) abortedAt ??= now
      if (abortedAt !== null && now - abortedAt > ABORT_TIMEOUT_MS) return
      await this.#queue.shared.lead(this.#run, this.#leaderId, LEADER_LEASE_MS)
      await this.#registry.refresh()
      const isQuiet = (await this.#jobs!.activeCount()) === 0 && this.#registry.activeJobs === 0
      if (isQuiet && now - started > HEARTBEAT_MS) return
      // Jobs of dead workers stay active in BullMQ for a while; no live worker has them.
      if (this.#registry.activeJobs === 0 && now - started > 2 * this.#settings.leaseMs) return
      await pause(MIN_POLL_MS * 2)
    }
  }
}
