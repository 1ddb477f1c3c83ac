/** From scores of questions to the benchmark's table. */
import { mean } from '../../../base/numbers.ts'
import { DIRECTION_TYPES, isNumberType, OVERALL_TYPES } from '../domain/question-types.ts'
import type { Raised } from './evaluators.ts'

export interface TypedScore {
  type: string
  score: number
}

/** Mean score of each type that is there. */
export function typeMeans(rows: readonly TypedScore[]): Map<string, number> {
  const sums = new Map<string, { sum: number; n: number }>()
  for (const { type, score } of rows) {
    const entry = sums.get(type) ?? { sum: 0, n: 0 }
    entry.sum += score
    entry.n += 1
    sums.set(type, entry)
  }
  return new Map([...sums].map(([type, { sum, n }]) => [type, sum / n]))
}

/** The three levels become one number, their unweighted mean; the published code needs all three. */
function withDirection(means: ReadonlyMap<string, number>): Map<string, number> | Raised {
  const merged = new Map(means)
  let sum = 0
  for (const level of DIRECTION_TYPES) {
    const mean = merged.get(level)
    if (mean === undefined) return { raises: 'KeyError' }
    sum += mean
    merged.delete(level)
  }
  merged.set('object_rel_direction', sum / DIRECTION_TYPES.length)
  return merged
}

/** The name of a type's number in published result files. */
export function resultKey(type: string): string {
  return isNumberType(type) ? `${type}_MRA:.5:.95:.05` : `${type}_accuracy`
}

/** The table of the official code in per cent, in its order; or what it raises. */
export function officialTable(rows: readonly TypedScore[]): Record<string, number> | Raised {
  if (rows.length === 0) return { raises: 'KeyError' }
  const means = typeMeans(rows)
  // Without the easy level the other two stay terms of the mean of their own, and are not printed.
  const merged = means.has('object_rel_direction_easy') ? withDirection(means) : means
  if (!(merged instanceof Map)) return merged
  const table: Record<string, number> = { overall: mean([...merged.values()]) * 100 }
  for (const type of OVERALL_TYPES) {
    const value = merged.get(type)
    if (value !== undefined) table[resultKey(type)] = value * 100
  }
  return table
}

/** lmms-eval's overall, a fraction with six decimals; or what it raises. */
export function lmmsOverall(rows: readonly TypedScore[]): number | Raised {
  const merged = withDirection(typeMeans(rows))
  if (!(merged instanceof Map)) return merged
  return Number(mean([...merged.values()]).toFixed(6))
}
