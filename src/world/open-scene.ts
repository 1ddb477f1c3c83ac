/** A scene from a file, whatever it is: a built-in scene's JSON or a mesh. */
import { messageOf, UserError } from '../base/errors.ts'
import { loadScene, meshFormat } from './formats/index.ts'
import { readMeshFile } from './formats/load.ts'
import { type Bounds, boundsOf } from './geometry/index.ts'
import type { SceneObject, TriangleMesh } from './mesh.ts'
import { type PreparedScene, prepareScene } from './render/index.ts'
import { buildScene } from './rooms/assemble.ts'
import { type Scene, sceneSchema } from './rooms/scene.ts'

export interface OpenedScene {
  prepared: PreparedScene
  mesh: TriangleMesh
  bounds: Bounds
  /** What is in it; null for a mesh that does not say. */
  objects: readonly SceneObject[] | null
  /** The description that it was built from; null for a mesh. */
  description: Scene | null
  notes: readonly string[]
}

export async function openScene(path: string): Promise<OpenedScene> {
  const description = await descriptionIn(path)
  if (description === null) {
    const loaded = await loadScene(path)
    const { scene: prepared, bounds, notes } = loaded
    return { prepared, mesh: await loaded.mesh(), bounds, objects: null, description: null, notes }
  }
  const { mesh, objects } = buildScene(description)
  return { prepared: prepareScene(mesh), mesh, bounds: boundsOf(mesh.positions), objects, description, notes: [] }
}

/** The built-in scene in a file, or null when the file is a mesh. */
async function descriptionIn(path: string): Promise<Scene | null> {
  const bytes = await readMeshFile(path)
  if (meshFormat(bytes, path) !== 'gltf') return null
  const text = Buffer.from(bytes).toString('utf8')
  // Every glTF file has an `asset`; a scene of ours has none.
  return /"asset"\s*:/.test(text) ? null : parseDescription(text, path)
}

export function parseDescription(text: string, where: string): Scene {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    throw new UserError(`${where} is not JSON: ${messageOf(error)}`, { cause: error })
  }
  const parsed = sceneSchema.safeParse(json)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new UserError(`${where} is not a scene: ${issue?.path.join('.') || 'the top'}: ${issue?.message}.`, {
    hint: 'Make one with `sightline scene new`.',
  })
}
