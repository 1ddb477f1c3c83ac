import { expect, test } from 'vitest'
import { Random } from '../../../../base/random.ts'
import { boxRoom } from '../../../../../test/support/world/box-room.ts'
import { freeSpace } from '../../../../world/geometry/index.ts'
import type { OrientedBox, SceneObject } from '../../../../world/mesh.ts'
import { QUESTION_TYPES } from '../../domain/question-types.ts'
import { type Question, questionOf, type QuestionScene, stratified, unstratified } from './index.ts'
import { longestSide } from './numbers.ts'
import { gap } from './scene.ts'
import { bearing, directionAnswer, drawnComparison } from './relative.ts'
import { turnBetween } from './route.ts'

const box = (x: number, y: number, size: OrientedBox['size'] = [0.6, 0.6, 1]): OrientedBox => ({
  center: [x, y, size[2] / 2],
  size,
  yaw: 0,
})
const boxes = [box(1, 1), box(1, 5), box(4.6, 4.2), box(5, 1), box(5, 1.9, [0.5, 0.5, 1.5]), box(3, 5.6, [2, 0.3, 0.5])]
const names = ['sofa', 'lamp', 'plant', 'desk', 'chair', 'chair']
const objects = boxes.map((each, i): SceneObject => ({
  instance: i + 1,
  category: names[i]!,
  box: each,
  facing: null,
  support: 'floor',
  room: 1,
}))
const scene: QuestionScene = {
  objects,
  area: 36,
  rooms: 1,
  names: 'balanced',
  space: freeSpace(boxRoom({ size: [6, 6], boxes })),
  shown: new Set(objects.map(({ instance }) => instance)),
  // One object more in each frame.
  frames: objects.map((_, i) => new Map(objects.slice(0, i + 1).map(({ instance }) => [instance, 0.01]))),
  frameNumbers: objects.map(({ instance }) => instance * 20),
  survey: [],
  firstAppearances: (groups) => groups.map(([first]) => ({ seen: first! * 20, glimpse: first! * 20 - 5 })),
}
// Enough objects around the middle of a room for every direction and turn.
const around = Array.from({ length: 12 }, (_, i): SceneObject => {
  const angle = (i / 11) * 2 * Math.PI
  const place =
    i === 11 ? box(3, 3, [0.4, 0.4, 1]) : box(3 + 2.3 * Math.cos(angle), 3 + 2.3 * Math.sin(angle), [0.4, 0.4, 1])
  return { ...objects[0]!, instance: i + 1, category: `thing ${String.fromCharCode(97 + i)}`, box: place }
})
const wide: QuestionScene = {
  ...scene,
  objects: around,
  shown: new Set(around.map(({ instance }) => instance)),
  space: freeSpace(boxRoom({ size: [6, 6], boxes: around.map((each) => each.box) })),
}
const DRAWS = 60
const all = (type: (typeof QUESTION_TYPES)[number], about = scene): Question[] =>
  Array.from({ length: DRAWS }, (_, i) => questionOf(type, about, unstratified(new Random(`test/${i}`)))).filter(
    (question) => question !== null,
  )

test('counts only categories with several instances', () => {
  expect(new Set(all('object_counting').map(({ question, truth }) => `${question} ${truth}`))).toEqual(
    new Set(['How many chair(s) are in this room? 2']),
  )
  expect(all('object_counting', { ...scene, rooms: 3 })[0]!.question).toBe('How many chair(s) are in this home?')
})

test('measures distances between closest points, and sizes along the longest side', () => {
  const between = all('object_abs_distance', { ...scene, names: 'any' }).find(
    ({ about }) => [...about.categories].sort().join() === 'lamp,sofa',
  )!
  expect(between.truth).toBe('3.4')
  expect(longestSide(objects[0]!)).toBe(1)
  expect(all('room_size_estimation')[0]!.truth).toBe('36.0')
})

test('the closest of four options is closer than all others by a margin', () => {
  const asked = all('object_rel_distance', wide)
  expect(asked.length).toBeGreaterThan(0)
  for (const { options, truth, things } of asked) {
    const [reference, ...others] = things
    const far = options!.map((option) =>
      gap(
        reference!,
        others.find(({ category }) => option.endsWith(category))!,
      ),
    )
    const [least, next] = far.toSorted((x, y) => x - y)
    expect(far['ABCD'.indexOf(truth)]).toBe(least)
    expect(next! - least!).toBeGreaterThan(0.1)
  }
})

test('what names make likely is asked about less often, so each option is right alike', () => {
  const names = ['mouse', 'sofa', 'plant', 'mirror']
  // The mouse is the closest to seven of ten things.
  const from = [0, 0, 0, 0, 0, 0, 0, 1, 2, 3].map((closest, i) => ({
    reference: `thing ${i}`,
    others: names.map((name, k) => [name, k === closest ? 0.1 : 1 + k] as const),
  }))
  const random = new Random('closest')
  const count = (likely: number[]): number[] => {
    const shares = (_: string, options: readonly string[]) => options.map((name) => likely[names.indexOf(name)]!)
    const drawn = Array.from({ length: 2000 }, () => drawnComparison({ margin: 0.15, from }, random, shares)!)
    return names.map((name) => drawn.filter((each) => each.names[each.right] === name).length / drawn.length)
  }
  for (const share of count([0.7, 0.1, 0.1, 0.1])) expect(share).toBeCloseTo(0.25, 1)
  expect(count([0.25, 0.25, 0.25, 0.25])[0]).toBeCloseTo(0.7, 1)
})

test.each([
  // By the sofa at (1, 1), facing the lamp at (1, 5): +y is ahead, +x is right.
  ['object_rel_direction_easy', 2, 'right'],
  ['object_rel_direction_hard', 2, 'front-right'],
  ['object_rel_direction_medium', 3, 'right'],
] as const)('%s', (type, asked, answer) => {
  expect(directionAnswer(type, bearing(objects[0]!, objects[1]!, objects[asked]!))).toBe(answer)
})

test('skips directions that depend on the side of the object one stands on', () => {
  // From the middle of the bench the plant is right of the lamp, from its right end it is left of it.
  const placed = [box(3, 3, [3, 0.4, 0.5]), box(3, 5.4), box(3.5, 4.2, [0.3, 0.3, 1])]
  const around = placed.map((each, i): SceneObject => ({
    ...objects[i]!,
    category: ['bench', 'lamp', 'plant'][i]!,
    box: each,
  }))
  const space = freeSpace(boxRoom({ size: [6, 6], boxes: placed }))
  const asked = all('object_rel_direction_easy', { ...scene, objects: around, space })
  expect(directionAnswer('object_rel_direction_easy', bearing(around[0]!, around[1]!, around[2]!))).toBe('right')
  expect(asked.filter(({ about }) => about.categories.join() === 'bench,lamp,plant')).toEqual([])
  expect(asked.length).toBeGreaterThan(0)
})

test('treats at least 135° as back, and skips bearings near a border', () => {
  expect(directionAnswer('object_rel_direction_medium', 150)).toBe('back')
  expect(directionAnswer('object_rel_direction_medium', -120)).toBe('right')
  expect(directionAnswer('object_rel_direction_medium', 134)).toBeNull()
  expect(directionAnswer('object_rel_direction_hard', 88)).toBeNull()
  expect(directionAnswer('object_rel_direction_hard', -170)).toBeNull()
})

test('routes use free floor and have clear turns', () => {
  expect([turnBetween(0, 90), turnBetween(0, -80), turnBetween(170, -10), turnBetween(0, 30)]).toEqual([
    'left',
    'right',
    'back',
    null,
  ])
  const routes = all('route_planning', wide)
  expect(routes.length).toBeGreaterThan(0)
  for (const { options, truth, about } of routes)
    expect(about.turns![truth.charCodeAt(0) - 65]).toHaveLength(options!.length === 3 ? 1 : 2)
})

test('orders categories by first appearance', () => {
  for (const { options, truth } of all('obj_appearance_order')) {
    const order = options![truth.charCodeAt(0) - 65]!.slice(3).split(', ')
    const frames = order.map((name) =>
      Math.min(...objects.filter(({ category }) => category === name).map(({ instance }) => instance * 20)),
    )
    expect(frames).toEqual(frames.toSorted((a, b) => a - b))
    expect(new Set(options).size).toBe(4)
  }
})

test('skips an order that the first visible pixels contradict', () => {
  const early: QuestionScene = {
    ...scene,
    firstAppearances: (groups) =>
      groups.map(([first]) => ({ seen: first! * 20, glimpse: first === 4 ? 0 : first! * 20 })),
  }
  for (const { about } of all('obj_appearance_order', early)) {
    // The desk is glimpsed before all others, but seen after the sofa, lamp and plant.
    expect(about.categories).not.toContain('desk')
  }
})

test('does not ask about objects that are never visible', () => {
  const hidden = { ...scene, shown: new Set([...scene.shown].filter((instance) => instance !== 1)) }
  for (const type of QUESTION_TYPES) {
    for (const { about } of all(type, hidden)) expect(about.categories).not.toContain('sofa')
  }
})

test('every answer of a type is asked for equally often, and no position is favored', () => {
  for (const [type, answers] of [
    ['object_rel_direction_easy', 2],
    ['object_rel_direction_medium', 3],
    ['object_rel_direction_hard', 4],
  ] as const) {
    const texts = Array.from({ length: 4 * answers }, (_, index) => {
      const { options, truth } = questionOf(type, wide, stratified('test', index, new Random(`test/${index}`)))!
      return options![truth.charCodeAt(0) - 65]!.slice(3)
    })
    const counts = [...new Set(texts)].map((text) => texts.filter((each) => each === text).length)
    expect(counts).toEqual(Array.from({ length: answers }, () => 4))
  }
})

test('does not ask about what another object contains', () => {
  const shelf = objects.map((object) => (object.category === 'desk' ? { ...object, contains: { lamp: 2 } } : object))
  for (const type of QUESTION_TYPES)
    for (const { about } of all(type, { ...scene, objects: shelf })) expect(about.categories).not.toContain('lamp')
})
