/** The finishes that object files use, in one import. */
import { bookSpines } from '../materials/print.ts'
import { type Finish, printed } from '../materials/finishes.ts'

export * from '../materials/finishes.ts'

/** Sixteen book spines side by side. */
export function bookFinish(variant: number): Finish {
  return printed(`book spines ${variant}`, () => bookSpines(variant), { roughness: 0.7 })
}
