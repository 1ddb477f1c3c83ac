/** A worker process: finds runs on a queue, joins those it can play, and sends heartbeats. */
import { hostname } from 'node:os'
import { messageOf, UserError, trimFullStop } from '../../base/errors.ts'
import { RunWorker, type WorkerSettings } from './run-worker.ts'
import { packWorkerHeartbeat, readHeartbeat, type RunHeartbeat, UNREADABLE_RUN } from './heartbeat.ts'
import { Seal } from './seal.ts'

const POLL_MS = 1000
/** A worker without a heartbeat for this long is no longer listed. */
const HEARTBEAT_TTL_MS = 5000

export type { ModelSettings, WorkerSettings } from './run-worker.ts'

export class ClusterWorker {
  readonly #settings: WorkerSettings
  readonly #threads: number
  readonly #runWorkers = new Map<string, RunWorker>()
  readonly #joining = new Map<string, Promise<void>>()
  readonly #rejected = new Map<string, string>()
  /** Runs that could not be joined yet, each with the reason. */
  readonly #retrying = new Map<string, string>()
  readonly #started = new Date().toISOString()
  readonly #stopped = new AbortController()
  #polling: Promise<void> = Promise.resolve()

  constructor(settings: WorkerSettings, threads: number) {
    this.#settings = settings
    this.#threads = threads
  }

  /** Polls for runs until stopped. */
  start(): void {
    this.#polling = this.#loop()
  }

  /** Takes no new jobs. Active ones can finish within `graceMs`; after that they return to the queue. */
  async stop(graceMs: number): Promise<void> {
    this.#stopped.abort()
    const { shared, health } = this.#settings.queue
    // Do not wait for a queue that does not work.
    const timer = setTimeout(() => health.giveUp(), graceMs)
    await this.#polling
    await Promise.allSettled(this.#joining.values())
    await Promise.all([...this.#runWorkers.values()].map((runWorker) => runWorker.leave(graceMs)))
    await shared.remove('worker', [this.#settings.name]).catch(() => undefined)
    clearTimeout(timer)
  }

  async #loop(): Promise<void> {
    const { signal } = this.#stopped
    const stop = new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
    let isFailing = false
    while (!signal.aborted) {
      try {
        await this.#poll()
        isFailing = false
      } catch (error) {
        if (!isFailing)
          this.#settings.note(`Cannot read from the queue: ${this.#settings.queue.address.redact(messageOf(error))}`)
        isFailing = true
      }
      await Promise.race([new Promise((resolve) => setTimeout(resolve, POLL_MS)), stop])
    }
  }

  async #poll(): Promise<void> {
    const { shared, address } = this.#settings.queue
    const found = new Map<string, RunHeartbeat>()
    const listed = await shared.list('run')
    for (const [run, body] of listed) {
      const heartbeat = readHeartbeat(body, new Seal(address.secret, run))
      if (heartbeat) found.set(run, heartbeat)
      else if (!this.#rejected.has(run)) this.#reject(run, UNREADABLE_RUN)
    }
    for (const [run, heartbeat] of found) {
      let runWorker = this.#runWorkers.get(run)
      if (runWorker?.isStopped && heartbeat.state === 'open') {
        // The run was stopped and resumed between two polls.
        this.#runWorkers.delete(run)
        void runWorker.end()
        runWorker = undefined
      }
      if (runWorker) runWorker.update(heartbeat)
      else if (heartbeat.state === 'open' && !this.#joining.has(run) && !this.#rejected.has(run))
        this.#join(run, heartbeat)
    }
    for (const [run, runWorker] of this.#runWorkers) {
      if (found.has(run)) continue
      this.#runWorkers.delete(run)
      void runWorker.end()
      this.#settings.note(`Run ${run} has ended.`)
    }
    for (const runs of [this.#rejected, this.#retrying]) {
      for (const run of runs.keys()) if (!listed.has(run)) runs.delete(run)
    }
    this.#shareSlots()
    await this.#sendHeartbeat()
  }

  #join(run: string, heartbeat: RunHeartbeat): void {
    const joining = this.#tryToJoin(run, heartbeat).finally(() => this.#joining.delete(run))
    this.#joining.set(run, joining)
  }

  async #tryToJoin(run: string, heartbeat: RunHeartbeat): Promise<void> {
    try {
      this.#runWorkers.set(run, await RunWorker.join(this.#settings, heartbeat))
      this.#retrying.delete(run)
      this.#settings.note(`Joined run ${run}.`)
    } catch (error) {
      const { redact } = this.#settings.queue.address
      if (error instanceof UserError) this.#reject(run, redact(messageOf(error) + (error.hint ? ` ${error.hint}` : '')))
      else this.#tryLater(run, redact(messageOf(error)))
    }
  }

  /** For temporary failures, such as a lost connection while joining. */
  #tryLater(run: string, why: string): void {
    const reason = `${trimFullStop(why)}. Retrying.`
    if (this.#retrying.get(run) === reason) return
    this.#retrying.set(run, reason)
    this.#settings.note(`Could not join run ${run}: ${reason}`)
  }

  #reject(run: string, why: string): void {
    this.#rejected.set(run, why)
    this.#settings.note(`Cannot play run ${run}: ${why}`)
  }

  /** Concurrent runs share the slots. */
  #shareSlots(): void {
    const open = [...this.#runWorkers.values()].filter(({ state, isCoordinated }) => state === 'open' && isCoordinated)
    for (const runWorker of open) runWorker.slots = Math.max(1, Math.floor(this.#settings.slots / open.length))
  }

  async #sendHeartbeat(): Promise<void> {
    const { name, version, slots, queue } = this.#settings
    const heartbeat = {
      host: hostname(),
      pid: process.pid,
      version,
      slots,
      threads: this.#threads,
      runs: Object.fromEntries([...this.#runWorkers].map(([run, runWorker]) => [run, runWorker.activeJobs])),
      refused: Object.fromEntries([...this.#rejected, ...this.#retrying]),
      started: this.#started,
    }
    const body = packWorkerHeartbeat(heartbeat, queue.address.secret)
    await queue.shared.set('worker', new Map([[name, body]]), HEARTBEAT_TTL_MS)
  }
}
