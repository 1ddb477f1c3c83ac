import { describe, expect, it, test } from 'vitest'
import { meanRelativeAccuracy, number, oneOf, text, yesOrNo } from './readers.ts'

const winds = oneOf('north', 'east', 'south', 'west')

describe('one of a few words', () => {
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
  ])('%j is read as %s', (reply, answer) => {
    expect(winds.read(reply)).toBe(answer)
  })

  test('the longest phrase that fits is meant', () => {
    expect(oneOf('left', 'front left', 'front right').read('It is front left of you')).toBe('front left')
  })

  test('symbols in phrases mean themselves', () => {
    expect(oneOf('a+b', 'a').read('It is a+b')).toBe('a+b')
    expect(oneOf('C++', '.*').read('anything')).toBeNull()
  })
})

it.each([
  ['Yes, it is.', true],
  ['no', false],
  ['The answer is: **No**. Yes would be wrong.', false],
  ['perhaps', null],
])('yes or no: %j is %s', (reply, answer) => {
  expect(yesOrNo().read(reply)).toBe(answer)
})

it.each([
  ['about 3.5', 3.5],
  ['There are 2 chairs and 4 tables, so 6.', 6],
  ['Answer: 1,250 cm', 1250],
  ['2 + 2 = 4\nFinal answer: 5 (not 4)', 5],
  ['none', null],
])('number: %j is %s', (reply, answer) => {
  expect(number().read(reply)).toBe(answer)
})

test('mean relative accuracy is the share of thresholds that the error stays within', () => {
  expect([10, 9.6, 9, 5.2, 4].map((answer) => meanRelativeAccuracy(answer, 10))).toEqual([1, 1, 0.9, 0.1, 0])
})

test('free text is compared without case, spaces and full stop', () => {
  const reader = text()
  const answer = reader.read('Answer: The  red chair.')
  expect(reader.grade!(answer!, 'the red chair')).toBe(1)
})

test('a megabyte of anything is read in linear time', () => {
  for (const flood of ['north ', '{', '7', '\n', '<answer>', String.raw`\boxed{`, 'answer ']) {
    const reply = flood.repeat(2 ** 20 / flood.length)
    for (const reader of [winds, number(), text()]) reader.read(reply)
  }
})
