/** Finds brackets that belong together in text that only partly is JSON. */

/**
 * Bracketed stretches of text, in order of their starts, so that what is nested in one follows it. One list a property
 * instead of objects: a hostile reply may hold a bracket in every character.
 */
export interface Brackets {
  start: number[]
  /** One past its last character; the end of the text when it was never closed. */
  end: number[]
  closed: boolean[]
  /** Levels of brackets in it, itself included. */
  height: number[]
}

/** How often the text after an opener that never closed is read again, in the hope of a better start. */
const MAX_PASSES = 4

const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13) || code === 0xa0

/** Work done, in characters looked at: tests hold it to a multiple of the text's length. */
export interface Work {
  characters: number
}

/**
 * Every bracketed stretch of a text. Quotes count as strings only inside brackets, where prose with its apostrophes
 * seldom is. Linear: one pass, one more for each kind of quote that is never closed, and a fixed number of passes over
 * what an unclosed bracket may have swallowed.
 */
export function brackets(text: string, work: Work = { characters: 0 }): Brackets {
  const found: Brackets = { start: [], end: [], closed: [], height: [] }
  let from = 0
  for (let passes = 0; passes < MAX_PASSES; passes++) {
    const before = found.start.length
    pass(text, from, found, work)
    const last = found.start.length - 1
    // An opener without an end in prose, as in "[0, 1)", must not hide the objects behind a quote that it let begin.
    if (last < before || found.closed[last]) break
    from = found.start[last]! + 1
  }
  return found
}

function pass(text: string, from: number, found: Brackets, work: Work): void {
  /** Numbers of those that are open, innermost last. */
  const stack: number[] = []
  const open = { brace: 0, bracket: 0 }
  // Once a quote of a kind is seen to have no end, no later one of its kind has: never look for it again.
  const endless = { double: false, single: false }
  let significant = 0
  let at = from

  const openerOf = (index: number): number => text.charCodeAt(found.start[index]!)
  const pop = (end: number, closed: boolean): void => {
    const index = stack.pop()!
    found.end[index] = end
    found.closed[index] = closed
    if (openerOf(index) === 123) open.brace--
    else open.bracket--
    const parent = stack.at(-1)
    if (parent !== undefined) found.height[parent] = Math.max(found.height[parent]!, found.height[index]! + 1)
  }

  while (at < text.length) {
    work.characters++
    const code = text.charCodeAt(at)
    if (code === 123 || code === 91) {
      stack.push(found.start.length)
      found.start.push(at)
      found.end.push(text.length)
      found.closed.push(false)
      found.height.push(1)
      if (code === 123) open.brace++
      else open.bracket++
    } else if (code === 125 || code === 93) {
      const opener = code === 125 ? 123 : 91
      if ((code === 125 ? open.brace : open.bracket) > 0) {
        while (openerOf(stack.at(-1)!) !== opener) pop(at, false)
        pop(at + 1, true)
      }
    } else if (stack.length > 0 && code === 34 && !endless.double) {
      const end = endOfDouble(text, at + 1, work)
      if (end < 0) endless.double = true
      else at = end
    } else if (stack.length > 0 && code === 39 && !endless.single && startsToken(significant)) {
      const end = endOfSingle(text, at + 1, work)
      if (end < 0) endless.single = true
      else at = end
    }
    if (!isSpace(code)) significant = code
    at++
  }
  while (stack.length > 0) pop(text.length, false)
}

/** `{ [ , : (` — where a value or a key may begin. */
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

/** A single quote ends a string only before what may follow one: "it's" goes on. */
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
