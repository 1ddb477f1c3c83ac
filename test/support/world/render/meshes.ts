/** Small meshes that the renderer's tests draw. */
import { Random } from '../../../../src/base/random.ts'
import type { Material, Texture, TriangleMesh } from '../../../../src/world/mesh.ts'
import { sinCosDegrees } from '../../../../src/world/render/angles.ts'

export type Triple = readonly [number, number, number]

export interface Box {
  min: Triple
  max: Triple
  color?: Triple
  instance?: number
  material?: number
}

const WHITE: readonly Material[] = [{ name: 'white', color: [255, 255, 255] }]

/** Axis-aligned boxes, corners counterclockwise as seen from outside. With `light` as if lit from above. */
export function boxes(list: readonly Box[], materials: readonly Material[] = WHITE, light = false): TriangleMesh {
  const positions: number[] = []
  const indices: number[] = []
  const colors: number[] = []
  const uvs: number[] = []
  const baked: number[] = []
  const triangleMaterials: number[] = []
  const triangleInstances: number[] = []
  for (const { min, max, color = [255, 255, 255], instance = 0, material = 0 } of list)
    for (let axis = 0; axis < 3; axis++)
      for (const side of [min, max]) {
        const u = (axis + 1) % 3
        const v = (axis + 2) % 3
        const first = positions.length / 3
        for (const [s, t] of [
          [0, 0],
          [1, 0],
          [1, 1],
          [0, 1],
        ] as const) {
          const corner = [0, 0, 0]
          corner[axis] = side[axis]!
          corner[u] = s === 0 ? min[u]! : max[u]!
          corner[v] = t === 0 ? min[v]! : max[v]!
          positions.push(...corner)
          colors.push(...color)
          uvs.push(s * (max[u]! - min[u]!), t * (max[v]! - min[v]!))
          const bright = [0.5, 0.8, 1.6][axis]! * (side === max ? 1 : 0.7)
          baked.push(bright, bright * 0.95, bright * 0.85 + s * 0.1)
        }
        const corners = side === max ? [0, 1, 2, 0, 2, 3] : [0, 2, 1, 0, 3, 2]
        indices.push(...corners.map((corner) => corner + first))
        triangleMaterials.push(material, material)
        triangleInstances.push(instance, instance)
      }
  return {
    positions: Float32Array.from(positions),
    indices: Uint32Array.from(indices),
    colors: Uint8Array.from(colors),
    uvs: Float32Array.from(uvs),
    ...(light ? { light: Float32Array.from(baked) } : {}),
    triangleMaterials: Uint16Array.from(triangleMaterials),
    triangleInstances: Uint16Array.from(triangleInstances),
    materials,
  }
}

/** A ball of `2 · rings²` or so triangles. */
export function ball(center: Triple, radius: number, rings: number): TriangleMesh {
  const across = rings * 2
  const positions: number[] = []
  const indices: number[] = []
  for (let ring = 0; ring <= rings; ring++)
    for (let step = 0; step <= across; step++) {
      const down = sinCosDegrees((ring / rings) * 180)
      const around = sinCosDegrees((step / across) * 360)
      positions.push(
        center[0] + radius * down.sin * around.cos,
        center[1] + radius * down.sin * around.sin,
        center[2] + radius * down.cos,
      )
      if (ring === rings || step === across) continue
      const corner = ring * (across + 1) + step
      indices.push(corner, corner + across + 1, corner + across + 2, corner, corner + across + 2, corner + 1)
    }
  return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices), materials: WHITE }
}

/** Triangles of all sizes, slivers and points among them, in front of, around and behind the origin. */
export function confetti(count: number, seed: string): TriangleMesh {
  const random = new Random(seed)
  const positions: number[] = []
  for (let t = 0; t < count; t++) {
    const size = random.pick([0.001, 0.01, 0.1, 0.5, 2, 10])
    const thin = random.chance(0.2) ? 0.001 : 1
    const center = [random.range(-6, 6), random.range(-6, 6), random.range(-3, 3)]
    for (let corner = 0; corner < 3; corner++)
      positions.push(...center.map((c, axis) => c + size * (axis === 1 ? thin : 1) * random.range(-0.5, 0.5)))
  }
  const vertices = count * 3
  return {
    positions: Float32Array.from(positions),
    indices: Uint32Array.from({ length: vertices }, (_, i) => i),
    colors: Uint8Array.from({ length: vertices * 3 }, () => random.int(256)),
    triangleInstances: Uint16Array.from({ length: count }, (_, i) => i + 1),
    materials: WHITE,
  }
}

/** A hilly ground of `side²` squares, like a scan: shared vertices, colors of its own. */
export function hills(side: number): TriangleMesh {
  const random = new Random('hills')
  const positions: number[] = []
  const colors: number[] = []
  const indices: number[] = []
  for (let row = 0; row <= side; row++)
    for (let column = 0; column <= side; column++) {
      positions.push((column / side) * 8 - 4, (row / side) * 8 - 4, random.range(0, 0.4))
      colors.push(random.int(256), random.int(256), random.int(256))
      if (row === side || column === side) continue
      const corner = row * (side + 1) + column
      indices.push(corner, corner + 1, corner + side + 2, corner, corner + side + 2, corner + side + 1)
    }
  return {
    positions: Float32Array.from(positions),
    colors: Uint8Array.from(colors),
    indices: Uint32Array.from(indices),
    triangleInstances: Uint16Array.from({ length: indices.length / 3 }, (_, i) => i % 7),
    materials: WHITE,
  }
}

/** Squares of two colors; `hole` makes one of them see-through. */
export function checkers(width: number, height: number, hole = false): Texture {
  const rgba = new Uint8Array(width * height * 4)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const light = ((x >> 3) + (y >> 3)) % 2 === 0
      rgba.set(light ? [230, 220, 200, 255] : [90, 60, 40, hole ? 0 : 255], (y * width + x) * 4)
    }
  return { width, height, rgba }
}

/** A room with two boxes, panes of glass and a lamp. */
export function room(light: boolean): TriangleMesh {
  const materials: Material[] = [
    { name: 'paint', color: [255, 255, 255] },
    { name: 'tiles', color: [250, 240, 255], texture: checkers(60, 64) },
    { name: 'glass', color: [200, 255, 240], opacity: 0.3 },
    { name: 'lamp', color: [255, 220, 150], glow: 0.8 },
    { name: 'grille', color: [255, 255, 255], texture: checkers(32, 32, true) },
  ]
  return boxes(
    [
      { min: [-4, -4, 0], max: [6, 4, 2.6], instance: 1, material: 1 },
      { min: [2, 0.8, 0], max: [2.6, 1.4, 1], color: [230, 30, 30], instance: 2 },
      { min: [2, -1.4, 0], max: [2.6, -0.8, 1], color: [30, 60, 230], instance: 3 },
      { min: [1.5, -0.6, 0.6], max: [1.55, 0.6, 1.6], instance: 4, material: 2 },
      { min: [1, 0.3, 2.2], max: [1.4, 0.7, 2.5], instance: 5, material: 3 },
      { min: [1.1, -1.5, 0.5], max: [1.15, -0.7, 1.3], instance: 6, material: 4 },
    ],
    materials,
    light,
  )
}
