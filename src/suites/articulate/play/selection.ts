/** Which of several runs counts. */

export interface Ranked {
  iteration: number
  /** A number in the loop, a folder's name (`seed_10`) when results are read back. */
  seed: number | string
  score: number
}

type Order = (a: Ranked, b: Ranked) => number

const laterFirst: Order = (a, b) => b.iteration - a.iteration
const earlierFirst: Order = (a, b) => a.iteration - b.iteration
const higherFirst: Order = (a, b) => b.score - a.score
const lowerFirst: Order = (a, b) => a.score - b.score
/** Names of folders compare as text: seed_10 comes before seed_2. */
const seedFirst: Order = (a, b) => (a.seed < b.seed ? -1 : a.seed > b.seed ? 1 : 0)

function first<T extends Ranked>(results: readonly T[], ...orders: Order[]): T | null {
  const sorted = results.toSorted((a, b) => {
    for (const order of orders) {
      const difference = order(a, b)
      if (difference !== 0) return difference
    }
    return 0
  })
  return sorted[0] ?? null
}

/** The published loop: the latest iteration, and the best within it. */
export function latestThenBest<T extends Ranked>(results: readonly T[]): T | null {
  return first(results, laterFirst, higherFirst, seedFirst)
}

/** The published evaluation by the critic's score. */
export function publishedBestByCritic<T extends Ranked>(results: readonly T[]): T | null {
  return first(results, higherFirst, laterFirst, seedFirst)
}

/** The published evaluation by the true error, here in `score`. */
export function publishedBestByTruth<T extends Ranked>(results: readonly T[]): T | null {
  return first(results, lowerFirst, laterFirst, seedFirst)
}

/** Ours: the best of all, and of equals the one that took the fewest iterations. */
export function bestOfAll<T extends Ranked>(results: readonly T[]): T | null {
  return first(results, higherFirst, earlierFirst, seedFirst)
}
