import { describe, expect, test } from 'vitest'
import { readAgentReply, readAnswer, readMap } from './parse.ts'
import { LETTERS, question } from '../../../test/support/suites/vsi.ts'

const choice = question('object_rel_distance', LETTERS, 'B')
const meters = question('object_abs_distance', null, '2.5')
const centimeters = question('object_size_estimation', null, '75')

describe('readAgentReply', () => {
  test.each([
    [
      'a fenced reply after thinking',
      '<think>{"done": true}</think>Left.\n```json\n{"rotation_angle_degrees": 30, "forward_meters": 0.5, "done": false}\n```',
      { turnDegrees: 30, forwardMeters: 0.5, leftMeters: 0, upMeters: 0 },
    ],
    [
      'the last of several objects',
      '{"rotation_angle_degrees": 1} no: {"rotation_angle_degrees": -45}',
      { turnDegrees: -45, forwardMeters: 0, leftMeters: 0, upMeters: 0 },
    ],
    [
      'Python literals, a plus sign and a trailing comma',
      "{'rotation_angle_degrees': +30, 'forward_meters': 0, 'answer': None, 'done': False,}",
      { turnDegrees: 30, forwardMeters: 0, leftMeters: 0, upMeters: 0 },
    ],
    [
      'numbers with units',
      '{"rotation_angle_degrees": "30°", "forward_meters": "0.5 m"}',
      { turnDegrees: 30, forwardMeters: 0.5, leftMeters: 0, upMeters: 0 },
    ],
    [
      'an object after stray braces',
      'I use {x} notation. {"left_meters": 0.2}',
      { turnDegrees: 0, forwardMeters: 0, leftMeters: 0.2, upMeters: 0 },
    ],
  ])('reads %s', (_, text, move) => {
    expect(readAgentReply(text, choice)).toMatchObject({ move, done: false, problem: null })
  })

  test.each([
    ['an empty reply', ''],
    ['a reply without JSON', 'I would turn left.'],
    ['a placeholder copied from the prompt', '{"rotation_angle_degrees": <-90 to 90, or 0 if done=true>}'],
    ['a null movement', '{"rotation_angle_degrees": null, "forward_meters": 0.5, "done": false}'],
    ['done without an answer', '{"answer": null, "done": true}'],
    ['a letter that was not offered', '{"answer": "D", "done": true}'],
    ['a list of letters', '{"answer": ["A", "B"], "done": true}'],
    ['a movement that is not a number', '{"rotation_angle_degrees": "far", "done": false}'],
  ])('rejects %s', (_, text) => {
    expect(readAgentReply(text, choice).problem).not.toBeNull()
  })

  test('reads "false" as false, and ignores null movements when done', () => {
    expect(readAgentReply('{"rotation_angle_degrees": 5, "answer": "A", "done": "false"}', choice)).toMatchObject({
      done: false,
      answer: 'A',
    })
    expect(readAgentReply('{"rotation_angle_degrees": null, "answer": "A", "done": true}', choice)).toMatchObject({
      done: true,
      answer: 'A',
      problem: null,
    })
  })
})

describe('readAnswer', () => {
  test.each([
    [choice, '{"reasoning": "it is {there}", "answer": "b"}', 'B'],
    [choice, '{"answer": "B. right"}', 'B'],
    [choice, '{"answer": "(C)"}', 'C'],
    [choice, '{"answer": "right"}', 'B'],
    [choice, '{"answer": "AB"}', null],
    [choice, '{"answer": "A chair is to the left"}', 'A'],
    [choice, 'B', 'B'],
    [choice, 'The answer is C.', 'C'],
    [choice, 'A or B', null],
    [meters, '{"answer": 2.5}', '2.5'],
    [meters, '{"answer": "250 cm"}', '2.5'],
    [meters, '{"answer": "about 2.5 meters"}', '2.5'],
    [meters, '{"answer": "nan"}', null],
    [meters, '{"answer": true}', null],
    [meters, 'I see 3 chairs and 2 tables, so it is hard to say how far they are apart', null],
    [centimeters, '{"answer": "0.75 m"}', '75'],
    [centimeters, '{"answer": "1e2"}', '100'],
  ])('%#: %s', (sample, text, expected) => {
    expect(readAnswer(text, sample).answer).toBe(expected)
  })

  test('reports a converted unit', () => {
    expect(readAnswer('{"answer": "250 cm"}', meters).repairs).toEqual(['converted cm to m'])
  })
})

test('reads maps with tuples or lists, and drops unrequested categories and cells outside the grid', () => {
  const map = readMap('Map: {"sofa": [(1, 2), (3, 4)], "Lamp": [9, 9], "cat": [[1, 1]], "desk": [[40, 2]]}', [
    'sofa',
    'lamp',
    'desk',
  ])
  expect(map).toEqual({ sofa: [[1, 2], [3, 4]], lamp: [[9, 9]] }) // prettier-ignore
  expect(readMap('no map', ['sofa'])).toBeNull()
})
