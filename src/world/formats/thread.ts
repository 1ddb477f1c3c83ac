/** The process of `load.ts`. */
import { serveReaders } from '../../base/foreign/limited-process.ts'
import { readMeshFile } from './mesh-file.ts'
import { type LoadedMesh, type LoadOptions, parseMesh } from './parse.ts'

export interface MeshReaders {
  load(file: { path: string; options: LoadOptions }): Promise<LoadedMesh>
  parse(file: { bytes: Uint8Array; path: string; options: LoadOptions }): Promise<LoadedMesh>
}

const allowMore = serveReaders<MeshReaders>({
  load: async ({ path, options }) => parseMesh(await readMeshFile(path), path, options, (bytes) => allowMore(bytes)),
  parse: async ({ bytes, path, options }) => parseMesh(bytes, path, options, (more) => allowMore(more)),
})
