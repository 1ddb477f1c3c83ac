/** The thread of `load.ts`. */
import { type Transferred, transferred } from '../../base/channel.ts'
import { serveReaders } from '../../base/foreign/limited-thread.ts'
import { readMeshFile } from './mesh-file.ts'
import { type LoadedMesh, type LoadOptions, parseMesh } from './parse.ts'

export interface MeshReaders {
  load(file: { path: string; options: LoadOptions }): Promise<Transferred<LoadedMesh>>
  parse(file: { bytes: Uint8Array; path: string; options: LoadOptions }): Promise<Transferred<LoadedMesh>>
}

const allowMore = serveReaders<MeshReaders>({
  load: async ({ path, options }) =>
    transferred(await parseMesh(await readMeshFile(path), path, options, (bytes) => allowMore(bytes))),
  parse: async ({ bytes, path, options }) =>
    transferred(await parseMesh(bytes, path, options, (more) => allowMore(more))),
})
