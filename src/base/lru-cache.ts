/**
 * A cache of the most recently used values.
 *
 * @example
 * const scenes = new LruCache<Promise<Scene>>(4)
 * await scenes.getOrCreate(path, () => load(path)) // loaded once while among the last four used
 */
export class LruCache<Value> {
  readonly #entries = new Map<string, Value>()
  readonly #capacity: number

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  get(key: string): Value | undefined {
    const value = this.#entries.get(key)
    // A used entry moves to the end of the map; the first entry is evicted.
    if (value !== undefined) this.set(key, value)
    return value
  }

  set(key: string, value: Value): void {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    if (this.#entries.size > this.#capacity) this.#entries.delete(this.#entries.keys().next().value!)
  }

  /** The cached value, or a new one. Rejected promises are not kept. */
  getOrCreate(key: string, create: () => Value): Value {
    const known = this.get(key)
    if (known !== undefined) return known
    const value = create()
    this.set(key, value)
    if (value instanceof Promise) {
      value.catch(() => {
        if (this.#entries.get(key) === value) this.#entries.delete(key)
      })
    }
    return value
  }
}
