/** The 3D scene of an episode: made when someone looks at it, and kept in the store under what it is made from. */
import { hashOf } from '../base/hash.ts'
import type { DataFiles } from '../engine/data-files.ts'
import { suiteOptions } from '../engine/options.ts'
import { RecordedSamples } from '../engine/recorded-samples.ts'
import type { AnySuite, SampleScene } from '../engine/suite.ts'
import type { EpisodeLine } from '../store/records.ts'
import { DerivedFiles } from './derived.ts'
import { lineOf } from './episodes.ts'
import { notFound } from './http/problem.ts'
import type { RunEntry } from './run-entry.ts'

/** Runs whose samples and files stay open: going from episode to episode of a run needs one. */
const OPEN_RUNS = 4

interface OpenedRun {
  samples: RecordedSamples
  files: Promise<DataFiles>
}

export class Scenes {
  readonly #files: DerivedFiles
  readonly #opened = new Map<string, OpenedRun>()
  readonly #underWay = new Map<string, Promise<Uint8Array>>()
  /** Scenes are made one after the other: each may need much memory. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(storeDir: string) {
    this.#files = new DerivedFiles(storeDir, 'scenes')
  }

  /** As GLB, with a tag that changes when the scene does. */
  async of(entry: RunEntry, index: number, epoch: number): Promise<{ bytes: Uint8Array; tag: string }> {
    const { line } = await lineOf(entry, index, epoch)
    const suite = await entry.suite()
    if (!suite?.viewer.scene) throw notFound(`Episodes of ${entry.reader.header.suite} have no 3D scene.`)
    const scene = await this.#sceneOf(suite, entry, line)
    if (!scene) throw notFound('This sample has no 3D scene.')
    const tag = tagOf(suite, scene)
    return { bytes: await this.#made(tag, scene), tag }
  }

  /** The scenes of many episodes. Those that cannot be had are left out. */
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
      yield { line, tag, glb: () => this.#made(tag, scene) }
    }
  }

  async #sceneOf(suite: AnySuite, { reader }: RunEntry, line: EpisodeLine): Promise<SampleScene | null> {
    let opened = this.#opened.get(reader.header.id)
    if (!opened) {
      const samples = new RecordedSamples(reader, suite)
      opened = { samples, files: samples.files() }
      this.#opened.set(reader.header.id, opened)
      if (this.#opened.size > OPEN_RUNS) this.#opened.delete(this.#opened.keys().next().value!)
    }
    const sample = await opened.samples.of(line, await reader.events(line))
    const options = suiteOptions(suite, reader.header.options)
    return (await suite.viewer.scene?.(sample, options, await opened.files)) ?? null
  }

  #made(tag: string, scene: SampleScene): Promise<Uint8Array> {
    let made = this.#underWay.get(tag)
    if (!made) {
      made = this.#make(tag, scene).finally(() => this.#underWay.delete(tag))
      this.#underWay.set(tag, made)
    }
    return made
  }

  async #make(tag: string, scene: SampleScene): Promise<Uint8Array> {
    const name = `${tag}.glb`
    const kept = await this.#files.read(name)
    if (kept) return kept
    const turn = this.#last.then(() => scene.glb())
    this.#last = turn.catch(() => undefined)
    const bytes = await turn
    await this.#files.write(name, bytes)
    return bytes
  }
}

function tagOf(suite: AnySuite, scene: SampleScene): string {
  return hashOf({ suite: suite.name, version: suite.version, scene: scene.key })
}
