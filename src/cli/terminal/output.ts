/** Results go to stdout, messages to stderr. */
import { padEnd, widthOf, wrapWords } from '../../base/display-width.ts'
import { printableLines } from '../../base/printable.ts'
import { terminalWidth } from './size.ts'

export function print(text: string): void {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`)
}

/** Redrawn lines at the bottom of the terminal, cleared before anything else is printed. */
let live: { clear(): void } | null = null

export function setLiveLines(lines: { clear(): void } | null): void {
  live = lines
}

/** Erases the ^C that a terminal echoes. */
export function eraseEcho(): void {
  live?.clear()
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K')
}

export function say(text: string): void {
  live?.clear()
  const clean = printableLines(text)
  process.stderr.write(clean.endsWith('\n') ? clean : `${clean}\n`)
}

const colors = process.stdout.hasColors?.() && !process.env['NO_COLOR']

export function bold(text: string): string {
  return colors ? `\u001b[1m${text}\u001b[22m` : text
}

export function dim(text: string): string {
  return colors ? `\u001b[2m${text}\u001b[22m` : text
}

/** Wider cells are not aligned, as one long cell would push a whole column off a narrow terminal. */
const MAX_ALIGNED = 26
/** With less room than this, the last column moves to a line of its own. */
const MIN_LAST_COLUMN = 32

/** Aligns rows in columns. On a terminal, the last column wraps at its width. */
export function columns(rows: readonly (readonly string[])[], indent = '  ', width: number = terminalWidth()): string {
  const limit = Number.isFinite(width) ? MAX_ALIGNED : Infinity
  const widths: number[] = Array.from({ length: Math.max(0, ...rows.map((row) => row.length - 1)) }, () => 0)
  for (const row of rows) {
    row.forEach((cell, i) => {
      if (i < row.length - 1 && widthOf(cell) <= limit) widths[i] = Math.max(widths[i] ?? 0, widthOf(cell))
    })
  }
  const left = indent.length + widths.reduce((sum, each) => sum + each + 2, 0)
  const heads = rows.map(
    (row) =>
      indent +
      row
        .slice(0, -1)
        .map((cell, i) => `${padEnd(cell, widths[i] ?? 0)}  `)
        .join(''),
  )
  const fits = (row: readonly string[], i: number): boolean => widthOf(heads[i]!) + widthOf(row.at(-1)!) <= width
  const isStacked = width - left < MIN_LAST_COLUMN && !rows.every(fits)
  const margin = isStacked ? indent.length + 4 : left
  return rows
    .map((row, i) => {
      const head = heads[i]!
      const last = row.at(-1)!
      if (!isStacked && fits(row, i)) return (head + last).trimEnd()
      const lines = wrapWords(last, width - margin).map((line) => ' '.repeat(margin) + line)
      const isInline = !isStacked && widthOf(head) === left
      const whole = isInline ? [head + lines[0]!.trimStart(), ...lines.slice(1)] : [head, ...lines]
      return whole.map((line) => line.trimEnd()).join('\n')
    })
    .join('\n')
}
