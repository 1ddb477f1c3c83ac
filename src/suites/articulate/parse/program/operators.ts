/** Arithmetic and comparison. */
import { ProgramError } from './problem.ts'
import type { Meter } from './meter.ts'
import { areEqual, Dictionary, Sequence, textOf, typeOf, type Value } from './values.ts'

export function binary(operator: string, left: Value, right: Value, line: number, meter: Meter): Value {
  const [a, b] = [asNumber(left), asNumber(right)]
  if (a !== null && b !== null) return arithmetic(operator, a, b, line)
  if (operator === '+') {
    if (typeof left === 'string' && typeof right === 'string') {
      meter.make(left.length + right.length, true)
      return left + right
    }
    if (left instanceof Sequence && right instanceof Sequence && left.kind === right.kind && left.kind !== 'array') {
      meter.make(left.items.length + right.items.length)
      return new Sequence(left.kind, [...left.items, ...right.items])
    }
  }
  if (operator === '*') {
    const [times, thing] = b === null ? [a, right] : [b, left]
    const count = times === null ? 0 : Math.max(0, Math.floor(times))
    if (typeof thing === 'string' && times !== null) {
      meter.make(thing.length * count, true)
      return thing.repeat(count)
    }
    if (thing instanceof Sequence && thing.kind !== 'array' && times !== null) {
      meter.make(thing.items.length * count)
      const { items, kind } = thing
      const repeated: Value[] = []
      for (let i = 0; i < count; i++) for (const item of items) repeated.push(item)
      return new Sequence(kind, repeated)
    }
  }
  if (isArray(left) || isArray(right)) return itemwise(operator, left, right, line, meter)
  throw new ProgramError(line, `"${operator}" does not work between ${typeOf(left)} and ${typeOf(right)}`)
}

function arithmetic(operator: string, a: number, b: number, line: number): number {
  switch (operator) {
    case '+':
      return a + b
    case '-':
      return a - b
    case '*':
      return a * b
    case '**':
      return a ** b
    case '/':
    case '//':
    case '%': {
      if (b === 0) throw new ProgramError(line, 'division by zero')
      if (operator === '/') return a / b
      return operator === '//' ? Math.floor(a / b) : a - b * Math.floor(a / b)
    }
    default:
      throw new ProgramError(line, `the operator "${operator}" is not supported`)
  }
}

function isArray(value: Value): value is Sequence {
  return value instanceof Sequence && value.kind === 'array'
}

function itemwise(operator: string, left: Value, right: Value, line: number, meter: Meter): Sequence {
  const itemsOf = (value: Value): readonly Value[] | null => (value instanceof Sequence ? value.items : null)
  const [a, b] = [itemsOf(left), itemsOf(right)]
  if (a && b && a.length !== b.length)
    throw new ProgramError(line, `arrays of ${a.length} and ${b.length} items cannot be combined`)
  const length = (a ?? b)!.length
  meter.make(length)
  return new Sequence(
    'array',
    Array.from({ length }, (_, i) => binary(operator, a ? a[i]! : left, b ? b[i]! : right, line, meter)),
  )
}

export function asNumber(value: Value): number | null {
  if (typeof value === 'number') return value
  return typeof value === 'boolean' ? Number(value) : null
}

export function negated(value: Value, line: number, meter: Meter): Value {
  return binary('*', value, -1, line, meter)
}

export function compare(operator: string, left: Value, right: Value, line: number, meter: Meter): boolean {
  const spend = (): void => meter.work(1)
  switch (operator) {
    case '==':
      return areEqual(left, right, spend)
    case '!=':
      return !areEqual(left, right, spend)
    case 'is':
      return left === right
    case 'is not':
      return left !== right
    case 'in':
      return contains(right, left, line, spend)
    case 'not in':
      return !contains(right, left, line, spend)
  }
  const [a, b] = [asNumber(left), asNumber(right)]
  const order =
    a !== null && b !== null
      ? a - b
      : typeof left === 'string' && typeof right === 'string'
        ? left < right
          ? -1
          : Number(left > right)
        : null
  if (order === null)
    throw new ProgramError(line, `"${operator}" does not work between ${typeOf(left)} and ${typeOf(right)}`)
  switch (operator) {
    case '<':
      return order < 0
    case '>':
      return order > 0
    case '<=':
      return order <= 0
    default:
      return order >= 0
  }
}

function contains(whole: Value, item: Value, line: number, spend: () => void): boolean {
  if (whole instanceof Sequence) return whole.items.some((other) => areEqual(other, item, spend))
  if (whole instanceof Dictionary) return whole.get(item) !== undefined
  if (typeof whole === 'string' && typeof item === 'string') return whole.includes(item)
  throw new ProgramError(line, `"in" does not work on ${typeOf(whole)}`)
}

/** `f'{value:.2f}'` and the like; a format that is not known leaves the value as it prints. */
export function formatted(value: Value, spec: string): string {
  const match = /^0?(\d{1,2})?(?:\.(\d{1,2}))?([fd])?$/.exec(spec.trim())
  if (!match || typeof value !== 'number' || spec === '') return textOf(value)
  const text = match[2] === undefined && match[3] !== 'f' ? textOf(value) : value.toFixed(Number(match[2] ?? 6))
  return text.padStart(Number(match[1] ?? 0), spec.startsWith('0') ? '0' : ' ')
}
