/** Rows of a report for errors that a person has assigned a type to. */
import type { Report } from './report.ts'

const SECTION = 'Errors, assigned by hand (n: episodes with a type)'

/** @param titles of the suite's types by name; types that it does not know are shown by their name */
export function errorTypeRows(
  assigned: readonly { type: string }[],
  titles: Readonly<Record<string, string>>,
): Report['rows'] {
  if (assigned.length === 0) return []
  const names = [...new Set([...Object.keys(titles), ...assigned.map(({ type }) => type).sort()])]
  return names.map((name) => ({
    key: `error.${name}`,
    title: titles[name] ?? name,
    value: assigned.filter(({ type }) => type === name).length / assigned.length,
    n: assigned.length,
    unit: 'percent',
    better: 'lower',
    section: SECTION,
    interval: null,
    noInterval: 'shares of what one person has assigned',
  }))
}
