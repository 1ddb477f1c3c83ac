/** The scene of a sample, for the viewer. */
import { stat } from 'node:fs/promises'
import { hashOf } from '../../../../base/hash.ts'
import type { DataFiles } from '../../../../engine/data-files.ts'
import type { SampleScene } from '../../../../engine/suite.ts'
import { beside } from './beside.ts'
import type { SceneOrigin } from './origin.ts'
import { scanFile } from './stages.ts'

/** Null where there is no mesh: a data set may have the videos alone. */
export async function sceneOf(
  { scene: origin, problem }: { scene: SceneOrigin; problem?: string | undefined },
  _: unknown,
  files: DataFiles,
): Promise<SampleScene | null> {
  if (origin.kind === 'builtin') {
    const { scene, seed, look } = origin
    return { key: hashOf(origin), glb: () => beside('glb', { scene, seed, look }) }
  }
  if (problem !== undefined) return null
  const path = await scanFile(origin, 'mesh', files).catch(() => null)
  if (path === null) return null
  // Hashing a scan takes as long as showing it; its size and time tell a changed file, too.
  const { size, mtimeMs } = await stat(path)
  return { key: hashOf({ ...origin, size, mtimeMs }), glb: () => beside('glb', { path }) }
}
