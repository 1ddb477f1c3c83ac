/** A scene prepared for rendering and walking, as plain data that can be sent between threads. */
import {
  buildScene,
  type FreeSpace,
  freeSpace,
  loadMesh,
  prepareScene,
  sceneHash,
  type SceneObject,
  type TriangleMesh,
} from '../../../../world.ts'
import { type Bounds, protocolBounds } from '../bounds.ts'
import type { BuiltinOrigin } from './origin.ts'
import { builtScene } from './built.ts'
import { ownScene } from './own.ts'

export interface StageData {
  /** Hash of the mesh file or of the generated scene. */
  hash: string
  /** The prepared scene. Threads share this memory instead of copying it. */
  memory: WebAssembly.Memory
  /** Geometry only; colors and light are in the prepared scene. */
  mesh: TriangleMesh
  /** The inside of the walls, or the room's bounds as the protocol defines them for a scan. */
  bounds: Bounds
  /** Where a body can stand. */
  space: FreeSpace
  /** Known objects; empty for a scan. */
  objects: readonly SceneObject[]
}

export interface KnownContents {
  /** Default: as the protocol defines them for a scan. */
  bounds?: Bounds
  objects?: readonly SceneObject[]
  space?: FreeSpace
}

export function stageData(
  mesh: TriangleMesh,
  hash: string,
  { objects = [], space, bounds }: KnownContents = {},
): StageData {
  const { positions, indices, triangleInstances } = mesh
  return {
    hash,
    memory: prepareScene(mesh).memory,
    mesh: { positions, indices, materials: [], ...(triangleInstances && { triangleInstances }) },
    bounds: bounds ?? protocolBounds(positions),
    space: space ?? freeSpace(mesh),
    objects,
  }
}

export async function scanData(path: string): Promise<StageData> {
  const { mesh, sha256 } = await loadMesh(path)
  return stageData(mesh, sha256)
}

export function builtinData(origin: BuiltinOrigin): StageData {
  const { look } = origin
  const { scene, mesh: bare, objects, bounds, space } = builtScene(origin)
  // Lighting does not change the geometry, so free space and objects come from the plain scene.
  const shown = buildScene(scene, { look, bare }).mesh
  return stageData(shown, builtinHash(scene, look), { objects, space: space(), bounds })
}

export async function ownData(folder: string): Promise<StageData> {
  const { mesh, hash, objects, bounds, space } = await ownScene(folder)
  return stageData(mesh, hash, { objects, space: space(), bounds })
}

export function builtinHash(scene: Parameters<typeof sceneHash>[0], look: BuiltinOrigin['look']): string {
  return `${sceneHash(scene)}/${look}`
}
