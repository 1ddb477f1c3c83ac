import { describe, expect, test } from 'vitest'
import { matchName, namesIn, readCoordinates, readMoves, readName, readOrder, readRelation } from './grammar.ts'

describe('direction and distance', () => {
  test.each([
    ['west, slightly far', 'west', 'slightly far'],
    ['slightly far, west', 'west', 'slightly far'],
    ['WEST, SLIGHTLY-FAR.', 'west', 'slightly far'],
    ['**west, slightly far**', 'west', 'slightly far'],
    ['<west>, <slightly far>', 'west', 'slightly far'],
    ['west slightly far', 'west', 'slightly far'],
    ['west (slightly far)', 'west', 'slightly far'],
    ['Answer: north-west, mid', 'north west', 'mid distance'],
    ['northwest; medium', 'north west', 'mid distance'],
    ['nw, near', 'north west', 'near'],
    ['The lamp is to the south east, and it is far', 'south east', 'far'],
    ['It could be north or south.\nsouth, near', 'south', 'near'],
    ['north or south, near', null, 'near'],
    ['near', null, 'near'],
    ['I do not know', null, null],
    ['', null, null],
  ])('%j', (text, direction, distance) => {
    expect(readRelation(text, 'cardinal')).toEqual({ direction, distance })
  })

  test.each([
    ['front-left, near', 'front-left', 'near'],
    ['front slightly left, far', 'front-slight-left', 'far'],
    ['front, slightly far', 'front', 'slightly far'],
    ['straight ahead, same', 'front', 'same distance'],
    ['left-front / very far', 'front-left', 'very far'],
  ])('egocentric: %j', (text, direction, distance) => {
    expect(readRelation(text, 'ego')).toEqual({ direction, distance })
  })
})

describe('names', () => {
  const names = ['lamp', 'trash can', 'red door', 'air conditioner', 'can']

  test.each([
    ['lamp', 'lamp'],
    ['The lamp.', 'lamp'],
    ['"trash_can"', 'trash can'],
    ['I am standing at the red door', 'red door'],
    ['Not the lamp, so:\ntrash can', 'trash can'],
    ['lamp or red door', null],
    ['lampshade', null],
    ['', null],
  ])('%j', (text, name) => {
    expect(readName(text, names)).toBe(name)
  })

  test('ignores a name inside a longer one', () => {
    expect(namesIn('trash can, can', names)).toEqual(['trash can', 'can'])
  })

  test.each([
    ['lamp, red door, can', true],
    ['1. lamp\n2. red door\n3. can', true],
    ['lamp -> red_door -> the can', true],
    ['[lamp; red door; can]', true],
    ['lamp, red door', false],
    ['lamp, red door, can, lamp', false],
  ])('order %j', (text, right) => {
    expect(readOrder(text, ['can', 'lamp', 'red door'])).toEqual(right ? ['lamp', 'red door', 'can'] : null)
  })

  test.each(['Red_Door', 'the red door', '"red door"', ' RED  DOOR '])('in a move: %j', (written) => {
    expect(matchName(written, names)).toBe('red door')
  })
})

describe('coordinates', () => {
  test.each<[string, number, [number, number][] | null]>([
    ['(1, -2)', 1, [[1, -2]]],
    ['x=1, y=-2', 1, [[1, -2]]],
    ['(1 -2)', 1, [[1, -2]]],
    ['(+1, −2)', 1, [[1, -2]]],
    ['My coordinate is (1, -2).', 1, [[1, -2]]],
    ['(1, -2), that is (1, -2)', 1, [[1, -2]]],
    ['From (0, 0) I get\n(1, -2)', 1, [[1, -2]]],
    ['(1, -2); (9, 9)', 1, null],
    [
      '(1, 0); (-2, 3); (0, -1)',
      3,
      [
        [1, 0],
        [-2, 3],
        [0, -1],
      ],
    ],
    [
      '1. (1, 0)\n2. (-2, 3)\n3. (0, -1)',
      3,
      [
        [1, 0],
        [-2, 3],
        [0, -1],
      ],
    ],
    [
      '[[1, 0], [-2, 3], [0, -1]]',
      3,
      [
        [1, 0],
        [-2, 3],
        [0, -1],
      ],
    ],
    [
      '1,0 -2,3 0,-1',
      3,
      [
        [1, 0],
        [-2, 3],
        [0, -1],
      ],
    ],
    ['(1, 0); (-2, 3)', 3, null],
    ['somewhere', 1, null],
  ])('%j', (text, count, places) => {
    expect(readCoordinates(text, count)).toEqual(places)
  })
})

describe('moves', () => {
  const steps = [{ turn: -90 }, { jump: 'red door' }, { turn: 90 }]
  test.each([
    'Rotate(-90), JumpTo(red door), Rotate(90)',
    '[Rotate(-90), JumpTo(red door), Rotate(90)]',
    'Actions: [rotate(-90); jumpto( red door ); rotate(+90°)]',
    '1. Rotate(-90)\n2. JumpTo(red door)\n3. Rotate(90)',
    'Rotate (-90) → JumpTo (red door) → Rotate (90)',
    'Let me think about it: the door is left.\nRotate(-90), JumpTo(red door), Rotate(90)',
  ])('%j', (text) => {
    expect(readMoves(text)).toEqual(steps)
  })

  test.each(['', 'go north', 'Rotate(left)', 'Rotate(90), Observe()', 'JumpTo()'])('rejects %j', (text) => {
    expect(readMoves(text)).toBeNull()
  })
})
