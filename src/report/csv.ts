/** Comma-separated values as RFC 4180 has them. */

export type CsvCell = string | number | boolean | null | undefined

/** One record, line end included. */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map((cell) => csvCell(cell)).join(',')}\r\n`
}

function csvCell(cell: CsvCell): string {
  if (cell === null || cell === undefined) return ''
  if (typeof cell !== 'string') return String(cell)
  // A text that a spreadsheet would run as a formula is defused: model names and answers come from outside.
  const safe = /^[=+@\t\r]|^-(?![\d.])/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
