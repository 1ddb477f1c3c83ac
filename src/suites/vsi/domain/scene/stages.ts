/** From where a scene comes to what can be looked at, kept while it is in use. */
import { toMissingAsset, type DataFiles, hashOf, MissingAssetError, Recent } from '../../../../suite.ts'
import { findScan } from '../../../../world.ts'
import type { BuiltinOrigin, ScanOrigin, SceneOrigin } from './origin.ts'
import { runInThread } from './run-in-thread.ts'
import { type Stage, stageFrom } from './stage.ts'

export interface ScanRoots {
  videos: string
  meshes: string
}

/** Where the scans of a source are, by the names that its samples use. */
export function scanRoots(source: string, { videos, meshes }: ScanRoots): Record<string, string> {
  return { [`${source}/video`]: videos, [`${source}/mesh`]: meshes }
}

/** The last few: questions of one scene follow each other. */
const stages = new Recent<Promise<Stage>>(4)

/** The scene, loaded or built. Throws `MissingAssetError` with the reason when its files are not there or broken. */
export function loadStage(origin: SceneOrigin, files: DataFiles): Promise<Stage> {
  return stages.of(hashOf(origin), () => (origin.kind === 'scan' ? scanStage(origin, files) : builtinStage(origin)))
}

async function scanStage(origin: ScanOrigin, files: DataFiles): Promise<Stage> {
  const path = await scanFile(origin, 'mesh', files)
  return stageFrom(await asset(() => runInThread('scan', { path })))
}

async function builtinStage(origin: BuiltinOrigin): Promise<Stage> {
  return stageFrom(await runInThread('builtin', origin))
}

/** The path of a scan's mesh or video, from the source that handed out the case. */
export async function scanFile(
  { source, dataset, scene }: ScanOrigin,
  what: 'mesh' | 'video',
  files: DataFiles,
): Promise<string> {
  const root = files.path(`${source}/${what}`, scene)
  const scan = await asset(() => findScan(root, dataset, scene))
  const path = scan[what]
  if (path === undefined)
    throw new MissingAssetError(scan.missing.find((each) => each.startsWith(what)) ?? `${what} of ${scene}`)
  return path
}

/** A file that is broken or too large leaves its case out; the others go on. */
export async function asset<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    if (error instanceof RangeError) throw new MissingAssetError(error.message, { cause: error })
    return toMissingAsset(error)
  }
}
