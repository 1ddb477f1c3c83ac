/** A worker's part in one run: checks that it may play it, and plays what it is given. */
import type { Worker } from 'bullmq'
import { messageOf, UserError } from '../../base/errors.ts'
import type { MediaRef } from '../../media/ref.ts'
import type { ReplyStore } from '../../models/deps.ts'
import { Prices } from '../../models/prices.ts'
import type { RateLimiter } from '../../models/rate-limiter.ts'
import type { Model, Role, Usage } from '../../models/types.ts'
import type { RunHeader } from '../../store/records.ts'
import type { Store } from '../../store/store.ts'
import { BudgetSpent, Meter, parseBudget } from '../budget.ts'
import { RunStopped, StopControl } from '../control.ts'
import { type EpisodeContext, type EpisodeJob, EpisodeStopped } from '../episode.ts'
import { changedParts, filesOf, planRun, requestOf, type RunPlan } from '../plan.ts'
import { BASELINE_PREFIX, baselinePlayer, type Player, type Players, playerOf } from '../players.ts'
import type { PlayEpisode } from '../runner.ts'
import { parseSource } from '../source.ts'
import { INSTRUMENTS, instrumentsPart } from '../run.ts'
import { DataFiles } from '../data-files.ts'
import type { AnySuite, OpenedInstruments } from '../suite.ts'
import { ThreadLost } from '../threads/pool.ts'
import { type JobBatch, HandBack, workOn } from './jobs.ts'
import { MediaSender } from './media-sender.ts'
import type { RunHeartbeat } from './heartbeat.ts'
import type { OpenedQueue } from './open.ts'
import { Outbox } from './outbox.ts'
import { SharedReplies } from './replies.ts'
import { ClusterRateLimiter } from './rate-limiter.ts'

/** How a model is opened on a worker: with the settings of the run and the keys of this machine. */
export interface ModelSettings {
  options: Readonly<Record<string, unknown>>
  prices: Prices
  replies: ReplyStore
  maxConnections: number | null
  maxRetries: number
  timeoutMs: number
  rateLimiter(mostConnections: number): RateLimiter
}

export interface FoundSuite {
  suite: AnySuite
  hash: string | null
  /** For threads. */
  loadFrom: string | null
}

export interface WorkerSettings {
  queue: OpenedQueue
  /** Where media are kept on this machine until they are delivered, and read from when a model is shown them. */
  store: Store
  slots: number
  /** As others see it: `host/pid`. */
  name: string
  version: string
  /** The suite of a run as this machine has it, with the hash of its code where it is not one of ours. */
  findSuite(header: RunHeader): Promise<FoundSuite>
  openModel(id: string, role: Role, how: ModelSettings): Promise<Model>
  /** Other places of data sets on this machine, by the name of the source. */
  sources: Readonly<Record<string, string>>
  /** Makes what plays the episodes of a run. */
  playIn(header: RunHeader, roots: Readonly<Record<string, string>>, loadFrom: string | null): PlayEpisode
  note(words: string): void
}

/** A coordinator that was not heard of for so long is gone. */
const COORDINATOR_MS = 6000

/** What an episode leaves behind beside its log. */
interface Book {
  media: Map<string, MediaRef>
  replies: Set<string>
  calls: number
  cachedCalls: number
}

export class RunWorker {
  readonly run: string
  readonly #settings: WorkerSettings
  readonly #plan: RunPlan
  readonly #outbox: Outbox
  readonly #sender: MediaSender
  readonly #control = new StopControl()
  readonly #perform: PlayEpisode
  /** What was paid here and is on its way to the account that all workers share. */
  readonly #spending = new Set<Promise<void>>()
  #players: Players = new Map()
  readonly #files: DataFiles
  #instruments: OpenedInstruments<unknown, unknown> | undefined
  #heartbeat: RunHeartbeat
  #beatAt = performance.now()
  #worker: Worker | null = null
  #leaving = false
  /** Jobs in hand. */
  underWay = 0

  private constructor(settings: WorkerSettings, heartbeat: RunHeartbeat, plan: RunPlan, loadFrom: string | null) {
    const { shared } = settings.queue
    this.run = heartbeat.header.id
    this.#settings = settings
    this.#heartbeat = heartbeat
    this.#plan = plan
    this.#files = new DataFiles(plan.source.roots)
    this.#outbox = new Outbox(shared, this.run)
    this.#sender = new MediaSender({
      run: this.run,
      shared,
      outbox: this.#outbox,
      quota: () => this.#heartbeat.mediaQuota,
      isCoordinated: () => this.#isCoordinated(),
      pathOf: (sha256) => settings.store.media.pathOf(sha256),
      signal: this.#control.signal,
    })
    this.#perform = settings.playIn(heartbeat.header, plan.source.roots ?? {}, loadFrom)
  }

  /** Joins a run, or throws a `UserError` that says why this worker may not. */
  static async join(settings: WorkerSettings, heartbeat: RunHeartbeat): Promise<RunWorker> {
    if (heartbeat.version !== settings.version) {
      throw new UserError(
        `it has Sightline ${settings.version}, and the run is played with ${heartbeat.version}; install the same version.`,
      )
    }
    const { header } = heartbeat
    const { suite, hash, loadFrom } = await settings.findSuite(header)
    if (hash !== (header.suiteModule?.hash ?? null)) {
      throw new UserError(
        `its code of the suite "${suite.name}" is not that of the run. Copy the same files to all machines.`,
      )
    }
    const plan = await planRun({ ...requestOf(suite, header), source: ownSource(header.source, settings.sources) })
    const changed = changedParts(plan, header)
    if (changed.length > 0) throw new UserError(differs(changed))
    if ((await filesOf(plan)) !== heartbeat.files) {
      throw new UserError('its data set has other files than that of the run, or lacks some. Copy it whole.')
    }
    const member = new RunWorker(settings, heartbeat, plan, loadFrom)
    try {
      await member.#open()
    } catch (error) {
      await member.#closePlayers()
      throw error
    }
    return member
  }

  get state(): RunHeartbeat['state'] {
    return this.#heartbeat.state
  }

  /** Was it stopped for good? */
  get isStopped(): boolean {
    return this.#control.reason !== null
  }

  set slots(slots: number) {
    if (this.#worker && this.#worker.concurrency !== slots) this.#worker.concurrency = slots
  }

  /** The coordinator was heard of, or the run is to stop. */
  update(heartbeat: RunHeartbeat): void {
    if (heartbeat.beat !== this.#heartbeat.beat) this.#beatAt = performance.now()
    this.#heartbeat = heartbeat
    const reason = new RunStopped('interrupted', heartbeat.reason ?? 'the run was stopped')
    if (heartbeat.state === 'draining') this.#control.drain(reason)
    if (heartbeat.state === 'aborted') this.#control.abort(reason)
  }

  /** The run is over: what is under way is of no use any more. */
  async end(): Promise<void> {
    this.#control.abort(new RunStopped('interrupted', 'the run is over'))
    await this.#close()
  }

  /** This worker goes: nothing new is taken, and what cannot end by itself in time is handed back. */
  async leave(graceMs: number): Promise<void> {
    this.#leaving = true
    const closing = this.#worker?.close()
    const reason = new RunStopped('interrupted', 'the worker was stopped')
    const timer = setTimeout(() => this.#control.abort(reason), graceMs)
    this.#control.drain(reason)
    await closing?.catch(() => undefined)
    clearTimeout(timer)
    await this.#close()
  }

  #isCoordinated(): boolean {
    return performance.now() - this.#beatAt < COORDINATOR_MS
  }

  async #open(): Promise<void> {
    const { header } = this.#heartbeat
    this.#instruments = await this.#plan.suite.measure?.open(this.#plan.options)
    if (instrumentsPart(this.#instruments) !== header.fingerprint.parts[INSTRUMENTS])
      throw new UserError('its instruments are not those of the run. Use the same networks on all machines.')
    const players = new Map<Role, Player>()
    this.#players = players
    for (const [role, id] of Object.entries(header.models) as [Role, string][]) {
      const player = id.startsWith(BASELINE_PREFIX)
        ? baselinePlayer(this.#plan.suite, id)
        : playerOf(await this.#openModel(id, role))
      players.set(role, player)
      const then = header.fingerprint.parts[`modelAddress.${role}`]
      if (player.address !== null && then !== undefined && then !== player.address) {
        throw new UserError(`it would ask ${id} at ${player.address}, and the run asks it at ${then}.`)
      }
    }
    this.#worker = await workOn(this.#settings.queue, {
      run: this.run,
      slots: this.#settings.slots,
      leaseMs: this.#heartbeat.leaseMs,
      name: this.#settings.name,
      play: (batch, done) => this.#play(batch, done),
      // Lost locks and broken connections: another worker takes over, or the connection is made again.
      onTrouble: () => undefined,
    })
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
        mayLookUp: () => cache && this.#heartbeat.repliesInStore && this.#isCoordinated(),
      }),
      maxConnections: model.maxConnections,
      maxRetries: model.maxRetries,
      timeoutMs: model.timeoutMs,
      rateLimiter: (mostConnections) =>
        new ClusterRateLimiter(shared, `${this.run}/${role}`, { ...model, connections: mostConnections }),
    })
  }

  async #play(batch: JobBatch, done: (left: readonly EpisodeJob[]) => Promise<void>): Promise<void> {
    this.underWay += 1
    try {
      for (const [i, job] of batch.episodes.entries()) {
        if (this.#control.reason) throw new EpisodeStopped(this.#control.reason.message)
        await this.#playOne(batch.id, job)
        await done(batch.episodes.slice(i + 1))
      }
    } catch (error) {
      // The run stops: the job is left for the coordinator to clear away. The worker stops: others take it.
      if (!(error instanceof EpisodeStopped)) throw error
      if (this.#leaving) throw new HandBack(error.message)
    } finally {
      this.underWay -= 1
    }
  }

  async #playOne(id: string, job: EpisodeJob): Promise<void> {
    const book: Book = { media: new Map(), replies: new Set(), calls: 0, cachedCalls: 0 }
    const name = `${job.sample.id}#${job.epoch}`
    let episode
    try {
      episode = await this.#perform(job, this.#context(book))
    } catch (error) {
      // Out of memory, for example: another worker may do better, and after a few tries the run says so.
      if (error instanceof EpisodeStopped || error instanceof ThreadLost) throw error
      this.#outbox.write({
        type: 'fault',
        worker: this.#settings.name,
        episode: name,
        message: messageOf(error),
        stack: error instanceof Error ? (error.stack ?? null) : null,
      })
      await this.#outbox.flush()
      return
    }
    try {
      await Promise.all([...book.media.values()].map((ref) => this.#sender.deliver(ref)))
    } catch (error) {
      if (this.#control.signal.aborted) throw new EpisodeStopped('the run was stopped')
      throw error
    }
    this.#outbox.write(
      {
        type: 'finished',
        worker: this.#settings.name,
        job: id,
        line: episode.line,
        media: [...book.media.keys()],
        calls: book.calls,
        cachedCalls: book.cachedCalls,
        replies: [...book.replies],
      },
      episode.events,
    )
    await this.#outbox.flush()
  }

  #context(book: Book): EpisodeContext {
    const { store } = this.#settings
    const { options, suite } = this.#plan
    const { header } = this.#heartbeat
    return {
      suite,
      options,
      profile: header.profile,
      seed: header.seed,
      players: new Map([...this.#players].map(([role, player]) => [role, noting(player, book)])),
      signal: this.#control.signal,
      draining: this.#control.draining,
      keep: (bytes, type, size) => store.media.keep(bytes, type, size),
      fileOf: (ref) => store.media.pathOf(ref),
      files: this.#files,
      instruments: this.#instruments,
      kept: (ref) => {
        book.media.set(ref.sha256, ref)
        this.#sender.deliver(ref).catch(() => undefined)
      },
      mayAsk: () => this.#mayAsk(),
      used: (usage, cached) => this.#used(book, usage, cached),
    }
  }

  /** The budget is one for all workers: what all have spent is looked up before every request. */
  async #mayAsk(): Promise<void> {
    this.#control.check()
    const { budget } = this.#heartbeat.header
    if (budget === null) return
    // First one's own: over two connections the question could overtake them.
    await Promise.all(this.#spending)
    const { usd, tokens } = await this.#settings.queue.shared.spent(this.run)
    try {
      const before = { calls: 0, inputTokens: tokens, outputTokens: 0, reasoningTokens: 0, cachedInputTokens: 0, usd }
      new Meter(parseBudget(budget), [before]).check()
    } catch (error) {
      if (!(error instanceof BudgetSpent)) throw error
      this.#control.drain(new RunStopped('budget', error.message))
      this.#outbox.write({ type: 'budget', words: error.message })
    }
    this.#control.check()
  }

  #used(book: Book, usage: Usage, cached: boolean): void {
    const tokens = usage.inputTokens + usage.outputTokens
    if (cached) book.cachedCalls += usage.calls
    else if (tokens === 0) book.calls += usage.calls
    else {
      const spending: Promise<void> = this.#settings.queue.shared
        .spend(this.run, { usd: usage.usd, tokens })
        .catch(() => undefined)
        .finally(() => this.#spending.delete(spending))
      this.#spending.add(spending)
      this.#outbox.write({ type: 'paid', usage })
    }
  }

  async #close(): Promise<void> {
    await this.#worker?.close().catch(() => undefined)
    await this.#outbox.flush().catch(() => undefined)
    await this.#closePlayers()
  }

  async #closePlayers(): Promise<void> {
    await Promise.allSettled([...this.#players.values()].map((player) => player.close()))
  }
}

/** Notes where the replies of an episode are kept, so that they can be cleared away with it. */
function noting(player: Player, book: Book): Player {
  return {
    ...player,
    begin: (sample, context) => {
      const answer = player.begin(sample, context)
      return async (request, signal) => {
        const reply = await answer(request, signal)
        if (reply.storedAs !== undefined) book.replies.add(reply.storedAs)
        return reply
      }
    },
  }
}

/** Where this machine has the data set: where the coordinator has it, if nothing else was said. */
function ownSource(source: string, sources: Readonly<Record<string, string>>): string {
  const { name } = parseSource(source)
  return Object.hasOwn(sources, name) ? `${name}:${sources[name]!}` : source
}

function differs(changed: ReturnType<typeof changedParts>): string {
  const list = changed
    .map(([part, mine, theirs]) => `${part} (here ${mine}, in the run ${theirs ?? 'unset'})`)
    .join(', ')
  const isData = changed.some(([part]) => part === 'source')
  return `this is different on it: ${list}. ${isData ? 'Its data set is not the same.' : 'Use the same installation on all machines.'}`
}
