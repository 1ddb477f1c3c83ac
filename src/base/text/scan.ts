/** Finds matching brackets in text that is only partly JSON. */

/**
 * Bracketed spans of text in order of their starts, so nested spans follow their parent. One array per property instead of
 * objects: a hostile reply may have a bracket in every character.
 */
export interface Brackets {
  start: Int32Array
  /** One past the last character; the end of the text if it was never closed. */
  end: Int32Array
  /** 1 if it was closed. */
  closed: Uint8Array
  /** Nesting depth, including itself. */
  height: Int32Array
  count: number
}

/** How often the text after an unclosed bracket is scanned again. */
const MAX_PASSES = 4

const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13) || code === 0xa0

/** Characters visited; tests check that this is linear in the length of the text. */
export interface Work {
  characters: number
}

/**
 * Every bracketed span of a text. Quotes delimit strings only inside brackets, as prose contains apostrophes. Linear: one
 * pass, one more per kind of unclosed quote, and a fixed number of passes after an unclosed bracket.
 */
export function brackets(text: string, work: Work = { characters: 0 }): Brackets {
  const room = openBrackets(text)
  const found: Brackets = {
    start: new Int32Array(room),
    end: new Int32Array(room),
    closed: new Uint8Array(room),
    height: new Int32Array(room),
    count: 0,
  }
  let from = 0
  for (let passes = 0; passes < MAX_PASSES; passes++) {
    const before = found.count
    pass(text, from, found, work)
    const last = found.count - 1
    // An unclosed bracket in prose, as in "[0, 1)", must not hide objects after a quote inside it.
    if (last < before || found.closed[last]) break
    from = found.start[last]! + 1
  }
  return found
}

/** An upper bound of the spans: each starts at its own bracket. */
function openBrackets(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 123 || code === 91) count++
  }
  return count
}

function pass(text: string, from: number, found: Brackets, work: Work): void {
  /** Indices of open brackets, innermost last. */
  const stack = new Int32Array(found.start.length - found.count)
  const open = { brace: 0, bracket: 0, depth: 0 }
  // If one quote of a kind has no end, no later one has: do not search again.
  const endless = { double: false, single: false }
  let significant = 0
  let at = from

  const openerOf = (index: number): number => text.charCodeAt(found.start[index]!)
  const pop = (end: number, closed: boolean): void => {
    const index = stack[--open.depth]!
    found.end[index] = end
    found.closed[index] = closed ? 1 : 0
    if (openerOf(index) === 123) open.brace--
    else open.bracket--
    if (open.depth === 0) return
    const parent = stack[open.depth - 1]!
    found.height[parent] = Math.max(found.height[parent]!, found.height[index]! + 1)
  }

  while (at < text.length) {
    work.characters++
    const code = text.charCodeAt(at)
    if (code === 123 || code === 91) {
      stack[open.depth++] = found.count
      found.start[found.count] = at
      found.height[found.count++] = 1
      if (code === 123) open.brace++
      else open.bracket++
    } else if (code === 125 || code === 93) {
      const opener = code === 125 ? 123 : 91
      if ((code === 125 ? open.brace : open.bracket) > 0) {
        while (openerOf(stack[open.depth - 1]!) !== opener) pop(at, false)
        pop(at + 1, true)
      }
    } else if (open.depth > 0 && code === 34 && !endless.double) {
      const end = endOfDouble(text, at + 1, work)
      if (end < 0) endless.double = true
      else at = end
    } else if (open.depth > 0 && code === 39 && !endless.single && startsToken(significant)) {
      const end = endOfSingle(text, at + 1, work)
      if (end < 0) endless.single = true
      else at = end
    }
    if (!isSpace(code)) significant = code
    at++
  }
  while (open.depth > 0) pop(text.length, false)
}

/** `{ [ , : (`: a value or a key may follow. */
function startsToken(code: number): boolean {
  return code === 123 || code === 91 || code === 44 || code === 58 || code === 40
}

function endOfDouble(text: string, from: number, work: Work): number {
  for (let at = from; at < text.length; at++) {
    work.characters++
    const code = text.charCodeAt(at)
    if (code === 92) at++
    else if (code === 34) return at
  }
  return -1
}

/** A single quote ends a string only before a character that can follow one; "it's" continues. */
function endOfSingle(text: string, from: number, work: Work): number {
  for (let at = from; at < text.length; at++) {
    work.characters++
    const code = text.charCodeAt(at)
    if (code === 92) at++
    else if (code === 39) {
      let next = at + 1
      while (next < text.length && isSpace(text.charCodeAt(next))) {
        next++
        work.characters++
      }
      const follower = next < text.length ? text.charCodeAt(next) : 125
      if (follower === 44 || follower === 58 || follower === 125 || follower === 93 || follower === 41) return at
      at = next - 1
    }
  }
  return -1
}
