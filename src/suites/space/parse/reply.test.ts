import { describe, expect, test } from 'vitest'
import { parseChanges, parsePublishedChange } from './changes.ts'
import { pythonFloat } from './published-json.ts'
import { parseActions } from './actions.ts'
import { relationField, sequenceField } from './fields.ts'
import { answerOf, parseReply, splitMapAndAnswer } from './reply.ts'

describe('finding the answer', () => {
  // name, reply, answer under upstream, answer under fixed
  const table: [name: string, reply: string, upstream: string, fixed: string][] = [
    ['a plain answer', 'north, near', 'north, near', 'north, near'],
    ['after the label', 'THINK:\nhm\nFINAL ANSWER:\nnorth, near', 'north, near', 'north, near'],
    ['label in reasoning', 'THINK: then FINAL ANSWER: a\nFINAL ANSWER: b', 'a\nFINAL ANSWER: b', 'b'],
    ['empty last label', 'FINAL ANSWER: b\nFINAL ANSWER:', 'b\nFINAL ANSWER:', 'b'],
    ['bold label', '**FINAL ANSWER:** north', '** north', 'north'],
    ['tags', '<think>x</think><answer>y</answer>', 'y', 'y'],
    ['think tags', '<think>FINAL ANSWER: a</think>FINAL ANSWER: b', 'a</think>FINAL ANSWER: b', 'b'],
    ['box tokens', 'FINAL ANSWER: <|begin_of_box|>b<|end_of_box|>', 'b', 'b'],
    ['reasoning only', 'THINK: no idea', 'THINK: no idea', ''],
    ['nothing', '', '', ''],
    ['answer tag after the label', 'FINAL ANSWER:\n<answer>b</answer>', '<answer>b</answer>', 'b'],
  ]

  test.each(table)('%s', (_, reply, upstream, fixed) => {
    expect(answerOf(reply, 'upstream')).toBe(upstream)
    expect(answerOf(reply, 'fixed')).toBe(fixed)
  })

  test('separates reasoning from the answer', () => {
    expect(parseReply('THINK:\nleft or right?\nFINAL ANSWER:\nleft', 'fixed').thoughts).toBe('left or right?')
    expect(parseReply('<think>a</think>FINAL ANSWER: b', 'upstream').thoughts).toBe('a')
  })
})

describe('a map before the answer', () => {
  test.each([
    ['<cogmap>{"a": 1}</cogmap><answer>north</answer>', '{"a": 1}', 'north'],
    ['<cogmap>{"a": 1}</cogmap> north', '{"a": 1}', 'north'],
    ['```json\n{"a": 1}\n```\nnorth', '{"a": 1}', 'north'],
    ['north', null, 'north'],
    ['', null, ''],
  ])('%j', (content, map, answer) => {
    for (const profile of ['upstream', 'fixed'] as const) {
      expect(splitMapAndAnswer(content, profile)).toEqual({ map, answer })
    }
  })
})

test('parses long hostile replies in linear time', () => {
  for (const piece of ['<answer>', 'FINAL ANSWER:', '<cogmap>', '```', 'THINK:', '<think>', '{"a":']) {
    const reply = piece.repeat(20_000)
    for (const profile of ['upstream', 'fixed'] as const) {
      expect(typeof answerOf(reply, profile)).toBe('string')
      expect(typeof splitMapAndAnswer(reply, profile).answer).toBe('string')
    }
  }
})

/** Quadratic parsing would take minutes here. */
test.each([
  ['a run of quotes', `x${'"'.repeat(400_000)}x`],
  ['a run of digits', `${'1'.repeat(400_000)}x`],
])('parses %s in linear time', (_, text) => {
  expect(sequenceField(text)).toEqual([text])
  expect(relationField(text)).toBeNull()
  expect(parsePublishedChange(`${text}: moved`).problem).toBeNull()
  expect(pythonFloat(text)).toBeNull()
  for (const profile of ['upstream', 'fixed'] as const) {
    parseChanges(`${text}: moved`, ['lamp'], profile)
    parseActions(`[Term(changes=${text})]`, 'false-belief', profile)
  }
})
