/** Text as Python sees it. */

/**
 * What Python's `\s` and `strip` count as whitespace, for a character class: JavaScript's `\s` without the byte order mark,
 * and with the information separators and NEL.
 */
export const PYTHON_SPACES = String.raw`\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000`

const SPACE = new RegExp(`[${PYTHON_SPACES}]`)

function isSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  if (code < 0x80) return code === 0x20 || (code >= 0x09 && code <= 0x0d) || (code >= 0x1c && code <= 0x1f)
  return SPACE.test(text[at]!)
}

/** Python's `text.strip()`. */
export function pythonStrip(text: string): string {
  let from = 0
  let to = text.length
  while (from < to && isSpace(text, from)) from++
  while (to > from && isSpace(text, to - 1)) to--
  return text.slice(from, to)
}
