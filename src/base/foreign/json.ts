/** JSON that others wrote. A small text can ask for gigabytes, so its structure is checked before it is parsed. */
import { readRegularText } from '../regular-file.ts'

/** Nothing real is nested deeper, and recursive code can still walk it. Python's `json` ends near here too. */
const MAX_DEPTH = 900
/** An empty object takes 20 times as much memory as its text. */
const FREE_BRACKETS = 4_000_000
const CHARACTERS_PER_BRACKET = 16

const QUOTE = 0x22
const BACKSLASH = 0x5c
/** `[` and `{`, and `]` and `}`, differ in one bit from each other. */
const CASE_BIT = 0x20
const OPEN = 0x5b | CASE_BIT
const CLOSE = 0x5d | CASE_BIT

/**
 * `JSON.parse`, but nested and numerous lists and objects are refused before anything is allocated for them. Takes linear
 * time. Throws a `SyntaxError`.
 */
export function parseForeignJson(text: string): unknown {
  checkStructure(text)
  return JSON.parse(text)
}

/** The content of a JSON file. Throws a `UserError` if it is a pipe or device or too large, and a `SyntaxError`. */
export async function readForeignJson(path: string, maxBytes?: number): Promise<unknown> {
  return parseForeignJson(await readRegularText(path, maxBytes))
}

/** Throws a `SyntaxError` for a text whose brackets are nested too deeply or too many. */
export function checkStructure(text: string): void {
  if (text.length <= MAX_DEPTH || hasFewBrackets(text)) return
  const maxBrackets = FREE_BRACKETS + text.length / CHARACTERS_PER_BRACKET
  let depth = 0
  let brackets = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      at++
      for (let inside = text.charCodeAt(at); inside !== QUOTE && at < text.length; inside = text.charCodeAt(++at))
        if (inside === BACKSLASH) at++
    } else if ((code | CASE_BIT) === OPEN) {
      brackets++
      if (++depth > MAX_DEPTH) throw new SyntaxError(`nested deeper than ${MAX_DEPTH} levels`)
    } else if ((code | CASE_BIT) === CLOSE) depth--
  }
  if (brackets > maxBrackets) throw new SyntaxError(`${brackets} lists and objects are too many for its size`)
}

/** Most texts end here: searching for brackets takes a tenth of the time of `JSON.parse`. */
function hasFewBrackets(text: string): boolean {
  let left = MAX_DEPTH
  for (const bracket of '[{') {
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) if (--left < 0) return false
  }
  return true
}
