import { expect, test } from 'vitest'
import { correlationP } from '../../../suite.ts'
import { startExploration, step } from '../domain/explore/exploration.ts'
import { oneMoreLook } from '../domain/explore/one-more-look.ts'
import { entitiesOf } from '../domain/grid/view.ts'
import { trueGlobalMap } from '../domain/belief/ground-truth.ts'
import { startPose } from '../domain/grid/view.ts'
import { readFileSync } from 'node:fs'
import { sceneFromJson } from '../domain/grid/scene-json.ts'
import { errorOrigins } from './error-origins.ts'

const ROOMS = new URL('../../../../conformance/oracle/space/rooms.json', import.meta.url)
const R09 = sceneFromJson((JSON.parse(readFileSync(ROOMS, 'utf8')) as { rooms: unknown[] }).rooms[9], 'R09')

const names = new Set(entitiesOf(R09).map(({ name }) => name))
const truth = trueGlobalMap({ scene: R09, pose: startPose(R09) }, names)
const [first, second, third] = [...names] as [string, string, string]
const shifted = (name: string) =>
  truth.map((entry) => (entry.name === name ? { ...entry, pos: [entry.pos[0] + 1, entry.pos[1]] as const } : entry))
const without = (name: string) => truth.filter((entry) => entry.name !== name)
const origins = (...maps: ReturnType<typeof shifted>[]) =>
  errorOrigins(
    R09,
    maps.map((map) => ({ map, observed: names })),
  )

test('an error of the last map has one origin', () => {
  const one = expect.closeTo(1 / names.size, 12)
  const none = { perception: 0, overwritten: 0, forgotten: 0, unmapped: 0 }
  expect(origins(shifted(first), truth)).toEqual(none)
  expect(origins(shifted(first), shifted(first))).toEqual({ ...none, perception: one })
  expect(origins(truth, shifted(second))).toEqual({ ...none, overwritten: one })
  expect(origins(shifted(third), without(third))).toEqual({ ...none, forgotten: one })
  expect(origins(without(third), without(third))).toEqual({ ...none, unmapped: one })
  expect(origins(truth)).toBeNull()
})

test('one more look shows nothing once everything is seen, and something at the start', () => {
  const start = startExploration(R09, { profile: 'fixed' })
  const looked = step(start, 'FINAL ANSWER:\nActions: [Observe()]').state
  expect(oneMoreLook(looked)).toBeGreaterThan(0)
  expect(oneMoreLook({ ...looked, observed: names })).toBe(0)
})

test.each([
  // scipy.stats.pearsonr
  [0.418, 100, 1.5e-5],
  [0.3, 25, 0.1451],
  [-0.878, 5, 0.0501],
  [0, 10, 1],
])('the p-value of r = %s over %s pairs is %s', (r, n, p) => {
  expect(correlationP(r, n)! / p).toBeCloseTo(1, 1)
})
