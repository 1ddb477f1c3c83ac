/**
 * Keeps the values that were used last and forgets the others.
 *
 * @example
 * const scenes = new Recent<Promise<Scene>>(4)
 * await scenes.of(path, () => load(path)) // loaded once, as long as it is among the last four
 */
export class Recent<Value> {
  readonly #kept = new Map<string, Value>()
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  get(key: string): Value | undefined {
    const value = this.#kept.get(key)
    // What was used last goes to the end: the first is the one to leave.
    if (value !== undefined) this.set(key, value)
    return value
  }

  set(key: string, value: Value): void {
    this.#kept.delete(key)
    this.#kept.set(key, value)
    if (this.#kept.size > this.#most) this.#kept.delete(this.#kept.keys().next().value!)
  }

  /** The value that is kept, else the one that is made now. A promise that fails is not kept. */
  of(key: string, make: () => Value): Value {
    const known = this.get(key)
    if (known !== undefined) return known
    const value = make()
    this.set(key, value)
    if (value instanceof Promise) {
      value.catch(() => {
        if (this.#kept.get(key) === value) this.#kept.delete(key)
      })
    }
    return value
  }
}
