import { expect, test } from 'vitest'
import { finish } from './finishes.ts'

test('a finish does not depend on earlier uses of its name', () => {
  const dull = finish('glaze of a test', [214, 206, 190], { roughness: 0.15 })
  const bright = finish('glaze of a test', [214, 206, 190], { roughness: 0.12, tile: 0.5 })
  expect([dull.material.roughness, bright.material.roughness, bright.tile]).toEqual([0.15, 0.12, 0.5])
  expect(bright.material.name).toBe(dull.material.name)
  expect(finish('glaze of a test', [214, 206, 190], { roughness: 0.15 })).toBe(dull)
})
