import { messageOf } from '../../base/errors.ts'
import { notAsExpected } from './types.ts'

/** JSON as Python writes it: NaN and Infinity become null. Throws `UserError` for anything else. */
export function parsePythonJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!/NaN|Infinity/.test(text)) throw notJson(where, error)
  }
  try {
    return JSON.parse(withoutPythonWords(text))
  } catch (error) {
    throw notJson(where, error)
  }
}

const WORD = /-?Infinity|NaN/g

/** Outside strings, what JSON has no word for becomes null. One pass: strings are stepped over, closed or not. */
function withoutPythonWords(text: string): string {
  const pieces: string[] = []
  let at = 0
  while (at < text.length) {
    const quote = text.indexOf('"', at)
    const outside = text.slice(at, quote < 0 ? text.length : quote)
    pieces.push(outside.replace(WORD, 'null'))
    if (quote < 0) break
    let end = quote + 1
    while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1
    pieces.push(text.slice(quote, end + 1))
    at = end + 1
  }
  return pieces.join('')
}

function notJson(where: string, error: unknown): Error {
  return notAsExpected(where, `it is not JSON (${messageOf(error)})`)
}
