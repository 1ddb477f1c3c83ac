/** Small datasets in the published layout, for tests. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { OpenedSource, SampleBase } from '../../../../src/suite.ts'
import { openSource } from '../../../../src/engine/source.ts'
import { type VsiSample, vsiSample } from '../../../../src/suites/vsi/samples/sample.ts'
import { vsiBlind, vsiExplore, vsiVideo } from '../../../../src/suites/vsi/suite.ts'
import { blindOptions, exploreOptions, videoOptions } from '../../../../src/suites/vsi/options.ts'

/** A row as published. */
export function row(
  id: number,
  dataset: string,
  scene_name: string,
  question_type: string,
  question: string,
  options: string[] | null,
  ground_truth: string,
) {
  return { id, dataset, scene_name, question_type, question, options, ground_truth }
}

export type Files = Readonly<Record<string, string | Uint8Array>>

/** Writes files to a folder and returns its path. */
export async function writeFiles(root: string, files: Files): Promise<string> {
  for (const [file, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, file)), { recursive: true })
    await writeFile(join(root, file), content)
  }
  return root
}

export const lines = (rows: readonly object[]) => rows.map((each) => JSON.stringify(each)).join('\n')
const run = { seed: 1, profile: 'official' }
export const openExplore = (source: string, given: object = {}) =>
  openSource(vsiExplore, source, exploreOptions.parse(given), run)
export const openVideoSource = (source: string, given: object = {}) =>
  openSource(vsiVideo, source, videoOptions.parse(given), run)
export const openBlind = (source: string) => openSource(vsiBlind, source, blindOptions.parse({}), run)
export async function idsOf(opened: OpenedSource<SampleBase>): Promise<string[]> {
  const ids: string[] = []
  for await (const { id } of opened.samples()) ids.push(id)
  return ids
}
export async function sampleById(opened: OpenedSource<SampleBase>, id: string): Promise<VsiSample> {
  for await (const sample of opened.samples()) if (sample.id === id) return vsiSample.parse(sample)
  throw new Error(`no sample ${id}`)
}
