/**
 * Repeatedly kills local runs with `kill -9` at random moments, continues, and checks the result: no lost or duplicate
 * episodes, no reply paid twice unless it was in flight, every request in the ledger, and the reports of undisturbed runs.
 */
import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import {
  ended,
  episodeLines,
  intentsIn,
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
  untilTrue,
} from './trial.ts'

/**
 * `run`: the same command again after each kill, which finds the replies of the runs before in the cache.
 * `resume`: the run that was killed is resumed, under a budget for all attempts together.
 * `batch`: one command with two models, whose runs are resumed side by side, each under its budget.
 */
export type LocalTrial = 'run' | 'resume' | 'batch'

export interface ChaosOptions extends TrialOptions {
  trial: LocalTrial
  kills: number
}

/** Share of requests before the last kill, so the run is not over too early. */
const SHARE_UNDER_FIRE = 0.6
/** Extra delay, to hit moments between a reply and its write to disk. */
const MAX_EXTRA_MS = 40
const CONNECTIONS = 6
/** Share of the cost of an undisturbed run after which the budget is spent, and how much is added then. */
const BUDGET_SHARE = 0.5

export function chaos(options: ChaosOptions): Promise<Outcome> {
  const models = options.trial === 'batch' ? ['first', 'second'] : ['chaos']
  return tryOut(options, models, (trial) => new LocalChaos(options, trial).play())
}

class LocalChaos {
  readonly #options: ChaosOptions
  readonly #trial: Trial
  readonly #store: string
  readonly #problems: string[] = []
  /** By model; none if every attempt is a new run. */
  readonly #budgets = new Map<string, number>()
  /** Acknowledged episodes by run. */
  readonly #lines = new Map<string, string[]>()
  #kills = 0
  #inFlight = 0
  #overBudget: number | null = null

  constructor(options: ChaosOptions, trial: Trial) {
    this.#options = options
    this.#trial = trial
    this.#store = join(trial.folder, 'wild')
    if (options.trial === 'run') return
    this.#overBudget = 0
    for (const [model, tokens] of trial.cost) this.#budgets.set(model, Math.ceil(tokens * BUDGET_SHARE))
  }

  async play(): Promise<Outcome> {
    const { models, random, unique, cost } = this.#trial
    const { kills, samples, trial } = this.#options
    // Moments are counted in requests, not seconds: a fast machine is killed as often as a slow one.
    const stride = Math.max(1, Math.floor((unique * SHARE_UNDER_FIRE) / kills))
    let playing = await this.#start()
    while (playing.length > 0) {
      const before = models.received.length
      const moment = this.#kills < kills ? before + random.between(1, stride) : Infinity
      const over = { now: false }
      const all = Promise.all(playing.map(ended))
      const reached = untilTrue(() => over.now || models.received.length >= moment).then(() =>
        pause(random.int(MAX_EXTRA_MS), null),
      )
      const ends = await Promise.race([all, reached])
      over.now = true
      if (ends === null) {
        await kill(...playing)
        await this.#afterKill(before)
      } else {
        for (const { code, stderr } of ends) {
          if (code !== 0 && !/budget of .* is spent/.test(stderr)) throw new Error(`exit ${code}: ${stderr}`)
        }
        this.#checkBudgets()
        for (const [model, budget] of this.#budgets)
          this.#budgets.set(model, budget + Math.ceil(cost.get(model)! * BUDGET_SHARE))
      }
      playing = await this.#start()
    }
    const { received, largest } = models
    const twice = repeats(received)
    if (this.#kills < kills)
      this.#problems.push(`the run ended after ${this.#kills} of ${kills} kills: use more samples`)
    if (twice > this.#inFlight)
      this.#problems.push(`${twice} requests came again, but only ${this.#inFlight} were in flight`)
    this.#problems.push(...(await problemsOf(this.#store, this.#trial, samples)))
    return {
      trial,
      faults: this.#kills,
      episodes: samples * this.#trial.expected.size,
      requests: received.length,
      twice,
      inFlight: this.#inFlight,
      overBudget: this.#overBudget,
      largest,
      problems: this.#problems,
    }
  }

  /** Starts what is not done yet; nothing if everything is. */
  async #start(): Promise<ChildProcess[]> {
    const runs = await runsIn(this.#store)
    const models = [...this.#trial.expected.keys()]
    const more = `--max-connections ${CONNECTIONS}`
    if (this.#options.trial === 'run') {
      return runs.some(({ state }) => state === 'done') ? [] : [start(this.#trial.run(this.#store, more))]
    }
    // A command that was killed early may not have begun all of its runs.
    if (runs.length < models.length) {
      const budget = Math.max(...this.#budgets.values())
      return [start(this.#trial.run(this.#store, `${more} --budget ${budget}-tokens`))]
    }
    return runs
      .filter(({ state }) => state !== 'done')
      .map(({ id, model }) => {
        const budget = this.#budgets.get(model)!
        return start(splitArguments(`resume ${id} --log-dir ${this.#store} --json ${more} --budget ${budget}-tokens`))
      })
  }

  async #afterKill(before: number): Promise<void> {
    const { models, unique } = this.#trial
    this.#kills += 1
    const stored = await repliesOnDisk(this.#store)
    const inFlight = models.received.slice(before).filter((name) => !stored.has(name))
    this.#inFlight += inFlight.length
    const limit = CONNECTIONS * this.#trial.expected.size
    if (inFlight.length > limit) this.#problems.push(`kill ${this.#kills}: ${inFlight.length} replies were not stored`)
    const intents = await intentsIn(this.#store)
    if (intents < models.received.length)
      this.#problems.push(
        `kill ${this.#kills}: ${intents} requests in the ledger, but ${models.received.length} were sent`,
      )
    this.#checkBudgets()
    let episodes = 0
    for (const { id } of await runsIn(this.#store)) {
      const now = await episodeLines(this.#store, id)
      if (this.#lines.get(id)?.some((line, i) => now[i] !== line))
        this.#problems.push(`kill ${this.#kills}: an acknowledged episode of ${id} is missing`)
      this.#lines.set(id, now)
      episodes += now.length
    }
    this.#options.log(
      `${this.#options.trial}: kill ${this.#kills}, ${episodes} episodes, ${stored.size} of ${unique} replies on disk, ` +
        `${inFlight.length} in flight`,
    )
  }

  #checkBudgets(): void {
    const { models } = this.#trial
    for (const [model, budget] of this.#budgets) {
      const over = (models.charged.get(model) ?? 0) - budget
      this.#overBudget = Math.max(this.#overBudget ?? 0, over)
      if (over > CONNECTIONS * models.largest)
        this.#problems.push(`the budget of ${model} was exceeded by ${over} tokens; a reply has ${models.largest}`)
    }
  }
}
