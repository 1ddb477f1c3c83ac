import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readUpstreamReply } from './published/upstream-reply.ts'
import { upstreamVideoAnswer } from './published/upstream-video-answer.ts'
import { readAnswer } from './parse.ts'
import { question } from '../../../test/support/suites/vsi.ts'
import { PROFILES } from './domain/protocol.ts'
import { lmmsNumber } from './published/extract.ts'
import { pythonListItems } from './published/python-literal.ts'
import { publishedScore } from './published/evaluators.ts'
import { meanRelativeAccuracy, safeScore } from './score/safe-score.ts'
import { vlmevalkitLetter, vlmevalkitNumber } from './published/vlmevalkit.ts'

describe('mean relative accuracy', () => {
  test.each([
    [9.5, 10, 1],
    [10.5, 10, 1],
    [9, 10, 0.9],
    [8.5, 10, 0.8],
    // 20% and 45% are just above their limits in doubles.
    [8, 10, 0.6],
    [12, 10, 0.6],
    [7.5, 10, 0.6],
    [5.5, 10, 0.1],
    [5, 10, 0.1],
    [15.1, 10, 0],
    [3, 4, 0.6],
    [2, 3, 0.4],
    [39.6, 26.4, 0],
    [13.2, 26.4, 0.1],
  ])('scores %d against a ground truth of %d with %d', (answer, truth, score) => {
    expect(meanRelativeAccuracy(answer, truth)).toBe(score)
  })

  test('gives a score where the published code raises', () => {
    const number = { type: 'object_counting', prediction: '0', truth: '0' }
    expect(publishedScore('official', number)).toEqual({ raises: 'ZeroDivisionError' })
    expect(safeScore('official', number)).toBe(1)
    expect(safeScore('official', { ...number, prediction: '1' })).toBe(0)
    expect(safeScore('official', { ...number, prediction: null })).toBe(0)
    // A negative ground truth makes every published answer right.
    expect(publishedScore('official', { ...number, prediction: '5', truth: '-4' })).toBe(1)
    expect(safeScore('official', { ...number, prediction: '5', truth: '-4' })).toBe(0)
  })
})

describe('letter extraction', () => {
  test.each([
    ['A. left', 1, 1],
    [' A', 0, 1],
    ['A.\n', 0, 1],
    ['\nA', 1, 1],
    ['a', 1, 1],
    ['(A)', 0, 1],
    ['<answer>A</answer>', 0, 1],
    ['The answer is A', 0, 1],
    ['A or B', 1, 0],
    ['', 0, 0],
  ])('%j scores %d with the official evaluator and %d with VLMEvalKit', (prediction, official, vlmevalkit) => {
    const row = { type: 'route_planning', prediction, truth: 'A' }
    expect(publishedScore('official', row)).toBe(official)
    expect(publishedScore('vlmevalkit', row)).toBe(vlmevalkit)
  })
})

describe('VLMEvalKit extraction', () => {
  test.each([
    ['<answer>apple</answer>', 'A'],
    ['I choose (c) </answer>', 'C'],
    ['<think>it is B</think>\nA', 'B'],
    ['<think>hm</think>\nOption A: left\nB. the tv', 'B'],
    ['A or B', null],
    ['So it is **C**, I think.', 'C'],
    ['final answer:b', 'B'],
    ['我选D吧', 'D'],
    ['the sofa', null],
  ])('finds the letter in %j', (text, letter) => {
    expect(vlmevalkitLetter(text)).toBe(letter)
  })

  test.each([
    ['<answer>4 chairs</answer> or 5', 4],
    ['<think>3</think> about 1,200', 200],
    ['twenty-one', -1],
    ["['3.5 m', 9]", 3.5],
    ['[about 4]', null],
    ['0x4', 4],
  ])('finds the number in %j', (text, number) => {
    expect(vlmevalkitNumber(text)).toBe(number)
  })

  test('never scores a reply without a letter', () => {
    const row = { type: 'object_rel_distance', prediction: 'the sofa', truth: '?' }
    expect([publishedScore('vlmevalkit', row), safeScore('vlmevalkit', row)]).toEqual([1, 0])
  })
})

describe('lmms-eval extraction', () => {
  test.each([
    ['Twenty-one chairs', 21],
    ['three hundred and five', 305],
    ['two thousand and ten', 2010],
    ['seventeen', 17],
    ['someone', null],
    // Only another word ends a run of number words.
    ['five/six', 11],
    ['one_two, 3 and four!', 7],
    ['two million', 2],
    ['éone', 1],
    ['room 2, one apple', 2],
    ['٣ chairs', 3],
    ['', null],
  ])('finds the number in %j', (text, value) => {
    expect(lmmsNumber(text)).toEqual(value)
  })

  test('a number too large for Python ends its run', () => {
    expect(lmmsNumber('hundred '.repeat(200))).toEqual({ raises: 'OverflowError' })
    expect(safeScore('lmms-eval', { type: 'object_counting', prediction: 'hundred '.repeat(200), truth: '4' })).toBe(0)
  })

  test('before July 2026, it read numbers as the official code does', () => {
    const row = { type: 'object_counting', prediction: 'There are 4', truth: '4' }
    expect(publishedScore('lmms-eval', row)).toBe(1)
    expect(publishedScore('lmms-eval@2026-06', row)).toBe(0)
    expect(publishedScore('lmms-eval@2026-06', { ...row, prediction: '4 chairs' })).toBe(1)
  })

  test('scores a missing number 0, where the official code raises', () => {
    const row = { type: 'object_counting', prediction: null, truth: '0' }
    expect(publishedScore('lmms-eval', row)).toBe(0)
    expect(publishedScore('official', row)).toEqual({ raises: 'AttributeError' })
  })
})

test('the published agent divides by |ground truth|', () => {
  const row = { type: 'object_abs_distance', truth: '-4' }
  expect(publishedScore('upstream', { ...row, prediction: '-4' })).toBe(1)
  expect(publishedScore('upstream', { ...row, prediction: '9' })).toBe(0)
  expect(publishedScore('official', { ...row, prediction: '9' })).toBe(1)
})

describe('the published video reader', () => {
  test.each([
    ["It is 'C'.", 'C'],
    ['answer = b', 'B'],
    ['preanswer: B', null],
    ['answer: Below', null],
    ['{"answer": "D", "answer": ""} not "A"', 'A'],
    ['{"answer": "B"} {"answer": "C"}', 'B'],
    ['{"answer": "B. sofa"}', 'B. SOFA'],
  ])('reads %j as %j', (reply, answer) => {
    expect(upstreamVideoAnswer(reply, false)).toBe(answer)
  })

  test('reads digits of any script', () => {
    expect(upstreamVideoAnswer('{"answer": ٣-4}', true)).toBe('٣-4')
  })
})

test.each([
  ['[3, 4]', ['3', '4']],
  ['["it\'s \\u0033", b"x"]', ["it's 3", "b'x'"]],
  ['[[1, (2,), {"a": None}], -0x10, 1e22, ...]', ["[1, (2,), {'a': None}]", '-16', '1e+22', 'Ellipsis']],
  ['[1], [2]', null],
  ['\n [1]', undefined],
  ['[07]', undefined],
  ['[{[1]}]', undefined],
  ['[1][0]', undefined],
  ['[about 4]', undefined],
])('reads the Python list %j', (text, items) => {
  expect(pythonListItems(text)).toEqual(items)
})

test('no profile throws on any text', () => {
  const types = ['object_counting', 'object_rel_distance', 'obj_appearance_order', 'room_size_estimation']
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.constantFrom(...types), (prediction, type) => {
      for (const profile of PROFILES) {
        const score = safeScore(profile, { type, prediction, truth: type.startsWith('obj') ? '4' : '12.5' })
        expect(score).toBeGreaterThanOrEqual(0)
        expect(score).toBeLessThanOrEqual(1)
      }
    }),
  )
})

/** A quadratic parser would take minutes. */
test.each([
  ['braces that never close', '{'.repeat(400_000)],
  ['tags that never close', '<answer'.repeat(60_000) + '>'],
  ['answers that never close', '<answer>A'.repeat(50_000)],
  ['blanks where a letter should follow', `The answer is${' '.repeat(400_000)}?`],
  ['blanks behind a letter', `A${' '.repeat(400_000)}x`],
  ['blanks in a list', `[1${' '.repeat(400_000)}x]`],
  ['digits with something behind them', `${'1'.repeat(400_000)}x`],
  ['a field of digits that never closes', `{"answer": ${'1'.repeat(400_000)}`],
  ['fields that never close', '{' + '"answer": 1, '.repeat(30_000)],
  ['statements without an end', 'the answer is '.repeat(40_000)],
  ['numbers without an end', '1, '.repeat(150_000)],
  ['number words without an end', 'one hundred '.repeat(40_000)],
  ['corrections without an end', 'wait, no '.repeat(50_000)],
])('all parsers take linear time on %s', (_, reply) => {
  for (const type of ['object_rel_distance', 'object_counting'] as const) {
    const choice = type === 'object_rel_distance'
    for (const profile of PROFILES) safeScore(profile, { type, prediction: reply, truth: choice ? 'B' : '4' })
    readUpstreamReply(reply, { numeric: !choice, previous: null })
    upstreamVideoAnswer(reply, !choice)
    readAnswer(reply, question(type, choice ? ['A. a', 'B. b'] : null, choice ? 'B' : '4'))
  }
})
