/** Text in the cells of a terminal: how wide it is, and how to make it fit. */
import { printable } from './printable.ts'

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u
/** Combining marks and joiners; Hangul vowels and finals join the syllable before them. */
const NO_WIDTH = /[\p{M}\p{Cf}\u1160-\u11ff]/u

/** Display width in a terminal: 0 for combining marks, 2 for East Asian wide characters and emoji. */
export function widthOf(text: string): number {
  // Most text, and the classes of characters below take a while to compile.
  if (/^[ -~]*$/.test(text)) return text.length
  let width = 0
  for (const char of printable(text)) width += widthOfChar(char)
  return width
}

function widthOfChar(char: string): number {
  if (char < '\u0300') return 1
  if (NO_WIDTH.test(char)) return 0
  return WIDE.test(char) ? 2 : 1
}

export function padStart(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - widthOf(text))) + text
}

export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)))
}

/** The start of a text that fits, with an ellipsis if it is cut. */
export function cutEnd(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  return width < 1 ? '' : `${startOf(charactersOf(text), width - 1).trimEnd()}…`
}

/** Start and end of a text, with an ellipsis between them: names often differ at their end. */
export function cutMiddle(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  if (width < 5) return cutEnd(text, width)
  const tail = startOf(charactersOf(text).reverse(), Math.floor((width - 1) / 2))
  return `${startOf(charactersOf(text), width - 1 - widthOf(tail))}…${charactersOf(tail).reverse().join('')}`
}

let segmenter: Intl.Segmenter | undefined

/** Characters as a reader sees them, combining marks included. */
function charactersOf(text: string): string[] {
  return Array.from(
    (segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })).segment(text),
    ({ segment }) => segment,
  )
}

function startOf(chars: readonly string[], width: number): string {
  let start = ''
  let left = width
  for (const char of chars) {
    left -= widthOf(char)
    if (left < 0) break
    start += char
  }
  return start
}

/** Lines of whole words; a word that is wider than a line is cut into pieces. */
export function wrapWords(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && widthOf(line) + 1 + widthOf(word) > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
    // A width below that of one character would never end.
    while (widthOf(line) > Math.max(width, 2)) {
      const piece = startOf(charactersOf(line), Math.max(width, 2))
      lines.push(piece)
      line = line.slice(piece.length)
    }
  }
  return [...lines, line]
}
