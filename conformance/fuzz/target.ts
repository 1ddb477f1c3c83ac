/** What the fuzz harness compares: our profile and the published code on the same random cases. */
import type { Random } from '../../src/base/random.ts'

/** JSON, with non-finite numbers as `"inf"`, `"-inf"` and `"nan"`. */
export type Plain = null | boolean | number | string | readonly Plain[] | { readonly [key: string]: Plain }

export interface FuzzTarget<Case extends Plain = Plain> {
  /** The checkout in the folder `PUBLISHED`, or null where Python itself is the reference. */
  checkout: Checkout | null
  /** Python program in conformance/fuzz/ that serves cases with `serve` of driver.py. */
  driver: string
  /** One random or adversarial case. */
  generate(random: Random): Case
  /** Ours on a case. Throws `Raised` where the published code raises. */
  ours(sample: Case): unknown
  /** The heading in docs/deviations.md that explains a disagreement on this case, or null. */
  explained?(sample: Case): string | null
}

export interface Checkout {
  /** `owner/name`; the checkout is the folder `name`. */
  repository: string
  commit: string
}

/** Stands for an exception of the published code. */
export class Raised extends Error {}

/** Keeps the type of a target's cases between its functions. */
export function fuzzTarget<Case extends Plain>(target: FuzzTarget<Case>): FuzzTarget<Case> {
  return target
}
