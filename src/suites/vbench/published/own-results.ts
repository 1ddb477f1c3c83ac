/** Our own results.json: it says of every value how it came about, and only exact ones may go into a total. */
import { z } from 'zod'
import { type Dimension, isDimension } from '../domain/dimensions.ts'
import { TIERS } from '../domain/results.ts'
import { tryJson } from '../domain/json.ts'

const ownFile = z.looseObject({
  dimensions: z.array(
    z.looseObject({
      dimension: z.string(),
      value: z.number().nullable(),
      tier: z.enum(TIERS).nullable(),
      by: z.string().nullable(),
      note: z.string().nullable(),
    }),
  ),
})

export interface OwnResults {
  /** What is exact, in the form of a published result file. */
  exact: string
  /** Why the others are not part of a total. */
  reasons: Partial<Record<Dimension, string>>
}

/** Null for what is not our file. */
export function readOwnResults(text: string): OwnResults | null {
  if (!text.includes('"dimensions"')) return null
  const parsed = ownFile.safeParse(tryJson(text))
  if (!parsed.success) return null
  const exact: Record<string, unknown> = {}
  const reasons: OwnResults['reasons'] = {}
  for (const { dimension, value, tier, by, note } of parsed.data.dimensions) {
    if (!isDimension(dimension)) continue
    if (value !== null && tier === 'exact') exact[dimension] = [value, []]
    else if (value !== null) reasons[dimension] = `measured, but tier ${tier} (${by ?? '?'}): not part of a total`
    else reasons[dimension] = note ?? 'no value'
  }
  return { exact: JSON.stringify(exact), reasons }
}
