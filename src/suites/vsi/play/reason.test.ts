import { describe, expect, test } from 'vitest'
import type { Message } from '../../../suite.ts'
import { videoOptions } from '../options.ts'
import { cognitiveMapPrompts, thinkPrompt } from '../prompts.ts'
import { mapCategories } from '../samples/meta.ts'
import { LETTERS, question, scripted } from '../../../../test/support/suites/vsi.ts'
import type { Reasoned } from '../domain/protocol.ts'
import { playFromCaptions } from './captions.ts'
import { mapSubject } from './cognitive-map.ts'
import { reasonedReply, REASONED_CALLS } from './reason.ts'

const sample = question('object_rel_direction_medium', LETTERS, 'B')

async function play(method: Reasoned, replies: readonly string[]) {
  const { episode, asked, purposes } = scripted(replies)
  const answerInput = { ask: 'answer', bare: true } as const
  const reply = await reasonedReply(method, { sample, episode, pictures: [], maxTokens: 64, answerInput })
  return { reply, purposes, turns: asked.map((messages) => messages.map(said)) }
}

const said = ({ content }: Message) =>
  typeof content === 'string' ? content : content.map((part) => (part.type === 'text' ? part.text : '')).join('')

test('reasoning, maps and repeats are not mixed', () => {
  for (const given of [
    { repeat: 2, prompts: 'cot' },
    { repeat: 2, order: 'text-first' },
    { cognitiveMap: 'own-map', prompts: 'cot' },
    { grid: 20 },
    { prompts: 'captions', input: 'video' },
  ])
    expect(videoOptions.safeParse(given).success).toBe(false)
  expect(videoOptions.parse({})).not.toHaveProperty('repeat')
})

test('a Socratic model captions every frame, then answers from the captions alone', async () => {
  const { episode, asked, purposes, events } = scripted(['A chair.', ' A table. ', 'B'])
  const frames = ['1', '2'].map((sha256) => ({ sha256: sha256.repeat(64), type: 'image/png', bytes: 1 }) as const)
  const how = { maxTokens: 64, reasks: 0 }
  const { outcome } = await playFromCaptions(sample, episode, how, frames, { ask: 'answer', bare: true })
  expect(purposes).toEqual(['caption', 'caption', 'question'])
  expect(asked[2]).toHaveLength(1)
  expect(said(asked[2]![0]!)).toContain(
    'in order.\n\nFrame 1: A chair.\nFrame 2: A table.\n\nWhat is where?\nOptions:\nA. left',
  )
  expect(events).toContainEqual({ type: 'vsi/captions', captions: ['A chair.', 'A table.'] })
  expect(outcome).toMatchObject({ reply: 'B', form: 'direct', pictures: 2 })
})

test('a map of a whole scene has all of its categories, whatever the question is', async () => {
  const box = (x: number) => ({ center: [x, 0, 0], size: [1, 1, 1], yaw: 0 }) as const
  const contents = [0, 9].map((x, i) => ({ category: ['sofa', "lamp's"][i]!, box: box(x) }))
  const count = { ...question('object_counting', null, '2'), contents }
  const { episode } = scripted([])
  const drawn = { cognitiveMap: 'scene-map' } as const
  const subject = await mapSubject(count, episode, drawn)
  expect(subject).toEqual({ categories: ['sofa', "lamp's"], things: contents })
  expect(cognitiveMapPrompts(count, subject!.categories, 10)).toMatchObject({
    draw: expect.stringContaining(`this scene: ['sofa', "lamp's"]. Focus`),
    answer: expect.stringMatching(/^According to the original video[^]*single word or phrase\.$/),
  })
  expect(await mapSubject(count, episode, { cognitiveMap: 'own-map' })).toBeNull()
  await expect(mapSubject(sample, episode, drawn)).rejects.toThrow('meta info')
})

describe('linguistic prompts', () => {
  test('a chain of thought has its answer extracted in a second turn', async () => {
    const { reply, turns } = await play('cot', ['It is on the right.', 'B'])
    expect(reply).toBe('B')
    const asked =
      "These are frames of a video.\nWhat is where?\nOptions:\nA. left\nB. right\nC. back\nLet's think step by step."
    expect(turns).toEqual([
      [asked],
      [asked, 'It is on the right.', "Answer with the option's letter from the given choices directly."],
    ])
  })

  test('the answer of most of five runs counts, however it is written', async () => {
    const { reply, purposes } = await play('self-consistency', [
      '.',
      'A',
      '.',
      'C.',
      '.',
      'C. back',
      '.',
      'A',
      '.',
      'C',
    ])
    expect(reply).toBe('C.')
    expect(purposes).toHaveLength(REASONED_CALLS['self-consistency'])
  })

  test('votes choose among three plans, then among three answers', async () => {
    const plans = ['first plan', 'second plan', 'third plan']
    const votes = ['The best choice is 2', 'no idea', 'Choice 1 is weak. The best choice is 2.']
    const last = ['The best choice is 3', 'The best choice is {3}', 'The best choice is 9']
    const replies = [...plans, ...votes, 'A', 'B', 'C', ...last]
    const { reply, purposes, turns } = await play('tree-of-thoughts', replies)
    expect(reply).toBe('C')
    expect(purposes).toHaveLength(REASONED_CALLS['tree-of-thoughts'])
    expect(turns[3]![0]).toContain('Choice 3:\nthird plan')
    expect(turns[6]![0]).toContain('Follow this plan:\nsecond plan')
  })

  test('tags are asked for in the words of Video-R1', () => {
    expect(thinkPrompt(sample)).toMatch(
      /^What is where\?\n\nOptions:\n {2}A\. left\n[^]*<answer> and <\/answer> tags\. Please/,
    )
  })
})

/** Questions and lists as the released code of the cognitive map extracts them. */
test.each([
  [
    'object_rel_distance',
    'Measuring from the closest point of each object, which of these objects (tv, 3-seater sofa, door, lamp) is the closest to the trash can?',
    "['tv', '3-seater sofa', 'door', 'lamp', 'trash can']",
  ],
  [
    'object_rel_direction_easy',
    "If I am standing by the director's chair and facing the tv, is the door to the left or the right of the tv?",
    `["director's chair", 'tv', 'door']`,
  ],
] as const)('the published map of %s lists its categories as published', (type, text, list) => {
  const named = { ...sample, type, question: text }
  const { draw } = cognitiveMapPrompts(named, mapCategories(named)!, 20)
  expect(draw).toContain(`in this scene: ${list}. Focus ONLY`)
  expect(draw.match(/20x20 grid/g)).toHaveLength(2)
  expect(draw.endsWith('{"category name": [(x_1, y_1), ...], ...}')).toBe(true)
})
