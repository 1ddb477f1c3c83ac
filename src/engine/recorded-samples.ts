/**
 * The samples of a recorded run. An episode's first event is its sample, so that scoring, measuring and looking at it need
 * no data set. Runs of versions that did not record it are looked up in their source, which must be unchanged.
 */
import { UserError } from '../base/errors.ts'
import type { EpisodeLine } from '../store/records.ts'
import type { RunReader } from '../store/run-reader.ts'
import { DataFiles } from './data-files.ts'
import { IndexedSamples } from './indexed-samples.ts'
import { replan, type RunPlan } from './plan.ts'
import { isEvent } from './recorder.ts'
import type { AnySuite, SampleBase } from './suite.ts'

export class RecordedSamples {
  readonly #reader: RunReader
  readonly #suite: AnySuite
  readonly #source: string | undefined
  #opened: Promise<{ plan: RunPlan; samples: IndexedSamples }> | undefined

  /** @param source where the samples are now, if not where they were when the run was played */
  constructor(reader: RunReader, suite: AnySuite, source?: string) {
    this.#reader = reader
    this.#suite = suite
    this.#source = source
  }

  async of(line: EpisodeLine, events: readonly unknown[]): Promise<SampleBase> {
    const [first] = events
    if (isEvent(first, 'sample')) return first['sample'] as SampleBase
    const { samples } = await this.#open()
    const sample = await samples.at(line.index)
    if (sample?.id === line.sample) return sample
    throw new UserError(`Sample ${line.sample} of run ${this.#reader.header.id} is not in its source any more.`)
  }

  /** The files that samples refer to; none where the source cannot be opened here. */
  async files(): Promise<DataFiles> {
    const opened = await this.#open().catch(() => null)
    return new DataFiles(opened?.plan.source.roots)
  }

  #open(): Promise<{ plan: RunPlan; samples: IndexedSamples }> {
    this.#opened ??= replan(this.#suite, this.#reader.header, 'score', this.#source).then((plan) => ({
      plan,
      samples: new IndexedSamples(plan.source),
    }))
    return this.#opened
  }
}
