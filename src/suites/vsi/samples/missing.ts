/** Finds missing files and invalid rows of a dataset before the run. */
import { stat } from 'node:fs/promises'
import { relative } from 'node:path'
import { hashOf, messageOf, pythonFloat, UserError } from '../../../suite.ts'
import { findScan } from '../../../world.ts'
import { lettersOf } from './sample.ts'
import type { ScanRoots } from '../domain/scene/stages.ts'
import type { Mode } from '../domain/protocol.ts'
import { isNumberType, isQuestionType } from '../domain/question-types.ts'
import type { VsiRow } from './rows.ts'

/** Lines of a list that are printed; the rest is only counted. */
const MAX_LINES = 20
const MAX_LINES_IF_NONE = 5

type SceneId = Pick<VsiRow, 'dataset' | 'scene_name'>

export function sceneKey({ dataset, scene_name }: SceneId): string {
  return `${dataset}/${scene_name}`
}

type AssetKind = 'mesh' | 'video' | 'frames'

function assetKind(mode: Exclude<Mode, 'blind'>, { capture }: Pick<ScanRoots, 'capture'>): AssetKind {
  return mode === 'explore' ? 'mesh' : capture
}

/** The mesh or video of a scene: its file size, or the number of its frames, or why it is missing. */
type Asset = { bytes: number } | { missing: string }
export type Assets = ReadonlyMap<string, Asset>

/** The mesh or video of each scene, depending on the mode. Throws if all of them are missing. */
export async function findAssets(mode: Mode, roots: ScanRoots, rows: readonly VsiRow[]): Promise<Assets> {
  const assets = new Map<string, Asset>()
  if (mode === 'blind') return assets
  const what = assetKind(mode, roots)
  const root = what === 'video' ? roots.videos : roots.meshes
  for (const [key, row] of new Map(rows.map((each) => [sceneKey(each), each]))) {
    assets.set(key, await findAsset(what, root, row))
  }
  const missing = [...missingAssets(assets).values()]
  if (assets.size > 0 && missing.length === assets.size) {
    const list = truncatedList(missing, MAX_LINES_IF_NONE).join('\n')
    throw new UserError(`No ${what} found for any scene in ${root}:\n${list}`, {
      hint:
        what === 'video'
          ? 'Extract the video archives into this folder.'
          : 'Set the folder of the scans: vsi-bench:path=…,meshes=/data/scans',
    })
  }
  return assets
}

/** Reasons by scene, for those whose file is absent or empty. */
export function missingAssets(assets: Assets): ReadonlyMap<string, string> {
  return new Map([...assets].flatMap(([scene, asset]) => ('missing' in asset ? [[scene, asset.missing]] : [])))
}

/** Hash over the size of each scene's file; paths are left out because layouts differ between machines. */
export function assetsHash(assets: Assets): string {
  return hashOf([...assets].map(([scene, asset]) => [scene, 'bytes' in asset ? asset.bytes : null]))
}

/** Reasons use paths relative to the root, because they end up in samples, which must not depend on the machine. */
async function findAsset(what: AssetKind, root: string, { dataset, scene_name }: SceneId): Promise<Asset> {
  try {
    const scan = await findScan(root, dataset, scene_name)
    if (what === 'frames' && scan.frames.length > 0) return { bytes: scan.frames.length }
    const path = what === 'frames' ? undefined : scan[what]
    if (path === undefined)
      return { missing: scan.missing.find((each) => each.startsWith(what)) ?? `${what} of ${scene_name}` }
    const { size } = await stat(path)
    if (size > 0) return { bytes: size }
    return { missing: `${what} of ${scene_name}: ${relative(root, path)} is empty (0 bytes)` }
  } catch (error) {
    return { missing: messageOf(error) }
  }
}

function truncatedList(lines: readonly string[], shown: number): string[] {
  const more = lines.length - shown
  return [...lines.slice(0, shown).map((line) => `  ${line}`), ...(more > 0 ? [`  … and ${more} more`] : [])]
}

/** Why a question cannot be answered or scored; undefined if it can. */
export function rowProblem({ id, question_type: type, options, ground_truth: truth }: VsiRow): string | undefined {
  if (!isQuestionType(type)) return `unknown question type "${type}"`
  if (isNumberType(type)) {
    const isNumber = Number.isFinite(pythonFloat(truth) ?? Number.NaN)
    return isNumber ? undefined : `the ground truth of question ${id} is not a number: "${truth}"`
  }
  const letters = lettersOf(options ?? [])
  if (letters.length === 0) return `question ${id} has no options`
  if (letters.length > MAX_OPTIONS)
    return `question ${id} has ${letters.length} options; at most ${MAX_OPTIONS} are allowed`
  return letters.includes(truth.trim().toUpperCase())
    ? undefined
    : `the ground truth of question ${id}, "${truth}", is not one of its options ${letters[0]} to ${letters.at(-1)}`
}

const MAX_OPTIONS = 26

/** Notes to print before the run. */
export function missingNotes(
  mode: Mode,
  rows: readonly VsiRow[],
  missing: ReadonlyMap<string, string>,
  roots: Pick<ScanRoots, 'capture'>,
): string[] {
  const notes: string[] = []
  if (missing.size > 0 && mode !== 'blind') {
    const affected = rows.filter((row) => missing.has(sceneKey(row))).length
    notes.push(
      `${countOf(missing.size, 'scene has', 'scenes have')} no ${assetKind(mode, roots)}; ${countOf(affected, 'question is', 'questions are')} skipped as missing:`,
      ...truncatedList([...missing.values()], MAX_LINES),
    )
  }
  const broken = rows.flatMap((row) => rowProblem(row) ?? [])
  if (broken.length > 0) {
    notes.push(
      `${countOf(broken.length, 'question is', 'questions are')} skipped as missing because of invalid rows:`,
      ...truncatedList([...new Set(broken)], MAX_LINES),
    )
  }
  return notes
}

function countOf(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`
}
