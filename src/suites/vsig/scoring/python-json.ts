/** JSON and numbers as the published scorers read them. */
import { pythonFloat } from '../../../base/text/index.ts'

const NOT_A_NUMBER = '\u0000not a number\u0000'
const TOKENS = /"(?:[^"\\]|\\.)*"|-Infinity|Infinity|NaN/gs
const SPECIAL: Readonly<Record<string, number>> = {
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  '-Infinity': Number.NEGATIVE_INFINITY,
}

/** Python reads NaN and Infinity as JSON. Undefined when it is not JSON even so. */
export function pythonJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Perhaps only for a number that is none.
  }
  const marked = text.replaceAll(TOKENS, (token) => (token.startsWith('"') ? token : `"${marker(token)}"`))
  if (marked === text) return undefined
  try {
    return JSON.parse(marked, (_, value: unknown) =>
      typeof value === 'string' && value.startsWith(NOT_A_NUMBER) ? SPECIAL[value.slice(NOT_A_NUMBER.length)] : value,
    )
  } catch {
    return undefined
  }
}

/** As it stands between quotes in JSON. */
function marker(token: string): string {
  return NOT_A_NUMBER.replaceAll('\u0000', '\\u0000') + token
}

const DECIMAL = /\p{Nd}+\.?\p{Nd}*/u

/** The first decimal number in a text: signs, fractions and percent marks are not understood. */
export function firstDecimal(text: string): number | null {
  const found = DECIMAL.exec(text)
  return found ? pythonFloat(found[0]) : null
}
