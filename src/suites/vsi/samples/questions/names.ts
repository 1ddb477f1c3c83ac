/** What the name of an object alone tells about its number and size: questions are drawn so that it tells little. */
import usual from '../builtin-names.json' with { type: 'json' }

/** Observed in scenes of another seed, by category, in ascending order. `scripts/vsi-constants.ts` writes them. */
export interface Usual {
  counts: Readonly<Record<string, readonly number[]>>
  /** Longest sides in meters. */
  sizes: Readonly<Record<string, readonly number[]>>
}

/** A category with fewer observations is not asked about: nothing is known about what its name gives away. */
const MIN_OBSERVED = 8
/** Nor is one whose values mostly agree, so that the name gives the answer away: largest share within 10%. */
const MAX_AGREEING = 0.6
const AGREEING_RATIO = 1.1
/** Rare combinations are asked about more often, but not without limit. */
const MAX_WEIGHT = 8

/**
 * How often to ask about a category with this value, so that among the questions asked all names go with the same spread
 * of values; 0 if the name gives the value away.
 */
export function nameWeight(
  what: keyof Usual,
  category: string,
  value: number,
  binOf: (value: number) => number,
): number {
  const all: Usual[keyof Usual] = usual[what]
  const own = Object.hasOwn(all, category) ? all[category]! : []
  if (own.length < MIN_OBSERVED || agreeing(own) > MAX_AGREEING) return 0
  const bin = binOf(value)
  const share = (values: readonly number[]): number =>
    values.filter((each) => binOf(each) === bin).length / Math.max(1, values.length)
  // Every category weighs the same in the overall spread, however frequent it is.
  const known = Object.values(all).filter((values) => values.length >= MIN_OBSERVED && agreeing(values) <= MAX_AGREEING)
  const overall = known.reduce((sum, values) => sum + share(values), 0) / known.length
  return Math.min(MAX_WEIGHT, overall / Math.max(share(own), 1 / (2 * own.length)))
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
