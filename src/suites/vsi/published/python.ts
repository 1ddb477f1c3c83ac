/** Python's `str` and character classes, which the published behavior depends on. */
import { pythonFloatText, PythonNumber, type PythonValue } from '../../../suite.ts'

export function isPythonObject(value: PythonValue | undefined): value is { [key: string]: PythonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof PythonNumber)
}

/** Python's `str(value)`. */
export function pythonStr(value: PythonValue): string {
  return typeof value === 'string' ? value : representation(value)
}

function representation(value: PythonValue): string {
  if (value === null) return 'None'
  if (value === true) return 'True'
  if (value === false) return 'False'
  if (typeof value === 'string') return stringRepresentation(value)
  if (value instanceof PythonNumber) return value.whole ? BigInt(value.text).toString() : pythonFloatText(value.value)
  if (Array.isArray(value)) return `[${value.map(representation).join(', ')}]`
  return `{${Object.entries(value)
    .map(([key, item]) => `${representation(key)}: ${representation(item)}`)
    .join(', ')}}`
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** Python's `repr` of a string: characters that cannot be printed are escaped. */
export function stringRepresentation(value: string): string {
  const quote = value.includes("'") && !value.includes('"') ? '"' : "'"
  const escaped = value.replaceAll(/[\\\p{C}\p{Z}]/gu, (char) => {
    if (char === ' ') return char
    const code = char.codePointAt(0)!.toString(16)
    const length = code.length <= 2 ? 2 : code.length <= 4 ? 4 : 8
    return ESCAPES[char] ?? `\\${{ 2: 'x', 4: 'u', 8: 'U' }[length]}${code.padStart(length, '0')}`
  })
  return quote + (quote === "'" ? escaped.replaceAll("'", "\\'") : escaped) + quote
}

/** Python's `\w`, which knows every script. */
export const WORD = '[\\p{L}\\p{N}_]'
/** Python's `\b`. */
export const EDGE = `(?:(?<=${WORD})(?!${WORD})|(?<!${WORD})(?=${WORD}))`
