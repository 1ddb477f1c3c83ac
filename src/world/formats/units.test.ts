import { expect, it } from 'vitest'
import { guessUnit } from './units.ts'

const box = (...sides: number[]) => Float32Array.of(0, 0, 0, ...sides)

it.each([
  ['a room in meters', box(6, 4, 2.5), 'ply', 1],
  ['a building in meters', box(80, 40, 12), 'glb', 1],
  ['a thimble in meters', box(0.02, 0.02, 0.03), 'obj', 1],
  ['a room in centimeters', box(348, 404, 250), 'obj', 0.01],
  ['a room in millimeters', box(6000, 4000, 2500), 'ply', 0.001],
  ['a building in millimeters', box(60_000, 40_000, 12_000), 'glb', 0.001],
  ['a printed part', box(60, 40, 20), 'stl', 0.001],
  ['a part of a robot, in meters', box(0.6, 0.4, 0.2), 'stl', 1],
] as const)('%s', (_, positions, format, scale) => {
  const guess = guessUnit(positions, 1, format)
  expect(guess.scale).toBe(scale)
  if (scale === 1) expect(guess.note).toBeUndefined()
  else expect(guess.note).toContain('--meters-per-unit')
})

it('takes what a file says unless it cannot be', () => {
  expect(guessUnit(box(200, 100, 100), 0.0254, 'dae')).toEqual({ scale: 0.0254 })
  expect(guessUnit(box(400, 100, 100), 1, 'dae').scale).toBe(0.01)
})

it('makes what fits no unit ten meters long', () => {
  const { scale, note } = guessUnit(box(2 ** 100, 1, 1), 1, 'obj')
  expect(scale).toBe(10 / 2 ** 100)
  expect(note).toContain('Units unknown')
})
