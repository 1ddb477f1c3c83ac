import { expect, test } from 'vitest'
import { Random } from '../../../../base/random.ts'
import { boxRoom } from '../../../../../test/support/world/box-room.ts'
import { freeSpace } from '../../../../world/geometry/index.ts'
import type { OrientedBox, SceneObject } from '../../../../world/mesh.ts'
import { QUESTION_TYPES } from '../../domain/question-types.ts'
import { questionsOf, type QuestionScene } from './index.ts'
import { bearing, directionAnswer } from './relative.ts'
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
  space: freeSpace(boxRoom({ size: [6, 6], boxes })),
  firstSeen: new Map(objects.map(({ instance }) => [instance, instance * 20])),
  firstGlimpse: new Map(objects.map(({ instance }) => [instance, instance * 20 - 5])),
}
const all = (type: (typeof QUESTION_TYPES)[number]) => questionsOf(type, scene, new Random('test'))

test('counts only categories with several instances', () => {
  expect(all('object_counting').map(({ question, truth }) => [question, truth])).toEqual([
    ['How many chair(s) are in this room?', '2'],
  ])
})

test('measures distances between closest points, and sizes along the longest side', () => {
  const between = all('object_abs_distance').find(({ about }) => [...about.categories].sort().join() === 'lamp,sofa')!
  expect(between.truth).toBe('3.4')
  expect(all('object_size_estimation').find(({ about }) => about.categories[0] === 'sofa')!.truth).toBe('100')
  expect(all('room_size_estimation')[0]!.truth).toBe('36.0')
})

test('measures to the nearest instance, and skips near ties', () => {
  for (const { options, truth, about } of all('object_rel_distance')) {
    if (about.categories[0] !== 'desk') continue
    // One chair is right next to the desk, the other one is far away.
    if (options!.some((option) => option.endsWith('chair')))
      expect(options![truth.charCodeAt(0) - 65]).toContain('chair')
  }
  expect(all('object_rel_distance').length).toBeGreaterThan(0)
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
  const asked = questionsOf('object_rel_direction_easy', { ...scene, objects: around, space }, new Random('test'))
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
  const routes = all('route_planning')
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
  const early = {
    ...scene,
    firstGlimpse: new Map(objects.map(({ instance }) => [instance, instance === 4 ? 0 : instance * 20])),
  }
  for (const { about } of questionsOf('obj_appearance_order', early, new Random('test'))) {
    // The desk is glimpsed before all others, but seen after the sofa, lamp and plant.
    expect(about.categories).not.toContain('desk')
  }
})

test('does not ask about objects that are never visible', () => {
  const hidden = { ...scene, firstSeen: new Map([...scene.firstSeen].filter(([instance]) => instance !== 1)) }
  for (const type of QUESTION_TYPES) {
    for (const { about } of questionsOf(type, hidden, new Random('test')))
      expect(about.categories).not.toContain('sofa')
  }
})
