import { describe, expect, test } from 'vitest'
import { Random } from '../../base/random.ts'
import type { OrientedBox } from '../mesh.ts'
import { boxRoom } from '../../../test/support/world/box-room.ts'
import { boxesOverlap, closestInBox, closestOfBoxes, pointInBox, turnedBox } from './boxes.ts'
import { closestOfPoints, instanceTree } from './bvh.ts'
import { distance, type Vec3 } from '../vector.ts'

const box = (center: Vec3, size: Vec3, yaw = 0): OrientedBox => ({ center, size, yaw })
const between = (a: OrientedBox, b: OrientedBox) => closestOfBoxes(turnedBox(a), turnedBox(b))

describe('two boxes', () => {
  test.each([
    ['face to face', box([0, 0, 0], [2, 2, 2]), box([5, 0, 0], [2, 2, 2]), 3],
    ['corner to corner', box([0, 0, 0], [2, 2, 2]), box([4, 4, 4], [2, 2, 2]), Math.sqrt(12)],
    ['edge to face, turned by 45°', box([0, 0, 0], [2, 2, 2]), box([4, 0, 0], [2, 2, 2], 45), 3 - Math.SQRT2],
    ['one above the other', box([0, 0, 0], [1, 1, 1]), box([0.2, 0.1, 3], [1, 1, 1], 30), 2],
    ['touching', box([0, 0, 0], [2, 2, 2]), box([2, 0, 0], [2, 2, 2]), 0],
    ['one inside the other', box([0, 0, 0], [4, 4, 4]), box([0.5, 0, 0], [1, 1, 1], 20), 0],
    ['crossing without a corner inside', box([0, 0, 0], [10, 1, 1]), box([0, 0, 0], [1, 10, 1]), 0],
  ])('%s', (_, a, b, expected) => {
    const found = between(a, b)
    expect(found.distance).toBeCloseTo(expected, 9)
    expect(between(b, a).distance).toBeCloseTo(expected, 9)
    expect(distance(found.a, found.b)).toBeCloseTo(found.distance, 9)
    expect(boxesOverlap(turnedBox(a), turnedBox(b))).toBe(expected === 0)
  })

  test('are as far apart as their meshes, and closer than any two sampled points', () => {
    const random = new Random('boxes')
    for (let round = 0; round < 40; round++) {
      const make = () =>
        box(
          [random.range(-3, 3), random.range(-3, 3), random.range(0, 2)],
          [random.range(0.2, 2), random.range(0.2, 2), random.range(0.2, 2)],
          random.range(0, 360),
        )
      const [a, b] = [make(), make()]
      const exact = between(a, b)
      const mesh = boxRoom({ size: [1, 1], boxes: [a, b] })
      const surfaces = instanceTree(mesh, 1).closestTo(instanceTree(mesh, 2))
      // One box inside the other has surfaces that are apart.
      if (exact.distance > 0) expect(surfaces.distance).toBeCloseTo(exact.distance, 4)
      const inside = (of: OrientedBox): Vec3 =>
        closestInBox(turnedBox(of), [random.range(-6, 6), random.range(-6, 6), random.range(-6, 6)])
      for (let i = 0; i < 50; i++) expect(distance(inside(a), inside(b))).toBeGreaterThanOrEqual(exact.distance - 1e-9)
    }
  })
})

test('a point in a turned box is found inside', () => {
  const turned = turnedBox(box([1, 1, 0], [4, 0.2, 1], 45))
  expect(pointInBox(turned, [2, 2, 0])).toBe(true)
  expect(pointInBox(turned, [2, 0, 0])).toBe(false)
})

test('two clouds of points', () => {
  const random = new Random('clouds')
  const cloud = (x: number) => Float32Array.from({ length: 300 }, (_, i) => random.range(0, 1) + (i % 3 === 0 ? x : 0))
  const [a, b] = [cloud(0), cloud(3)]
  let least = Infinity
  for (let i = 0; i < 300; i += 3) {
    for (let j = 0; j < 300; j += 3) {
      least = Math.min(least, distance([a[i]!, a[i + 1]!, a[i + 2]!], [b[j]!, b[j + 1]!, b[j + 2]!]))
    }
  }
  expect(closestOfPoints(a, b).distance).toBeCloseTo(least, 9)
})
