/** The scene of a case, for whoever looks at its episodes. */
import { stat } from 'node:fs/promises'
import { hashOf } from '../../../base/hash.ts'
import type { DataFiles } from '../../../engine/data-files.ts'
import type { SampleScene } from '../../../engine/suite.ts'
import type { VsiSample } from '../case.ts'
import { runInThread } from './run-in-thread.ts'
import { scanFile } from './stages.ts'

/** Null where there is no mesh: a data set may have the videos alone. */
export async function sceneOf(
  { scene: origin, problem }: VsiSample,
  _: unknown,
  files: DataFiles,
): Promise<SampleScene | null> {
  if (origin.kind === 'builtin') {
    const { scene, seed, look } = origin
    return { key: hashOf(origin), glb: () => runInThread('glb', { scene, seed, look }) }
  }
  if (problem !== undefined) return null
  const path = await scanFile(origin, 'mesh', files).catch(() => null)
  if (path === null) return null
  // Hashing a scan takes as long as showing it; its size and time tell a changed file, too.
  const { size, mtimeMs } = await stat(path)
  return { key: hashOf({ ...origin, size, mtimeMs }), glb: () => runInThread('glb', { path }) }
}
