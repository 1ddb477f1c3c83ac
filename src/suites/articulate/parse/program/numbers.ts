/** Numbers where a program must have them. */
import type { Meter } from './meter.ts'
import { asNumber } from './operators.ts'
import { ProgramError } from './problem.ts'
import { Sequence, typeOf, type Value } from './values.ts'

export function numeric(value: Value, line: number): number {
  const number = typeof value === 'string' && /^\s*[+-]?[\d.]+\s*$/.test(value) ? Number(value) : asNumber(value)
  if (number === null || Number.isNaN(number)) throw new ProgramError(line, `${typeOf(value)} is not a number`)
  return number
}

export function whole(value: Value, line: number): number {
  const number = numeric(value, line)
  if (!Number.isInteger(number)) throw new ProgramError(line, `${number} is not a whole number`)
  return number
}

/** The same done to a number or to all of a list. */
export function mapNumber(value: Value, line: number, call: (value: number) => number, meter: Meter): Value {
  if (value instanceof Sequence) {
    meter.make(value.items.length)
    return new Sequence(
      'array',
      value.items.map((item) => mapNumber(item, line, call, meter)),
    )
  }
  return call(numeric(value, line))
}
