/** Finds text between two marks in one pass: lazy regular expressions are quadratic on hostile text. */

export interface Span {
  inside: string
  /** Range including the marks; `end` is exclusive. */
  start: number
  end: number
}

/** With `lastIndex`, so that one expression serves a whole text. */
function movable(mark: RegExp): RegExp {
  return new RegExp(mark.source, mark.flags.includes('g') ? mark.flags : `${mark.flags}g`)
}

function next(text: string, mark: RegExp, from: number): { at: number; end: number } | null {
  mark.lastIndex = from
  const match = mark.exec(text)
  return match ? { at: match.index, end: match.index + match[0].length } : null
}

function spanFrom(text: string, open: RegExp, close: RegExp, from: number): Span | null {
  const opened = next(text, open, from)
  if (opened === null) return null
  const closed = next(text, close, opened.end)
  if (closed === null) return null
  return { inside: text.slice(opened.end, closed.at), start: opened.at, end: closed.end }
}

/** The first `open … close`; null if there is none. */
export function between(text: string, open: RegExp, close: RegExp): Span | null {
  return spanFrom(text, movable(open), movable(close), 0)
}

/** Every `open … close`, left to right, without nesting. */
export function allBetween(text: string, open: RegExp, close: RegExp): Span[] {
  const spans: Span[] = []
  const [first, last] = [movable(open), movable(close)]
  for (let span = spanFrom(text, first, last, 0); span !== null; span = spanFrom(text, first, last, span.end))
    spans.push(span)
  return spans
}

/** Text between the first pair of brackets on the same line; null if there is none. */
export function betweenOnLine(text: string, open: string, close: string): string | null {
  for (let at = text.indexOf(open); at >= 0;) {
    const end = text.indexOf(close, at + 1)
    if (end < 0) return null
    const lineEnd = text.indexOf('\n', at)
    if (lineEnd < 0 || end < lineEnd) return text.slice(at + 1, end)
    at = text.indexOf(open, lineEnd)
  }
  return null
}
