/** A furnished room like a scan of one: walls, tables, chairs, shelves, vases, all of triangles of about the same size. */
import { Random } from '../../src/base/random.ts'
import type { Texture, TriangleMesh } from '../../src/world/mesh.ts'
import { type Camera, focalLength, fromYawPitch } from '../../src/world/render/index.ts'

const ROOM = { x: 7, y: 5.5, z: 2.7 }

/** A piece of surface over the unit square. */
interface Patch {
  point: (u: number, v: number) => [number, number, number]
  /** Meters along u and v. */
  size: [number, number]
  color: [number, number, number]
  instance: number
}

/** The room with about so many triangles. The same on every machine but for the last bits of `Math.sin`. */
export function furnishedRoom(triangles: number, textured: boolean): TriangleMesh {
  const patches = furnish()
  const area = patches.reduce((sum, { size }) => sum + size[0] * size[1], 0)
  const edge = Math.sqrt((2 * area) / triangles)
  const grids = patches.map(({ size }) => size.map((length) => Math.max(1, Math.round(length / edge))))
  const vertices = grids.reduce((sum, [across, down]) => sum + (across! + 1) * (down! + 1), 0)
  const faces = grids.reduce((sum, [across, down]) => sum + across! * down! * 2, 0)
  const positions = new Float32Array(vertices * 3)
  const colors = new Uint8Array(vertices * 3)
  const uvs = new Float32Array(vertices * 2)
  const indices = new Uint32Array(faces * 3)
  const triangleInstances = new Uint16Array(faces)
  const random = new Random('bench/render')
  let v = 0
  let t = 0
  for (const [i, { point, size, color, instance }] of patches.entries()) {
    const [across, down] = grids[i]! as [number, number]
    for (let row = 0; row < down; row++)
      for (let column = 0; column < across; column++) {
        const corner = v + row * (across + 1) + column
        indices.set([corner, corner + 1, corner + across + 2, corner, corner + across + 2, corner + across + 1], t * 3)
        triangleInstances.fill(instance, t, t + 2)
        t += 2
      }
    for (let row = 0; row <= down; row++)
      for (let column = 0; column <= across; column++) {
        // A scan is never flat: a few millimeters of bumps.
        const bump = 0.003 * Math.sin(17 * v) * Math.min(1, edge / 0.02)
        const p = point(column / across, row / down)
        positions.set([p[0] + bump, p[1] - bump, p[2] + bump], v * 3)
        const grain = random.unit() * 24 - 12
        for (let c = 0; c < 3; c++) colors[v * 3 + c] = textured ? 255 : Math.max(0, Math.min(255, color[c]! + grain))
        uvs.set([(column / across) * size[0], (row / down) * size[1]], v * 2)
        v++
      }
  }
  const material = { name: 'scan', color: [255, 255, 255] as const }
  return textured
    ? { positions, indices, uvs, triangleInstances, materials: [{ ...material, texture: noise(1024) }] }
    : { positions, indices, colors, triangleInstances, materials: [material] }
}

function noise(size: number): Texture {
  const random = new Random('bench/texture')
  const rgba = new Uint8Array(size * size * 4)
  for (let i = 0; i < size * size; i++) {
    const plank = ((i % size) >> 6) % 2 === 0 ? 150 : 180
    const grain = random.unit() * 50
    rgba.set([plank + grain, plank * 0.8 + grain, plank * 0.6 + grain, 255], i * 4)
  }
  return { width: size, height: size, rgba }
}

function furnish(): Patch[] {
  const random = new Random('bench/furniture')
  const patches: Patch[] = []
  const { x: wide, y: deep, z: tall } = ROOM
  box(patches, [0, 0, 0], [wide, deep, tall], [225, 220, 210], 1)
  for (let i = 0; i < 46; i++) {
    const instance = i + 2
    const x = random.range(0.3, wide - 0.9)
    const y = random.range(0.3, deep - 0.9)
    const color: [number, number, number] = [random.range(60, 230), random.range(60, 220), random.range(60, 200)]
    const kind = random.int(4)
    if (kind === 0) table(patches, x, y, random.range(0.6, 1.2), random.range(0.5, 0.9), color, instance)
    else if (kind === 1) shelf(patches, x, y, random.range(1.2, 2.1), color, instance)
    else if (kind === 2) vase(patches, x, y, random.range(0, 0.9), random.range(0.1, 0.25), color, instance)
    else
      box(
        patches,
        [x, y, 0],
        [x + random.range(0.3, 0.8), y + random.range(0.3, 0.8), random.range(0.4, 1)],
        color,
        instance,
      )
  }
  return patches
}

type Corner = [number, number, number]

function box(patches: Patch[], min: Corner, max: Corner, color: Corner, instance: number): void {
  for (let axis = 0; axis < 3; axis++) {
    const u = (axis + 1) % 3
    const w = (axis + 2) % 3
    for (const side of [min, max]) {
      const point = (s: number, t: number): Corner => {
        const p: Corner = [0, 0, 0]
        p[axis] = side[axis]!
        p[u] = min[u]! + s * (max[u]! - min[u]!)
        p[w] = min[w]! + t * (max[w]! - min[w]!)
        return p
      }
      patches.push({ point, size: [max[u]! - min[u]!, max[w]! - min[w]!], color, instance })
    }
  }
}

function table(
  patches: Patch[],
  x: number,
  y: number,
  wide: number,
  deep: number,
  color: Corner,
  instance: number,
): void {
  box(patches, [x, y, 0.7], [x + wide, y + deep, 0.74], color, instance)
  for (const [legX, legY] of [
    [0, 0],
    [wide - 0.05, 0],
    [0, deep - 0.05],
    [wide - 0.05, deep - 0.05],
  ] as const)
    box(patches, [x + legX, y + legY, 0], [x + legX + 0.05, y + legY + 0.05, 0.7], color, instance)
}

function shelf(patches: Patch[], x: number, y: number, tall: number, color: Corner, instance: number): void {
  for (let z = 0.05; z < tall; z += 0.35) {
    box(patches, [x, y, z], [x + 0.9, y + 0.3, z + 0.02], color, instance)
    for (let book = 0; book < 12; book++) {
      const left = x + 0.03 + book * 0.07
      const shade: Corner = [
        (color[0] * (book + 3)) % 256,
        (color[1] * (book + 5)) % 256,
        (color[2] * (book + 2)) % 256,
      ]
      box(patches, [left, y + 0.05, z + 0.02], [left + 0.05, y + 0.25, z + 0.22 + 0.008 * book], shade, instance)
    }
  }
  box(patches, [x, y, 0], [x + 0.02, y + 0.3, tall], color, instance)
  box(patches, [x + 0.88, y, 0], [x + 0.9, y + 0.3, tall], color, instance)
}

function vase(
  patches: Patch[],
  x: number,
  y: number,
  z: number,
  radius: number,
  color: Corner,
  instance: number,
): void {
  const point = (u: number, v: number): Corner => {
    const around = u * 2 * Math.PI
    const out = radius * (0.6 + 0.4 * Math.sin(v * 5))
    return [x + out * Math.cos(around), y + out * Math.sin(around), z + v * radius * 3]
  }
  patches.push({ point, size: [radius * 2 * Math.PI, radius * 3], color, instance })
}

/** A walk around the room, looking inwards and about. */
export function walk(poses: number, width: number, height: number): Camera[] {
  return Array.from({ length: poses }, (_, i) => {
    const around = (i / poses) * 2 * Math.PI
    const x = ROOM.x / 2 + Math.cos(around) * ROOM.x * 0.36
    const y = ROOM.y / 2 + Math.sin(around) * ROOM.y * 0.36
    const yaw = (i / poses) * 360 + 180 + 70 * Math.sin(i * 1.7)
    return { pose: fromYawPitch([x, y, 1.5], yaw, -8), lens: focalLength(300 * (width / 640), width, height) }
  })
}
