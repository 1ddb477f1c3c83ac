/** A scene from a file, whatever it is: a built-in scene's JSON or a mesh. */
import { messageOf, UserError } from '../../base/errors.ts'
import { parseForeignJson } from '../../base/foreign/json.ts'
import { openRegular } from '../../base/regular-file.ts'
import { loadScene, type LoadSceneOptions } from '../formats/index.ts'
import { readMeshFile } from '../formats/mesh-file.ts'
import { type Bounds, boundsOf } from '../geometry/index.ts'
import type { SceneObject, TriangleMesh } from '../mesh.ts'
import { type PreparedScene, prepareScene } from '../render/index.ts'
import { buildScene } from '../rooms/assemble.ts'
import { type Scene, sceneSchema } from '../rooms/scene.ts'

export interface OpenedScene {
  prepared: PreparedScene
  /** The triangles, for walking, measuring and export. */
  mesh: () => Promise<TriangleMesh>
  bounds: Bounds
  /** What is in it; null for a mesh that does not say. */
  objects: readonly SceneObject[] | null
  /** The description that it was built from; null for a mesh. */
  description: Scene | null
  notes: readonly string[]
}

/**
 * `cache` and what is said about units and axes are for meshes: a description says it itself. The unit of a mesh is
 * guessed unless it is given.
 */
export type OpenOptions = Pick<LoadSceneOptions, 'cache' | 'up' | 'metersPerUnit'>

export async function openScene(path: string, options: OpenOptions = {}): Promise<OpenedScene> {
  const description = await descriptionIn(path)
  if (description === null) {
    const loaded = await loadScene(path, { metersPerUnit: 'guess', ...options })
    const { scene: prepared, bounds, notes } = loaded
    return { prepared, mesh: () => loaded.mesh(), bounds, objects: null, description: null, notes }
  }
  const { mesh, objects } = buildScene(description)
  const bounds = boundsOf(mesh.positions)
  return { prepared: prepareScene(mesh), mesh: () => Promise.resolve(mesh), bounds, objects, description, notes: [] }
}

/** The built-in scene in a file, or null when the file is a mesh. */
async function descriptionIn(path: string): Promise<Scene | null> {
  if (!/^(\u00ef\u00bb\u00bf)?\s*\{/.test(await firstText(path))) return null
  const text = Buffer.from(await readMeshFile(path)).toString('utf8')
  // Every glTF file has an `asset`; a scene of ours has none.
  return /"asset"\s*:/.test(text) ? null : parseDescription(text, path)
}

/** Enough of a file to know whether it is JSON. */
const FIRST_BYTES = 4096

async function firstText(path: string): Promise<string> {
  const file = await openRegular(path).catch(() => undefined)
  // What cannot be opened is said where whole files are read.
  if (!file) return ''
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(FIRST_BYTES), 0, FIRST_BYTES, 0)
    return buffer.toString('latin1', 0, bytesRead)
  } catch {
    return ''
  } finally {
    await file.close()
  }
}

export function parseDescription(text: string, where: string): Scene {
  let json: unknown
  try {
    json = parseForeignJson(text)
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
