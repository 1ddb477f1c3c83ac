/** Places and slices of sequences. */
import { fault } from './errors.ts'
import { count, indexOf } from './numbers.ts'
import type { Runtime } from './runtime.ts'
import { Slice, typeOf, type Value } from './value.ts'

/** The place of an item; raises as the named type does. */
export function placeOf(rt: Runtime, index: Value, length: number, type: string, verb = ''): number {
  const whole = indexOf(rt, index)
  if (whole === null)
    throw fault(
      rt,
      'TypeError',
      type === 'string'
        ? `string indices must be integers, not '${typeOf(index).name}'`
        : `${type} indices must be integers or slices, not ${typeOf(index).name}`,
    )
  const place = whole < 0n ? whole + BigInt(length) : whole
  if (whole >= 2n ** 63n || whole < -(2n ** 63n))
    throw fault(rt, 'IndexError', `cannot fit '${typeOf(index).name}' into an index-sized integer`)
  if (place < 0n || place >= BigInt(length)) throw fault(rt, 'IndexError', `${type}${verb} index out of range`)
  return Number(place)
}

/** How often a sequence is repeated; raises for what no sequence is long enough for. */
export function repeats(rt: Runtime, times: bigint): bigint {
  if (times >= 2n ** 63n || times < -(2n ** 63n))
    throw fault(rt, 'OverflowError', "cannot fit 'int' into an index-sized integer")
  return times
}

export interface Span {
  start: number
  stop: number
  step: number
  count: number
}

/** What a slice covers of a sequence of a length, as `slice.indices` has it. */
export function spanOf(rt: Runtime, slice: Slice, length: number): Span {
  const part = (value: Value): number | null => {
    if (value === null) return null
    if (indexOf(rt, value) === null)
      throw fault(rt, 'TypeError', 'slice indices must be integers or None or have an __index__ method')
    // Anything beyond the ends is the same as the end.
    const whole = indexOf(rt, value)!
    const far = BigInt(length) + 1n
    return whole > far ? Number(far) : whole < -far ? Number(-far) : Number(whole)
  }
  const given = slice.step === null ? 1n : indexOf(rt, slice.step)
  if (given === 0n) throw fault(rt, 'ValueError', 'slice step cannot be zero')
  const step = part(slice.step) ?? 1
  const clipped = (value: number | null, otherwise: number, low: number, high: number): number => {
    if (value === null) return otherwise
    const place = value < 0 ? value + length : value
    return Math.min(Math.max(place, low), high)
  }
  const [low, high] = step > 0 ? [0, length] : [-1, length - 1]
  const start = clipped(part(slice.start), step > 0 ? low : high, low, high)
  const stop = clipped(part(slice.stop), step > 0 ? high : low, low, high)
  const span = step > 0 ? stop - start : start - stop
  return { start, stop, step, count: span > 0 ? Math.ceil(span / Math.abs(step)) : 0 }
}

export function sliced<T>(items: ArrayLike<T>, { start, step, count: size }: Span): T[] {
  return Array.from({ length: size }, (_, i) => items[start + i * step]!)
}

/** `start` and `end` arguments of `find`, `index` and `count`. */
export function bounds(
  rt: Runtime,
  start: Value | undefined,
  end: Value | undefined,
  length: number,
): [number, number] {
  const place = (value: Value | undefined, otherwise: number): number => {
    if (value === undefined || value === null) return otherwise
    const at = count(rt, value)
    return Math.min(Math.max(at < 0 ? at + length : at, 0), length)
  }
  return [place(start, 0), place(end, length)]
}

/** Sequences in order: the first difference decides, else the length. */
export function compareItems(
  rt: Runtime,
  operator: string,
  left: readonly Value[],
  right: readonly Value[],
  how: {
    equals(rt: Runtime, a: Value, b: Value): boolean
    compare(rt: Runtime, op: string, a: Value, b: Value): Value
  },
): Value {
  if ((operator === '==' || operator === '!=') && left.length !== right.length) return operator === '!='
  const shared = Math.min(left.length, right.length)
  for (let i = 0; i < shared; i++) {
    if (how.equals(rt, left[i]!, right[i]!)) continue
    if (operator === '==') return false
    return operator === '!=' ? true : how.compare(rt, operator, left[i]!, right[i]!)
  }
  const [a, b] = [left.length, right.length]
  switch (operator) {
    case '==':
      return true
    case '!=':
      return false
    case '<':
      return a < b
    case '<=':
      return a <= b
    case '>':
      return a > b
    default:
      return a >= b
  }
}
