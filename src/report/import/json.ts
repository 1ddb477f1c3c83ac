import { messageOf } from '../../base/errors.ts'
import { notAsExpected } from './types.ts'

/** A string, or one of the words that Python writes and JSON does not have. */
const STRING_OR_WORD = /"[^"\\]*(?:\\.[^"\\]*)*"|NaN|-?Infinity/gs

/** JSON as Python writes it: NaN and Infinity become null. Throws `UserError` for anything else. */
export function parsePythonJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!/NaN|Infinity/.test(text)) throw notJson(where, error)
  }
  try {
    return JSON.parse(text.replace(STRING_OR_WORD, (found) => (found.startsWith('"') ? found : 'null')))
  } catch (error) {
    throw notJson(where, error)
  }
}

function notJson(where: string, error: unknown): Error {
  return notAsExpected(where, `it is not JSON (${messageOf(error)})`)
}
