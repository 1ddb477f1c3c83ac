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

/** How much a tenth of the logarithm of a distance says about which of several things is closest; fits other scenes best. */
const LOG_TENTH_WEIGHT = 0.2

/**
 * How likely each option is to be the closest to a reference, as far as names tell: things that belong together stand
 * together.
 *
 * @param apart mean logarithms of distances, in tenths: the entry of a name is a list with one for each name before it
 */
export function closestShares(apart: Observed): (reference: string, options: readonly string[]) => number[] {
  const places = new Map(Object.keys(apart).map((name, i) => [name, i]))
  const tenths = (a: string, b: string): number => {
    const [i, k] = [places.get(a) ?? -1, places.get(b) ?? -1]
    return (i < k ? apart[b]![i] : apart[a]?.[k]) ?? 0
  }
  return (reference, options) => {
    const worths = options.map((option) => Math.exp(-LOG_TENTH_WEIGHT * tenths(reference, option)))
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
