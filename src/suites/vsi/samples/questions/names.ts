/** What the name of an object alone tells about its number and size: questions are drawn so that it tells little. */
import usual from '../builtin-names.json' with { type: 'json' }

/** Values observed in scenes of another seed, by category, in ascending order. `scripts/vsi-constants.ts` writes them. */
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

/** @param binOf values of the same bin are alike */
export function nameWeights(what: keyof typeof usual, binOf: (value: number) => number): NameWeight {
  const observed: Observed = usual[what]
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
