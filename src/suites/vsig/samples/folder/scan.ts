/** Finds datasets, templates, annotations and videos in a folder. Does not open videos. */
import { readdir, stat } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { z } from 'zod'
import {
  isLfsPointer,
  messageOf,
  sha256,
  UserError,
  fileErrorReason,
  readRegularText,
  parseForeignJson,
} from '../../../../suite.ts'
import {
  type Annotation,
  annotationSchema,
  entrySchema,
  type EvalTruth,
  evalTruthSchema,
} from '../../domain/annotation.ts'
import { type Template, templateOf, TEMPLATES } from '../../domain/templates.ts'
import type { Defect } from './defects.ts'

const ANNOTATIONS = 'annotations.json'
const EVAL_TRUTH = 'eval_gt.json'
const VIDEO = /\.(mp4|mov|m4v)$/i

export const LFS_POINTER = 'Git LFS pointer'
export const LFS_ADVICE = 'the file itself was not downloaded; run `git lfs pull` in the dataset'

/** An annotated clip, before validation. */
export interface FoundClip {
  /** Alias of the dataset: folder names contain people's names and never leave this module. */
  dataset: string
  annotation: Annotation
  evalTruth: EvalTruth | null
  /** The template its folder is named after; null at the level of the dataset. */
  folderTemplate: Template | null
  /** Full path; null if the video is missing. */
  video: string | null
  /** File and entry, for messages. */
  where: string
  /** Unreadable parts of its annotation. */
  damage: readonly Damage[]
}

export type Damage = Omit<Defect, 'where'>

export interface FoundFolder {
  clips: FoundClip[]
  defects: Defect[]
  /** Hash of all annotations and of the names and sizes of all videos. */
  hash: string
}

/** An anonymous name for a dataset, derived from its folder name. */
export function aliasOf(folderName: string): string {
  return `set-${sha256(folderName.normalize('NFC')).slice(0, 6)}`
}

interface FoundVideo {
  path: string
  template: Template | null
}

/** State of a scan. */
interface Scan extends Omit<FoundFolder, 'hash'> {
  root: string
  hashes: string[]
}

export async function scanFolder(root: string): Promise<FoundFolder> {
  const scan: Scan = { root, clips: [], defects: [], hashes: [] }
  for (const dataset of await datasetsIn(scan)) await scanDataset(scan, dataset)
  return { clips: scan.clips, defects: scan.defects, hash: sha256(scan.hashes.join('\n')) }
}

/** Follows links, because datasets are often assembled from them. */
async function listFolder(folder: string): Promise<FolderListing> {
  const names: FolderListing = { folders: [], files: [], broken: [] }
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    throw new UserError(`Cannot read folder ${folder}: ${fileErrorReason(error)}.`, {
      cause: error,
      hint: 'Use --source vsig:FOLDER. `sightline vsig clips -o FOLDER` writes built-in clips to a folder.',
    })
  })
  for (const entry of entries) {
    const found = entry.isSymbolicLink() ? await stat(join(folder, entry.name)).catch(() => null) : entry
    names[!found ? 'broken' : found.isDirectory() ? 'folders' : 'files'].push(entry.name)
  }
  for (const list of Object.values(names)) list.sort()
  return names
}

interface FolderListing {
  folders: string[]
  files: string[]
  /** Dangling links. */
  broken: string[]
}

function reportBrokenLinks({ broken }: FolderListing, folder: string, { root, defects }: Scan): void {
  for (const name of broken) {
    const where = relative(root, join(folder, name))
    defects.push({ severity: 'warning', kind: 'broken link', where, detail: 'its target does not exist' })
  }
}

function isDataset({ folders, files }: FolderListing): boolean {
  return files.includes(ANNOTATIONS) || folders.some((name) => templateOf(name) !== null)
}

/** The folder itself or its subfolders, recognized by their contents. */
async function datasetsIn(scan: Scan): Promise<string[]> {
  const { root } = scan
  const names = await listFolder(root)
  if (isDataset(names)) return [root]
  reportBrokenLinks(names, root, scan)
  const datasets: string[] = []
  for (const name of names.folders) if (isDataset(await listFolder(join(root, name)))) datasets.push(join(root, name))
  if (datasets.length === 0) {
    throw new UserError(`No dataset found in ${root}.`, {
      hint: `A dataset is a folder with subfolders ${TEMPLATES[0]} … ${TEMPLATES.at(-1)}, each with ${ANNOTATIONS} and videos.`,
    })
  }
  return datasets
}

async function scanDataset(scan: Scan, dataset: string): Promise<void> {
  const { root, clips, defects, hashes } = scan
  const alias = aliasOf(basename(dataset))
  const own = await listFolder(dataset)
  const { folders, files } = own
  const templates = folders.filter((name) => templateOf(name) !== null)
  const places = [dataset, ...templates.map((name) => join(dataset, name))]
  const templateAt = (place: string): Template | null => (place === dataset ? null : templateOf(basename(place)))
  const videos: FoundVideo[] = []
  for (const place of places) {
    const template = templateAt(place)
    const names = place === dataset ? own : await listFolder(place)
    reportBrokenLinks(names, place, scan)
    for (const name of names.files.filter((file) => VIDEO.test(file))) {
      const path = join(place, name)
      videos.push({ path, template })
      hashes.push(`${alias}/${template ?? ''}/${name}/${(await stat(path)).size}`)
    }
  }
  const annotated = new Set<string>()
  for (const place of places) {
    const folderTemplate = templateAt(place)
    const file = join(place, ANNOTATIONS)
    const where = relative(root, file)
    const entries = await readList(file, scan)
    if (!entries) {
      const hasVideos = videos.some(({ template }) => template === folderTemplate)
      // Annotations may be one level up; only a folder without any is worth a warning.
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
      const damage = findDamage(entry)
      clips.push({ dataset: alias, annotation, evalTruth, folderTemplate, video, where: at, damage })
    }
  }
  for (const { path } of videos) {
    if (annotated.has(path)) continue
    const where = relative(root, path)
    defects.push({ severity: 'warning', kind: 'unannotated video', where, detail: 'no annotation refers to it' })
  }
}

const raw = z.looseObject({ object_space: z.unknown().optional(), asr_result: z.unknown().optional() })

/** Parts of an annotation that do not match the published format; they are treated as missing. */
function findDamage(annotation: unknown): Damage[] {
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
    damage.push({ severity: 'warning', kind: 'unreadable transcript', detail: 'treated as missing' })
  }
  return damage
}

/** Finds a video by name, ignoring case, in its template's folder first. Folders in annotations are outdated. */
function findVideo(
  videos: readonly FoundVideo[],
  { video_name: name, task_template: template }: Annotation,
  folderTemplate: string | null,
): string | null {
  if (!name) return null
  const wanted = basename(name.replaceAll('\\', '/')).normalize('NFC').toLowerCase()
  const same = videos.filter(({ path }) => basename(path).normalize('NFC').toLowerCase() === wanted)
  const place = folderTemplate ?? templateOf(template)
  return (same.find((video) => video.template === place) ?? same.find((video) => video.template === null))?.path ?? null
}

/** Undefined if the file is missing or unreadable. */
async function readJson(file: string, { root, defects, hashes }: Scan): Promise<unknown> {
  const text = await readRegularText(file).catch(() => undefined)
  if (text === undefined) return undefined
  hashes.push(sha256(text))
  if (isLfsPointer(text)) {
    defects.push({ severity: 'error', kind: LFS_POINTER, where: relative(root, file), detail: LFS_ADVICE })
    return undefined
  }
  try {
    return parseForeignJson(text.replace(/^\uFEFF/, ''))
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
    scan.defects.push({ severity: 'error', kind: 'broken JSON', where, detail: 'not an object keyed by video name' })
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
