/** Caches one result per stamp. Failures are not cached. */
export class Memo<T> {
  #kept: { stamp: string; value: Promise<T> } | null = null

  get(stamp: string, make: () => Promise<T>): Promise<T> {
    if (this.#kept?.stamp === stamp) return this.#kept.value
    const kept = { stamp, value: make() }
    this.#kept = kept
    kept.value.catch(() => {
      if (this.#kept === kept) this.#kept = null
    })
    return kept.value
  }

  forget(): void {
    this.#kept = null
  }
}
