/** The samples of a suite for human play, made in a thread: some suites take seconds for one. */
import { Thread } from '../../base/thread.ts'
import type { OpenedSource, SampleBase } from '../../engine/suite.ts'
import type { PlayableSamples } from '../api.ts'
import { HttpProblem } from '../http/problem.ts'

/** Requests that may wait for samples at a time. */
const MAX_WAITING = 32
const MAX_HEAP_MB = 2048

/** What decides the samples of a source. */
export interface SourceToOpen {
  suite: string
  /** Where a custom suite is loaded from; null for bundled suites. */
  loadFrom: string | null
  source: string
  options: Readonly<Record<string, unknown>>
  seed: number
  profile: string
}

/** Calls served by `samples-thread.ts`. */
export interface SampleHandlers {
  open(source: SourceToOpen): Promise<Pick<OpenedSource<SampleBase>, 'fingerprint' | 'count'> & { roots: Roots }>
  /** Null after the last one. */
  sample(wanted: { source: SourceToOpen; index: number }): Promise<SampleBase | null>
  page(wanted: { source: SourceToOpen; from: number; count: number }): Promise<PlayableSamples>
}

type Roots = Readonly<Record<string, string>>

export class SampleThread {
  readonly #thread = new Thread<SampleHandlers>('./samples-thread', import.meta.url, {
    title: 'the thread that makes samples',
    handlers: {},
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  })

  /** Up to `count` samples, fewer if they take long to make. Without `OpenedSource.at`, pages must be read in order. */
  page(source: SourceToOpen, from: number, count: number): Promise<PlayableSamples> {
    this.#checkLoad()
    return this.#thread.call('page', { source, from, count })
  }

  /** A source whose samples are made in the thread. @param signal ends waiting for samples */
  async open(source: SourceToOpen, signal: AbortSignal): Promise<OpenedSource<SampleBase>> {
    this.#checkLoad()
    const thread = this.#thread
    return {
      ...(await thread.call('open', source)),
      async *samples() {
        for (let index = 0; ; index++) {
          signal.throwIfAborted()
          const sample = await thread.call('sample', { source, index })
          if (!sample) return
          yield sample
        }
      },
    }
  }

  close(): Promise<void> {
    return this.#thread.close()
  }

  #checkLoad(): void {
    if (this.#thread.pendingCalls < MAX_WAITING) return
    throw new HttpProblem(503, 'Too many requests for samples.', 'Try again in a moment.')
  }
}
