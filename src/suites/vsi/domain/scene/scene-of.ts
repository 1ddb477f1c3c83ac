/** The scene of a sample, for the viewer. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type DataFiles, hashOf, type SampleScene } from '../../../../suite.ts'
import type { OwnOrigin, ScanOrigin, SceneOrigin } from './origin.ts'
import { readOwnFile } from './own-file.ts'
import { runInThread } from './run-in-thread.ts'
import { ownFolder, scanFile } from './stages.ts'

/** Null if there is no mesh: a dataset may have only videos. */
export async function sceneOf(
  { scene: origin, problem }: { scene: SceneOrigin; problem?: string | undefined },
  _: unknown,
  files: DataFiles,
): Promise<SampleScene | null> {
  if (origin.kind === 'builtin') return { key: hashOf(origin), glb: () => runInThread('glb', origin) }
  if (problem !== undefined) return null
  const path = await meshFile(origin, files).catch(() => null)
  if (path === null) return null
  // Size and modification time detect a changed file; hashing a scan takes as long as showing it.
  const { size, mtimeMs } = await stat(path)
  return { key: hashOf({ ...origin, size, mtimeMs }), glb: () => runInThread('glb', { path }) }
}

async function meshFile(origin: ScanOrigin | OwnOrigin, files: DataFiles): Promise<string> {
  if (origin.kind === 'scan') return scanFile(origin, 'mesh', files)
  const folder = ownFolder(origin, files)
  return join(folder, (await readOwnFile(folder)).mesh)
}
