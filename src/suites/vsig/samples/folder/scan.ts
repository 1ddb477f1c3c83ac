/** Finds data sets, instructions, annotations and videos in a folder, as published or nearly so. Reads no video. */
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { z } from 'zod'
import { messageOf, sha256, UserError, fileErrorReason } from '../../../../suite.ts'
import {
  type Annotation,
  annotationSchema,
  entrySchema,
  type EvalTruth,
  evalTruthSchema,
} from '../../domain/annotation.ts'
import { isTemplate, TEMPLATES } from '../../domain/templates.ts'
import type { Defect } from './defects.ts'

const ANNOTATIONS = 'annotations.json'
const EVAL_TRUTH = 'eval_gt.json'
const VIDEO = /\.(mp4|mov|m4v)$/i

/** One annotated clip, before it is checked. */
export interface FoundClip {
  /** Alias of the data set: folder names carry people's names and never leave this module. */
  dataset: string
  annotation: Annotation
  evalTruth: EvalTruth | null
  /** The template that the folder is named after; null at the level of the data set. */
  folderTemplate: string | null
  /** Full path; null when there is no such video. */
  video: string | null
  /** Which file and entry, for people. */
  where: string
  /** What of its annotation could not be read. */
  damage: readonly Damage[]
}

export type Damage = Omit<Defect, 'where'>

export interface FoundFolder {
  clips: FoundClip[]
  defects: Defect[]
  /** Of all annotations, and the names and sizes of all videos. */
  hash: string
}

/** A name for a data set that tells nothing about it, the same for the same folder name. */
export function aliasOf(folderName: string): string {
  return `set-${sha256(folderName.normalize('NFC')).slice(0, 6)}`
}

/** A folder while it is looked through. */
interface Scan extends Omit<FoundFolder, 'hash'> {
  root: string
  hashes: string[]
}

export async function scanFolder(root: string): Promise<FoundFolder> {
  const scan: Scan = { root, clips: [], defects: [], hashes: [] }
  for (const dataset of await datasetsIn(scan)) await scanDataset(scan, dataset)
  return { clips: scan.clips, defects: scan.defects, hash: sha256(scan.hashes.join('\n')) }
}

/** Links are followed: data sets are often put together from them. */
async function namesIn(folder: string): Promise<Names> {
  const names: Names = { folders: [], files: [], broken: [] }
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    throw new UserError(`The folder ${folder} cannot be read: ${fileErrorReason(error)}.`, {
      cause: error,
      hint: 'Write vsig:FOLDER; `sightline vsig clips -o FOLDER` makes one of built-in clips.',
    })
  })
  for (const entry of entries) {
    const found = entry.isSymbolicLink() ? await stat(join(folder, entry.name)).catch(() => null) : entry
    names[!found ? 'broken' : found.isDirectory() ? 'folders' : 'files'].push(entry.name)
  }
  for (const list of Object.values(names)) list.sort()
  return names
}

interface Names {
  folders: string[]
  files: string[]
  /** Links that lead nowhere. */
  broken: string[]
}

function tellBroken({ broken }: Names, folder: string, { root, defects }: Scan): void {
  for (const name of broken) {
    const where = relative(root, join(folder, name))
    defects.push({ severity: 'warning', kind: 'broken link', where, detail: 'it leads nowhere' })
  }
}

function isDataset({ folders, files }: Names): boolean {
  return files.includes(ANNOTATIONS) || folders.some(isTemplate)
}

/** The folder itself, or its sub-folders: told by what they hold, not by what they are called. */
async function datasetsIn(scan: Scan): Promise<string[]> {
  const { root } = scan
  const names = await namesIn(root)
  if (isDataset(names)) return [root]
  tellBroken(names, root, scan)
  const datasets: string[] = []
  for (const name of names.folders) if (isDataset(await namesIn(join(root, name)))) datasets.push(join(root, name))
  if (datasets.length === 0) {
    throw new UserError(`There is no data set of clips in ${root}.`, {
      hint: `A data set is a folder with sub-folders ${TEMPLATES[0]} … ${TEMPLATES.at(-1)}, each with ${ANNOTATIONS} and videos.`,
    })
  }
  return datasets
}

async function scanDataset(scan: Scan, dataset: string): Promise<void> {
  const { root, clips, defects, hashes } = scan
  const alias = aliasOf(basename(dataset))
  const own = await namesIn(dataset)
  const { folders, files } = own
  const places = [dataset, ...folders.filter(isTemplate).map((name) => join(dataset, name))]
  const videos: { path: string; template: string | null }[] = []
  for (const place of places) {
    const template = place === dataset ? null : basename(place)
    const names = place === dataset ? own : await namesIn(place)
    tellBroken(names, place, scan)
    for (const name of names.files.filter((file) => VIDEO.test(file))) {
      const path = join(place, name)
      videos.push({ path, template })
      hashes.push(`${alias}/${template ?? ''}/${name}/${(await stat(path)).size}`)
    }
  }
  const annotated = new Set<string>()
  for (const place of places) {
    const folderTemplate = place === dataset ? null : basename(place)
    const file = join(place, ANNOTATIONS)
    const where = relative(root, file)
    const entries = await readList(file, scan)
    if (!entries) {
      const hasVideos = videos.some(({ template }) => template === folderTemplate)
      // Annotations may be one level up; only a folder that nobody describes is worth a word.
      if (hasVideos && folderTemplate !== null && !files.includes(ANNOTATIONS)) {
        defects.push({ severity: 'warning', kind: 'no annotations', where, detail: 'videos without annotations' })
      }
      continue
    }
    const truths = await readTruths(join(place, EVAL_TRUTH), scan)
    for (const [i, entry] of entries.entries()) {
      const parsed = annotationSchema.safeParse(entry)
      const at = `${where}[${i}]`
      if (!parsed.success) {
        defects.push({ severity: 'error', kind: 'unreadable entry', where: at, detail: 'not an annotation' })
        continue
      }
      const annotation = parsed.data
      const video = findVideo(videos, annotation, folderTemplate)
      if (video) annotated.add(video)
      const name = annotation.video_name ?? ''
      const evalTruth = Object.hasOwn(truths, name) ? truths[name]! : null
      const damage = damageOf(entry)
      clips.push({ dataset: alias, annotation, evalTruth, folderTemplate, video, where: at, damage })
    }
  }
  for (const { path } of videos) {
    if (annotated.has(path)) continue
    const where = relative(root, path)
    defects.push({ severity: 'warning', kind: 'not annotated', where, detail: 'no annotation names this video' })
  }
}

const raw = z.looseObject({ object_space: z.unknown(), asr_result: z.unknown() })

/** Parts of an annotation that are not of the published form: they are read as if they were not there. */
function damageOf(annotation: unknown): Damage[] {
  const read = raw.safeParse(annotation)
  if (!read.success) return []
  const { object_space: entries, asr_result: asr } = read.data
  const damage: Damage[] = []
  if (!Array.isArray(entries)) damage.push({ severity: 'error', kind: 'unreadable entries', detail: 'not a list' })
  else {
    for (const [i, entry] of entries.entries()) {
      const problem = entrySchema.safeParse(entry).error?.issues[0]
      if (!problem) continue
      const part = problem.path.length === 0 ? '' : `, ${problem.path.join('.')}`
      damage.push({
        severity: 'error',
        kind: 'unreadable entries',
        detail: `entry ${i + 1}${part}: ${problem.message}`,
      })
    }
  }
  if (asr !== null && asr !== undefined && (typeof asr !== 'object' || Array.isArray(asr))) {
    damage.push({ severity: 'warning', kind: 'unreadable transcript', detail: 'taken for a silent clip' })
  }
  return damage
}

/** By name, upper and lower case alike, in the folder of its template first. Folders in the annotation are stale. */
function findVideo(
  videos: readonly { path: string; template: string | null }[],
  { video_name: name, task_template: template }: Annotation,
  folderTemplate: string | null,
): string | null {
  if (!name) return null
  const wanted = basename(name.replaceAll('\\', '/')).normalize('NFC').toLowerCase()
  const same = videos.filter(({ path }) => basename(path).normalize('NFC').toLowerCase() === wanted)
  const place = folderTemplate ?? template
  return (same.find((video) => video.template === place) ?? same.find((video) => video.template === null))?.path ?? null
}

/** Undefined where there is no such file, or none that can be read. */
async function readJson(file: string, { root, defects, hashes }: Scan): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  hashes.push(sha256(text))
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    defects.push({ severity: 'error', kind: 'broken JSON', where: relative(root, file), detail: messageOf(error) })
    return undefined
  }
}

async function readList(file: string, scan: Scan): Promise<unknown[] | null> {
  const json = await readJson(file, scan)
  if (json === undefined) return null
  if (Array.isArray(json)) return json
  const where = relative(scan.root, file)
  scan.defects.push({ severity: 'error', kind: 'broken JSON', where, detail: 'not a list of annotations' })
  return null
}

async function readTruths(file: string, scan: Scan): Promise<Record<string, EvalTruth>> {
  const json = await readJson(file, scan)
  if (json === undefined) return {}
  const where = relative(scan.root, file)
  const table = z.record(z.string(), z.unknown()).safeParse(json)
  if (!table.success) {
    scan.defects.push({ severity: 'error', kind: 'broken JSON', where, detail: 'not a table by video name' })
    return {}
  }
  const truths: Record<string, EvalTruth> = {}
  for (const [name, value] of Object.entries(table.data)) {
    const truth = evalTruthSchema.safeParse(value)
    if (truth.success) truths[name] = truth.data
    else scan.defects.push({ severity: 'error', kind: 'unreadable options', where, detail: name })
  }
  return truths
}
