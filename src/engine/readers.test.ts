import { describe, expect, it, test } from 'vitest'
import { meanRelativeAccuracy, number, oneOf, text, yesOrNo } from './readers.ts'

const winds = oneOf('north', 'east', 'south', 'west')

describe('oneOf', () => {
  it.each([
    ['north', 'north'],
    ['**North**', 'north'],
    ['I turned right from north, so I now face east.', 'east'],
    ['<think>north? no, west</think>\nSouth.', 'south'],
    ['Let me think. North, then east.\n\nAnswer: West', 'west'],
    ['The answer is south, because I started facing north.', 'south'],
    [String.raw`So we get $\boxed{\text{east}}$ (not west).`, 'east'],
    ['First north. <answer>west</answer> I hope north is wrong.', 'west'],
    ['Final answer:\n\n**east**', 'east'],
    ['You end up facing SOUTH', 'south'],
    ['northern lights', null],
    ['', null],
    ["I'm sorry, I can't answer that.", null],
  ])('reads %j as %s', (reply, answer) => {
    expect(winds.read(reply)).toBe(answer)
  })

  test('prefers the longest matching phrase', () => {
    expect(oneOf('left', 'front left', 'front right').read('It is front left of you')).toBe('front left')
  })

  test('escapes special characters in phrases', () => {
    expect(oneOf('a+b', 'a').read('It is a+b')).toBe('a+b')
    expect(oneOf('C++', '.*').read('anything')).toBeNull()
  })
})

it.each([
  ['Yes, it is.', true],
  ['no', false],
  ['The answer is: **No**. Yes would be wrong.', false],
  ['perhaps', null],
])('yesOrNo reads %j as %s', (reply, answer) => {
  expect(yesOrNo().read(reply)).toBe(answer)
})

it.each([
  ['about 3.5', 3.5],
  ['There are 2 chairs and 4 tables, so 6.', 6],
  ['Answer: 1,250 cm', 1250],
  ['2 + 2 = 4\nFinal answer: 5 (not 4)', 5],
  ['none', null],
  ['Image 4 shows nothing', null],
  ['three', 3],
  ['2,4', 2.4],
  ['between 3 and 4', null],
  ['turn by -45°', -45],
])('number reads %j as %s', (reply, answer) => {
  expect(number().read(reply)).toBe(answer)
})

test('mean relative accuracy is the share of thresholds met', () => {
  expect([10, 9.6, 9, 5.2, 4].map((answer) => meanRelativeAccuracy(answer, 10))).toEqual([1, 1, 0.9, 0.1, 0])
})

test('text ignores case, extra spaces and a final period', () => {
  const reader = text()
  const answer = reader.read('Answer: The  red chair.')
  expect(reader.grade!(answer!, 'the red chair')).toBe(1)
})

test('reads a megabyte of any reply in linear time', () => {
  for (const flood of ['north ', '{', '7', '\n', '<answer>', String.raw`\boxed{`, 'answer ']) {
    const reply = flood.repeat(2 ** 20 / flood.length)
    for (const reader of [winds, number(), text()]) reader.read(reply)
  }
})
