/** What programs handle: plain data, and a few things that they may only pass on. */
import type { Assembly } from '../../domain/assembly/assembly.ts'

export type Value = null | boolean | number | string | Sequence | Dictionary | Callable | Thing | Slice

/** A list, a tuple, or an array of numbers that is added and scaled item by item. */
export class Sequence {
  readonly items: Value[]
  readonly kind: 'list' | 'tuple' | 'array'

  constructor(kind: Sequence['kind'], items: Value[]) {
    this.kind = kind
    this.items = items
  }
}

export class Dictionary {
  readonly #entries = new Map<string, { key: Value; value: Value }>()

  get size(): number {
    return this.#entries.size
  }

  get(key: Value): Value | undefined {
    return this.#entries.get(keyText(key))?.value
  }

  set(key: Value, value: Value): void {
    this.#entries.set(keyText(key), { key, value })
  }

  entries(): { key: Value; value: Value }[] {
    return [...this.#entries.values()]
  }
}

/** Longer keys are refused: a tuple of tuples of tuples can be larger than memory. */
const MAX_KEY_LENGTH = 1000

/** Keys of different types stay apart: 1 and "1" are two keys. */
function keyText(key: Value, left = { characters: MAX_KEY_LENGTH }): string {
  if (key instanceof Sequence) return `(${key.items.map((item) => keyText(item, left)).join(',')})`
  const text = typeof key === 'object' && key !== null ? 'object' : `${typeof key}:${String(key)}`
  left.characters -= text.length
  if (left.characters < 0 && key !== null && typeof key !== 'string') throw new RangeError('a key is too long')
  return text
}

export interface Arguments {
  positional: readonly Value[]
  named: ReadonlyMap<string, Value>
}

export class Callable {
  readonly name: string
  readonly call: (args: Arguments, line: number) => Value

  constructor(name: string, call: (args: Arguments, line: number) => Value) {
    this.name = name
    this.call = call
  }
}

/** A part, a robot, a joint to be, a module: known by its kind, opaque to the program. */
export class Thing {
  readonly kind: string
  readonly fields: ReadonlyMap<string, Value>
  readonly assembly: Assembly | null

  constructor(kind: string, fields: ReadonlyMap<string, Value> = new Map(), assembly: Assembly | null = null) {
    this.kind = kind
    this.fields = fields
    this.assembly = assembly
  }
}

export class Slice {
  readonly from: number | null
  readonly to: number | null
  readonly step: number

  constructor(from: number | null, to: number | null, step: number) {
    this.from = from
    this.to = to
    this.step = step
  }
}

export function typeOf(value: Value): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'number') return 'number'
  if (typeof value === 'string') return 'text'
  if (value instanceof Sequence) return value.kind
  if (value instanceof Dictionary) return 'dict'
  if (value instanceof Callable) return 'function'
  return value instanceof Thing ? value.kind : 'slice'
}

export function isTrue(value: Value): boolean {
  if (value instanceof Sequence) return value.items.length > 0
  if (value instanceof Dictionary) return value.size > 0
  return typeof value === 'object' ? value !== null : Boolean(value)
}

/** `spend` is told of every pair that is looked at: lists of lists can hold more pairs than anyone can wait for. */
export function areEqual(a: Value, b: Value, spend: () => void): boolean {
  spend()
  if (a instanceof Sequence && b instanceof Sequence)
    return a.items.length === b.items.length && a.items.every((item, i) => areEqual(item, b.items[i]!, spend))
  if (typeof a === 'boolean' && typeof b === 'number') return Number(a) === b
  if (typeof a === 'number' && typeof b === 'boolean') return a === Number(b)
  return a === b
}

/** How much there is to look at when something is done with a value. */
export function extentOf(value: Value): number {
  if (value instanceof Sequence) return value.items.length
  if (value instanceof Dictionary) return value.size
  return typeof value === 'string' ? value.length : 0
}

/** `str(value)`. Whole numbers are printed without a point: the language does not tell 2 from 2.0. */
export function textOf(value: Value, depth = 0, left = { characters: MAX_TEXT_LENGTH }): string {
  const text = printed(value, depth, left)
  left.characters -= text.length
  return text
}

/** What is longer is cut off while it is made. */
const MAX_TEXT_LENGTH = 30_000

function printed(value: Value, depth: number, left: { characters: number }): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'string') return depth > 0 ? `'${value}'` : value
  if (typeof value === 'number') return String(value)
  if (depth > 8) return '…'
  const texts: string[] = []
  const add = (make: () => string): boolean => {
    if (left.characters <= 0) return false
    texts.push(make())
    return true
  }
  if (value instanceof Sequence) {
    for (const item of value.items) if (!add(() => textOf(item, depth + 1, left))) break
    return value.kind === 'tuple' ? `(${texts.join(', ')})` : `[${texts.join(', ')}]`
  }
  if (value instanceof Dictionary) {
    for (const { key, value: item } of value.entries())
      if (!add(() => `${textOf(key, depth + 1, left)}: ${textOf(item, depth + 1, left)}`)) break
    return `{${texts.join(', ')}}`
  }
  return `<${typeOf(value)}>`
}
