import { describe, expect, test } from 'vitest'
import { sha256 } from '../../../../base/hash.ts'
import { Random } from '../../../../base/random.ts'
import { builtinPromptSuite } from '../../samples/builtin.ts'
import { makeFilm, storyOf } from './film.ts'
import { shoot } from './shoot.ts'
import { hear } from './words.ts'

describe('what is heard in a prompt', () => {
  const thing = (category: string, more: object = {}) => ({ name: category, category, color: null, count: 1, ...more })
  test.each([
    ['a toy car crossing a kitchen table', { room: 'kitchen', things: [thing('toy car')], action: 'cross' }],
    ['Three blue cups on a table', { room: null, things: [thing('cup', { color: 'blue', count: 3 })], action: null }],
    ['an office chair spinning', { room: null, things: [thing('office chair')], action: 'spin' }],
    [
      'a cup on the left of a table, front view',
      { relation: 'on the left of', things: [thing('cup'), thing('table')] },
    ],
    [
      'a potted plant, tilt up',
      { camera: 'tilt up', things: [thing('plant', { name: 'potted plant' })], still: false },
    ],
    ['a bench under a lamp, frozen in time', { camera: null, still: true }],
    ['a bicycle, watercolor painting', { look: 'watercolor painting', things: [thing('bicycle')] }],
    ['a fox trotting along a stone wall', { room: null, things: [], action: null }],
  ])('%s', (prompt, expected) => expect(hear(prompt)).toMatchObject(expected))
})

test('every built-in prompt without people is shown as it asks', () => {
  for (const { prompt, facts } of builtinPromptSuite().entries) {
    const { cast, room, relation, look } = storyOf(prompt, 1)
    const names = cast.flatMap(({ name }) => name ?? [])
    for (const name of facts.object?.split(' and ') ?? []) expect(names, prompt).toContain(name)
    if (facts.color) expect(cast.at(-1), prompt).toMatchObject({ color: facts.color })
    if (facts.relation) expect(new Set([relation, ...names]), prompt).toEqual(new Set(Object.values(facts.relation)))
    if (facts.scene) expect(room.replace(' ', ''), prompt).toBe(facts.scene)
    if (facts.style) expect(look, prompt).toBe(facts.style)
  }
})

/** Where the thing that acts is in the picture: middle of its pixels, in pixels from the left. */
function path(prompt: string): number[] {
  const found: number[] = []
  for (const { width, owner } of shoot(storyOf(prompt, 1), 4, { width: 160, height: 96 }, new Random('test'))) {
    const actor = Math.max(...owner)
    const columns = [...owner.keys()].filter((i) => owner[i] === actor && actor > 0).map((i) => i % width)
    found.push(columns.reduce((sum, column) => sum + column, 0) / columns.length)
  }
  return found
}

test('what crosses the picture goes from left to right, and what stands keeps its place', () => {
  const crossing = path('a ball rolling across the bathroom floor')
  expect(crossing).toEqual([...crossing].sort((a, b) => a - b))
  expect(crossing.at(-1)! - crossing[0]!).toBeGreaterThan(60)
  expect(new Set(path('a vase in a bathroom, nothing moves')).size).toBe(1)
})

test('the camera moves as it is asked to: what is shown goes the other way', () => {
  const panned = path('a stool in a bathroom, pan left')
  expect(panned).toEqual([...panned].sort((a, b) => a - b))
  const back = path('a stool in a bathroom, pan right')
  expect(back).toEqual([...back].sort((a, b) => b - a))
})

test('the same prompt and seed give the same file, another seed another', async () => {
  const [one, same, other] = [1, 1, 2].map((seed) => makeFilm('a stool in a bathroom, still', seed))
  expect(sha256(await one!)).toBe(sha256(await same!))
  expect(sha256(await one!)).not.toBe(sha256(await other!))
})

test('no two films of a prompt tell the same story', () => {
  for (const { prompt } of builtinPromptSuite().entries) {
    const stories = [1, 2, 3, 4, 5].map((seed) => JSON.stringify(storyOf(prompt, seed)))
    expect(new Set(stories).size, prompt).toBe(stories.length)
  }
})
