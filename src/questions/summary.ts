/** The table: a total as the file defines it, and the share of correct answers by label. */
import { labelRows, type Means, questionRow, type Summary, type SummaryRow } from '../suite.ts'
import type { QuestionsFile } from './domain/format.ts'
import type { TotalPart } from './domain/total-format.ts'

export function questionsSummary(means: Means, { total }: QuestionsFile): Summary {
  const plain = questionRow(means, { key: 'correct', title: 'Correct' })
  if (total === undefined) return { headline: 'correct', rows: [plain, ...labelRows(means)] }
  const { also = [], ...headline } = total
  const named: SummaryRow[] = []
  const whole = rowOf(partOf(means, headline, 'total', named), 'total', total.title)
  for (const [i, part] of also.entries()) partOf(means, part, `also.${i + 1}`, named, 'Also')
  return { headline: 'total', rows: [whole, plain, ...named, ...labelRows(means)], success: 'correct' }
}

type Value = Pick<SummaryRow, 'value' | 'n' | 'chance' | 'constant' | 'note'>

function rowOf(value: Value, key: string, title: string): SummaryRow {
  return { ...value, key, title, unit: 'percent', better: 'higher' }
}

/** The value of a part; parts with a title get a row. */
function partOf(means: Means, part: TotalPart, key: string, rows: SummaryRow[], section = 'Parts of the total'): Value {
  const plain = plainPart()
  const value = part.adjusted === 'chance' ? adjusted(plain) : plain
  if (part.title !== undefined && key !== 'total') rows.push({ ...rowOf(value, key, part.title), section })
  return value

  function plainPart(): Value {
    if (part.mean !== undefined)
      return combined(
        part.mean.map((each, i) => ({ part: each, value: partOf(means, each, `${key}.${i + 1}`, rows, section) })),
      )
    const { by, where = {}, circular = false } = part
    if (by === undefined) return sliceOf(means, where, circular)
    return combined(
      means.values(by).map((value) => ({
        part: { title: value },
        value: sliceOf(means, { ...where, [by]: value }, circular),
      })),
    )
  }
}

function sliceOf(means: Means, where: Readonly<Record<string, string>>, circular: boolean): Value {
  if (circular) return means.whole('correct', where)
  const { value, n, chance, constant } = questionRow(means, { key: '', title: '', where })
  return { value, n, ...(chance !== undefined && { chance }), ...(constant !== undefined && { constant }) }
}

/** The weighted mean of parts. Parts without samples are left out, and the note says so. */
function combined(parts: readonly { part: TotalPart; value: Value }[]): Value {
  const present = parts.filter(({ value }) => value.value !== null)
  const absent = parts.filter(({ value }) => value.value === null)
  const mean = (pick: (value: Value) => number | null | undefined): number | null => {
    let sum = 0
    let weights = 0
    for (const { part, value } of present) {
      const each = pick(value)
      if (each === null || each === undefined) return null
      const { weight = 1 } = part
      const counted = weight === 'count' ? value.n : weight
      sum += counted * each
      weights += counted
    }
    return weights === 0 ? null : sum / weights
  }
  const names = absent.map(({ part }) => part.title ?? Object.values(part.where ?? {}).join(' '))
  return {
    value: mean(({ value }) => value),
    n: present.reduce((sum, { value }) => sum + value.n, 0),
    chance: mean(({ chance }) => chance),
    constant: mean(({ constant }) => constant),
    ...(absent.length > 0 && { note: `no samples of ${names.join(', ')}` }),
  }
}

/** What is left above chance, as a share of what can be. */
function adjusted({ value, chance, constant, ...rest }: Value): Value {
  const above = (score: number | null | undefined): number | null =>
    typeof score !== 'number' || typeof chance !== 'number' || chance >= 1 ? null : (score - chance) / (1 - chance)
  return { ...rest, value: above(value), chance: above(chance), constant: above(constant) }
}
