/** The 3D scene of an episode: made when somebody looks at it, and kept in the store under what it is made from. */
import { hashOf } from '../base/hash.ts'
import { suiteOptions } from '../engine/options.ts'
import { openSource, selectedCases } from '../engine/source.ts'
import type { AnySuite, SampleBase, OpenedSource, SampleScene } from '../engine/suite.ts'
import type { EpisodeLine, RunHeader } from '../store/records.ts'
import { Cases } from './cases.ts'
import { DerivedFiles } from './derived.ts'
import { lineOf } from './episodes.ts'
import { HttpProblem, notFound } from './problem.ts'
import type { RunEntry } from './run-entry.ts'

/** Sources that stay open: going from episode to episode of a run needs one. */
const OPEN_SOURCES = 4

interface Opened {
  source: OpenedSource<SampleBase>
  cases: Cases
  options: unknown
}

export class Scenes {
  readonly #files: DerivedFiles
  readonly #opened = new Map<string, Promise<Opened>>()
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
    if (!suite?.scene) throw notFound(`Episodes of ${entry.reader.header.suite} have no 3D scene.`)
    const scene = await this.#sceneOf(suite, entry.reader.header, line)
    if (!scene) throw notFound('This case has no 3D scene.')
    const tag = tagOf(suite, scene)
    return { bytes: await this.#made(tag, scene), tag }
  }

  /** The scenes of many episodes, in one go through their source. Those that cannot be had are left out. */
  async *all(
    entry: RunEntry,
    lines: readonly EpisodeLine[],
  ): AsyncGenerator<{ line: EpisodeLine; tag: string; glb: () => Promise<Uint8Array> }> {
    const suite = await entry.suite()
    const { header } = entry.reader
    if (!suite?.scene || lines.length === 0) return
    const opened = await this.#open(suite, header).catch(() => null)
    if (!opened || opened.source.fingerprint !== header.sourceFingerprint) return
    const byIndex = new Map<number, EpisodeLine[]>()
    let from = Infinity
    let to = 0
    for (const line of lines) {
      byIndex.set(line.index, [...(byIndex.get(line.index) ?? []), line])
      from = Math.min(from, line.index)
      to = Math.max(to, line.index + 1)
    }
    for await (const { index, sample } of selectedCases(opened.source, { from, to, ids: null })) {
      for (const line of byIndex.get(index) ?? []) {
        const scene = sample.id === line.case ? await suite.scene(sample, opened.options) : null
        if (!scene) continue
        const tag = tagOf(suite, scene)
        yield { line, tag, glb: () => this.#made(tag, scene) }
      }
    }
  }

  async #sceneOf(suite: AnySuite, header: RunHeader, line: EpisodeLine): Promise<SampleScene | null> {
    const { source, cases, options } = await this.#open(suite, header)
    if (source.fingerprint !== header.sourceFingerprint) {
      throw new HttpProblem(
        422,
        'The data that this run was played on has changed since, so its scenes cannot be shown.',
        'Bring the data back as it was, or look at the run with the version of Sightline that made it.',
      )
    }
    const sample = await cases.at(line.index)
    if (sample?.id === line.case) return (await suite.scene?.(sample, options)) ?? null
    throw notFound(`The case ${line.case} is not in the data of this run any more.`)
  }

  #open(suite: AnySuite, header: RunHeader): Promise<Opened> {
    let opened = this.#opened.get(header.id)
    if (!opened) {
      const options = suiteOptions(suite, header.options)
      opened = openSource(suite, header.source, options, { seed: header.seed, profile: header.profile }).then(
        (source) => ({ source, cases: new Cases(source), options }),
      )
      this.#opened.set(header.id, opened)
      opened.catch(() => this.#opened.delete(header.id))
      if (this.#opened.size > OPEN_SOURCES) this.#opened.delete(this.#opened.keys().next().value!)
    }
    return opened
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
