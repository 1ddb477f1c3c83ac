import { z } from 'zod'
import { fileIdentity } from './file-identity.ts'
import { sha256 as hash } from '../../base/hash.ts'
import { type Bounds, percentileBounds } from '../geometry/bounds.ts'
import type { TriangleMesh } from '../mesh.ts'
import { SCENE_VERSION } from '../render/layout.ts'
import { prepareScene, type PrepareOptions } from '../render/prepare.ts'
import { PreparedScene } from '../render/scene.ts'
import { loadMesh, loadMeshFrom } from './load.ts'
import { readMeshFile } from './mesh-file.ts'
import type { LoadedMesh, LoadOptions } from './parse.ts'
import type { PreparedCache } from './prepared-cache.ts'

export interface LoadSceneOptions extends LoadOptions, PrepareOptions {
  /** Where prepared scenes are kept; without it every scene is prepared anew. */
  cache?: PreparedCache
}

/** A scene from a file, ready to be drawn. */
export interface LoadedScene {
  scene: PreparedScene
  sha256: string
  /** Between the 2nd and 98th percentile of the vertices: the room without the strays of a scan. */
  bounds: Bounds
  fromCache: boolean
  notes: readonly string[]
  /** The triangles, for walking and measuring. Read from the file again when the scene came from the cache. */
  mesh(): Promise<TriangleMesh>
}

/** Raised whenever a loader gives something else for the same file. */
const LOADER_VERSION = 2
const BOUNDS_PERCENTILES = [2, 98] as const

const point = z.tuple([z.number(), z.number(), z.number()])
const metaSchema = z.object({ min: point, max: point, notes: z.array(z.string()) })

/**
 * Loads a mesh file as a scene to be drawn, from the cache where the same bytes were prepared before. Files that name
 * others (OBJ with textures, glTF as text) are not cached, since their own bytes do not say all.
 *
 * @example
 * const { scene } = await loadScene('scene0251_00_vh_clean_2.ply', { cache: new PreparedCache(folder) })
 * const picture = new Renderer(scene).render(camera, { width: 640, height: 480 })
 */
export async function loadScene(path: string, options: LoadSceneOptions = {}): Promise<LoadedScene> {
  const { cache, keepTriangleNumbers = false, ...loadOptions } = options
  const keyOf = (sha256: string): unknown => {
    return { file: sha256, loadOptions, keepTriangleNumbers, loader: LOADER_VERSION, scene: SCENE_VERSION }
  }
  // Taken before the file is read: if it changes meanwhile, the hash is not found again.
  const identity = cache && fileIdentity(path)
  const known = identity && cache.knownHash(path, identity)
  const untouched = cache && known && fromCache(cache, keyOf(known), known, () => loadMesh(path, loadOptions))
  if (untouched) return untouched
  const bytes = await readMeshFile(path)
  const sha256 = hash(bytes)
  const key = keyOf(sha256)
  if (identity) await cache.noteHash(path, identity, sha256)
  const found = cache && fromCache(cache, key, sha256, () => loadMeshFrom(bytes, path, loadOptions))
  if (found) return found
  const { mesh, notes, selfContained } = await loadMeshFrom(bytes, path, loadOptions)
  const bounds = percentileBounds(mesh.positions, ...BOUNDS_PERCENTILES)
  const scene = prepareScene(mesh, { keepTriangleNumbers })
  if (cache && selfContained) {
    await cache.put(key, { meta: { ...bounds, notes }, arrays: { scene: scene.bytes } })
  }
  return { scene, sha256, bounds, fromCache: false, notes, mesh: () => Promise.resolve(mesh) }
}

function fromCache(
  cache: PreparedCache,
  key: unknown,
  sha256: string,
  load: () => Promise<LoadedMesh>,
): LoadedScene | undefined {
  const cached = cache.readInto(key, 'scene', (length, read) => PreparedScene.fromReader(length, read))
  const meta = metaSchema.safeParse(cached?.meta)
  if (!cached || !meta.success) return undefined
  let mesh: Promise<TriangleMesh> | undefined
  return {
    scene: cached.value,
    sha256,
    bounds: { min: meta.data.min, max: meta.data.max },
    fromCache: true,
    notes: meta.data.notes,
    mesh: () => (mesh ??= load().then((loaded) => loaded.mesh)),
  }
}
