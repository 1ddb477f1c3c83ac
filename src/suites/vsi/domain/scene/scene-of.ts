/** The scene of a sample, for the viewer. */
import { stat } from 'node:fs/promises'
import { type DataFiles, hashOf, type SampleScene } from '../../../../suite.ts'
import type { SceneOrigin } from './origin.ts'
import { runInThread } from './run-in-thread.ts'
import { scanFile } from './stages.ts'

/** Null if there is no mesh: a dataset may have only videos. */
export async function sceneOf(
  { scene: origin, problem }: { scene: SceneOrigin; problem?: string | undefined },
  _: unknown,
  files: DataFiles,
): Promise<SampleScene | null> {
  if (origin.kind === 'builtin') return { key: hashOf(origin), glb: () => runInThread('glb', origin) }
  if (problem !== undefined) return null
  const path = await scanFile(origin, 'mesh', files).catch(() => null)
  if (path === null) return null
  // Size and modification time detect a changed file; hashing a scan takes as long as showing it.
  const { size, mtimeMs } = await stat(path)
  return { key: hashOf({ ...origin, size, mtimeMs }), glb: () => runInThread('glb', { path }) }
}
