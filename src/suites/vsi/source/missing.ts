/** What a data set lacks, found before the run and said once. */
import { stat } from 'node:fs/promises'
import { relative } from 'node:path'
import { messageOf, UserError } from '../../../base/errors.ts'
import { hashOf } from '../../../base/hash.ts'
import { findScan } from '../../../world/formats/index.ts'
import type { ScanRoots } from '../scene/stages.ts'
import { isQuestionType, type Way } from '../types.ts'
import type { VsiRow } from './rows.ts'

/** Lines shown of a list before the rest is counted. */
const SHOWN = 20
const SHOWN_OF_NOTHING = 5

type SceneOf = Pick<VsiRow, 'dataset' | 'scene_name'>

export function sceneKey({ dataset, scene_name }: SceneOf): string {
  return `${dataset}/${scene_name}`
}

function neededFor(way: Exclude<Way, 'blind'>): 'mesh' | 'video' {
  return way === 'explore' ? 'mesh' : 'video'
}

/** By scene, what it lacks for this way of playing: absent, or empty. Nothing at all to play is an error. */
export async function missingAssets(
  way: Way,
  places: ScanRoots,
  rows: readonly VsiRow[],
): Promise<ReadonlyMap<string, string>> {
  const missing = new Map<string, string>()
  if (way === 'blind') return missing
  const what = neededFor(way)
  const scenes = new Map(rows.map((row) => [sceneKey(row), row]))
  for (const [key, row] of scenes) {
    const problem = await lackOf(what, places, row)
    if (problem !== null) missing.set(key, problem)
  }
  if (scenes.size > 0 && missing.size === scenes.size) {
    throw new UserError(
      `No scene has its ${what} in ${rootOf(what, places)}:\n${listed([...missing.values()], SHOWN_OF_NOTHING).join('\n')}`,
      {
        hint:
          what === 'mesh'
            ? 'Say where the scans are: vsi-bench:path=…,meshes=/data/scans'
            : 'Unpack the video archives into this folder.',
      },
    )
  }
  return missing
}

/** A hash over the sizes of what is shown of each scene: machines may keep it in different layouts. */
export async function assetsHash(way: Way, places: ScanRoots, rows: readonly VsiRow[]): Promise<string> {
  if (way === 'blind') return hashOf([])
  const what = neededFor(way)
  const sizes: [scene: string, bytes: number | null][] = []
  for (const [key, { dataset, scene_name }] of new Map(rows.map((row) => [sceneKey(row), row]))) {
    const path = await findScan(rootOf(what, places), dataset, scene_name).then(
      (scan) => scan[what],
      () => undefined,
    )
    sizes.push([key, path === undefined ? null : (await stat(path)).size])
  }
  return hashOf(sizes)
}

function rootOf(what: 'mesh' | 'video', { videos, meshes }: ScanRoots): string {
  return what === 'mesh' ? meshes : videos
}

/** Told from the root on: the sentence is part of cases, which hold no paths of this machine. */
async function lackOf(
  what: 'mesh' | 'video',
  places: ScanRoots,
  { dataset, scene_name }: SceneOf,
): Promise<string | null> {
  try {
    const root = rootOf(what, places)
    const scan = await findScan(root, dataset, scene_name)
    const path = scan[what]
    if (path === undefined) return scan.missing.find((each) => each.startsWith(what)) ?? `${what} of ${scene_name}`
    return (await stat(path)).size === 0 ? `${what} of ${scene_name}: ${relative(root, path)} is empty (0 bytes)` : null
  } catch (error) {
    return messageOf(error)
  }
}

function listed(lines: readonly string[], shown: number): string[] {
  const more = lines.length - shown
  return [...lines.slice(0, shown).map((line) => `  ${line}`), ...(more > 0 ? [`  … and ${more} more`] : [])]
}

/** For people, before the run. */
export function notesOf(way: Way, rows: readonly VsiRow[], missing: ReadonlyMap<string, string>): string[] {
  const notes: string[] = []
  if (missing.size > 0 && way !== 'blind') {
    const lost = rows.filter((row) => missing.has(sceneKey(row))).length
    notes.push(
      `${missing.size} scenes lack their ${neededFor(way)}; their ${lost} questions are left out as missing:`,
      ...listed([...missing.values()], SHOWN),
    )
  }
  const unknown = rows.filter(({ question_type }) => !isQuestionType(question_type))
  if (unknown.length > 0) {
    const types = [...new Set(unknown.map(({ question_type }) => question_type))]
    notes.push(
      `${unknown.length} questions are of unknown types and are left out as missing: ${types.slice(0, 5).join(', ')}`,
    )
  }
  return notes
}
