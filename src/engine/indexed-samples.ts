/** The samples of a source by their place in it. A source hands them out in order; what was passed is remembered. */
import type { SampleBase, OpenedSource } from './suite.ts'

/** IndexedCases that are remembered: going back and forth between episodes asks for the same ones. */
const REMEMBERED = 2000

export class IndexedSamples {
  readonly #source: OpenedSource<SampleBase>
  readonly #seen = new Map<number, SampleBase>()
  #rest: AsyncIterator<SampleBase> | Iterator<SampleBase> | null = null
  #next = 0
  /** One question after the other: they share the way through the source. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(source: OpenedSource<SampleBase>) {
    this.#source = source
  }

  /** `null` behind the last one. */
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
        if (this.#seen.size > REMEMBERED) this.#seen.delete(this.#seen.keys().next().value!)
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
