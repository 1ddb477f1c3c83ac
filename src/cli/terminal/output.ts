/** Where words go: results to standard output, everything about them to standard error. */

/** Escapes that would move the cursor or change colours: text of models and data must not reach the terminal raw. */
// oxlint-disable-next-line no-control-regex -- control characters are what this is about
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

export function plain(text: string): string {
  return text.replace(CONTROL, '�')
}

export function print(text: string): void {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`)
}

/** Lines that move, while there are any: they step aside for words that stay. */
let moving: { clear(): void } | null = null

export function setMoving(lines: { clear(): void } | null): void {
  moving = lines
}

export function say(text: string): void {
  moving?.clear()
  const clean = plain(text)
  process.stderr.write(clean.endsWith('\n') ? clean : `${clean}\n`)
}

const colours = process.stdout.hasColors?.() && !process.env['NO_COLOR']

export function bold(text: string): string {
  return colours ? `\u001b[1m${text}\u001b[22m` : text
}

export function dim(text: string): string {
  return colours ? `\u001b[2m${text}\u001b[22m` : text
}

/** Rows of cells as aligned columns; the last column may be as long as it likes. */
export function columns(rows: readonly (readonly string[])[], indent = '  '): string {
  const widths: number[] = []
  for (const row of rows) row.forEach((cell, i) => (widths[i] = Math.max(widths[i] ?? 0, cell.length)))
  return rows
    .map((row) => indent + row.map((cell, i) => (i === row.length - 1 ? cell : cell.padEnd(widths[i]!))).join('  '))
    .map((line) => line.trimEnd())
    .join('\n')
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`
}
