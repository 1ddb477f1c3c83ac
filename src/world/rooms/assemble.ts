/** From a scene's description to triangles, and to what each of them is. */
import { bakeLight } from '../light/bake.ts'
import { BoxCaster } from '../light/boxes.ts'
import type { Material, SceneObject, TriangleMesh } from '../mesh.ts'
import { buildObject } from '../objects/catalogue.ts'
import { type ObjectMesh, type Occluder, multiply } from '../objects/shapes.ts'
import { turnOf } from '../objects/trig.ts'
import { lightsOf } from './lights.ts'
import type { PlacedObject, Scene } from './scene.ts'
import { buildShell, shellOccluders } from './shell.ts'

export interface BuiltScene {
  mesh: TriangleMesh
  objects: SceneObject[]
  /** Inner outline of each room, counter-clockwise, by room id. */
  floors: ReadonlyMap<number, readonly (readonly [number, number])[]>
}

/**
 * The scene's triangles with their light. `light: false` leaves the light out, for who needs only shapes.
 *
 * @example
 * const { mesh, objects } = buildScene(generateScene({ seed: 7, kind: 'kitchen' }))
 * const renderer = new Renderer(prepareScene(mesh))
 */
export function buildScene(scene: Scene, { light = true }: { light?: boolean } = {}): BuiltScene {
  const mesh = gather(scene)
  return {
    mesh: light ? { ...mesh, light: bakeLight(mesh, new BoxCaster(sceneOccluders(scene)), lightsOf(scene)) } : mesh,
    objects: sceneObjects(scene),
    floors: new Map(
      scene.rooms.map(({ id, x, y }) => [
        id,
        [
          [x[0], y[0]],
          [x[1], y[0]],
          [x[1], y[1]],
          [x[0], y[1]],
        ],
      ]),
    ),
  }
}

/** What is where, without building any triangles of the room. */
export function sceneObjects(scene: Scene): SceneObject[] {
  return scene.objects.map(({ instance, category, variant, position, yaw, room, support }) => {
    const { size, facing } = buildObject(category, variant)
    return {
      instance,
      category,
      box: { center: [position[0], position[1], position[2] + size[2] / 2], size, yaw },
      facing: facing === null ? null : yaw,
      support,
      room,
    }
  })
}

function frameOf({ position, yaw }: PlacedObject): readonly number[] {
  const [c, s] = turnOf(yaw)
  return [c, -s, 0, position[0], s, c, 0, position[1], 0, 0, 1, position[2]]
}

/** All that keeps light and sight away, as boxes. */
export function sceneOccluders(scene: Scene): Occluder[] {
  const boxes = shellOccluders(scene)
  for (const placed of scene.objects) {
    const frame = frameOf(placed)
    for (const occluder of buildObject(placed.category, placed.variant).occluders) {
      boxes.push({ frame: multiply(frame, occluder.frame), half: occluder.half })
    }
  }
  return boxes
}

type SceneMesh = ObjectMesh & { triangleInstances: Uint16Array }

function gather(scene: Scene): SceneMesh {
  const shell = buildShell(scene).mesh([0, 0, 0])
  const parts = scene.objects.map((placed) => ({ placed, mesh: buildObject(placed.category, placed.variant).mesh }))
  let vertices = shell.positions.length / 3
  let triangles = shell.indices.length / 3
  for (const { mesh } of parts) {
    vertices += mesh.positions.length / 3
    triangles += mesh.indices.length / 3
  }
  const all: SceneMesh = {
    positions: new Float32Array(vertices * 3),
    normals: new Float32Array(vertices * 3),
    uvs: new Float32Array(vertices * 2),
    indices: new Uint32Array(triangles * 3),
    triangleMaterials: new Uint16Array(triangles),
    triangleInstances: new Uint16Array(triangles),
    materials: [],
  }
  const materials = new Map<Material, number>()
  let vertex = 0
  let triangle = 0
  const append = (mesh: ObjectMesh, instance: number, frame: readonly number[] | null): void => {
    const count = mesh.positions.length / 3
    if (frame) {
      place(mesh.positions, frame, true, all.positions, vertex * 3)
      place(mesh.normals, frame, false, all.normals, vertex * 3)
    } else {
      all.positions.set(mesh.positions, vertex * 3)
      all.normals.set(mesh.normals, vertex * 3)
    }
    all.uvs.set(mesh.uvs, vertex * 2)
    const own = mesh.materials.map((material) => {
      const known = materials.get(material) ?? materials.size
      materials.set(material, known)
      return known
    })
    for (let i = 0; i < mesh.indices.length; i++) all.indices[triangle * 3 + i] = mesh.indices[i]! + vertex
    for (let t = 0; t < mesh.triangleMaterials.length; t++) {
      all.triangleMaterials[triangle + t] = own[mesh.triangleMaterials[t]!]!
      all.triangleInstances[triangle + t] = instance
    }
    vertex += count
    triangle += mesh.triangleMaterials.length
  }
  append(shell, 0, null)
  for (const { placed, mesh } of parts) append(mesh, placed.instance, frameOf(placed))
  return { ...all, materials: [...materials.keys()] }
}

function place(from: Float32Array, m: readonly number[], move: boolean, into: Float32Array, at: number): void {
  const [dx, dy, dz] = move ? [m[3]!, m[7]!, m[11]!] : [0, 0, 0]
  for (let i = 0; i < from.length; i += 3) {
    const x = from[i]!
    const y = from[i + 1]!
    into[at + i] = m[0]! * x + m[1]! * y + dx
    into[at + i + 1] = m[4]! * x + m[5]! * y + dy
    into[at + i + 2] = from[i + 2]! + dz
  }
}
