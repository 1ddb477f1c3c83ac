/** A stream as Node describes it; some terminals have no size, or none yet. */
type Stream = Partial<Pick<NodeJS.WriteStream, 'isTTY' | 'columns' | 'rows'>>

const UNKNOWN_COLUMNS = 80
const UNKNOWN_ROWS = 24

/** Columns of the terminal, `COLUMNS` where they are unknown; Infinity if the output goes to a file or a pipe. */
export function terminalWidth({ columns = 0, isTTY = false }: Stream = process.stdout): number {
  if (columns > 0) return columns
  const given = Number(process.env['COLUMNS'])
  if (Number.isInteger(given) && given > 0) return given
  return isTTY ? UNKNOWN_COLUMNS : Infinity
}

export function terminalHeight({ rows = 0 }: Stream = process.stdout): number {
  return rows > 0 ? rows : UNKNOWN_ROWS
}
