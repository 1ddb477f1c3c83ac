/** A grid scene as triangles: rooms, doors and objects, each with the number of what it belongs to, and light. */
import { bakeLight, type AreaLight, type LightSetup } from '../../../world/light/bake.ts'
import { BoxCaster } from '../../../world/light/boxes.ts'
import type { Material, TriangleMesh } from '../../../world/mesh.ts'
import { multiply, type ObjectMesh, type Occluder, Sculpture } from '../../../world/objects/shapes.ts'
import { finish } from '../../../world/materials/finishes.ts'
import { EAST, type GridObject, type Scene, type Vec } from '../grid/scene.ts'
import { entitiesOf } from '../grid/view.ts'
import { buildDoor, buildShell, roomBoxes, shellOccluders, WALL_HEIGHT } from './shell.ts'
import { appearanceKey, PLINTH_WIDTH, type ShownObject, shownObject } from './shown.ts'

export interface BuildOptions {
  /** Without light a scene has depth and ids, and flat colours. Default true. */
  light?: boolean
  /** Leave the objects out: for maps. Default true. */
  objects?: boolean
}

/** The number of an entity in the id picture: its place in the list, from 1. 0 is the room itself. */
export function instanceOf(scene: Scene, name: string): number {
  return scene.order.indexOf(name) + 1
}

export function buildGridMesh(scene: Scene, { light = true, objects = true }: BuildOptions = {}): TriangleMesh {
  const gathered = new Gathered()
  const occluders: Occluder[] = shellOccluders(scene)
  gathered.add(buildShell(scene).mesh([0, 0, 0]), 0)
  const appearance = appearanceKey(scene)
  for (const entity of entitiesOf(scene)) {
    const instance = instanceOf(scene, entity.name)
    if (entity.kind === 'door') gathered.add(buildDoor(entity).mesh([0, 0, 0]), instance)
    else if (objects) {
      const shown = shownObject(entity, appearance)
      const frame = frameOf(entity, shown)
      gathered.add(shown.model.mesh, instance, frame)
      if (shown.raised > 0) {
        const plinth = buildPlinth(entity.pos, shown.raised)
        gathered.add(plinth.mesh([0, 0, 0]), instance)
        occluders.push(...plinth.occluders)
      }
      for (const { frame: own, half } of shown.model.occluders) occluders.push(scaled(frame, shown.scale, own, half))
    }
  }
  const mesh = gathered.mesh()
  return light ? { ...mesh, light: bakeLight(mesh, new BoxCaster(occluders), lightOf(scene)) } : mesh
}

/** Rows of the matrix that puts an object on its cell, its front along its heading. */
export function frameOf(
  { pos, heading, oriented }: Pick<GridObject, 'pos' | 'heading' | 'oriented'>,
  { scale, raised }: ShownObject,
): number[] {
  // What has no front stands as it was made: its heading is a placeholder that must not show.
  const [hx, hy]: Vec = oriented ? heading : EAST
  return [hx * scale, -hy * scale, 0, pos[0], hy * scale, hx * scale, 0, pos[1], 0, 0, scale, raised]
}

function buildPlinth([x, y]: Vec, height: number): Sculpture {
  const look = finish('plinth', [188, 190, 194], { roughness: 0.8 })
  return new Sculpture().box(look, [PLINTH_WIDTH, PLINTH_WIDTH, height], [x, y, height / 2], 0.01)
}

/** Rays are cast in metres: an occluder keeps a frame without scale, and its halves are scaled instead. */
function scaled(
  frame: readonly number[],
  scale: number,
  own: readonly number[],
  half: readonly [number, number, number],
): Occluder {
  const placed = multiply(frame, own)
  const turned = placed.map((value, i) => (i % 4 === 3 ? value : value / scale))
  return { frame: turned, half: [half[0] * scale, half[1] * scale, half[2] * scale] }
}

/** One wide lamp under the ceiling of each room, and what its walls throw back. */
function lightOf(scene: Scene): LightSetup {
  const rooms = roomBoxes(scene)
  const areas = rooms.map(({ x, y }): AreaLight => {
    const [hx, hy] = [(x[1] - x[0]) / 2, (y[1] - y[0]) / 2]
    return {
      // A little off the middle: faces of a box then differ in brightness, and its edges show.
      center: [(x[0] + x[1]) / 2 + hx * 0.15, (y[0] + y[1]) / 2 - hy * 0.1, WALL_HEIGHT - 0.04],
      u: [hx * 0.5, 0, 0],
      v: [0, hy * 0.5, 0],
      normal: [0, 0, -1],
      color: [1.5, 1.45, 1.36],
      samples: [2, 2],
      reach: 40,
      homes: [{ x: [x[0] - 0.04, x[1] + 0.04], y: [y[0] - 0.04, y[1] + 0.04] }],
    }
  })
  return { areas, ambient: () => [0.56, 0.57, 0.59], ambientReach: 0.7 }
}

/** Meshes laid end to end. */
class Gathered {
  readonly #parts: { mesh: ObjectMesh; instance: number; frame: readonly number[] | null }[] = []

  add(mesh: ObjectMesh, instance: number, frame: readonly number[] | null = null): void {
    this.#parts.push({ mesh, instance, frame })
  }

  mesh(): ObjectMesh & { triangleInstances: Uint16Array } {
    let vertices = 0
    let triangles = 0
    for (const { mesh } of this.#parts) {
      vertices += mesh.positions.length / 3
      triangles += mesh.indices.length / 3
    }
    const materials = new Map<Material, number>()
    const all = {
      positions: new Float32Array(vertices * 3),
      normals: new Float32Array(vertices * 3),
      uvs: new Float32Array(vertices * 2),
      indices: new Uint32Array(triangles * 3),
      triangleMaterials: new Uint16Array(triangles),
      triangleInstances: new Uint16Array(triangles),
    }
    let vertex = 0
    let triangle = 0
    for (const { mesh, instance, frame } of this.#parts) {
      place(mesh, frame, all.positions, all.normals, vertex * 3)
      all.uvs.set(mesh.uvs, vertex * 2)
      for (let i = 0; i < mesh.indices.length; i++) all.indices[triangle * 3 + i] = mesh.indices[i]! + vertex
      const own = mesh.materials.map((material) => {
        const number = materials.get(material) ?? materials.size
        materials.set(material, number)
        return number
      })
      const count = mesh.triangleMaterials.length
      for (let t = 0; t < count; t++) all.triangleMaterials[triangle + t] = own[mesh.triangleMaterials[t]!]!
      all.triangleInstances.fill(instance, triangle, triangle + count)
      vertex += mesh.positions.length / 3
      triangle += count
    }
    return { ...all, materials: [...materials.keys()] }
  }
}

function place(
  { positions, normals }: ObjectMesh,
  frame: readonly number[] | null,
  toPositions: Float32Array,
  toNormals: Float32Array,
  at: number,
): void {
  if (frame === null) {
    toPositions.set(positions, at)
    toNormals.set(normals, at)
    return
  }
  const [a, b, , x0, c, d, , y0] = frame as [number, number, number, number, number, number, number, number]
  const scale = frame[10]!
  for (let i = 0; i < positions.length; i += 3) {
    const [x, y] = [positions[i]!, positions[i + 1]!]
    toPositions[at + i] = a * x + b * y + x0
    toPositions[at + i + 1] = c * x + d * y + y0
    toPositions[at + i + 2] = positions[i + 2]! * scale + frame[11]!
    const [nx, ny] = [normals[i]! / scale, normals[i + 1]! / scale]
    toNormals[at + i] = a * nx + b * ny
    toNormals[at + i + 1] = c * nx + d * ny
    toNormals[at + i + 2] = normals[i + 2]!
  }
}
