/** Finds repeated lines: long prompts are sent with every step, and only a few lines are new. */

export interface Piece {
  text: string
  /** All lines were seen before, so the piece can be folded. */
  repeated: boolean
  lines: number
}

const MIN_FOLDED_LINES = 3
/** Longer texts are not folded; they are truncated anyway. */
const MAX_LENGTH = 200_000

/** Remembers lines and splits further text into new and repeated pieces. */
export class SeenLines {
  readonly #lines = new Set<string>()

  /** Splits a text and remembers its lines. */
  split(text: string): Piece[] {
    if (text.length > MAX_LENGTH) return [{ text, repeated: false, lines: 1 }]
    const lines = text.split('\n')
    const seen = lines.map((line) => line.trim() === '' || this.#lines.has(line))
    for (const line of lines) if (line.trim() !== '') this.#lines.add(line)
    return toPieces(lines, runsOf(lines, seen))
  }
}

interface Run {
  from: number
  to: number
  repeated: boolean
}

/** Finds runs of repeated lines that are long enough to fold. */
function runsOf(lines: readonly string[], seen: readonly boolean[]): Run[] {
  const runs: Run[] = []
  let from = 0
  while (from < lines.length) {
    let to = from
    while (to < lines.length && seen[to] === seen[from]) to++
    const nonEmpty = lines.slice(from, to).filter((line) => line.trim() !== '').length
    const repeated = seen[from]! && nonEmpty >= MIN_FOLDED_LINES
    const last = runs.at(-1)
    if (last && !last.repeated && !repeated) last.to = to
    else runs.push({ from, to, repeated })
    from = to
  }
  return runs
}

function toPieces(lines: readonly string[], runs: readonly Run[]): Piece[] {
  return runs.map(({ from, to, repeated }) => ({
    text: lines.slice(from, to).join('\n'),
    repeated,
    lines: to - from,
  }))
}
