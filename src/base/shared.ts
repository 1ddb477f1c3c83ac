/** Something that several users share. */
export interface Held<T> {
  readonly value: T
  /** The last user to release closes the value. */
  release(): Promise<void>
}

/** Values by key: made for their first user, closed after their last. */
export class Shared<T extends { close(): void | Promise<void> }> {
  readonly #entries = new Map<string, { value: T; users: number }>()

  hold(key: string, make: () => T): Held<T> {
    const entry = this.#entries.get(key) ?? { value: make(), users: 0 }
    this.#entries.set(key, entry)
    entry.users += 1
    let isHeld = true
    return {
      value: entry.value,
      release: async () => {
        if (!isHeld) return
        isHeld = false
        entry.users -= 1
        if (entry.users > 0) return
        this.#entries.delete(key)
        await entry.value.close()
      },
    }
  }
}
