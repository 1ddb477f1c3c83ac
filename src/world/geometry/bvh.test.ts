import { describe, expect, test } from 'vitest'
import { Random } from '../../base/random.ts'
import { boxRoom } from '../../../test/support/world/box-room.ts'
import { TriangleTree } from './bvh.ts'
import { closestOnTriangle } from './segments.ts'
import { distance, type Vec3 } from '../vector.ts'

const TABLE = { center: [2, 2, 0.4], size: [1, 1, 0.8], yaw: 0 } as const
const room = boxRoom({ size: [4, 5], boxes: [TABLE] })
const tree = new TriangleTree(room)

describe('a ray', () => {
  test.each<[string, Vec3, Vec3, number, number]>([
    ['straight to the wall', [1, 1, 1], [1, 0, 0], 3, 0],
    ['down to the table', [2.1, 2.2, 2], [0, 0, -1], 1.2, 1],
    ['down to the floor', [0.5, 0.5, 2], [0, 0, -1], 2, 0],
    ['along the seam of two triangles', [1, 1, 1], [0, 1, 0], 4, 0],
    ['slanted', [0.5, 0.5, 0.5], [Math.SQRT1_2, Math.SQRT1_2, 0], Math.SQRT2, 1],
  ])('%s', (_, origin, direction, expected, instance) => {
    const hit = tree.raycast(origin, direction)!
    expect(hit.distance).toBeCloseTo(expected, 6)
    expect(room.triangleInstances![hit.triangle]).toBe(instance)
  })

  test('misses empty space and anything beyond its range', () => {
    expect(tree.raycast([1, 1, 1], [0, 0, 1])).toBeUndefined()
    expect(tree.raycast([1, 1, 1], [1, 0, 0], 2.9)).toBeUndefined()
  })

  test('hits unoccluded objects only', () => {
    expect(tree.sees([0.5, 2, 0.5], [1.5, 2, 0.5])).toBe(true)
    expect(tree.sees([0.5, 2, 0.5], [3.5, 2, 0.5])).toBe(false)
    expect(tree.sees([0.5, 2, 1.5], [3.5, 2, 1.5])).toBe(true)
  })
})

/** Triangles strewn about, of all sizes. */
function clutter(count: number): { positions: Float32Array; indices: Uint32Array } {
  const random = new Random('clutter')
  const positions = new Float32Array(count * 9)
  for (let t = 0; t < count; t++) {
    const center = [random.range(0, 10), random.range(0, 10), random.range(0, 3)]
    const size = random.range(0.01, 1)
    for (let k = 0; k < 9; k++) positions[t * 9 + k] = center[k % 3]! + random.range(-size, size)
  }
  return { positions, indices: Uint32Array.from({ length: count * 3 }, (_, i) => i) }
}

test('the tree agrees with brute force', () => {
  const mesh = clutter(500)
  const all = new TriangleTree(mesh)
  const singles = Array.from(
    { length: 500 },
    (_, t) => new TriangleTree({ ...mesh, indices: mesh.indices.subarray(t * 3, t * 3 + 3) }),
  )
  const random = new Random('rays')
  for (let round = 0; round < 60; round++) {
    const origin: Vec3 = [random.range(-1, 11), random.range(-1, 11), random.range(-1, 4)]
    const raw: Vec3 = [random.normal(), random.normal(), random.normal()]
    const length = distance(raw, [0, 0, 0])
    const direction: Vec3 = [raw[0] / length, raw[1] / length, raw[2] / length]
    const hits = singles.flatMap((single) => single.raycast(origin, direction)?.distance ?? [])
    expect(all.raycast(origin, direction)?.distance).toBe(hits.length > 0 ? Math.min(...hits) : undefined)

    const nearest = Math.min(
      ...singles.map((single) => distance(origin, closestOnTriangle(origin, ...single.triangle(0)))),
    )
    expect(all.closestPoint(origin)!.distance).toBeCloseTo(nearest, 9)
  }
})
