/** Arguments of built-in calls, checked. */
import type { Vec3 } from '../../../../world.ts'
import { ProgramError } from './problem.ts'
import { type Arguments, Sequence, Thing, typeOf, type Value } from './values.ts'

export class Given {
  readonly #values: ReadonlyMap<string, Value>
  readonly #name: string
  readonly line: number

  /** `parameters` in their order; those that end in "?" may be left out. */
  constructor(name: string, parameters: readonly string[], { positional, named }: Arguments, line: number) {
    const values = new Map<string, Value>()
    const known = parameters.map((parameter) => parameter.replace('?', ''))
    if (positional.length > known.length)
      throw new ProgramError(line, `${name}() takes at most ${known.length} values, not ${positional.length}`)
    positional.forEach((value, i) => values.set(known[i]!, value))
    for (const [key, value] of named) {
      if (!known.includes(key))
        throw new ProgramError(line, `${name}() has no parameter "${key}"; it has ${known.join(', ')}`)
      if (values.has(key)) throw new ProgramError(line, `${name}() got "${key}" twice`)
      values.set(key, value)
    }
    parameters.forEach((parameter, i) => {
      if (!parameter.endsWith('?') && !values.has(known[i]!))
        throw new ProgramError(line, `${name}() needs "${known[i]}"`)
    })
    this.#values = values
    this.#name = name
    this.line = line
  }

  raw(parameter: string): Value | undefined {
    return this.#values.get(parameter)
  }

  text(parameter: string): string {
    const value = this.#values.get(parameter)
    if (typeof value === 'string') return value
    // A part, or Parent('x'), stands for its name.
    const name = value instanceof Thing ? value.fields.get('name') : undefined
    if (typeof name === 'string') return name
    throw this.#wrong(parameter, 'a text')
  }

  number(parameter: string, otherwise?: number): number {
    const value = this.#values.get(parameter)
    if (value === undefined && otherwise !== undefined) return otherwise
    if (typeof value === 'number' && Number.isFinite(value)) return value
    throw this.#wrong(parameter, 'a finite number')
  }

  flag(parameter: string, otherwise: boolean): boolean {
    const value = this.#values.get(parameter)
    if (value === undefined || value === null) return otherwise
    if (typeof value === 'boolean') return value
    throw this.#wrong(parameter, 'True or False')
  }

  vector(parameter: string): Vec3 {
    const vector = vectorOf(this.#values.get(parameter) ?? null)
    if (vector) return vector
    throw this.#wrong(parameter, 'three finite numbers [x, y, z]')
  }

  optionalVector(parameter: string): Vec3 | null {
    const value = this.#values.get(parameter)
    return value === undefined || value === null ? null : this.vector(parameter)
  }

  #wrong(parameter: string, expected: string): ProgramError {
    return new ProgramError(
      this.line,
      `"${parameter}" of ${this.#name}() must be ${expected}, not ${typeOf(this.#values.get(parameter) ?? null)}`,
    )
  }
}

/** Three numbers from a list or from a text with spaces; null for anything else. */
export function vectorOf(value: Value): Vec3 | null {
  const items: readonly unknown[] =
    value instanceof Sequence ? value.items : typeof value === 'string' ? value.trim().split(/\s+/).map(Number) : []
  const [x, y, z] = items
  if (items.length !== 3 || typeof x !== 'number' || typeof y !== 'number' || typeof z !== 'number') return null
  return Number.isFinite(x) && Number.isFinite(y) && Number.isFinite(z) ? [x, y, z] : null
}
