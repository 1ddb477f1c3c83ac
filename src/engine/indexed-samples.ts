/** Random access to the samples of a source, which yields them in order: those already read are cached. */
import type { SampleBase, OpenedSource } from './suite.ts'

/** Cached samples, for moving back and forth between episodes. */
const MAX_CACHED = 2000

export class IndexedSamples {
  readonly #source: OpenedSource<SampleBase>
  readonly #seen = new Map<number, SampleBase>()
  #rest: AsyncIterator<SampleBase> | Iterator<SampleBase> | null = null
  #next = 0
  /** Lookups run one after the other, because they share one iterator. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(source: OpenedSource<SampleBase>) {
    this.#source = source
  }

  /** Null if there are fewer samples. */
  at(index: number): Promise<SampleBase | null> {
    const found = this.#last.then(() => this.#find(index))
    this.#last = found.catch(() => undefined)
    return found
  }

  async #find(index: number): Promise<SampleBase | null> {
    const known = this.#seen.get(index)
    if (known) return known
    if (!this.#rest || this.#next > index) this.#restart()
    try {
      while (this.#rest) {
        const { done, value } = await this.#rest.next()
        if (done === true) {
          this.#rest = null
          return null
        }
        const at = this.#next++
        this.#seen.set(at, value)
        if (this.#seen.size > MAX_CACHED) this.#seen.delete(this.#seen.keys().next().value!)
        if (at === index) return value
      }
      return null
    } catch (error) {
      this.#rest = null
      throw error
    }
  }

  #restart(): void {
    const samples = this.#source.samples()
    this.#rest = Symbol.asyncIterator in samples ? samples[Symbol.asyncIterator]() : samples[Symbol.iterator]()
    this.#next = 0
  }
}
