/** Widths and line breaks of text, estimated: figures are also drawn where there is no browser to measure in. */
import { printable } from '../../../base/printable.ts'

/** Widths in em of DejaVu Sans, one of the widest common fonts: labels fit with any other. */
const WIDTHS: readonly (readonly [RegExp, number])[] = [
  [/[ijlI.,:;'|!` ]/, 0.32],
  [/[frt()[\]/\\-]/, 0.4],
  [/[mwMW@%]/, 0.95],
  [/[A-Z_]/, 0.7],
  [/[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uff60\u{1f000}-\u{3ffff}]/u, 1.02],
]
const USUAL_WIDTH = 0.62

/** Lines are this many times the font size apart. */
export const LINE_HEIGHT = 1.2

export function textWidth(text: string, fontSize: number): number {
  let em = 0
  for (const char of text) em += WIDTHS.find(([pattern]) => pattern.test(char))?.[1] ?? USUAL_WIDTH
  return em * fontSize
}

/** Replaces what is invalid in XML or changes the order of text: names come from models and servers. */
export function cleanText(text: string): string {
  return printable(text, ' ')
    .replace(/[\p{Cs}\ufffe\uffff]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Breaks text into lines of at most `width`, after spaces and separators if possible. The last line may be cut off. */
export function wrapText(text: string, width: number, fontSize: number, maxLines = 3): string[] {
  const fits = (line: string): boolean => textWidth(line.trimEnd(), fontSize) <= width
  const lines: string[] = []
  let line = ''
  for (const piece of cleanText(text).split(/(?<=[\s/_:,-])/)) {
    if (fits(line + piece)) {
      line += piece
      continue
    }
    if (line !== '') lines.push(line.trimEnd())
    line = ''
    for (const char of piece) {
      if (line !== '' && !fits(line + char)) {
        lines.push(line)
        line = ''
      }
      line += char
    }
  }
  lines.push(line.trimEnd())
  if (lines.length <= maxLines) return lines
  let last = Array.from(lines[maxLines - 1]!)
  while (last.length > 1 && !fits(`${last.join('')}…`)) last = last.slice(0, -1)
  return [...lines.slice(0, maxLines - 1), `${last.join('')}…`]
}
