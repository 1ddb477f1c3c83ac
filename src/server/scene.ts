/** The 3D scene of an episode: built on demand and cached in the store. */
import { hashOf } from '../base/hash.ts'
import type { DataFiles } from '../engine/data-files.ts'
import { suiteOptions } from '../engine/options.ts'
import { RecordedSamples } from '../engine/recorded-samples.ts'
import type { AnySuite, SampleScene } from '../engine/suite.ts'
import type { EpisodeLine } from '../store/records.ts'
import { DerivedFiles } from './derived.ts'
import { findEpisode } from './episodes.ts'
import { notFound } from './http/problem.ts'
import type { RunEntry } from './run-entry.ts'

/** Runs whose samples and files stay open, for stepping through episodes. */
const MAX_OPEN_RUNS = 4

interface OpenRun {
  samples: RecordedSamples
  files: Promise<DataFiles>
}

export class Scenes {
  readonly #files: DerivedFiles
  readonly #opened = new Map<string, OpenRun>()
  readonly #inFlight = new Map<string, Promise<Uint8Array>>()
  /** Scenes are built one at a time because each may need a lot of memory. */
  #queue: Promise<unknown> = Promise.resolve()

  constructor(storeDir: string) {
    this.#files = new DerivedFiles(storeDir, 'scenes')
  }

  /** The scene as GLB, with a tag that changes when the scene does. */
  async get(entry: RunEntry, index: number, epoch: number): Promise<{ bytes: Uint8Array; tag: string }> {
    const { line } = await findEpisode(entry, index, epoch)
    const suite = await entry.suite()
    if (!suite?.viewer.scene) throw notFound(`Episodes of ${entry.reader.header.suite} have no 3D scene.`)
    const scene = await this.#sceneOf(suite, entry, line)
    if (!scene) throw notFound('This sample has no 3D scene.')
    const tag = tagOf(suite, scene)
    return { bytes: await this.#glb(tag, scene), tag }
  }

  /** The scenes of many episodes, skipping unavailable ones. */
  async *all(
    entry: RunEntry,
    lines: readonly EpisodeLine[],
  ): AsyncGenerator<{ line: EpisodeLine; tag: string; glb: () => Promise<Uint8Array> }> {
    const suite = await entry.suite()
    if (!suite?.viewer.scene) return
    for (const line of lines) {
      const scene = await this.#sceneOf(suite, entry, line).catch(() => null)
      if (!scene) continue
      const tag = tagOf(suite, scene)
      yield { line, tag, glb: () => this.#glb(tag, scene) }
    }
  }

  async #sceneOf(suite: AnySuite, { reader }: RunEntry, line: EpisodeLine): Promise<SampleScene | null> {
    let opened = this.#opened.get(reader.header.id)
    if (!opened) {
      const samples = new RecordedSamples(reader, suite)
      opened = { samples, files: samples.files() }
      this.#opened.set(reader.header.id, opened)
      if (this.#opened.size > MAX_OPEN_RUNS) this.#opened.delete(this.#opened.keys().next().value!)
    }
    const sample = await opened.samples.of(line, await reader.events(line))
    const options = suiteOptions(suite, reader.header.options)
    return (await suite.viewer.scene?.(sample, options, await opened.files)) ?? null
  }

  #glb(tag: string, scene: SampleScene): Promise<Uint8Array> {
    let made = this.#inFlight.get(tag)
    if (!made) {
      made = this.#build(tag, scene).finally(() => this.#inFlight.delete(tag))
      this.#inFlight.set(tag, made)
    }
    return made
  }

  async #build(tag: string, scene: SampleScene): Promise<Uint8Array> {
    const name = `${tag}.glb`
    const cached = await this.#files.read(name)
    if (cached) return cached
    const turn = this.#queue.then(() => scene.glb())
    this.#queue = turn.catch(() => undefined)
    const bytes = await turn
    await this.#files.write(name, bytes)
    return bytes
  }
}

function tagOf(suite: AnySuite, scene: SampleScene): string {
  return hashOf({ suite: suite.name, version: suite.version, scene: scene.key })
}
