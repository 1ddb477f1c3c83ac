import { expect, test } from 'vitest'
import { Random } from '../../base/random.ts'
import type { Vec3 } from '../vector.ts'
import { FloorIndex } from './floor-index.ts'

test('finds every triangle in a box once, wherever it is and however large', () => {
  const random = new Random('floor index')
  const corners: number[] = []
  const triangles = 600
  for (let i = 0; i < triangles; i++) {
    const reach = i % 20 === 0 ? 8 : i % 5 === 0 ? 1 : 0.1
    // A few lie far outside of the others, as stray points of a scan do.
    const far = i % 97 === 0 ? 40 : 0
    const middle = [random.range(-5, 5) + far, random.range(-5, 5) - far, random.range(0, 2.5)]
    for (let k = 0; k < 9; k++) corners.push(middle[k % 3]! + random.range(-reach, reach))
  }
  const positions = Float32Array.from(corners)
  const index = new FloorIndex({ positions, indices: Uint32Array.from({ length: triangles * 3 }, (_, i) => i) })
  for (let round = 0; round < 200; round++) {
    const away = round % 10 === 0 ? 40 : 0
    const min: Vec3 = [random.range(-7, 7) + away, random.range(-7, 7) - away, random.range(-0.5, 2)]
    const max: Vec3 = [min[0] + random.range(0, 2), min[1] + random.range(0, 2), min[2] + random.range(0, 2)]
    const found: number[] = []
    index.visitBox(min, max, (triangle) => found.push(triangle))
    const expected = Array.from({ length: triangles }, (_, t) => t).filter((t) =>
      [0, 1, 2].every((axis) => {
        const values = [0, 3, 6].map((k) => positions[t * 9 + k + axis]!)
        return Math.min(...values) <= max[axis]! && Math.max(...values) >= min[axis]!
      }),
    )
    expect(found.toSorted((a, b) => a - b)).toEqual(expected)
  }
})

test.each([
  ['no triangle', []],
  ['a corner that is NaN', [NaN, 0, 0, 1, 0, 0, 0, 1, 0]],
])('a mesh with %s is walked through', (_, corners) => {
  const positions = Float32Array.from(corners)
  const index = new FloorIndex({ positions, indices: Uint32Array.from({ length: corners.length / 3 }, (__, i) => i) })
  expect(() => index.visitBox([0, 0, 0], [1, 1, 1], () => {})).not.toThrow()
})
