/** Looks at a folder of videos before anything runs: what is missing, too much, doubtful, damaged, of another length. */
import { readdir, realpath, stat } from 'node:fs/promises'
import { basename, join, sep } from 'node:path'
import type { Dirent } from 'node:fs'
import { codeOf, groupBy, messageOf, sha256OfFile, UserError, fileErrorReason } from '../../../suite.ts'
import { CATEGORIES, DIMENSIONS, LONG_SECONDS } from '../domain/dimensions.ts'
import { type ClipInfo, openClip } from '../domain/clip.ts'
import { madeBy, readManifest } from './manifest.ts'
import type { Issue, ListedFile, Matched, MatchedVideo } from './match.ts'

/** The published layout allows a folder for each list next to one flat folder. */
const LIST_FOLDERS = new Set<string>([...DIMENSIONS, ...CATEGORIES])

export async function listFolder(folder: string): Promise<ListedFile[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') throw new UserError(`Folder not found: ${folder}`, { cause: error })
    throw new UserError(`${folder} cannot be read: ${fileErrorReason(error)}.`, { cause: error })
  })
  const root = await realpath(folder)
  const files: ListedFile[] = []
  for (const entry of inOrder(entries)) {
    const file = await listedFile(root, entry.name, entry)
    if (file.kind === 'folder' && LIST_FOLDERS.has(entry.name)) {
      const inner = await readdir(join(folder, entry.name), { withFileTypes: true })
      for (const each of inOrder(inner)) files.push(await listedFile(root, `${entry.name}/${each.name}`, each))
    } else files.push(file)
  }
  return files
}

function inOrder(entries: readonly Dirent[]): Dirent[] {
  return entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

async function listedFile(root: string, path: string, entry: Dirent): Promise<ListedFile> {
  const { name } = entry
  if (!entry.isSymbolicLink()) return { path, name, kind: kindOf(entry) }
  const found = await stat(join(root, path)).catch(() => null)
  if (found === null) return { path, name, kind: 'other' }
  const real = await realpath(join(root, path))
  return { path, name, kind: kindOf(found), ...(real.startsWith(root + sep) ? {} : { outside: real }) }
}

function kindOf(found: Pick<Dirent, 'isFile' | 'isDirectory'>): ListedFile['kind'] {
  return found.isFile() ? 'file' : found.isDirectory() ? 'folder' : 'other'
}

export interface CheckedVideo extends MatchedVideo {
  info: ClipInfo
}

export interface Checked {
  videos: CheckedVideo[]
  issues: Issue[]
  /** Sizes, rates and lengths that occur, with how often. */
  shapes: { shape: string; videos: number }[]
}

/** Opens every video of a folder that belongs to its plan; no frame is decoded. */
export async function checkMatched(
  folder: string,
  matched: Matched,
  {
    signal,
    onVideo,
    long = false,
  }: { signal?: AbortSignal; onVideo?: (done: number, of: number) => void; long?: boolean } = {},
): Promise<Checked> {
  const issues = [...matched.issues]
  const manifest = await readManifest(folder)
  if (manifest.broken > 0) {
    issues.push({ kind: 'manifest', file: 'manifest.jsonl', words: `has ${manifest.broken} lines that are not whole` })
  }
  for (const file of manifest.leaving) {
    issues.push({ kind: 'manifest', file, words: 'is named in the manifest, but would leave the folder: left out' })
  }
  const models = madeBy(matched.videos.flatMap(({ path }) => manifest.lines.get(basename(path)) ?? []))
  if (models.length > 1) {
    issues.push({ kind: 'manifest', file: 'manifest.jsonl', words: `has videos of ${models.join(' and of ')}` })
  }
  const videos: CheckedVideo[] = []
  for (const [done, each] of matched.videos.entries()) {
    signal?.throwIfAborted()
    onVideo?.(done, matched.videos.length)
    try {
      const clip = await openClip(join(folder, each.path))
      await clip.close()
      videos.push({ ...each, info: clip.info })
      if (clip.damage !== null) issues.push({ kind: 'unreadable', file: each.path, words: inWords(clip.damage) })
    } catch (error) {
      issues.push({ kind: 'unreadable', file: each.path, words: inWords(messageOf(error)) })
    }
  }
  issues.push(...lengthIssues(videos, long), ...(await identicalIssues(folder, videos, signal)))
  return { videos, issues, shapes: shapesOf(videos) }
}

function inWords(problem: string): string {
  return problem.split('\n', 1)[0]!.slice(0, 300)
}

/** Videos of one content under several names: a seed was not used, or files were copied. */
async function identicalIssues(
  folder: string,
  videos: readonly CheckedVideo[],
  signal: AbortSignal | undefined,
): Promise<Issue[]> {
  // Only files of one size can be the same.
  const sizes = new Map<string, number>()
  for (const { path } of videos) sizes.set(path, (await stat(join(folder, path))).size)
  const issues: Issue[] = []
  for (const group of groupBy(videos, ({ path }) => sizes.get(path)!).values()) {
    const first = new Map<string, string>()
    for (const { path } of group.length > 1 ? group : []) {
      signal?.throwIfAborted()
      const hash = await sha256OfFile(join(folder, path))
      const other = first.get(hash)
      if (other === undefined) first.set(hash, path)
      else issues.push({ kind: 'identical', file: path, words: `has the same content as ${other}` })
    }
  }
  return issues
}

/** Fewer frames than a dimension needs, clips of another length than most, and clips for the long pipeline. */
function lengthIssues(videos: readonly CheckedVideo[], isForLong: boolean): Issue[] {
  const lengths = groupBy(videos, ({ info }) => info.frames)
  const usual = [...lengths].find(([, own]) => own.length * 2 > videos.length)?.[0]
  const issues: Issue[] = []
  if (usual === undefined && lengths.size > 1) {
    const [least, most] = [Math.min(...lengths.keys()), Math.max(...lengths.keys())]
    const words = `have ${least} to ${most} frames, no length being usual`
    issues.push({ kind: 'length', file: `${videos.length} videos`, words })
  }
  for (const { path, info } of videos) {
    if (info.frames < 2) {
      issues.push({ kind: 'length', file: path, words: 'has one frame: nothing that moves can be measured' })
    } else if (usual !== undefined && info.frames !== usual) {
      issues.push({ kind: 'length', file: path, words: `has ${info.frames} frames, most have ${usual}` })
    }
    if (isForLong !== info.seconds >= LONG_SECONDS) {
      const words = `lasts ${info.seconds.toFixed(2)} s: ${
        isForLong
          ? `VBench-Long is for ${LONG_SECONDS} s and longer`
          : `from ${LONG_SECONDS} s on use VBench-Long (--long)`
      }`
      issues.push({ kind: 'long', file: path, words })
    }
  }
  return issues
}

function shapesOf(videos: readonly CheckedVideo[]): Checked['shapes'] {
  const shapes = groupBy(
    videos,
    ({ info: { width, height, frames, fps } }) =>
      `${width} × ${height}, ${frames} frames at ${Number(fps.toFixed(2))} fps`,
  )
  return [...shapes].map(([shape, own]) => ({ shape, videos: own.length })).toSorted((a, b) => b.videos - a.videos)
}
