/** A process that plays episodes for others: looks for runs, joins those that it may play, and says that it is there. */
import { hostname } from 'node:os'
import { messageOf, UserError, trimFullStop } from '../../base/errors.ts'
import { RunWorker, type WorkerSettings } from './run-worker.ts'
import { readHeartbeat, packWorkerHeartbeat, type RunHeartbeat } from './heartbeat.ts'

const LOOK_MS = 1000
/** A worker that has not said anything for so long is not counted any more. */
const PRESENT_MS = 5000

export type { ModelSettings, WorkerSettings } from './run-worker.ts'

export class ClusterWorker {
  readonly #settings: WorkerSettings
  readonly #threads: number
  readonly #runWorkers = new Map<string, RunWorker>()
  readonly #joining = new Map<string, Promise<void>>()
  readonly #refused = new Map<string, string>()
  /** Runs that could not be joined for now, and what was said about it. */
  readonly #hindered = new Map<string, string>()
  readonly #started = new Date().toISOString()
  readonly #stopped = new AbortController()
  #looking: Promise<void> = Promise.resolve()

  constructor(settings: WorkerSettings, threads: number) {
    this.#settings = settings
    this.#threads = threads
  }

  /** Looks for runs until it is stopped. */
  start(): void {
    this.#looking = this.#loop()
  }

  /** Takes nothing new; what is under way may end within `graceMs`, and is handed back after that. */
  async stop(graceMs: number): Promise<void> {
    this.#stopped.abort()
    await this.#looking
    await Promise.allSettled(this.#joining.values())
    await Promise.all([...this.#runWorkers.values()].map((member) => member.leave(graceMs)))
    await this.#settings.queue.shared.remove('worker', [this.#settings.name])
  }

  async #loop(): Promise<void> {
    const { signal } = this.#stopped
    const stop = new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
    let inTrouble = false
    while (!signal.aborted) {
      try {
        await this.#look()
        inTrouble = false
      } catch (error) {
        if (!inTrouble)
          this.#settings.note(`The queue cannot be asked: ${this.#settings.queue.address.redact(messageOf(error))}`)
        inTrouble = true
      }
      await Promise.race([new Promise((resolve) => setTimeout(resolve, LOOK_MS)), stop])
    }
  }

  async #look(): Promise<void> {
    const { shared } = this.#settings.queue
    const found = new Map<string, RunHeartbeat>()
    for (const [run, body] of await shared.list('run')) {
      const heartbeat = readHeartbeat(body)
      if (heartbeat) found.set(run, heartbeat)
      else if (!this.#refused.has(run)) this.#refuse(run, 'its heartbeat is of another version of Sightline.')
    }
    for (const [run, heartbeat] of found) {
      let member = this.#runWorkers.get(run)
      if (member?.isStopped && heartbeat.state === 'open') {
        // Stopped, and resumed before anybody looked.
        this.#runWorkers.delete(run)
        void member.end()
        member = undefined
      }
      if (member) member.update(heartbeat)
      else if (heartbeat.state === 'open' && !this.#joining.has(run) && !this.#refused.has(run))
        this.#join(run, heartbeat)
    }
    for (const [run, member] of this.#runWorkers) {
      if (found.has(run)) continue
      this.#runWorkers.delete(run)
      void member.end()
      this.#settings.note(`Run ${run} is over.`)
    }
    for (const left of [this.#refused, this.#hindered]) {
      for (const run of left.keys()) if (!found.has(run)) left.delete(run)
    }
    this.#share()
    await this.#present()
  }

  #join(run: string, heartbeat: RunHeartbeat): void {
    const joining = this.#tryToJoin(run, heartbeat).finally(() => this.#joining.delete(run))
    this.#joining.set(run, joining)
  }

  async #tryToJoin(run: string, heartbeat: RunHeartbeat): Promise<void> {
    try {
      this.#runWorkers.set(run, await RunWorker.join(this.#settings, heartbeat))
      this.#hindered.delete(run)
      this.#settings.note(`Plays run ${run}.`)
    } catch (error) {
      const { redact } = this.#settings.queue.address
      if (error instanceof UserError) this.#refuse(run, redact(messageOf(error) + (error.hint ? ` ${error.hint}` : '')))
      else this.#tryLater(run, redact(messageOf(error)))
    }
  }

  /** The queue's server went away in the middle of joining, for example: nothing that speaks against playing. */
  #tryLater(run: string, why: string): void {
    const words = `${trimFullStop(why)}. It tries again.`
    if (this.#hindered.get(run) === words) return
    this.#hindered.set(run, words)
    this.#settings.note(`Could not join run ${run}: ${words}`)
  }

  #refuse(run: string, why: string): void {
    this.#refused.set(run, why)
    this.#settings.note(`Does not play run ${run}: ${why}`)
  }

  /** Runs at the same time share the slots. */
  #share(): void {
    const open = [...this.#runWorkers.values()].filter(({ state }) => state === 'open')
    for (const member of open) member.slots = Math.max(1, Math.floor(this.#settings.slots / open.length))
  }

  async #present(): Promise<void> {
    const { name, version, slots, queue } = this.#settings
    const body = packWorkerHeartbeat({
      host: hostname(),
      pid: process.pid,
      version,
      slots,
      threads: this.#threads,
      runs: Object.fromEntries([...this.#runWorkers].map(([run, member]) => [run, member.underWay])),
      refused: Object.fromEntries([...this.#refused, ...this.#hindered]),
      started: this.#started,
    })
    await queue.shared.set('worker', name, body, PRESENT_MS)
  }
}
