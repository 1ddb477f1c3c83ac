/** Entry point of the thread that makes samples for human play. It keeps those it has made, so that none is made twice. */
import { UserError } from '../../base/errors.ts'
import { LruCache } from '../../base/lru-cache.ts'
import { serveThread } from '../../base/thread.ts'
import { suiteOptions } from '../../engine/options.ts'
import { openSource } from '../../engine/source.ts'
import type { OpenedSource, SampleBase } from '../../engine/suite.ts'
import { loadSuite } from '../../library/suites.ts'
import type { PlayableSample, PlayableSamples } from '../api.ts'
import type { SampleHandlers, SourceToOpen } from './samples.ts'

const MAX_SOURCES = 4
/** A page ends after this time, with at least one sample. */
const PAGE_MS = 3000

const sources = new LruCache<Promise<MadeSamples>>(MAX_SOURCES)

serveThread<SampleHandlers>({
  async open(source) {
    const { fingerprint, count, roots = {} } = (await opened(source)).source
    return { fingerprint, count, roots }
  },
  async sample({ source, index }) {
    return (await opened(source)).at(index)
  },
  async page({ source, from, count }) {
    return (await opened(source)).page(from, count)
  },
})

function opened(source: SourceToOpen): Promise<MadeSamples> {
  return sources.getOrCreate(JSON.stringify(source), async () => {
    const { suite: name, loadFrom, source: text, seed, profile } = source
    const suite = await loadSuite(name, loadFrom)
    return new MadeSamples(await openSource(suite, text, suiteOptions(suite, source.options), { seed, profile }))
  })
}

class MadeSamples {
  readonly source: OpenedSource<SampleBase>
  readonly #made: SampleBase[] = []
  #iterator: AsyncIterator<SampleBase> | Iterator<SampleBase> | undefined
  #isComplete = false
  /** One at a time. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(source: OpenedSource<SampleBase>) {
    this.source = source
  }

  /** Null after the last one. */
  async at(index: number): Promise<SampleBase | null> {
    const { count } = this.source
    if (count !== null && index >= count) return null
    // Without a count, positions are not those of the samples that are played.
    if (count !== null && this.source.at) return this.source.at(index)
    while (index >= this.#made.length && !this.#isComplete) await this.#makeOne()
    return this.#made[index] ?? null
  }

  async page(from: number, count: number): Promise<PlayableSamples> {
    const total = this.source.count
    const isReachable = from <= this.#made.length || (total !== null && (this.source.at !== undefined || from >= total))
    if (!isReachable) {
      throw new UserError(`Samples are listed in order; ${this.#made.length} are listed so far.`, {
        hint: `Ask for those from ${this.#made.length}.`,
      })
    }
    const samples: PlayableSample[] = []
    const started = performance.now()
    for (let index = from; index < from + count; index++) {
      const sample = await this.at(index)
      if (!sample) return { samples, complete: true }
      const { id, cluster, labels } = sample
      samples.push({ id, cluster, labels })
      if (performance.now() - started > PAGE_MS) break
    }
    return { samples, complete: from + samples.length === total }
  }

  #makeOne(): Promise<void> {
    const wanted = this.#made.length
    const turn = this.#last.then(() => this.#makeNext(wanted))
    this.#last = turn.catch(() => undefined)
    return turn
  }

  /** Unless another request has made it meanwhile. */
  async #makeNext(wanted: number): Promise<void> {
    if (this.#made.length > wanted || this.#isComplete) return
    this.#iterator ??= iterate(this.source.samples())
    const next = await this.#iterator.next()
    if (next.done) this.#isComplete = true
    else this.#made.push(next.value)
  }
}

function iterate<T>(values: AsyncIterable<T> | Iterable<T>): AsyncIterator<T> | Iterator<T> {
  return Symbol.asyncIterator in values ? values[Symbol.asyncIterator]() : values[Symbol.iterator]()
}
