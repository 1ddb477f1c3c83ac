import { stat } from 'node:fs/promises'
import { LimitedProcess } from '../../base/foreign/limited-process.ts'
import type { LoadedMesh, LoadOptions } from './parse.ts'
import type { MeshReaders } from './thread.ts'

const thread = new LimitedProcess<MeshReaders>('./thread', import.meta.url)

/**
 * Loads a mesh in meters, z up. The format is told by what is in the file, not by its name. It is read in a process with
 * limits of memory and time.
 *
 * @example
 * const { mesh } = await loadMesh('scene0251_00_vh_clean_2.ply')
 */
export async function loadMesh(path: string, options: LoadOptions = {}): Promise<LoadedMesh> {
  // What cannot be opened is said by the reader.
  const size = await stat(path).then(
    (stats) => stats.size,
    () => 0,
  )
  return thread.read(['load', { path, options }], size, unreadable(path))
}

/** The same from bytes, which are handed over: the caller cannot use them any more. */
export function loadMeshFrom(bytes: Uint8Array<ArrayBuffer>, path: string, options: LoadOptions): Promise<LoadedMesh> {
  return thread.read(['parse', { bytes, path, options }, [bytes.buffer]], bytes.length, unreadable(path))
}

function unreadable(path: string): { message: string } {
  return { message: `The mesh ${path} cannot be read` }
}
