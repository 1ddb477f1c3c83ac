import { readFileSync } from 'node:fs'
import { InvalidArgumentError } from 'commander'
import { fileErrorReason } from '../../base/errors.ts'
import type { NumberRange } from '../../library/ranges.ts'

export { RANGES } from '../../library/ranges.ts'

/** What `sightline list` lists without loading runs. */
export const LIST_PARTS = ['suites', 'sources', 'baselines', 'models'] as const

/** Parser for repeatable options. */
export function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value]
}

/** As `collect`; `@FILE` stands for the lines of a file. */
export function collectIds(value: string, before: readonly string[] = []): string[] {
  if (!value.startsWith('@')) return [...before, value]
  const path = value.slice(1)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new InvalidArgumentError(`Cannot read ${path}: ${fileErrorReason(error)}.`)
  }
  const ids = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  // No id at all would mean all samples.
  if (ids.length === 0) throw new InvalidArgumentError(`${path} has no ids.`)
  return [...before, ...ids]
}

/** Parser for repeatable options like `-T key=value`. */
export function keyValues(value: string, before: Readonly<Record<string, string>> = {}): Record<string, string> {
  const equals = value.indexOf('=')
  if (equals < 1) throw new InvalidArgumentError('Expected key=value.')
  return { ...before, [value.slice(0, equals)]: value.slice(equals + 1) }
}

/** Parser for a number in a range. */
export function numberIn(range: NumberRange): (value: string) => number {
  return (value) => {
    const number = value.trim() === '' ? Number.NaN : Number(value)
    const { min = -Infinity, max = Infinity, whole = false } = range
    const fits = Number.isFinite(number) && number >= min && number <= max && (!whole || Number.isInteger(number))
    if (fits) return number
    const kind = whole ? 'a whole number' : 'a number'
    const from = Number.isFinite(min) ? ` from ${min}` : ''
    throw new InvalidArgumentError(`Expected ${kind}${from}${Number.isFinite(max) ? ` to ${max}` : ''}.`)
  }
}
