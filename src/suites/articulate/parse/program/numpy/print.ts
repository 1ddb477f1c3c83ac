/** Arrays as numpy 1.24 prints them. */
import { pythonFloatText } from '../../../../../suite.ts'
import { fixed, positional, type Runtime, scientific, shortest, significant } from '../values/index.ts'
import { type DType, kindOf, NdArray, row } from './array.ts'

const LINE = 75
const PRECISION = 8
/** Longer arrays are shown by their ends. */
const THRESHOLD = 1000
const EDGE = 3

/** The shortest digits that read back as the same number of its type. */
function digitsOf(value: number, dtype: DType): { digits: string; exponent: number } {
  if (dtype !== 'float32') return shortest(value)
  for (let count = 1; count < 9; count++) {
    const { digits, exponent } = significant(value, count)
    if (Math.fround(Number(`${digits[0]}.${digits.slice(1)}e${exponent}`)) === Math.abs(value))
      return { digits: digits.replace(/(?!^)0+$/, ''), exponent }
  }
  return significant(value, 9)
}

export function scalarText(value: number, dtype: DType): string {
  if (kindOf(dtype) === 'bool') return value === 0 ? 'False' : 'True'
  if (kindOf(dtype) === 'int') return String(value)
  if (dtype === 'float64' || !Number.isFinite(value) || value === 0) return pythonFloatText(value)
  const { digits, exponent } = digitsOf(value, dtype)
  const sign = value < 0 ? '-' : ''
  if (exponent < -4 || exponent >= 16) return sign + scientific(digits, exponent)
  const text = positional(digits, exponent)
  return sign + (text.includes('.') ? text : `${text}.0`)
}

const isNegative = (value: number): boolean => value < 0 || Object.is(value, -0)

/** At most eight digits after the point, without zeros at the end. */
function plainText(value: number, dtype: DType): string {
  const { digits, exponent } = digitsOf(value, dtype)
  const text = value === 0 ? '0' : positional(digits, exponent)
  const [, fraction = ''] = text.split('.')
  const cut = fraction.length > PRECISION ? fixed(value, PRECISION).replace(/0+$/, '') : text
  return (isNegative(value) ? '-' : '') + (cut.includes('.') ? cut : `${cut}.`)
}

function exponentParts(value: number, dtype: DType): { whole: string; fraction: string; power: string } {
  const short = value === 0 ? { digits: '0', exponent: 0 } : digitsOf(value, dtype)
  const { digits, exponent } = short.digits.length > PRECISION + 1 ? significant(value, PRECISION + 1) : short
  const power = `${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`
  return { whole: (isNegative(value) ? '-' : '') + digits[0]!, fraction: digits.slice(1).replace(/0+$/, ''), power }
}

/** How the numbers of one array are all shown. */
function formatterFor(numbers: readonly number[], dtype: DType): (value: number) => string {
  if (kindOf(dtype) === 'bool') return (value) => (value === 0 ? 'False' : ' True')
  if (kindOf(dtype) === 'int') {
    const width = Math.max(0, ...numbers.map((value) => String(value).length))
    return (value) => String(value).padStart(width)
  }
  const finite = numbers.filter(Number.isFinite)
  const sizes = finite.filter((value) => value !== 0).map(Math.abs)
  const [most, least] = [Math.max(...sizes), Math.min(...sizes)]
  const isScientific = sizes.length > 0 && (most >= 1e8 || least < 1e-4 || most / least > 1000)
  let [left, right] = [0, 0]
  let show: (value: number) => string
  if (isScientific) {
    const parts = finite.map((value) => exponentParts(value, dtype))
    const digits = Math.max(...parts.map(({ fraction }) => fraction.length))
    const power = Math.max(...parts.map(({ power: text }) => text.length))
    left = Math.max(...parts.map(({ whole }) => whole.length))
    right = power + 1 + digits
    show = (value) => {
      const { whole, fraction, power: text } = exponentParts(value, dtype)
      const padded = text[0] + text.slice(1).padStart(power - 1, '0')
      return `${whole.padStart(left)}.${fraction.padEnd(digits, '0')}e${padded}`
    }
  } else {
    const texts = finite.map((value) => plainText(value, dtype).split('.'))
    left = Math.max(0, ...texts.map(([whole = '']) => whole.length))
    right = Math.max(0, ...texts.map(([, fraction = '']) => fraction.length))
    show = (value) => {
      const [whole = '', fraction = ''] = plainText(value, dtype).split('.')
      return `${whole.padStart(left)}.${fraction.padEnd(right)}`
    }
  }
  if (finite.length < numbers.length) {
    const longest = numbers.includes(-Infinity) ? 4 : 3
    left = Math.max(left, longest - (right + 1))
  }
  return (value) => (Number.isFinite(value) ? show(value) : pythonFloatText(value).padStart(left + right + 1))
}

interface Layout {
  separator: string
  show: (value: number) => string
  isShort: boolean
  rt: Runtime
}

function shownNumbers(array: NdArray, isShort: boolean): number[] {
  if (!isShort) return Array.from(array.flat())
  const numbers: number[] = []
  const visit = (part: NdArray): void => {
    if (part.shape.length === 0) numbers.push(part.data[part.offset]!)
    else for (const at of edges(part.shape[0]!)) if (at !== null) visit(row(part, at))
  }
  visit(array)
  return numbers
}

/** The places that are shown; null stands for those between. */
function edges(length: number, isShort = true): (number | null)[] {
  const all = Array.from({ length: isShort && length > 2 * EDGE ? 2 * EDGE : length }, (_, i) => i)
  if (!isShort || length <= 2 * EDGE) return all
  return [0, 1, 2, null, length - 3, length - 2, length - 1]
}

function body(array: NdArray, indent: string, width: number, layout: Layout): string {
  const { separator, show, isShort, rt } = layout
  rt.work()
  const axes = array.shape.length
  if (axes === 0) return show(array.data[array.offset]!)
  const inner = `${indent} `
  const places = edges(array.shape[0]!, isShort)
  const parts = places.map((at) => (at === null ? '...' : body(row(array, at), inner, width - 1, layout)))
  if (axes > 1) {
    const gap = separator.trimEnd() + '\n'.repeat(axes - 1)
    return `[${parts
      .map((part) => inner + part)
      .join(gap)
      .slice(inner.length)}]`
  }
  const room = width - 1 - Math.max(separator.trimEnd().length, 1)
  let text = ''
  let line = inner
  parts.forEach((part, i) => {
    if (line.length + part.length > room && line.length > inner.length) {
      text += `${line.trimEnd()}\n`
      line = inner
    }
    line += part
    if (i < parts.length - 1) line += separator
  })
  rt.text(text.length + line.length)
  return `[${(text + line).slice(inner.length)}]`
}

function layoutFor(rt: Runtime, array: NdArray, separator: string): Layout {
  const isShort = array.size > THRESHOLD
  rt.work(isShort ? 500 : array.size * 8)
  return { separator, show: formatterFor(shownNumbers(array, isShort), array.dtype), isShort, rt }
}

export function arrayText(rt: Runtime, array: NdArray): string {
  if (array.shape.length === 0) return scalarText(array.data[array.offset]!, array.dtype)
  if (array.size === 0) return '[]'
  return body(array, '', LINE + 1, layoutFor(rt, array, ' '))
}

export function arrayRepr(rt: Runtime, array: NdArray): string {
  const isImplied = ['bool', 'int64', 'float64'].includes(array.dtype) && array.size > 0
  const suffix = isImplied ? ')' : `, dtype=${array.dtype})`
  if (array.size === 0) {
    const shape = array.shape.length === 1 ? '' : `, shape=(${array.shape.join(', ')})`
    return `array([]${shape}${suffix}`
  }
  const text =
    array.shape.length === 0
      ? scalarText(array.data[array.offset]!, array.dtype).replace(/\.0$/, '.')
      : body(array, ' '.repeat(6), LINE + 1 - ')'.length, layoutFor(rt, array, ', '))
  if (isImplied) return `array(${text})`
  const shown = `array(${text},`
  const type = `dtype=${array.dtype})`
  // The type goes to a line of its own where it does not fit.
  const last = shown.length - (shown.lastIndexOf('\n') + 1)
  return last + type.length + 1 > LINE ? `${shown}\n      ${type}` : `${shown} ${type}`
}
