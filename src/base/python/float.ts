/** Python's parsing, printing and rounding of floats, which published code relies on and JavaScript does differently. */

// Whitespace that Python's float strips: JavaScript's \s and NEL. A byte order mark is rejected earlier.
const SPACE = /[\s\x85]/
// Each digit can match in only one way: otherwise a long run of digits would backtrack for minutes.
const DECIMAL = /^[+-]?(?:\d+(?:_\d+)*(?:\.(?:\d+(?:_\d+)*)?)?|\.\d+(?:_\d+)*)(?:[eE][+-]?\d+(?:_\d+)*)?$/
const SPECIAL = /^([+-]?)(inf|infinity|nan)$/i
const DIGIT = /\p{Nd}/u

/**
 * Python's `float(text)`, or null where it raises. Accepts underscores between digits, `4.`, `.5`, exponents, `inf` and
 * `nan` in any case, and decimal digits of any script; rejects `''`, `0x4` and `1,000`.
 */
export function pythonFloat(text: string): number | null {
  if (text.includes('\uFEFF')) return null
  const ascii = asciiDigits(trimmed(text))
  const special = SPECIAL.exec(ascii)
  if (special !== null) {
    if (special[2]!.toLowerCase() === 'nan') return Number.NaN
    return special[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  }
  return DECIMAL.test(ascii) ? Number(ascii.replaceAll('_', '')) : null
}

function trimmed(text: string): string {
  let from = 0
  let to = text.length
  while (from < to && SPACE.test(text[from]!)) from++
  while (to > from && SPACE.test(text[to - 1]!)) to--
  return text.slice(from, to)
}

/** Converts digits of other scripts to ASCII. Unicode keeps each script's ten digits together, zero first. */
function asciiDigits(text: string): string {
  // oxlint-disable-next-line no-control-regex -- ASCII is a range of control and printable characters
  if (/^[\x00-\x7f]*$/.test(text)) return text
  let ascii = ''
  for (const char of text) {
    if (char <= '\x7f' || !DIGIT.test(char)) ascii += char
    else {
      const code = char.codePointAt(0)!
      let before = 0
      // Adjacent runs of digits (the mathematical ones) are multiples of ten.
      while (before < 60 && DIGIT.test(String.fromCodePoint(code - before - 1))) before++
      ascii += String(before % 10)
    }
  }
  return ascii
}

/** Python's `repr(float)`: shortest digits as in JavaScript, but with `.0`, and exponents from 1e16 and below 1e-4. */
export function pythonFloatText(value: number): string {
  if (Number.isNaN(value)) return 'nan'
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf'
  if (Object.is(value, -0)) return '-0.0'
  const size = Math.abs(value)
  if (size !== 0 && (size >= 1e16 || size < 1e-4)) {
    const [digits, exponent] = value.toExponential().split('e')
    const power = Number(exponent)
    return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`
  }
  const text = String(value)
  return text.includes('.') ? text : `${text}.0`
}

/**
 * Python's `f"{value:.2f}"`: exact ties round to even and −0 keeps its sign; `toFixed` does neither.
 *
 * @example
 * fixed(0.125, 2) // '0.12'
 */
export function fixed(value: number, digits: number): string {
  if (!Number.isFinite(value)) return pythonFloatText(value)
  const sign = value < 0 || Object.is(value, -0) ? '-' : ''
  const size = Math.abs(value)
  // A double can only be an exact tie if it is a multiple of 2^-(digits + 1).
  const binary = size * 2 ** (digits + 1)
  const twice = binary * 5 ** digits
  if (Number.isInteger(binary) && Number.isSafeInteger(twice) && twice % 2 === 1) {
    const text = String(roundHalfEven(twice / 2)).padStart(digits + 1, '0')
    return sign + (digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`)
  }
  return sign + size.toFixed(digits)
}

/** Python's `round(value)`: halves round to even, where `Math.round` rounds up. Never −0. */
export function roundHalfEven(value: number): number {
  const below = Math.floor(value)
  const rest = value - below
  if (rest < 0.5) return below + 0
  if (rest > 0.5) return below + 1
  return below % 2 === 0 ? below : below + 1
}
