/** Python's `str` and `strip`, which the published behavior depends on. */
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
  if (typeof value === 'string') {
    const quote = value.includes("'") && !value.includes('"') ? '"' : "'"
    const escaped = value
      .replaceAll('\\', '\\\\')
      .replaceAll('\n', '\\n')
      .replaceAll('\r', '\\r')
      .replaceAll('\t', '\\t')
    return quote + (quote === "'" ? escaped.replaceAll("'", "\\'") : escaped) + quote
  }
  if (value instanceof PythonNumber) return value.whole ? BigInt(value.text).toString() : pythonFloatText(value.value)
  if (Array.isArray(value)) return `[${value.map(representation).join(', ')}]`
  return `{${Object.entries(value)
    .map(([key, item]) => `${representation(key)}: ${representation(item)}`)
    .join(', ')}}`
}

// Python's str.strip(): JavaScript's whitespace plus the information separators and NEL, minus the byte order mark.
// oxlint-disable-next-line no-control-regex -- Python counts them as whitespace
const PYTHON_SPACE = /[\s\x1c-\x1f\x85]/

/** Python's `text.strip()`. */
export function pythonStrip(text: string): string {
  let from = 0
  let to = text.length
  const blank = (char: string): boolean => char !== '\uFEFF' && PYTHON_SPACE.test(char)
  while (from < to && blank(text[from]!)) from++
  while (to > from && blank(text[to - 1]!)) to--
  return text.slice(from, to)
}
