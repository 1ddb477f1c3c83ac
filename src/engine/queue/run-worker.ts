/** One worker in one run: verifies that it can play the run, and plays its jobs. */
import type { Worker } from 'bullmq'
import { setTimeout as pause } from 'node:timers/promises'
import { messageOf, UserError } from '../../base/errors.ts'
import type { MediaRef } from '../../media/ref.ts'
import type { ReplyStore } from '../../models/deps.ts'
import { Prices } from '../../models/prices.ts'
import type { RateLimiter } from '../../models/rate-limiter.ts'
import type { Model, Payments, Role, Usage } from '../../models/types.ts'
import type { RunHeader } from '../../store/records.ts'
import type { Store } from '../../store/store.ts'
import { BudgetSpent, Meter, parseBudget } from '../budget.ts'
import { RunStopped, StopControl } from '../control.ts'
import { type EpisodeContext, type EpisodeJob, EpisodeStopped } from '../episode.ts'
import { changedParts, sourceFilesHash, planRun, requestFromHeader, type RunPlan } from '../plan.ts'
import { BASELINE_PREFIX, baselinePlayer, type Player, type Players, modelPlayer } from '../players.ts'
import { type PlayEpisode, REPLY_MEMORY } from '../runner.ts'
import { parseSource } from '../source.ts'
import { INSTRUMENTS, instrumentsPart } from '../run.ts'
import { DataFiles } from '../data-files.ts'
import type { AnySuite, OpenedInstruments } from '../suite.ts'
import { ThreadLost } from '../threads/pool.ts'
import { checkModelsForQueue } from './cluster.ts'
import { type JobBatch, ReturnToQueue, startJobWorker } from './jobs.ts'
import { MediaSender } from './media-sender.ts'
import { QueueFault } from './health.ts'
import { readHeartbeat, type RunHeartbeat } from './heartbeat.ts'
import type { OpenedQueue } from './open.ts'
import { Outbox } from './outbox.ts'
import { jobKey, replaysOf } from './pending-jobs.ts'
import { SharedReplies } from './replies.ts'
import { Seal } from './seal.ts'
import { Spending } from './spending.ts'
import { shortened, type WorkerMessage } from './worker-messages.ts'
import { ClusterRateLimiter } from './rate-limiter.ts'

/** Settings for opening a model on a worker. API keys come from this machine. */
export interface ModelSettings {
  options: Readonly<Record<string, unknown>>
  prices: Prices
  replies: ReplyStore
  maxConnections: number | null
  maxRetries: number
  timeoutMs: number
  rateLimiter(maxConnections: number): RateLimiter
}

export interface FoundSuite {
  suite: AnySuite
  /** Hash of its code; null for bundled suites. */
  hash: string | null
  /** Where threads load the suite from; null for bundled suites. */
  loadFrom: string | null
}

export interface WorkerSettings {
  queue: OpenedQueue
  /** Holds media on this machine until it is delivered. */
  store: Store
  slots: number
  /** Name shown to others: `host/pid`. */
  name: string
  version: string
  /** Loads the suite of a run on this machine. */
  findSuite(header: RunHeader): Promise<FoundSuite>
  openModel(id: string, role: Role, how: ModelSettings): Promise<Model>
  /** Dataset paths on this machine that differ from those of the coordinator, by source name. */
  sources: Readonly<Record<string, string>>
  /** Creates the function that plays the episodes of a run. */
  playerForRun(header: RunHeader, roots: Readonly<Record<string, string>>, loadFrom: string | null): PlayEpisode
  note(text: string): void
}

/** How often the heartbeat of the coordinator is looked up. */
const WATCH_MS = 400
/** Without a new heartbeat for this long, no model is asked: together with the two intervals, within two seconds. */
const SILENCE_MS = 1200
/** A coordinator without a heartbeat for this long is gone. */
const COORDINATOR_TIMEOUT_MS = 6000
/** How long requests in flight may take when a run is over. */
const END_GRACE_MS = 5000

/** Results of jobs that may come again. */
const MAX_RESULTS = 128

interface Result {
  message: WorkerMessage
  events: readonly string[]
}

/** Media, replies and calls of an episode. */
interface EpisodeRecord {
  media: Map<string, MediaRef>
  replies: Set<string>
  calls: number
  cachedCalls: number
  /** Estimates in the shared total whose replies have come, but are not in it yet. */
  estimated: Estimate
}

interface Estimate {
  usd: number
  tokens: number
}

const NO_ESTIMATE: Estimate = { usd: 0, tokens: 0 }

export class RunWorker {
  readonly run: string
  readonly #settings: WorkerSettings
  readonly #plan: RunPlan
  readonly #seal: Seal
  readonly #outbox: Outbox
  readonly #sender: MediaSender
  readonly #control = new StopControl()
  readonly #playEpisode: PlayEpisode
  readonly #spending: Spending
  /** The latest results, by job and episode. */
  readonly #results = new Map<string, Result>()
  #players: Players = new Map()
  readonly #files: DataFiles
  #instruments: OpenedInstruments<unknown, unknown> | undefined
  #heartbeat: RunHeartbeat
  #beatAt = performance.now()
  #worker: Worker | null = null
  #isClosed = false
  /** Another worker may have finished an episode that this one plays; then its replies are in the store. */
  #hasRepeats = false
  activeJobs = 0

  private constructor(settings: WorkerSettings, heartbeat: RunHeartbeat, plan: RunPlan, loadFrom: string | null) {
    const { shared } = settings.queue
    this.run = heartbeat.header.id
    this.#settings = settings
    this.#heartbeat = heartbeat
    this.#plan = plan
    this.#files = new DataFiles(plan.source.roots)
    this.#seal = new Seal(settings.queue.address.secret, this.run)
    this.#outbox = new Outbox(shared, this.run, this.#seal)
    this.#spending = new Spending(shared, this.run)
    this.#sender = new MediaSender({
      run: this.run,
      shared,
      outbox: this.#outbox,
      quota: () => this.#heartbeat.mediaQuota,
      isCoordinated: () => this.#silentFor() < COORDINATOR_TIMEOUT_MS,
      pathOf: (sha256) => settings.store.media.pathOf(sha256),
      signal: this.#control.signal,
    })
    this.#playEpisode = settings.playerForRun(heartbeat.header, plan.source.roots ?? {}, loadFrom)
  }

  /** Joins a run, or throws a `UserError` with the reason this worker cannot play it. */
  static async join(settings: WorkerSettings, heartbeat: RunHeartbeat): Promise<RunWorker> {
    if (heartbeat.version !== settings.version) {
      throw new UserError(
        `the worker has Sightline ${settings.version}, the run uses ${heartbeat.version}. Install the same version.`,
      )
    }
    const { header } = heartbeat
    checkModelsForQueue(header)
    const { suite, hash, loadFrom } = await settings.findSuite(header)
    if (hash !== (header.suiteModule?.hash ?? null)) {
      throw new UserError(
        `its code of suite "${suite.name}" differs from that of the run. Copy the same files to all machines.`,
      )
    }
    const plan = await planRun({
      ...requestFromHeader(suite, header),
      source: localSource(header.source, settings.sources),
    })
    const changed = changedParts(plan, header)
    if (changed.length > 0) throw new UserError(describeDifferences(changed))
    if ((await sourceFilesHash(plan)) !== heartbeat.files) {
      throw new UserError('its dataset files differ from those of the run. Copy the complete dataset.')
    }
    const worker = new RunWorker(settings, heartbeat, plan, loadFrom)
    try {
      await worker.#open()
      void worker.#watch()
    } catch (error) {
      await worker.#closePlayers()
      throw error
    }
    return worker
  }

  get state(): RunHeartbeat['state'] {
    return this.#heartbeat.state
  }

  /** Whether the run was stopped here. */
  get isStopped(): boolean {
    return this.#control.reason !== null
  }

  set slots(slots: number) {
    if (this.#worker && this.#worker.concurrency !== slots) this.#worker.concurrency = slots
  }

  /** Handles a heartbeat of the coordinator. */
  update(heartbeat: RunHeartbeat): void {
    if (heartbeat.beat !== this.#heartbeat.beat) this.#beatAt = performance.now()
    this.#heartbeat = heartbeat
    const reason = new RunStopped('interrupted', heartbeat.reason ?? 'the run was stopped')
    if (heartbeat.state === 'draining') this.#control.drain(reason)
    if (heartbeat.state === 'aborted') this.#control.abort(reason)
  }

  /** The run is over: nothing more is asked, and requests in flight are aborted after a while. */
  async end(): Promise<void> {
    await this.#stop(new RunStopped('interrupted', 'the run is over'), END_GRACE_MS)
  }

  /** Leaves the run: takes no new jobs, and returns those that do not finish in time to the queue. */
  async leave(graceMs: number): Promise<void> {
    await this.#stop(new RunStopped('interrupted', 'the worker was stopped'), graceMs)
  }

  async #stop(reason: RunStopped, graceMs: number): Promise<void> {
    const timer = setTimeout(() => this.#control.abort(reason), graceMs)
    this.#control.drain(reason)
    await this.#worker?.close().catch(() => undefined)
    clearTimeout(timer)
    await this.#close()
  }

  /** Whether models may be asked: the coordinator is there, and the queue records what is paid. */
  get isCoordinated(): boolean {
    return this.#silentFor() < SILENCE_MS && this.#settings.queue.health.trouble === null
  }

  #silentFor(): number {
    return performance.now() - this.#beatAt
  }

  /** Looks for heartbeats of the coordinator until the run is closed here. */
  async #watch(): Promise<void> {
    while (!this.#isClosed) {
      const [body] = await this.#settings.queue.shared.get('run', [this.run]).catch(() => [null])
      const heartbeat = body ? readHeartbeat(body, this.#seal) : null
      if (heartbeat) this.update(heartbeat)
      await pause(WATCH_MS)
    }
  }

  /** Waits as long as no model may be asked. Throws if the run is stopping. */
  async #untilCoordinated(): Promise<void> {
    this.#control.check()
    while (!this.isCoordinated) {
      await pause(WATCH_MS / 4)
      this.#control.check()
    }
  }

  async #open(): Promise<void> {
    const { header } = this.#heartbeat
    this.#instruments = await this.#plan.suite.measure?.open(this.#plan.options)
    if (instrumentsPart(this.#instruments) !== header.fingerprint.parts[INSTRUMENTS])
      throw new UserError('its instruments differ from those of the run. Use the same networks on all machines.')
    const players = new Map<Role, Player>()
    this.#players = players
    for (const [role, id] of Object.entries(header.models) as [Role, string][]) {
      const player = id.startsWith(BASELINE_PREFIX)
        ? baselinePlayer(this.#plan.suite, id)
        : modelPlayer(await this.#openModel(id, role))
      players.set(role, player)
      const then = header.fingerprint.parts[`modelAddress.${role}`]
      if (player.address !== null && then !== undefined && then !== player.address) {
        throw new UserError(`it would use ${id} at ${player.address}, but the run uses ${then}.`)
      }
    }
    this.#worker = await startJobWorker(this.#settings.queue, {
      run: this.run,
      slots: this.#settings.slots,
      leaseMs: this.#heartbeat.leaseMs,
      seal: this.#seal,
      name: this.#settings.name,
      play: (batch, done, isRepeated) => {
        this.#hasRepeats ||= isRepeated
        return this.#play(batch, done)
      },
      // After a lost lock another worker takes over; broken connections are reopened.
      onError: () => undefined,
    })
    // It would take the jobs that it returns again.
    this.#control.draining.addEventListener('abort', () => void this.#worker?.pause(true).catch(() => undefined))
  }

  #openModel(id: string, role: Role): Promise<Model> {
    const { header, model, cache } = this.#heartbeat
    const { shared } = this.#settings.queue
    return this.#settings.openModel(id, role, {
      options: header.modelOptions,
      prices: Prices.from(header.prices),
      replies: new SharedReplies({
        run: this.run,
        shared,
        outbox: this.#outbox,
        seal: this.#seal,
        mayLookUp: () => cache && (this.#heartbeat.repliesInStore || this.#hasRepeats),
        isCoordinated: () => this.isCoordinated,
        isStopped: () => this.isStopped,
      }),
      maxConnections: model.maxConnections,
      maxRetries: model.maxRetries,
      timeoutMs: model.timeoutMs,
      rateLimiter: (maxConnections) =>
        new ClusterRateLimiter(
          shared,
          `${this.run}/${role}`,
          { ...model, connections: maxConnections },
          // Again, because requests may have waited for long.
          () => this.#mayAsk(),
        ),
    })
  }

  async #play(batch: JobBatch, done: (remaining: readonly EpisodeJob[]) => Promise<void>): Promise<void> {
    this.activeJobs += 1
    if (replaysOf(batch.id) > 0) this.#sender.forget()
    try {
      for (const [i, job] of batch.episodes.entries()) {
        if (this.#control.reason) throw new EpisodeStopped(this.#control.reason.message)
        await this.#playOne(batch.id, job)
        await done(batch.episodes.slice(i + 1))
      }
    } catch (error) {
      // Not the fault of the job: another worker takes it, also if the run was resumed before this one heard of it.
      if (error instanceof QueueFault || error instanceof EpisodeStopped) throw new ReturnToQueue(error.message)
      throw error
    } finally {
      this.activeJobs -= 1
    }
  }

  async #playOne(id: string, job: EpisodeJob): Promise<void> {
    const record: EpisodeRecord = {
      media: new Map(),
      replies: new Set(),
      calls: 0,
      cachedCalls: 0,
      estimated: NO_ESTIMATE,
    }
    const name = jobKey(job)
    const known = this.#results.get(`${id} ${name}`)
    if (known) return this.#deliver(`${id} ${name}`, known)
    const held = REPLY_MEMORY.hold()
    let episode
    try {
      episode = await this.#playEpisode(job, { ...this.#context(record), held })
    } catch (error) {
      // A lost thread (out of memory, for example) fails the job, so another worker can try it.
      if (error instanceof EpisodeStopped || error instanceof ThreadLost || error instanceof QueueFault) throw error
      this.#outbox.write({
        type: 'fault',
        worker: this.#settings.name,
        episode: name,
        message: shortened(messageOf(error)),
        stack: error instanceof Error && error.stack !== undefined ? shortened(error.stack) : null,
      })
      await this.#outbox.flush()
      return
    } finally {
      held.release()
    }
    try {
      await Promise.all([...record.media.values()].map((ref) => this.#sender.deliver(ref)))
    } catch (error) {
      if (this.#control.signal.aborted) throw new EpisodeStopped('the run was stopped')
      throw error
    }
    const message: WorkerMessage = {
      type: 'finished',
      worker: this.#settings.name,
      job: id,
      line: episode.line,
      fatal: episode.fatal === true,
      media: [...record.media.keys()],
      calls: record.calls,
      cachedCalls: record.cachedCalls,
      replies: [...record.replies],
    }
    await this.#deliver(`${id} ${name}`, { message, events: episode.events })
  }

  /** Reports a result, and remembers it in case the queue forgets that its job is done. */
  async #deliver(key: string, result: Result): Promise<void> {
    this.#results.delete(key)
    this.#results.set(key, result)
    for (const oldest of this.#results.keys()) {
      if (this.#results.size <= MAX_RESULTS) break
      this.#results.delete(oldest)
    }
    this.#outbox.write(result.message, result.events)
    await this.#outbox.flush()
  }

  #context(record: EpisodeRecord): EpisodeContext {
    const { store } = this.#settings
    const { options, suite } = this.#plan
    const { header } = this.#heartbeat
    return {
      suite,
      options,
      profile: header.profile,
      seed: header.seed,
      players: new Map([...this.#players].map(([role, player]) => [role, recordingReplies(player, record)])),
      signal: this.#control.signal,
      draining: this.#control.draining,
      keep: (bytes, type, size) => store.media.keep(bytes, type, size),
      fileOf: (ref) => store.media.pathOf(ref),
      files: this.#files,
      instruments: this.#instruments,
      onMedia: (ref) => {
        record.media.set(ref.sha256, ref)
        this.#sender.deliver(ref).catch(() => undefined)
      },
      beforeRequest: () => this.#mayAsk(),
      payments: { intend: (estimate) => this.#intend(record, estimate) },
      onUsage: (usage, cached) => this.#used(record, usage, cached),
    }
  }

  /** All workers share one budget, so the total is checked before every request. */
  async #mayAsk(): Promise<void> {
    await this.#untilCoordinated()
    const { budget } = this.#heartbeat.header
    // Own payments first: nothing more is asked before they are recorded.
    await this.#spending.flush()
    if (budget === null) return
    const spent = await this.#settings.queue.shared.spent(this.run)
    // If the server lost the total, the coordinator writes it again.
    if (spent === null) {
      await pause(WATCH_MS / 4)
      return this.#mayAsk()
    }
    const { usd, tokens } = spent
    try {
      const before = { calls: 0, inputTokens: tokens, outputTokens: 0, reasoningTokens: 0, cachedInputTokens: 0, usd }
      new Meter(parseBudget(budget), [before]).check()
    } catch (error) {
      if (!(error instanceof BudgetSpent)) throw error
      this.#control.drain(new RunStopped('budget', error.message))
      this.#outbox.write({ type: 'budget', words: error.message })
    }
    // The query may have taken long.
    await this.#untilCoordinated()
  }

  /** A request in flight counts with its estimate, also if this worker is killed before the reply comes. */
  async #intend(record: EpisodeRecord, usage: Usage): ReturnType<Payments['intend']> {
    // Without a price, the reply may still have one.
    const estimate: Estimate = { usd: usage.usd ?? 0, tokens: usage.inputTokens + usage.outputTokens }
    await this.#spending.add(estimate)
    return async (charged) => {
      if (charged === null) return this.#spending.add({ usd: -estimate.usd, tokens: -estimate.tokens })
      // It may have been charged, so the estimate stays in the total.
      if (charged === 'unknown') return
      const { usd, tokens } = record.estimated
      record.estimated = { usd: usd + estimate.usd, tokens: tokens + estimate.tokens }
    }
  }

  #used(record: EpisodeRecord, usage: Usage, cached: boolean): void {
    const tokens = usage.inputTokens + usage.outputTokens
    if (cached) {
      record.cachedCalls += usage.calls
      return
    }
    const { estimated } = record
    record.estimated = NO_ESTIMATE
    const usd = tokens === 0 ? 0 : usage.usd
    const difference = { usd: usd === null ? null : usd - estimated.usd, tokens: tokens - estimated.tokens }
    // Retried until this worker stops.
    if (difference.usd !== 0 || difference.tokens !== 0) this.#spending.add(difference).catch(() => undefined)
    if (tokens === 0) record.calls += usage.calls
    else this.#outbox.write({ type: 'paid', usage })
  }

  async #close(): Promise<void> {
    this.#isClosed = true
    await this.#worker?.close().catch(() => undefined)
    await this.#outbox.flush().catch(() => undefined)
    await this.#spending.flush()
    await this.#closePlayers()
  }

  async #closePlayers(): Promise<void> {
    await Promise.allSettled([...this.#players.values()].map((player) => player.close()))
  }
}

/** Records the cache keys of the replies of an episode, to delete them when it is in the journal. */
function recordingReplies(player: Player, record: EpisodeRecord): Player {
  return {
    ...player,
    startEpisode: (sample, context) => {
      const answer = player.startEpisode(sample, context)
      return async (request, signal) => {
        const reply = await answer(request, signal)
        if (reply.storedAs !== undefined) record.replies.add(reply.storedAs)
        return reply
      }
    },
  }
}

/** The source with the dataset path of this machine, if one is configured. */
function localSource(source: string, sources: Readonly<Record<string, string>>): string {
  const { name } = parseSource(source)
  return Object.hasOwn(sources, name) ? `${name}:${sources[name]!}` : source
}

function describeDifferences(changed: ReturnType<typeof changedParts>): string {
  const list = changed
    .map(([part, mine, theirs]) => `${part} (here ${mine}, in the run ${theirs ?? 'unset'})`)
    .join(', ')
  const isData = changed.some(([part]) => part === 'source')
  return `it differs in ${list}. ${isData ? 'Use the same dataset on all machines.' : 'Use the same installation on all machines.'}`
}
