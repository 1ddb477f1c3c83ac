/** `report --by`: the headline for each value of a label, such as the level or the dataset of a sample. */
import { didYouMean } from '../base/nearest.ts'
import { UserError } from '../base/errors.ts'
import { BY_PREFIX } from './main-keys.ts'
import type { Means } from './means.ts'
import type { ReportedSuite } from './report.ts'
import type { SummaryRow } from './summary.ts'

/**
 * The suite with a section for each label in its table. The parts come from the suite's own summary, so a composite
 * headline is composed anew for each of them, intervals included.
 */
export function brokenDown<Suite extends ReportedSuite>(suite: Suite, labels: readonly string[]): Suite {
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
      const parts = labels.flatMap((label) =>
        means.values(label).flatMap((value): SummaryRow[] => {
          const { headline, rows } = suite.summary(within(means, label, value), context)
          const row = rows.find(({ key }) => key === headline)
          if (row === undefined) return []
          const { cell: _, note: __, ...shown } = row
          return [{ ...shown, key: `${BY_PREFIX}${label}=${value}`, title: value, section: `By ${label}` }]
        }),
      )
      return { ...whole, rows: [...whole.rows, ...parts] }
    },
  }
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
