import { ProgramError } from './problem.ts'
import { Dictionary, Sequence, typeOf, type Value } from './values.ts'

/** What a loop runs over. */
export function itemsOf(value: Value, line: number): readonly Value[] {
  // A copy: the body may change the list.
  if (value instanceof Sequence) return [...value.items]
  if (value instanceof Dictionary) return value.entries().map(({ key }) => key)
  if (typeof value === 'string') return value.split('')
  throw new ProgramError(line, `${typeOf(value)} is not a list`)
}
