/**
 * Chaos tests of a run on a queue: workers and coordinators are killed or stopped, and its server breaks in every way we
 * know of. Nothing may be asked while it cannot be recorded; in the end nothing is lost, nothing is paid twice unless it
 * was in flight, the budget was kept, and the report is that of an undisturbed local run.
 */
import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import {
  ended,
  episodeLines,
  finish,
  kill,
  type Outcome,
  problemsOf,
  repeats,
  repliesOnDisk,
  runsIn,
  splitArguments,
  start,
  type Trial,
  type TrialOptions,
  tryOut,
} from '../chaos/trial.ts'
import type { TestServer } from '../support/engine/queue.ts'
import type { Trouble } from './troubles.ts'

export interface ClusterChaos extends TrialOptions {
  server: TestServer
  /** For coordinators and workers; `server.url` is the administrator's. */
  url: string
  workers: number
  leaseSeconds: number
  /** How often processes of this kind are killed; or what happens to the server, once. */
  fault: { kill: 'worker' | 'coordinator'; times: number } | Trouble
}

const SLOTS = 4
const POLL_MS = 20
/** Share of requests before the last kill. */
const SHARE_UNDER_FIRE = 0.6
/** Share of requests before a fault of the server. */
const FAULT_AT = 0.3
/** Share of the cost of an undisturbed run after which the budget is spent. */
const BUDGET_SHARE = 0.7
/** Within this time, workers stop asking. */
const NOTICE_MS = 2000
/** How long the server or the coordinator is out of order after that. */
const LASTS_MS = 2000
const SECRET = { SIGHTLINE_QUEUE_SECRET: 'of the chaos test' }

export function clusterChaos(options: ClusterChaos): Promise<Outcome> {
  return tryOut(options, ['chaos'], async (trial) => {
    const attempt = new ClusterAttempt(options, trial)
    try {
      return await attempt.play()
    } finally {
      await attempt.close()
    }
  })
}

class ClusterAttempt {
  readonly #options: ClusterChaos
  readonly #trial: Trial
  readonly #store: string
  readonly #connections: number
  readonly #budget: number
  readonly #workers: ChildProcess[] = []
  readonly #problems: string[] = []
  /** Requests whose replies were in the store at a fault: they must not come again. */
  readonly #stored = new Set<string>()
  #storedAgain = 0
  /** Requests that were compared with them. */
  #compared = 0
  #overBudget = 0
  #coordinator: ChildProcess | null = null
  #faults = 0
  #inFlight = 0

  constructor(options: ClusterChaos, trial: Trial) {
    this.#options = options
    this.#trial = trial
    this.#store = join(trial.folder, 'wild')
    this.#connections = options.workers * SLOTS
    this.#budget = Math.ceil(trial.cost.get('chaos')! * BUDGET_SHARE)
  }

  async play(): Promise<Outcome> {
    const { fault, workers } = this.#options
    for (let place = 0; place < workers; place++) this.#startWorker(place)
    this.#startCoordinator()
    if ('kill' in fault) await this.#killMany(fault.kill, fault.times)
    else await this.#break(fault)
    await this.#untilBudget()
    this.#resume('--budget 1b-tokens')
    await finish(this.#coordinator!)
    return this.#outcome()
  }

  async close(): Promise<void> {
    await kill(...this.#workers, ...(this.#coordinator ? [this.#coordinator] : []))
  }

  #startWorker(place: number): void {
    const { url } = this.#options
    const { models, folder } = this.#trial
    this.#workers[place] = start(
      splitArguments(
        `worker --queue ${url} --slots ${SLOTS} --threads 0 --allow-base-url ${models.url}`,
        `--log-dir ${join(folder, `worker-${place}`)}`,
      ),
      SECRET,
    )
  }

  #startCoordinator(): void {
    const { url, leaseSeconds } = this.#options
    const more = `--queue ${url} --lease ${leaseSeconds} --budget ${this.#budget}-tokens`
    this.#coordinator = start(this.#trial.run(this.#store, more), SECRET)
  }

  #resume(more = ''): void {
    const { leaseSeconds } = this.#options
    this.#coordinator = start(
      splitArguments(`resume latest --log-dir ${this.#store} --json --lease ${leaseSeconds} ${more}`),
      SECRET,
    )
  }

  get #requests(): number {
    return this.#trial.models.received.length
  }

  /** False if the coordinator ended before. */
  async #untilRequests(count: number): Promise<boolean> {
    const state = { ended: false }
    void ended(this.#coordinator!).then(() => (state.ended = true))
    while (!state.ended && this.#requests < count) await pause(POLL_MS)
    return !state.ended
  }

  async #killMany(what: 'worker' | 'coordinator', times: number): Promise<void> {
    const { unique, random } = this.#trial
    const stride = Math.max(2, Math.floor((unique * SHARE_UNDER_FIRE) / times))
    while (this.#faults < times && (await this.#untilRequests(this.#requests + random.between(1, stride)))) {
      this.#faults += 1
      const place = random.int(this.#options.workers)
      const victim = what === 'worker' ? this.#workers[place]! : this.#coordinator!
      await kill(victim)
      // Without a coordinator, workers keep theirs; but a lease may expire meanwhile.
      this.#inFlight += what === 'worker' ? SLOTS : this.#connections
      await this.#noteStored()
      const lines = await episodeLines(this.#store)
      this.#options.log(
        `killed ${what}: ${lines.length} of ${this.#options.samples} episodes, ${this.#requests} requests`,
      )
      if (what === 'worker') this.#startWorker(place)
      else {
        if (this.#faults === 1) await this.#quiet(() => pause(LASTS_MS))
        this.#resume()
      }
    }
    if (this.#faults < times)
      this.#problems.push(`the run ended after ${this.#faults} of ${times} kills: use more samples`)
  }

  async #break(trouble: Trouble): Promise<void> {
    const { server } = this.#options
    if (!(await this.#untilRequests(this.#trial.unique * FAULT_AT))) {
      this.#problems.push('the run ended before the fault: use more samples')
      return
    }
    this.#faults = 1
    await this.#noteStored()
    // What was on a server that lost everything may be asked again.
    this.#inFlight += this.#connections * (trouble.losesData ? 2 : 1)
    const coordinator = this.#coordinator!
    const [run] = await runsIn(this.#store)
    const place = { server, coordinator, run: run!.id }
    await trouble.begin(place)
    this.#options.log(`${trouble.name}: begins after ${this.#requests} requests`)
    if (trouble.repair) await this.#quiet(() => (trouble.ends ? ended(coordinator) : pause(LASTS_MS)))
    await trouble.repair?.(place)
    if (!trouble.ends) return
    const { code, stderr } = await ended(coordinator)
    if (code === 0 || !trouble.ends.test(stderr)) this.#problems.push(`it did not end with a reason: ${stderr}`)
    if (/\n\s+at /.test(stderr)) this.#problems.push(`it ended with a stack trace: ${stderr}`)
    this.#resume()
  }

  /** Nothing may be asked during `time`, once the workers have noticed. */
  async #quiet(time: () => Promise<unknown>): Promise<void> {
    await pause(NOTICE_MS)
    const before = this.#requests
    await time()
    const meanwhile = this.#requests - before
    if (meanwhile > 0) this.#problems.push(`${meanwhile} requests though nobody could record them`)
  }

  async #untilBudget(): Promise<void> {
    const { code, stderr } = await ended(this.#coordinator!)
    if (!/budget of .* is spent/.test(stderr)) this.#problems.push(`it did not stop at its budget (${code}): ${stderr}`)
    const { charged, largest } = this.#trial.models
    this.#overBudget = Math.max(0, (charged.get('chaos') ?? 0) - this.#budget)
    if (this.#overBudget > this.#connections * largest)
      this.#problems.push(`the budget was exceeded by ${this.#overBudget} tokens; a reply has ${largest}`)
  }

  async #noteStored(): Promise<void> {
    const { received } = this.#trial.models
    this.#storedAgain += received.slice(this.#compared).filter((name) => this.#stored.has(name)).length
    for (const name of await repliesOnDisk(this.#store)) this.#stored.add(name)
    this.#compared = received.length
  }

  async #outcome(): Promise<Outcome> {
    const { models } = this.#trial
    const { fault, samples, server } = this.#options
    await this.#noteStored()
    const twice = repeats(models.received)
    this.#problems.push(...(await problemsOf(this.#store, this.#trial, samples)))
    if (this.#storedAgain > 0) this.#problems.push(`${this.#storedAgain} replies were on disk but requested again`)
    if (twice > this.#inFlight) this.#problems.push(`${twice} requests came again, ${this.#inFlight} were in flight`)
    const name = 'kill' in fault ? `kill -9 ${fault.kill}` : fault.name
    return {
      trial: `${server.url.split(':')[0]}: ${name}`,
      faults: this.#faults,
      episodes: (await episodeLines(this.#store)).length,
      requests: models.received.length,
      twice,
      inFlight: this.#inFlight,
      overBudget: this.#overBudget,
      largest: models.largest,
      problems: this.#problems,
    }
  }
}
