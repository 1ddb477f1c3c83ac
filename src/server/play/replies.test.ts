import { expect, test } from 'vitest'
import { readAgentReply, readAnswer } from '../../suites/vsi/parse.ts'
import type { VsiSample } from '../../suites/vsi/samples/sample.ts'
import { readReply } from '../../suites/vsig/parse/reply.ts'
import { NO_MOVE } from '../../world/walk/move.ts'
import { findChoices, splitMessage, findObjects } from '../../../viewer/src/play/controls/prompt.ts'
import { vsi, vsigReply } from '../../../viewer/src/play/controls/replies.ts'

const counting = { type: 'object_counting', options: null } as unknown as VsiSample
const distance = { type: 'object_rel_distance', options: ['A. chair', 'B. table'] } as unknown as VsiSample

test('parses a move as it was clicked', () => {
  const move = { ...NO_MOVE, turnDegrees: -45, forwardMeters: 0.5 }
  expect(readAgentReply(vsi.move(move), counting)).toMatchObject({ move, done: false, answer: null, problem: null })
})

test.each([
  [counting, '3', '3'],
  [distance, 'B', 'B'],
])('parses an answer as it was given', (sample, given, read) => {
  expect(readAgentReply(vsi.answer(given), sample)).toMatchObject({ done: true, answer: read, problem: null })
  expect(readAnswer(vsi.answerOnly(given), sample).answer).toBe(read)
})

test('parses points and times as they were marked', () => {
  const reply = vsigReply('put the cup there', [
    { kind: 'target_object', description: 'a red cup', point: [120, 640], time: [300, 900] },
    { kind: 'spatial_affordance', description: 'free place', point: [700, 500], time: null },
  ])
  expect(readReply(reply)).toMatchObject({
    command: 'put the cup there',
    points: [
      { point: [120, 640], time: [300, 900], description: 'a red cup' },
      { point: [700, 500], time: null },
    ],
  })
})

test('finds options, object names and image labels in a prompt', () => {
  expect(findChoices('Which?\nA. a chair\nB. a table (B)\nExample: A. nothing')).toEqual([
    { letter: 'A', text: 'a chair' },
    { letter: 'B', text: 'a table (B)' },
  ])
  expect(findChoices('A. only one')).toEqual([])
  expect(findObjects('Objects: 1: trash can, 2: oven\nDoors: red door, blue door\n')).toEqual([
    'trash can',
    'oven',
    'red door',
    'blue door',
  ])
  const media = { sha256: 'a'.repeat(64), type: 'image/png' as const, bytes: 1 }
  const message = {
    role: 'user' as const,
    content: [
      { type: 'text' as const, text: 'Image 0' },
      { type: 'media' as const, media },
      { type: 'text' as const, text: 'The question' },
    ],
  }
  expect(splitMessage(message)).toEqual({ text: 'The question', images: [{ media, label: 'Image 0' }] })
})
