/** Caches one result per stamp. Failures are not cached. */
export class Memo<T> {
  #cached: { stamp: string; value: Promise<T> } | null = null

  get(stamp: string, make: () => Promise<T>): Promise<T> {
    if (this.#cached?.stamp === stamp) return this.#cached.value
    const cached = { stamp, value: make() }
    this.#cached = cached
    cached.value.catch(() => {
      if (this.#cached === cached) this.#cached = null
    })
    return cached.value
  }

  forget(): void {
    this.#cached = null
  }
}
