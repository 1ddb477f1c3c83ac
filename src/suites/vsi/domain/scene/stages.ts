/** Loads stages, and caches those in use. */
import { basename, join } from 'node:path'
import { toMissingAsset, type DataFiles, hashOf, MissingAssetError, LruCache } from '../../../../suite.ts'
import { findScan } from '../../../../world.ts'
import type { BuiltinOrigin, OwnOrigin, ScanOrigin, SceneOrigin } from './origin.ts'
import { runInThread } from './run-in-thread.ts'
import { type Stage, stageFrom } from './stage.ts'

export interface ScanRoots {
  videos: string
  meshes: string
  /** What `vsi/video` shows: the benchmark's videos, or the frames of the scans, which are where their meshes are. */
  capture: 'video' | 'frames'
}

/** Data roots of a source's scans, by the names its samples use. */
export function scanRoots(source: string, { videos, meshes, capture }: ScanRoots): Record<string, string> {
  return {
    [`${source}/video`]: videos,
    [`${source}/mesh`]: meshes,
    ...(capture === 'frames' && { [`${source}/frames`]: meshes }),
  }
}

/** A few are enough: questions of one scene follow each other. */
const stages = new LruCache<Promise<Stage>>(4)

/** Loads or builds a scene. Throws `MissingAssetError` with the reason if its files are missing or broken. */
export function loadStage(origin: SceneOrigin, files: DataFiles): Promise<Stage> {
  return stages.getOrCreate(hashOf(origin), () => {
    if (origin.kind === 'scan') return scanStage(origin, files)
    return origin.kind === 'own' ? ownStage(origin, files) : builtinStage(origin)
  })
}

async function ownStage(origin: OwnOrigin, files: DataFiles): Promise<Stage> {
  const folder = ownFolder(origin, files)
  return stageFrom(await loadAsset(() => runInThread('own', { folder })))
}

/** Names of scenes are names of folders: they were found in the folder that the source was opened with. */
export function ownFolder({ source, scene }: OwnOrigin, files: DataFiles): string {
  if (basename(scene) !== scene || scene === '..') throw new MissingAssetError(`${scene} is not the name of a scene`)
  return join(files.path(source, scene), scene)
}

async function scanStage(origin: ScanOrigin, files: DataFiles): Promise<Stage> {
  const path = await scanFile(origin, 'mesh', files)
  return stageFrom(await loadAsset(() => runInThread('scan', { path })))
}

async function builtinStage(origin: BuiltinOrigin): Promise<Stage> {
  return stageFrom(await runInThread('builtin', origin))
}

/** Path of a scan's mesh or video. */
export async function scanFile(
  { source, dataset, scene }: ScanOrigin,
  what: 'mesh' | 'video',
  files: DataFiles,
): Promise<string> {
  const root = files.path(`${source}/${what}`, scene)
  const scan = await loadAsset(() => findScan(root, dataset, scene))
  const path = scan[what]
  if (path === undefined)
    throw new MissingAssetError(scan.missing.find((each) => each.startsWith(what)) ?? `${what} of ${scene}`)
  return path
}

/** A broken or oversized file marks its samples as missing; the run continues. */
export async function loadAsset<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    if (error instanceof RangeError) throw new MissingAssetError(error.message, { cause: error })
    return toMissingAsset(error)
  }
}
