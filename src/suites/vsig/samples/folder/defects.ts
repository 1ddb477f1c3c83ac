/** Defects in a dataset, and how they are listed. */

export interface Defect {
  /** An error prevents a clip from being scored; a warning does not. */
  severity: 'error' | 'warning'
  /** A short name for this kind of defect. */
  kind: string
  where: string
  detail: string
}

const MAX_LINES = 200

/** A human-readable list: errors first, then warnings, sorted by location. */
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
