/** Comma-separated values (RFC 4180). */

export type CsvCell = string | number | boolean | null | undefined

/** One record, including the line break. */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map((cell) => csvCell(cell)).join(',')}\r\n`
}

function csvCell(cell: CsvCell): string {
  if (cell === null || cell === undefined) return ''
  if (typeof cell !== 'string') return String(cell)
  // Prevent formula injection in spreadsheets: model names and answers are untrusted.
  const safe = /^[=+@\t\r]|^-(?![\d.])/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
