/** What is wrong with data, in words. */

export interface Defect {
  /** An error keeps a clip from being scored; a warning is worth a look. */
  severity: 'error' | 'warning'
  /** A short name, the same for all of its kind. */
  kind: string
  where: string
  detail: string
}

const MAX_LINES = 200

/** The list as people read it: errors first, then warnings, in order of place. */
export function defectList(defects: readonly Defect[]): string {
  const sorted = defects.toSorted((a, b) =>
    a.severity === b.severity ? a.where.localeCompare(b.where) : a.severity === 'error' ? -1 : 1,
  )
  const lines = sorted.slice(0, MAX_LINES).map(({ severity, kind, where, detail }) => {
    return `  ${severity === 'error' ? 'error  ' : 'warning'}  ${where}: ${kind}${detail === '' ? '' : `, ${detail}`}`
  })
  if (sorted.length > MAX_LINES) lines.push(`  … and ${sorted.length - MAX_LINES} more`)
  return lines.join('\n')
}
