/** A user's scene: a mesh, and which of its triangles are in the box of which object. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { hashOf, LruCache, UserError } from '../../../../suite.ts'
import {
  boundsOf,
  boxCorners,
  floorArea,
  loadMesh,
  pointInBox,
  type SceneObject,
  type TriangleMesh,
  turnedBox,
} from '../../../../world.ts'
import { protocolBounds } from '../bounds.ts'
import { type KnownScene, knownScene } from './known.ts'
import { type OwnFile, readOwnFile, SCENE_FILE } from './own-file.ts'

export interface OwnScene extends KnownScene {
  /** Of the mesh file. */
  hash: string
}

/** Surfaces of an object lie on its box, or a little outside of one that was drawn by hand. In meters. */
const BOX_MARGIN = 0.01
/** What is this close to the floor or to the top of something stands on it. In meters. */
const STANDS_WITHIN = 0.05

const loaded = new LruCache<Promise<OwnScene>>(4)

/** Loaded again if its files have changed. */
export async function ownScene(folder: string): Promise<OwnScene> {
  const file = await readOwnFile(folder)
  const { size, mtimeMs } = await stat(join(folder, file.mesh)).catch(() => ({ size: 0, mtimeMs: 0 }))
  return loaded.getOrCreate(hashOf({ folder, file, size, mtimeMs }), () => load(folder, file))
}

async function load(folder: string, file: OwnFile): Promise<OwnScene> {
  const { mesh, sha256 } = await loadMesh(join(folder, file.mesh), {
    ...(file.up && { up: file.up }),
    ...(file.metersPerUnit !== undefined && { metersPerUnit: file.metersPerUnit }),
  })
  const problem = (what: string, hint: string): UserError =>
    new UserError(`${join(folder, SCENE_FILE)}: ${what}.`, { hint })
  const boxes = file.objects.map(({ center, size, yaw }) => ({ center, size, yaw }))
  const triangleInstances = trianglesIn(mesh, boxes)
  const found = new Set(triangleInstances)
  const empty = file.objects.find((_, i) => !found.has(i + 1))
  if (empty) {
    const { min, max } = boundsOf(mesh.positions)
    const [from, to] = [min, max].map((point) => point.map((value) => value.toFixed(1)).join(', '))
    throw problem(
      `the box of "${empty.name}" has nothing of the mesh in it, which reaches from (${from}) to (${to})`,
      'Boxes are in meters with z up: x, -z, y of a glTF file. Set "up" or "metersPerUnit" if the mesh is turned or scaled.',
    )
  }
  const rooms = new Set(file.objects.map(({ room }) => room)).size
  try {
    const bounds = protocolBounds(mesh.positions)
    const area = file.floorArea ?? floorArea(mesh.positions)
    const known = knownScene({ ...mesh, triangleInstances }, { objects: [], bounds, area, rooms })
    const { floor, walkable } = known.space()
    if (walkable.includes(1)) return { ...known, objects: objectsOf(file, floor, bounds.max[2]), hash: sha256 }
    throw new RangeError(`nobody can stand in it: the mesh has no free floor at a height of ${floor.toFixed(2)} m`)
  } catch (error) {
    // Also what is too large to be measured.
    if (!(error instanceof RangeError)) throw error
    throw problem(error.message, 'Check "up" and "metersPerUnit", and that the mesh has a floor.')
  }
}

type Box = SceneObject['box']

/** The number of the object, from 1, in whose box each triangle is; of the smallest one if there are several. */
function trianglesIn({ positions, indices }: TriangleMesh, boxes: readonly Box[]): Uint16Array {
  const instances = new Uint16Array(indices.length / 3)
  const smallestFirst = boxes
    .map((box, i) => ({ instance: i + 1, box, volume: box.size[0] * box.size[1] * box.size[2] }))
    .sort((a, b) => a.volume - b.volume || a.instance - b.instance)
    .map(({ instance, box: { center, size, yaw } }) => {
      const [x, y, z] = size
      const turned = turnedBox({ center, yaw, size: [x + 2 * BOX_MARGIN, y + 2 * BOX_MARGIN, z + 2 * BOX_MARGIN] })
      const bottom = center[2] - z / 2
      return {
        instance,
        turned,
        ...boundsOf(boxCorners(turned).flat()),
        // The floor that shows between the legs of a table is not part of it.
        least: z > 2 * STANDS_WITHIN ? bottom + BOX_MARGIN : bottom - BOX_MARGIN,
      }
    })
  for (let triangle = 0; triangle < instances.length; triangle++) {
    const at = (axis: number): number => {
      let sum = 0
      for (let corner = 0; corner < 3; corner++) sum += positions[indices[triangle * 3 + corner]! * 3 + axis]!
      return sum / 3
    }
    const [x, y, z] = [at(0), at(1), at(2)]
    for (const { instance, turned, min, max, least } of smallestFirst) {
      if (x < min[0] || x > max[0] || y < min[1] || y > max[1] || z < least || z > max[2]) continue
      if (!pointInBox(turned, [x, y, z])) continue
      instances[triangle] = instance
      break
    }
  }
  return instances
}

function objectsOf({ objects }: OwnFile, floor: number, ceiling: number): SceneObject[] {
  return objects.map(({ name, center, size, yaw, room, support }, i) => {
    const bottom = center[2] - size[2] / 2
    const below = objects.findIndex(
      (other, k) =>
        k !== i &&
        Math.abs(other.center[2] + other.size[2] / 2 - bottom) <= STANDS_WITHIN &&
        pointInBox(turnedBox(other), [center[0], center[1], other.center[2]]),
    )
    const found = (): SceneObject['support'] => {
      if (bottom <= floor + STANDS_WITHIN) return 'floor'
      if (below >= 0) return below + 1
      return center[2] + size[2] / 2 >= ceiling - STANDS_WITHIN ? 'ceiling' : 'wall'
    }
    return {
      instance: i + 1,
      category: name,
      box: { center, size, yaw },
      facing: null,
      support: support ?? found(),
      room,
    }
  })
}
