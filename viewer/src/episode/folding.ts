/** What a prompt says again: long prompts are sent with every step, and only a few lines of them are new. */

export interface Piece {
  text: string
  /** Said before, line by line: can be folded. */
  again: boolean
  lines: number
}

/** Fewer lines than this are not worth folding. */
const FOLD_FROM = 3
/** Longer texts are shown as they are: they are cut anyway. */
const LONGEST = 200_000

/** Remembers lines, and tells which parts of the next text are old. */
export class Said {
  readonly #lines = new Set<string>()

  /** Cuts a text into what is new and what was said before, and remembers it. */
  hear(text: string): Piece[] {
    if (text.length > LONGEST) return [{ text, again: false, lines: 1 }]
    const lines = text.split('\n')
    const old = lines.map((line) => line.trim() === '' || this.#lines.has(line))
    for (const line of lines) if (line.trim() !== '') this.#lines.add(line)
    return joined(lines, runsOf(lines, old))
  }
}

interface Run {
  from: number
  to: number
  again: boolean
}

/** Runs of old lines that are long enough to fold; everything between them is shown. */
function runsOf(lines: readonly string[], old: readonly boolean[]): Run[] {
  const runs: Run[] = []
  let from = 0
  while (from < lines.length) {
    let to = from
    while (to < lines.length && old[to] === old[from]) to++
    const spoken = lines.slice(from, to).filter((line) => line.trim() !== '').length
    const again = old[from]! && spoken >= FOLD_FROM
    const last = runs.at(-1)
    if (last && !last.again && !again) last.to = to
    else runs.push({ from, to, again })
    from = to
  }
  return runs
}

function joined(lines: readonly string[], runs: readonly Run[]): Piece[] {
  return runs.map(({ from, to, again }) => ({
    text: lines.slice(from, to).join('\n'),
    again,
    lines: to - from,
  }))
}
