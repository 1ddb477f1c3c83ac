/** Arguments of the calls that build an object, checked. */
import type { Vec3 } from '../../../../../world.ts'
import { NdArray } from '../numpy/index.ts'
import {
  bindArguments,
  fault,
  Instance,
  List,
  membersOf,
  type Named,
  numOf,
  type Runtime,
  type Slot,
  truth,
  Tuple,
  typeOf,
  type Value,
} from '../values/index.ts'

/** Parameters by name; those that may be left out end in `?`. */
export function parametersOf(text: string): Slot[] {
  return text
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => ({
      name: word.replace('?', ''),
      kind: 'both',
      otherwise: word.endsWith('?') ? MISSING : undefined,
    }))
}

/** Stands for a parameter that was left out: a value that no program can write. */
const MISSING = new Tuple([])

export class Given {
  readonly rt: Runtime
  readonly #name: string
  readonly #values: ReadonlyMap<string, Value>

  constructor(rt: Runtime, name: string, parameters: readonly Slot[], args: readonly Value[], named: Named) {
    this.rt = rt
    this.#name = name
    this.#values = bindArguments(rt, name, parameters, args, named)
  }

  raw(parameter: string): Value | undefined {
    const value = this.#values.get(parameter)
    return value === MISSING ? undefined : value
  }

  text(parameter: string, otherwise?: string): string {
    const value = this.raw(parameter)
    if (value === undefined && otherwise !== undefined) return otherwise
    const text = nameIn(value ?? null)
    if (text !== null) return text
    throw this.#wrong(parameter, 'a str')
  }

  number(parameter: string, otherwise: number): number {
    const value = this.raw(parameter)
    if (value === undefined) return otherwise
    const number = realOf(value)
    if (number !== null && Number.isFinite(number)) return number
    throw this.#wrong(parameter, 'a finite number')
  }

  flag(parameter: string, otherwise: boolean): boolean {
    const value = this.raw(parameter)
    return value === undefined || value === null ? otherwise : truth(this.rt, value)
  }

  vector(parameter: string): Vec3 {
    const vector = vectorOf(this.raw(parameter) ?? null)
    if (vector) return vector
    throw this.#wrong(parameter, 'three finite numbers [x, y, z]')
  }

  optionalVector(parameter: string): Vec3 | null {
    const value = this.raw(parameter)
    return value === undefined || value === null ? null : this.vector(parameter)
  }

  #wrong(parameter: string, expected: string): Error {
    return fault(
      this.rt,
      'TypeError',
      `"${parameter}" of ${this.#name}() must be ${expected}, not ${described(this.raw(parameter) ?? null)}`,
    )
  }
}

function described(value: Value): string {
  if (value instanceof List || value instanceof Tuple) return `a ${typeOf(value).name} of ${value.items.length} items`
  if (value instanceof NdArray) return `an array of shape (${value.shape.join(', ')})`
  return `a ${typeOf(value).name}`
}

/** A text; a link, or `Parent('x')`, stands for its name, and a member of an Enum for its value. */
export function nameIn(value: Value): string | null {
  if (typeof value === 'string') return value
  if (!(value instanceof Instance)) return null
  const name = membersOf(value.type) ? value.attributes.get('value') : value.attributes.get('name')
  return typeof name === 'string' ? name : null
}

export function realOf(value: Value): number | null {
  if (value instanceof NdArray) return value.size === 1 ? value.flat()[0]! : null
  const number = numOf(value)
  return number === null ? null : Number(number)
}

/** Three numbers from a list, an array or a text with spaces; null for anything else. */
export function vectorOf(value: Value): Vec3 | null {
  const numbers =
    value instanceof NdArray
      ? Array.from(value.flat())
      : value instanceof List || value instanceof Tuple
        ? value.items.map(realOf)
        : typeof value === 'string' && value.length < 200
          ? value.trim().split(/\s+/).map(Number)
          : []
  const [x, y, z] = numbers
  if (numbers.length !== 3 || typeof x !== 'number' || typeof y !== 'number' || typeof z !== 'number') return null
  return Number.isFinite(x) && Number.isFinite(y) && Number.isFinite(z) ? [x, y, z] : null
}
