/** str: a sequence of characters, not of the host's half characters. */
import { fault } from './errors.ts'
import { formatText } from './format.ts'
import { placeOf, repeats, sliced, spanOf } from './indexing.ts'
import { iterator } from './iterators.ts'
import { count, indexOf } from './numbers.ts'
import { percentFormat } from './percent.ts'
import { str, typeName } from './protocol.ts'
import type { Runtime } from './runtime.ts'
import { firstOf, Slice, type Slots, textIn, TYPES, type Value } from './value.ts'

/** Characters by place; a copy is made only where there are some beyond the host's sixteen bits. */
export function charsOf(rt: Runtime, text: string): ArrayLike<string> {
  if (!/[\ud800-\udfff]/.test(text)) return text
  rt.work(text.length / 4)
  return Array.from(text)
}

export function textLength(rt: Runtime, text: string): number {
  rt.work(text.length / 64)
  return charsOf(rt, text).length
}

export function textOf(rt: Runtime, value: Value | undefined, what: string): string {
  if (typeof value === 'string') return value
  throw fault(rt, 'TypeError', `${what} must be str, not ${typeName(value ?? null)}`)
}

/** Every kind of separator but the space, and what has no shape at all. */
const UNSHOWN = /(?! )[\p{C}\p{Z}]/u
const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\t': '\\t', '\r': '\\r', '\\': '\\\\' }

export function textRepr(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  let shown = ''
  for (const char of text) {
    if (char === quote || char === '\\') shown += `\\${char}`
    else if (SHORT[char] !== undefined) shown += SHORT[char]
    else if (UNSHOWN.test(char)) {
      const code = char.codePointAt(0)!
      shown +=
        code < 0x100
          ? `\\x${code.toString(16).padStart(2, '0')}`
          : code < 0x1_00_00
            ? `\\u${code.toString(16).padStart(4, '0')}`
            : `\\U${code.toString(16).padStart(8, '0')}`
    } else shown += char
  }
  return quote + shown + quote
}

/** By code point, as CPython orders texts. */
export function compareTexts(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const [x, y] = [a.codePointAt(i)!, b.codePointAt(i)!]
    if (x !== y) return x - y
  }
  return a.length - b.length
}

function ordered(operator: string, order: number): boolean {
  switch (operator) {
    case '<':
      return order < 0
    case '<=':
      return order <= 0
    case '>':
      return order > 0
    default:
      return order >= 0
  }
}

export function repeated(rt: Runtime, text: string, times: bigint): string {
  if (repeats(rt, times) <= 0n || text === '') return ''
  rt.text(times > 1_000_000_000n ? 1_000_000_000 : text.length * Number(times))
  return text.repeat(Number(times))
}

const slots: Slots = {
  binary(rt, operator, left, right) {
    if (typeof left !== 'string') return undefined
    if (operator === '%') return percentFormat(rt, left, right)
    if (operator === '+' && typeof right === 'string') {
      rt.text(left.length + right.length)
      return left + right
    }
    if (operator !== '*') return undefined
    const times = indexOf(rt, right)
    return times === null ? undefined : repeated(rt, left, times)
  },
  reflected(rt, operator, left, right) {
    const times = operator === '*' && typeof right === 'string' ? indexOf(rt, left) : null
    return times === null ? undefined : repeated(rt, textIn(right), times)
  },
  compare(rt, operator, left, right) {
    if (typeof left !== 'string' || typeof right !== 'string') return undefined
    if (operator === '==') return left === right
    if (operator === '!=') return left !== right
    rt.work(Math.min(left.length, right.length) / 16)
    return ordered(operator, compareTexts(left, right))
  },
  truth: (_, value) => value !== '',
  length: (rt, value) => textLength(rt, textIn(value)),
  iterate(rt, value) {
    const chars = charsOf(rt, textIn(value))
    let at = -1
    return iterator(rt, 'str_iterator', () => {
      at += 1
      return chars[at]
    })
  },
  contains(rt, whole, item) {
    if (typeof item !== 'string')
      throw fault(rt, 'TypeError', `'in <string>' requires string as left operand, not ${typeName(item)}`)
    const text = textIn(whole)
    rt.work(text.length / 16)
    return text.includes(item)
  },
  getItem(rt, value, index) {
    const text = textIn(value)
    rt.work(text.length / 64)
    const chars = charsOf(rt, text)
    if (!(index instanceof Slice)) return chars[placeOf(rt, index, chars.length, 'string')]!
    const span = spanOf(rt, index, chars.length)
    rt.text(span.count)
    rt.work(span.count / 4)
    return span.step === 1 && typeof chars === 'string'
      ? chars.slice(span.start, span.start + span.count)
      : sliced(chars, span).join('')
  },
  repr(rt, value) {
    const text = textIn(value)
    rt.work(text.length / 8)
    return textRepr(text)
  },
  str: (_, value) => textIn(value),
  key: (_, value) => `s${textIn(value)}`,
  format: (rt, value, spec) => formatText(rt, textIn(value), spec),
}

Object.assign(TYPES.str.slots, slots)
TYPES.str.construct = (rt, _, [value], named) => {
  const given = firstOf(value, () => named.get('object'))
  return given === undefined ? '' : str(rt, given)
}

export function paddedTo(
  rt: Runtime,
  text: string,
  width: Value | undefined,
  fill: Value | undefined,
): [string, number, string] {
  const char = fill === undefined ? ' ' : textOf(rt, fill, 'the fill character')
  if (charsOf(rt, char).length !== 1)
    throw fault(rt, 'TypeError', 'The fill character must be exactly one character long')
  const missing = count(rt, width ?? null) - textLength(rt, text)
  if (missing > 0) rt.text(text.length + missing)
  return [text, Math.max(0, missing), char]
}
