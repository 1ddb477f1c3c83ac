import { describe, expect, test } from 'vitest'
import { buildObject, categories } from './catalogue.ts'

const EXPLORATION_CATALOGUE = [
  ['chair', true],
  ['sofa', true],
  ['bookshelf', true],
  ['cabinet', true],
  ['television', true],
  ['refrigerator', true],
  ['microwave', true],
  ['oven', true],
  ['computer', true],
  ['printer', true],
  ['scanner', true],
  ['monitor', true],
  ['projector', true],
  ['whiteboard', true],
  ['air conditioner', true],
  ['table', false],
  ['lamp', false],
  ['plant', false],
  ['vase', false],
  ['trash can', false],
] as const

/** Depth, width, height: what people have at home, meters, from and to. */
const PLAUSIBLE: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  chair: [
    [0.4, 0.65],
    [0.38, 0.6],
    [0.75, 1.05],
  ],
  sofa: [
    [0.8, 1.1],
    [1.4, 2.8],
    [0.7, 1.1],
  ],
  bed: [
    [2, 2.2],
    [0.9, 2],
    [0.7, 1.25],
  ],
  desk: [
    [0.6, 0.85],
    [1.1, 1.7],
    [0.7, 0.78],
  ],
  refrigerator: [
    [0.6, 0.8],
    [0.58, 0.75],
    [1.6, 2],
  ],
  toilet: [
    [0.6, 0.85],
    [0.35, 0.45],
    [0.7, 0.95],
  ],
  cup: [
    [0.07, 0.1],
    [0.09, 0.14],
    [0.08, 0.12],
  ],
  bicycle: [
    [1.5, 1.9],
    [0.5, 0.7],
    [0.95, 1.15],
  ],
  television: [
    [0.1, 0.35],
    [0.9, 1.4],
    [0.55, 0.9],
  ],
}

test('there are at least 60 categories', () => {
  expect(new Set(categories).size).toBeGreaterThanOrEqual(60)
})

test.each(EXPLORATION_CATALOGUE)('has %s, with a front: %s', (category, oriented) => {
  expect(buildObject(category, 0).facing).toBe(oriented ? 0 : null)
})

test('rejects an unknown category by name', () => {
  expect(() => buildObject('dragon', 0)).toThrow(/“dragon”/)
})

test.each(Object.entries(PLAUSIBLE))('%s has a plausible size in every variant', (category, ranges) => {
  for (let variant = 0; variant < 12; variant++) {
    const { size } = buildObject(category, variant)
    ranges.forEach(([low, high], axis) => {
      expect(size[axis], `${category} ${variant}, axis ${axis}`).toBeGreaterThanOrEqual(low)
      expect(size[axis], `${category} ${variant}, axis ${axis}`).toBeLessThanOrEqual(high)
    })
  }
})

describe.each(categories)('%s', (category) => {
  const { mesh, size, surfaces } = buildObject(category, 1)

  test('stands on its base, centred, within its size', () => {
    const low = [Infinity, Infinity, Infinity]
    const high = [-Infinity, -Infinity, -Infinity]
    mesh.positions.forEach((p, i) => {
      low[i % 3] = Math.min(low[i % 3]!, p)
      high[i % 3] = Math.max(high[i % 3]!, p)
    })
    const wanted = [-size[0] / 2, -size[1] / 2, 0]
    wanted.forEach((value, axis) => {
      expect(low[axis]).toBeCloseTo(value, 2)
      expect(high[axis]! - low[axis]!).toBeCloseTo(size[axis]!, 2)
    })
  })

  test('is a valid mesh with a sensible triangle count', () => {
    expect(mesh.indices.length / 3).toBeGreaterThan(100)
    expect(mesh.indices.length / 3).toBeLessThan(25_000)
    expect(mesh.indices.every((index) => index < mesh.positions.length / 3)).toBe(true)
    expect(mesh.triangleMaterials.every((material) => material < mesh.materials.length)).toBe(true)
    let worst = 0
    for (let i = 0; i < mesh.normals.length; i += 3) {
      const length = mesh.normals[i]! ** 2 + mesh.normals[i + 1]! ** 2 + mesh.normals[i + 2]! ** 2
      worst = Math.max(worst, Math.abs(length - 1))
    }
    expect(worst).toBeLessThan(1e-3)
    expect(mesh.uvs.every(Number.isFinite)).toBe(true)
  })

  test('its surfaces lie on it', () => {
    for (const { x, y, z } of surfaces) {
      expect(z).toBeGreaterThan(0)
      expect(z).toBeLessThanOrEqual(size[2] + 0.001)
      expect(Math.max(-x[0], x[1])).toBeLessThanOrEqual(size[0] / 2 + 0.001)
      expect(Math.max(-y[0], y[1])).toBeLessThanOrEqual(size[1] / 2 + 0.001)
      expect(x[1]).toBeGreaterThan(x[0])
      expect(y[1]).toBeGreaterThan(y[0])
    }
  })
})
