/** What programs handle: plain data, and a few things that they may only pass on. */
import type { Assembly } from '../assembly/assembly.ts'

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

/** Keys of different types stay apart: 1 and "1" are two keys. */
function keyText(key: Value): string {
  if (key instanceof Sequence) return `(${key.items.map((item) => keyText(item)).join(',')})`
  if (typeof key === 'object' && key !== null) return 'object'
  return `${typeof key}:${String(key)}`
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

export function areEqual(a: Value, b: Value): boolean {
  if (a instanceof Sequence && b instanceof Sequence)
    return a.items.length === b.items.length && a.items.every((item, i) => areEqual(item, b.items[i]!))
  if (typeof a === 'boolean' && typeof b === 'number') return Number(a) === b
  if (typeof a === 'number' && typeof b === 'boolean') return a === Number(b)
  return a === b
}

/** `str(value)`. Whole numbers are printed without a point: the language does not tell 2 from 2.0. */
export function textOf(value: Value, depth = 0): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'string') return depth > 0 ? `'${value}'` : value
  if (typeof value === 'number') return String(value)
  if (depth > 8) return '…'
  if (value instanceof Sequence) {
    const inside = value.items.map((item) => textOf(item, depth + 1)).join(', ')
    return value.kind === 'tuple' ? `(${inside})` : `[${inside}]`
  }
  if (value instanceof Dictionary)
    return `{${value
      .entries()
      .map((entry) => `${textOf(entry.key, depth + 1)}: ${textOf(entry.value, depth + 1)}`)
      .join(', ')}}`
  return `<${typeOf(value)}>`
}
