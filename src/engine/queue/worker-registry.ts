/** Which workers are there for a run, and what people should be told about them. */
import type { OpenedQueue } from './open.ts'
import { readWorkerHeartbeat } from './heartbeat.ts'

/** Without any worker for so long, the user is told how to start one. */
const ALONE_MS = 5000

export class WorkerRegistry {
  readonly #queue: OpenedQueue
  readonly #run: string
  readonly #note: (words: string) => void
  readonly #refusals = new Set<string>()
  readonly #begun = performance.now()
  #toldAlone = false
  #workers = 0
  /** Episodes that all workers of the run play at once. */
  slots = 0
  /** Jobs that living workers have in their hands. */
  underWay = 0

  constructor(queue: OpenedQueue, run: string, note: (words: string) => void) {
    this.#queue = queue
    this.#run = run
    this.#note = note
  }

  async take(): Promise<void> {
    const found = await this.#queue.shared.list('worker')
    const workers = [...found.values()].flatMap((body) => readWorkerHeartbeat(body) ?? [])
    const ours = workers.filter(({ runs }) => this.#run in runs)
    this.slots = ours.reduce((sum, { slots }) => sum + slots, 0)
    this.underWay = ours.reduce((sum, { runs }) => sum + (runs[this.#run] ?? 0), 0)
    for (const { host, pid, refused } of workers) {
      const why = refused[this.#run]
      if (why !== undefined && !this.#refusals.has(why)) {
        this.#refusals.add(why)
        this.#note(`Worker ${host}/${pid} does not play this run: ${why}`)
      }
    }
    if (ours.length !== this.#workers) {
      this.#workers = ours.length
      this.#toldAlone = ours.length > 0
      this.#note(`${ours.length} ${ours.length === 1 ? 'worker' : 'workers'} with ${this.slots} slots.`)
    } else if (ours.length === 0 && !this.#toldAlone && performance.now() - this.#begun > ALONE_MS) {
      this.#toldAlone = true
      this.#note(
        `No worker is there yet. Start one: sightline worker --queue ${this.#queue.address.shown}` +
          (workers.length > 0 ? ` (${workers.length} are there for other runs, or refused)` : ''),
      )
    }
  }
}
