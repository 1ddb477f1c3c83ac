/** `report --by`: the headline for each value of a label, such as the level or the dataset of a sample. */
import { didYouMean } from '../base/nearest.ts'
import { UserError } from '../base/errors.ts'
import { BY_PREFIX, isCalled, namesIn } from './main-keys.ts'
import type { Means } from './means.ts'
import type { ReportedSuite } from './report.ts'
import type { SummaryRow } from './summary.ts'

/** Labels of samples, and the metrics to break down by them: names as in `report --metrics`. Default: the headline. */
export interface Breakdown {
  by?: readonly string[] | undefined
  metrics?: readonly string[] | undefined
}

/**
 * The suite with a section for each label in its table: the headline, or the chosen metrics. The parts come from the
 * suite's own summary, so a composite score is composed anew for each of them, intervals included.
 */
export function brokenDown<Suite extends ReportedSuite>(
  suite: Suite,
  labels: readonly string[],
  metrics: readonly string[] = [],
): Suite {
  if (labels.length === 0) return suite
  return {
    ...suite,
    summary(means, context) {
      const whole = suite.summary(means, context)
      const known = means.labels()
      const unknown = labels.find((label) => !known.includes(label))
      if (unknown !== undefined)
        throw new UserError(`The samples of this run have no label "${unknown}".`, {
          hint: didYouMean(unknown, known, 'Labels'),
        })
      const names = namesIn(metrics, whole.rows)
      const called = whole.rows.filter((row) => names.some((name) => isCalled(row, name))).map(({ key }) => key)
      // The headline of a part may have another key: a mean of fewer types.
      const chosen = called.length === 0 ? [whole.headline] : called
      const added: SummaryRow[] = []
      const replaced = new Set<SummaryRow>()
      for (const label of labels) {
        const parts = means.values(label).flatMap((value): SummaryRow[] => {
          const part = suite.summary(within(means, label, value), context)
          return chosen.flatMap((metric) => {
            const key = metric === whole.headline ? part.headline : metric
            const row = part.rows.find((each) => each.key === key)
            return row === undefined ? [] : [partRow(row, label, value, metric === whole.headline ? null : metric)]
          })
        })
        const twins = whole.rows.filter((row) => parts.some((part) => isTwin(row, part)))
        const isRepeated = parts.every((part) => twins.some((row) => isTwin(row, part)))
        // Main rows stay where they are; a section of the suite's own is replaced, because it may not be shown.
        if (isRepeated && twins.some(({ section }) => section === undefined)) continue
        if (isRepeated) for (const twin of twins) replaced.add(twin)
        added.push(...parts)
      }
      const rows = [...whole.rows.filter((row) => !replaced.has(row)), ...added]
      return { ...whole, rows }
    },
  }
}

function partRow(row: SummaryRow, label: string, value: string, metric: string | null): SummaryRow {
  const { cell: _, note: __, ...shown } = row
  return {
    ...shown,
    key: `${BY_PREFIX}${label}=${value}${metric === null ? '' : `.${metric}`}`,
    title: value,
    section: metric === null ? `By ${label}` : `${row.title} by ${label}`,
  }
}

/** Whether a suite's own row says what a part says: `category.door` of Success, `object_counting`. */
function isTwin(row: SummaryRow, part: SummaryRow): boolean {
  const isSame = row.key === part.title || row.key.endsWith(`.${part.title}`)
  return isSame && row.n === part.n && row.unit === part.unit && isEqual(row.value, part.value)
}

function isEqual(a: number | null, b: number | null): boolean {
  return a === null || b === null ? a === b : Math.abs(a - b) <= 1e-9
}

/** The episodes with one value of a label. */
function within(means: Means, label: string, value: string): Means {
  /** Null if no episode can have both. */
  const narrowed = (where: Readonly<Record<string, string>> = {}) =>
    (where[label] ?? value) === value ? { ...where, [label]: value } : null
  const count: Means['count'] = (metric, where) => {
    const both = narrowed(where)
    return both === null ? 0 : means.count(metric, both)
  }
  return {
    mean(metric, where) {
      const both = narrowed(where)
      return both === null ? null : means.mean(metric, both)
    },
    count,
    whole(metric, where) {
      const both = narrowed(where)
      return both === null ? { value: null, n: 0 } : means.whole(metric, both)
    },
    values: (other) =>
      means.values(other).filter((each) => means.metrics().some((metric) => count(metric, { [other]: each }) > 0)),
    labels: () => means.labels(),
    metrics: () => means.metrics().filter((metric) => count(metric) > 0),
  }
}
