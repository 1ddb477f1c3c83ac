/** What a data set lacks, found before the run and said once. */
import { stat } from 'node:fs/promises'
import { relative } from 'node:path'
import { hashOf, messageOf, pythonFloat, UserError } from '../../../suite.ts'
import { findScan } from '../../../world.ts'
import { lettersOf } from './sample.ts'
import type { ScanRoots } from '../domain/scene/stages.ts'
import type { Mode } from '../domain/protocol.ts'
import { isNumberType, isQuestionType } from '../domain/question-types.ts'
import type { VsiRow } from './rows.ts'

/** Lines shown of a list before the rest is counted. */
const MAX_LINES = 20
const MAX_LINES_IF_NONE = 5

type SceneId = Pick<VsiRow, 'dataset' | 'scene_name'>

export function sceneKey({ dataset, scene_name }: SceneId): string {
  return `${dataset}/${scene_name}`
}

function assetKind(mode: Exclude<Mode, 'blind'>): 'mesh' | 'video' {
  return mode === 'explore' ? 'mesh' : 'video'
}

/** What is shown of a scene: how large its file is, or what it lacks. */
type Asset = { bytes: number } | { lack: string }
export type Assets = ReadonlyMap<string, Asset>

/** By scene, what is shown of it in this mode. Nothing at all to play is an error. */
export async function findAssets(mode: Mode, places: ScanRoots, rows: readonly VsiRow[]): Promise<Assets> {
  const assets = new Map<string, Asset>()
  if (mode === 'blind') return assets
  const what = assetKind(mode)
  const root = what === 'mesh' ? places.meshes : places.videos
  for (const [key, row] of new Map(rows.map((each) => [sceneKey(each), each]))) {
    assets.set(key, await findAsset(what, root, row))
  }
  const lacks = [...missingAssets(assets).values()]
  if (assets.size > 0 && lacks.length === assets.size) {
    throw new UserError(`No scene has its ${what} in ${root}:\n${truncatedList(lacks, MAX_LINES_IF_NONE).join('\n')}`, {
      hint:
        what === 'mesh'
          ? 'Say where the scans are: vsi-bench:path=…,meshes=/data/scans'
          : 'Unpack the video archives into this folder.',
    })
  }
  return assets
}

/** By scene, what it lacks: absent, or empty. */
export function missingAssets(assets: Assets): ReadonlyMap<string, string> {
  return new Map([...assets].flatMap(([scene, asset]) => ('lack' in asset ? [[scene, asset.lack]] : [])))
}

/** A hash over what is shown of each scene, by its size: machines may keep it in different layouts. */
export function assetsHash(assets: Assets): string {
  return hashOf([...assets].map(([scene, asset]) => [scene, 'bytes' in asset ? asset.bytes : null]))
}

/** Lacks are told from the root on: the sentence is part of cases, which hold no paths of this machine. */
async function findAsset(what: 'mesh' | 'video', root: string, { dataset, scene_name }: SceneId): Promise<Asset> {
  try {
    const scan = await findScan(root, dataset, scene_name)
    const path = scan[what]
    if (path === undefined)
      return { lack: scan.missing.find((each) => each.startsWith(what)) ?? `${what} of ${scene_name}` }
    const { size } = await stat(path)
    return size > 0 ? { bytes: size } : { lack: `${what} of ${scene_name}: ${relative(root, path)} is empty (0 bytes)` }
  } catch (error) {
    return { lack: messageOf(error) }
  }
}

function truncatedList(lines: readonly string[], shown: number): string[] {
  const more = lines.length - shown
  return [...lines.slice(0, shown).map((line) => `  ${line}`), ...(more > 0 ? [`  … and ${more} more`] : [])]
}

/** What is wrong with the question itself: it could not be answered, or not be scored. */
export function rowProblem({ id, question_type: type, options, ground_truth: truth }: VsiRow): string | undefined {
  if (!isQuestionType(type)) return `the question type "${type}" is not known`
  if (isNumberType(type)) {
    const isNumber = Number.isFinite(pythonFloat(truth) ?? Number.NaN)
    return isNumber ? undefined : `the truth of question ${id} is no number: "${truth}"`
  }
  const letters = lettersOf(options ?? [])
  if (letters.length === 0) return `question ${id} has no options`
  if (letters.length > MAX_OPTIONS) return `question ${id} has ${letters.length} options; there are letters for 26`
  return letters.includes(truth.trim().toUpperCase())
    ? undefined
    : `the truth of question ${id}, "${truth}", is none of its options ${letters[0]} to ${letters.at(-1)}`
}

const MAX_OPTIONS = 26

/** For people, before the run. */
export function missingNotes(mode: Mode, rows: readonly VsiRow[], missing: ReadonlyMap<string, string>): string[] {
  const notes: string[] = []
  if (missing.size > 0 && mode !== 'blind') {
    const lost = rows.filter((row) => missing.has(sceneKey(row))).length
    notes.push(
      `${countOf(missing.size, 'scene lacks its', 'scenes lack their')} ${assetKind(mode)}; ${countOf(lost, 'question is', 'questions are')} left out as missing:`,
      ...truncatedList([...missing.values()], MAX_LINES),
    )
  }
  const broken = rows.flatMap((row) => rowProblem(row) ?? [])
  if (broken.length > 0) {
    notes.push(
      `${countOf(broken.length, 'question is', 'questions are')} left out as missing, because of the table:`,
      ...truncatedList([...new Set(broken)], MAX_LINES),
    )
  }
  return notes
}

function countOf(count: number, one: string, several: string): string {
  return `${count} ${count === 1 ? one : several}`
}
