import { expect, it } from 'vitest'
import type { FinishReason } from '../models/types.ts'
import { problemOf } from './reply-problem.ts'

it.each<[string, string, FinishReason, string | null]>([
  ['an answer', 'B', 'stop', null],
  ['an answer after an apology', 'Sorry for the confusion. The answer is B.', 'stop', null],
  ['an answer with "cannot"', 'The chair cannot be left of the table, so B.', 'stop', null],
  ['cut off in the middle', 'Let me think about the', 'length', 'cut_off'],
  ['cut off before the first word', '', 'length', 'cut_off'],
  ['stopped by a filter', '', 'content-filter', 'filtered'],
  ['nothing', ' \n', 'stop', 'empty'],
  ['a refusal', "I'm sorry, but I can't assist with that request.", 'stop', 'refused'],
  ['a refusal with other quotes', 'I’m sorry, I cannot determine that from these images.', 'stop', 'refused'],
  ['a blunt refusal', 'I cannot help with that.', 'stop', 'refused'],
])('recognizes %s', (_, text, finish, problem) => {
  expect(problemOf({ text, finish })).toBe(problem)
})

it('takes a video without text for an answer', () => {
  expect(problemOf({ text: '', finish: 'stop', media: [{ sha256: 'a', type: 'video/mp4', bytes: 1 }] })).toBeNull()
})
