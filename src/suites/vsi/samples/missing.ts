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
const SHOWN = 20
const SHOWN_OF_NOTHING = 5

type SceneOf = Pick<VsiRow, 'dataset' | 'scene_name'>

export function sceneKey({ dataset, scene_name }: SceneOf): string {
  return `${dataset}/${scene_name}`
}

function neededFor(mode: Exclude<Mode, 'blind'>): 'mesh' | 'video' {
  return mode === 'explore' ? 'mesh' : 'video'
}

/** What is shown of a scene: how large its file is, or what it lacks. */
type Asset = { bytes: number } | { lack: string }
export type Assets = ReadonlyMap<string, Asset>

/** By scene, what is shown of it in this mode. Nothing at all to play is an error. */
export async function assetsOf(mode: Mode, places: ScanRoots, rows: readonly VsiRow[]): Promise<Assets> {
  const assets = new Map<string, Asset>()
  if (mode === 'blind') return assets
  const what = neededFor(mode)
  const root = what === 'mesh' ? places.meshes : places.videos
  for (const [key, row] of new Map(rows.map((each) => [sceneKey(each), each]))) {
    assets.set(key, await assetOf(what, root, row))
  }
  const lacks = [...lacksIn(assets).values()]
  if (assets.size > 0 && lacks.length === assets.size) {
    throw new UserError(`No scene has its ${what} in ${root}:\n${listed(lacks, SHOWN_OF_NOTHING).join('\n')}`, {
      hint:
        what === 'mesh'
          ? 'Say where the scans are: vsi-bench:path=…,meshes=/data/scans'
          : 'Unpack the video archives into this folder.',
    })
  }
  return assets
}

/** By scene, what it lacks: absent, or empty. */
export function lacksIn(assets: Assets): ReadonlyMap<string, string> {
  return new Map([...assets].flatMap(([scene, asset]) => ('lack' in asset ? [[scene, asset.lack]] : [])))
}

/** A hash over what is shown of each scene, by its size: machines may keep it in different layouts. */
export function assetsHash(assets: Assets): string {
  return hashOf([...assets].map(([scene, asset]) => [scene, 'bytes' in asset ? asset.bytes : null]))
}

/** Lacks are told from the root on: the sentence is part of cases, which hold no paths of this machine. */
async function assetOf(what: 'mesh' | 'video', root: string, { dataset, scene_name }: SceneOf): Promise<Asset> {
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

function listed(lines: readonly string[], shown: number): string[] {
  const more = lines.length - shown
  return [...lines.slice(0, shown).map((line) => `  ${line}`), ...(more > 0 ? [`  … and ${more} more`] : [])]
}

/** What is wrong with the question itself: it could not be answered, or not be scored. */
export function problemOf({ id, question_type: type, options, ground_truth: truth }: VsiRow): string | undefined {
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
export function notesOf(mode: Mode, rows: readonly VsiRow[], missing: ReadonlyMap<string, string>): string[] {
  const notes: string[] = []
  if (missing.size > 0 && mode !== 'blind') {
    const lost = rows.filter((row) => missing.has(sceneKey(row))).length
    notes.push(
      `${counted(missing.size, 'scene lacks its', 'scenes lack their')} ${neededFor(mode)}; ${counted(lost, 'question is', 'questions are')} left out as missing:`,
      ...listed([...missing.values()], SHOWN),
    )
  }
  const broken = rows.flatMap((row) => problemOf(row) ?? [])
  if (broken.length > 0) {
    notes.push(
      `${counted(broken.length, 'question is', 'questions are')} left out as missing, because of the table:`,
      ...listed([...new Set(broken)], SHOWN),
    )
  }
  return notes
}

function counted(count: number, one: string, several: string): string {
  return `${count} ${count === 1 ? one : several}`
}
