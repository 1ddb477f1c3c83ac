/** Code in a reply: in fences of every kind, or written straight into the text. Nothing is read twice. */

/** More than a program may have: what is longer is refused as a program, and need not be cleaned. */
const LONGEST = 250_000
const FENCE = /`{3,}|~{3,}/g
/** What may stand before a fence on its line: a quote, a list. */
const BEFORE_FENCE = /^(?:[ \t]*>)?[ \t]*(?:[-*+]|\d{1,3}[.)])?[ \t]*$/
const SHORT = 100

/** The contents of fenced blocks in their order, as they stand; one that is not closed goes to the end. */
export function fenced(reply: string): string[] {
  if (!reply.includes('```') && !reply.includes('~~~')) return []
  const text = reply.replaceAll('\r\n', '\n').replaceAll('\r', '\n')
  const blocks: string[] = []
  let open: { fence: string; from: number; isQuoted: boolean } | null = null
  for (const { 0: marks, index } of text.matchAll(FENCE)) {
    // Only so much of the line is looked at: a fence further in is none.
    const near = text.slice(Math.max(0, index - SHORT), index)
    const cut = near.lastIndexOf('\n')
    const before = cut < 0 && index > SHORT ? null : near.slice(cut + 1)
    if (!open) {
      if (before === null || !BEFORE_FENCE.test(before)) continue
      open = { fence: marks, from: endOfLine(text, index), isQuoted: before.includes('>') }
      continue
    }
    if (marks[0] !== open.fence[0] || marks.length < open.fence.length || index < open.from) continue
    // A closing fence ends its line; some put it behind the last line of code.
    if (!/^[ \t]*(?:\n|$)/.test(text.slice(index + marks.length, index + marks.length + SHORT))) continue
    const block = text.slice(open.from, index)
    blocks.push(open.isQuoted ? block.replace(/^[ \t]*> ?/gm, '') : block)
    open = null
  }
  if (open) blocks.push(text.slice(open.from))
  return blocks
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end + 1
}

/** Code at the margin, with straight quotes, without the prompts of an interactive session. */
export function cleaned(code: string): string {
  if (code.length > LONGEST) return code
  const lines = code.split(/\r\n|\r|\n/)
  const filled = lines.filter((line) => line.trim() !== '')
  if (filled.length > 0 && filled.every((line) => /^(?:>>>|\.\.\.)(?: |$)/.test(line)))
    return lines.map((line) => line.slice(4)).join('\n')
  let indent: string | null = null
  for (const line of filled) {
    const own: string = line.slice(0, line.length - line.trimStart().length)
    indent ??= own
    while (!own.startsWith(indent)) indent = indent.slice(0, -1)
    if (indent === '') break
  }
  const width = indent?.length ?? 0
  return straight(lines.map((line) => line.slice(width)).join('\n'))
}

/** Quotes that a word processor made round, in code that has no others. */
function straight(code: string): string {
  if (/['"]/.test(code)) return code
  return code.replace(/[“”]/g, '"').replace(/[‘’]/g, "'")
}

const STATEMENT =
  /^(?:from\s+[\w.]+\s+import\b|import\s+\w|def\s+\w+\s*\(|class\s+\w+\s*[:(]|@\w|#|if\s.*:|elif\s.*:|else:|for\s.*:|while\s.*:|try:|except\b.*:|finally:|with\s.*:|return\b|assert\s|[A-Za-z_][\w.]{0,80}(?:\[[^\]]{0,80}\])?\s*(?:=|\(|[-+*/]=|:\s*\w+(?:\[[^\]]{0,80}\])?\s*=)|[)\]}]|"""|''')/
const BEGINNING =
  /^[ \t]*(?:from[ \t]+[\w.]+[ \t]+import\b|import[ \t]+\w|def[ \t]+\w+[ \t]*\(|class[ \t]+\w+[ \t]*[:(]|@\w+[ \t]*$)/m

/** Code without a fence: from its first statement to the first line at the margin that is none. */
export function unfenced(text: string): string | null {
  const first = text.search(BEGINNING)
  if (first < 0) return null
  const code = text.slice(first)
  if (code.length > LONGEST) return code
  const lines = code.split(/\r\n|\r|\n/)
  const indent = lines[0]!.length - lines[0]!.trimStart().length
  let depth = 0
  let isQuoted = false
  const end = lines.findIndex((line) => {
    const own = line.trimStart()
    const isMargin = own !== '' && line.length - own.length <= indent
    if (isMargin && depth <= 0 && !isQuoted && !STATEMENT.test(own)) return true
    const marks = line.split(/"""|'''/).length - 1
    if (marks % 2 === 1) isQuoted = !isQuoted
    if (!isQuoted && marks === 0)
      for (const char of line) depth += '([{'.includes(char) ? 1 : ')]}'.includes(char) ? -1 : 0
    return false
  })
  return (end < 0 ? lines : lines.slice(0, end)).join('\n')
}
