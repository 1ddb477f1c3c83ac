/** Models that answer as similar tasks were answered. */
import type { Problem } from './problem.ts'

/** How many similar tasks count. */
const NEIGHBORS = 25
/** As many average tasks are mixed in, so that one neighbor with a rare candidate does not decide. */
const PRIOR_WEIGHT = 2
/** Words in more than this share of the tasks say nothing about one of them. */
const COMMON = 0.8

/** A guess: the position of a candidate, by task. */
export type Guess = (i: number) => number

/** The expected points of every candidate, from tasks with weights. */
class Expectation {
  readonly #problem: Problem
  readonly #prior: Float64Array
  readonly #sums: Float64Array
  readonly #weights: Float64Array

  constructor(problem: Problem, train: readonly number[]) {
    this.#problem = problem
    this.#sums = new Float64Array(problem.different)
    this.#weights = new Float64Array(problem.different)
    this.#prior = new Float64Array(problem.different)
    let all = 0
    let count = 0
    for (const i of train) {
      this.#add(i, 1)
      for (const points of problem.points[i]!) all += points
      count += problem.points[i]!.length
    }
    const average = count === 0 ? 0 : all / count
    for (let c = 0; c < this.#prior.length; c++) {
      this.#prior[c] = (this.#sums[c]! + PRIOR_WEIGHT * average) / (this.#weights[c]! + PRIOR_WEIGHT)
    }
  }

  #add(i: number, weight: number): void {
    const own = this.#problem.candidates[i]!
    const points = this.#problem.points[i]!
    for (let c = 0; c < own.length; c++) {
      this.#sums[own[c]!]! += weight * points[c]!
      this.#weights[own[c]!]! += weight
    }
  }

  /** The best candidate of a task, given the tasks that are like it. */
  best(task: number, neighbors: readonly { i: number; weight: number }[]): number {
    this.#sums.fill(0)
    this.#weights.fill(0)
    for (const { i, weight } of neighbors) this.#add(i, weight)
    const own = this.#problem.candidates[task]!
    let best = 0
    let most = -Infinity
    for (let c = 0; c < own.length; c++) {
      const at = own[c]!
      const expected = (this.#sums[at]! + PRIOR_WEIGHT * this.#prior[at]!) / (this.#weights[at]! + PRIOR_WEIGHT)
      if (expected > most) [best, most] = [c, expected]
    }
    return best
  }
}

/** By the text of the candidate alone: the one that earned most on average. */
export function byCandidate(problem: Problem, train: readonly number[]): Guess {
  const expectation = new Expectation(problem, train)
  return (task) => expectation.best(task, [])
}

/** By the tasks with the most similar words: cosine of word features, weighted by how rare they are. */
export function byWords(problem: Problem, train: readonly number[]): Guess {
  const expectation = new Expectation(problem, train)
  const holders = new Map<number, number[]>()
  for (const i of train) {
    for (const word of problem.words[i]!) {
      const known = holders.get(word)
      if (known) known.push(i)
      else holders.set(word, [i])
    }
  }
  const weightOf = (word: number): number => {
    const count = holders.get(word)?.length ?? 0
    return count === 0 || count > COMMON * train.length ? 0 : Math.log(train.length / count) ** 2
  }
  const norms = new Map(train.map((i) => [i, normOf(problem.words[i]!, weightOf)]))
  return (task) => {
    const shared = new Map<number, number>()
    for (const word of problem.words[task]!) {
      const weight = weightOf(word)
      if (weight > 0) for (const i of holders.get(word)!) shared.set(i, (shared.get(i) ?? 0) + weight)
    }
    const own = normOf(problem.words[task]!, weightOf)
    const neighbors = [...shared].map(([i, product]) => ({ i, weight: (product / (own * norms.get(i)!)) ** 2 }))
    neighbors.sort((a, b) => b.weight - a.weight || a.i - b.i)
    return expectation.best(task, neighbors.slice(0, NEIGHBORS))
  }
}

function normOf(words: Uint32Array, weightOf: (word: number) => number): number {
  let sum = 0
  for (const word of words) sum += weightOf(word)
  return Math.sqrt(sum)
}

/** By the tasks of which a model predicts about the same: their best common answer. */
export function byPrediction(problem: Problem, train: readonly number[], predict: (i: number) => number): Guess {
  const expectation = new Expectation(problem, train)
  const known = train.map((i) => ({ i, at: predict(i) })).sort((a, b) => a.at - b.at || a.i - b.i)
  return (task) => {
    const at = predict(task)
    let to = known.findIndex((each) => each.at >= at)
    if (to < 0) to = known.length
    let from = to
    while (to - from < Math.min(NEIGHBORS, known.length)) {
      const takesLower = from > 0 && (to >= known.length || at - known[from - 1]!.at <= known[to]!.at - at)
      if (takesLower) from -= 1
      else to += 1
    }
    return expectation.best(
      task,
      known.slice(from, to).map(({ i }) => ({ i, weight: 1 })),
    )
  }
}
