/** Tracks the workers of a run and reports changes to the user. */
import { plural } from '../../base/plural.ts'
import type { OpenedQueue } from './open.ts'
import { readWorkerHeartbeat } from './heartbeat.ts'

/** Without a worker for this long, the user is told how to start one. */
const NO_WORKERS_MS = 5000

export class WorkerRegistry {
  readonly #queue: OpenedQueue
  readonly #run: string
  readonly #note: (text: string) => void
  readonly #refusals = new Set<string>()
  readonly #started = performance.now()
  #notedNoWorkers = false
  #workers = 0
  /** Concurrent episodes of all workers of the run. */
  slots = 0
  /** Active jobs of live workers. */
  activeJobs = 0

  constructor(queue: OpenedQueue, run: string, note: (text: string) => void) {
    this.#queue = queue
    this.#run = run
    this.#note = note
  }

  async refresh(): Promise<void> {
    const found = await this.#queue.shared.list('worker')
    const { secret } = this.#queue.address
    const workers = [...found.values()].flatMap((body) => readWorkerHeartbeat(body, secret) ?? [])
    const ours = workers.filter(({ runs, isSigned }) => isSigned && this.#run in runs)
    this.slots = ours.reduce((sum, { slots }) => sum + slots, 0)
    this.activeJobs = ours.reduce((sum, { runs }) => sum + (runs[this.#run] ?? 0), 0)
    for (const { host, pid, refused } of workers) {
      const why = refused[this.#run]
      if (why !== undefined && !this.#refusals.has(why)) {
        this.#refusals.add(why)
        this.#note(`Worker ${host}/${pid} cannot play this run: ${why}`)
      }
    }
    if (ours.length !== this.#workers) {
      this.#workers = ours.length
      this.#notedNoWorkers = ours.length > 0
      this.#note(`${plural(ours.length, 'worker')} with ${plural(this.slots, 'slot')}.`)
    } else if (ours.length === 0 && !this.#notedNoWorkers && performance.now() - this.#started > NO_WORKERS_MS) {
      this.#notedNoWorkers = true
      this.#note(
        `No workers yet. Start one with: sightline worker --queue ${this.#queue.address.shown}` +
          (workers.length > 0
            ? ` (${plural(workers.length, 'worker')} on this queue cannot play this run or have not joined yet)`
            : ''),
      )
    }
  }
}
