/** The rows of a report that are shown where there is no room for all of them. */

/** Fewer rows without a section than this are only the totals of the first section. */
const FEW_PARTS = 4

/** Keys of replies that are not answers; a report has them only if there are some. */
export function isReplyProblem({ key }: { key: string }): boolean {
  return key.startsWith('replies.')
}

/** Start of the keys of `report --by`. */
export const BY_PREFIX = 'by.'

/**
 * Keys of the headline and its parts: the rows without a section, with the first section if these are few. Problems with
 * replies and what was asked for are never left out.
 */
export function mainKeys(rows: readonly { key: string; section?: string | null | undefined }[]): ReadonlySet<string> {
  const totals = rows.filter(({ section }) => section == null)
  const parts = rows.filter((row) => !totals.includes(row) && !isReplyProblem(row))
  const first = totals.length < FEW_PARTS ? parts.filter(({ section }) => section === parts[0]!.section) : []
  return new Set(
    [...totals, ...first, ...rows.filter((row) => isReplyProblem(row) || row.key.startsWith(BY_PREFIX))].map(
      ({ key }) => key,
    ),
  )
}

interface Named {
  key: string
  title: string
  section?: string | null | undefined
}

/** Whether a row has this key, title or section heading. */
export function isCalled({ key, title, section }: Named, name: string): boolean {
  return [key, title, section].some((each) => each?.toLowerCase() === name.trim().toLowerCase())
}

/** The single names in lists of metrics. Titles may contain commas. */
export function namesIn(lists: readonly string[], rows: readonly Named[]): string[] {
  const isKnown = (name: string): boolean => rows.some((row) => isCalled(row, name))
  return lists.flatMap((list) => (isKnown(list) ? [list] : list.split(',').map((name) => name.trim())))
}
