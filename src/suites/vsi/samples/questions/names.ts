/** What names alone tell about numbers, sizes and distances: questions are drawn so that they tell little. */

/** What was observed in scenes of other seeds, by category. `scripts/vsi-constants.ts` writes it. */
type Observed = Readonly<Record<string, readonly number[]>>

/** A category with fewer observations is not asked about: nothing is known about what its name gives away. */
const MIN_OBSERVED = 8
/** Nor is one whose values mostly agree within a tenth: the name gives the answer away. */
const MAX_AGREEING = 0.5
const AGREEING_RATIO = 1.1
/** Nor one that goes with a small part of all values only. */
const MIN_COVERED = 0.6
/** Rare combinations are asked about more often, but not without limit. */
const MAX_WEIGHT = 12

/** How often to ask about a category with a value, so that all names that are asked about go with the same values. */
export type NameWeight = (category: string, value: number) => number

/**
 * @param observed values in ascending order
 * @param binOf values of the same bin are alike
 */
export function nameWeights(observed: Observed, binOf: (value: number) => number): NameWeight {
  const known = Object.entries(observed)
    .filter(([, values]) => values.length >= MIN_OBSERVED && agreeing(values) <= MAX_AGREEING)
    .map(([category, values]) => [category, sharesOf(values, binOf)] as const)
  // Every category weighs the same, however frequent it is.
  const overall = new Map<number, number>()
  for (const [, shares] of known)
    for (const [bin, share] of shares) overall.set(bin, (overall.get(bin) ?? 0) + share / known.length)
  const wide = new Map(
    known.filter(([, shares]) => [...shares.keys()].reduce((sum, bin) => sum + overall.get(bin)!, 0) >= MIN_COVERED),
  )
  return (category, value) => {
    const bin = binOf(value)
    const own = wide.get(category)?.get(bin)
    return own === undefined ? 0 : Math.min(MAX_WEIGHT, overall.get(bin)! / own)
  }
}

/** A category with fewer observations is not asked about. */
const MIN_BINNED = 12
/** Added to the observations of every bin, so that a rare one is not asked about all the time. */
const SMOOTHING = 1

/**
 * How often to ask about a category with a value of a drawn bin, so that each name goes with all bins alike: the inverse of
 * how frequent the bin is for that name. 0 for names that do not come with all of them.
 *
 * @param observed how often a value of each bin was seen
 */
export function evenWeights(observed: Observed): (category: string, bin: number) => number {
  return (category, bin) => {
    const counts = Object.hasOwn(observed, category) ? observed[category]! : []
    const total = counts.reduce((sum, count) => sum + count, 0)
    if (total < MIN_BINNED || counts.includes(0)) return 0
    return (total + SMOOTHING * counts.length) / (counts[bin]! + SMOOTHING)
  }
}

/** How likely each option is to be the closest to a reference, as far as names tell. */
export type ClosestShares = (reference: string, options: readonly string[]) => number[]

/**
 * Things that belong together stand together.
 *
 * @param closeness of each name to the names before it, then its own, which counts where it is an option; in tenths.
 *   `scripts/vsi-constants.ts` fits it.
 */
export function closestShares(closeness: Observed): ClosestShares {
  const places = new Map(Object.keys(closeness).map((name, i) => [name, i]))
  const tenths = (reference: string, option: string): number => {
    const [i, k] = [places.get(reference) ?? -1, places.get(option) ?? -1]
    if (i < 0 || k < 0) return 0
    return closeness[option]![k]! + (i < k ? closeness[option]![i]! : closeness[reference]![k]!)
  }
  return (reference, options) => {
    const worths = options.map((option) => Math.exp(tenths(reference, option) / 10))
    const total = worths.reduce((sum, worth) => sum + worth, 0)
    return worths.map((worth) => worth / total)
  }
}

/** Share of the values in each bin. */
function sharesOf(values: readonly number[], binOf: (value: number) => number): Map<number, number> {
  const shares = new Map<number, number>()
  for (const value of values) shares.set(binOf(value), (shares.get(binOf(value)) ?? 0) + 1 / values.length)
  return shares
}

/** The largest share of values that lie within a ratio of each other. */
function agreeing(sorted: readonly number[]): number {
  let most = 0
  for (let from = 0, to = 0; to < sorted.length; to++) {
    while (sorted[to]! > sorted[from]! * AGREEING_RATIO) from += 1
    most = Math.max(most, to - from + 1)
  }
  return most / Math.max(1, sorted.length)
}
