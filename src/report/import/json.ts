import { messageOf } from '../../base/errors.ts'
import { parsePythonJson } from '../../base/python/json.ts'
import { notAsExpected } from './types.ts'

/** JSON as Python writes it: NaN and Infinity become null. Throws `UserError` for anything else. */
export function parseLog(text: string, where: string): unknown {
  try {
    return parsePythonJson(text, { parseConstant: () => null })
  } catch (error) {
    throw notAsExpected(where, `it is not JSON (${messageOf(error)})`)
  }
}
