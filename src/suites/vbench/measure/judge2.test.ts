/** VBench-2.0: the published questions with a judge that answers as told. */
import { describe, expect, test } from 'vitest'
import type { Message } from '../../../suite.ts'
import type { Asked, JudgedDimension } from '../domain/vbench2.ts'
import { type Asker, evenFrames, judged } from './judge2.ts'

/** Replies by what the question contains; everything asked is kept. */
function scripted(replies: readonly (readonly [part: string, reply: string])[]): Asker & { asked: string[] } {
  const asked: string[] = []
  const answer = (question: string): Promise<string> => {
    asked.push(question)
    const found = replies.find(([part]) => question.includes(part))
    if (found === undefined) throw new Error(`not expected: ${question}`)
    return Promise.resolve(found[1])
  }
  return {
    asked,
    times: (from = 0, to = 16) => `[${from}-${to}]`,
    video: (question, frames) => answer(frames ? `${question} <${frames.from}-${frames.to}>` : question),
    text: (messages: readonly Message[]) => answer(messages.map(({ content }) => content as string).join('|')),
  }
}

const valueOf = async (
  dimension: JudgedDimension,
  asked: Asked | null,
  replies: readonly (readonly [string, string])[],
) => {
  const ask = scripted(replies)
  const facts = asked === null ? {} : { asked: { [dimension]: asked } }
  return { ...(await judged(dimension, { prompt: 'One person hands a cup to another.', facts }, ask)), ask }
}

describe('VBench-2.0', () => {
  test('all questions must be answered yes', async () => {
    const asked = { texts: ['Is it red?', 'Is it round?'] }
    expect((await valueOf('dynamic_attribute', asked, [['?', 'Yes.']])).value).toBe(1)
    const half = await valueOf('motion_rationality', asked, [
      ['red', 'yes'],
      ['round', 'No, it is square.'],
    ])
    expect(half.value).toBe(0)
    expect(half.ask.asked[0]).toBe('[0-16] Answer yes or no only for the following questions.\nIs it red?')
  })

  test('a video that does not show the experiment does not count', async () => {
    const asked = { texts: ['Is there ice?', 'Does it melt?'] }
    expect(
      await valueOf('thermotics', asked, [
        ['ice', 'no'],
        ['melt', 'yes'],
      ]),
    ).toMatchObject({ value: null, reason: expect.stringContaining('does not count') })
    expect((await valueOf('material', asked, [['?', 'yes']])).value).toBe(1)
    expect((await valueOf('mechanics', { texts: ['Does it fall?'] }, [['fall', 'no']])).value).toBe(0)
    const crowd = await valueOf('human_clothes', null, [
      ['only one person', 'No'],
      ['', 'yes'],
    ])
    expect(crowd).toMatchObject({ value: null })
    expect(crowd.ask.asked).toHaveLength(1)
  })

  test('a composition counts its parts, or all of them, and may be of one creature only', async () => {
    const parts = ['Wings', 'A lion', 'A tail', 'A crown']
    const seen = [
      ['Wings', 'yes'],
      ['A lion', 'yes'],
      ['', 'no'],
    ] as const
    expect((await valueOf('composition', { texts: parts, one: false, all: false }, seen)).value).toBe(0.5)
    expect((await valueOf('composition', { texts: parts, one: false, all: true }, seen)).value).toBe(0)
    expect((await valueOf('composition', { texts: parts, one: true, all: false }, seen)).value).toBe(0.25)
  })

  test('places are asked of the first half and of the last frame', async () => {
    const found = await valueOf('dynamic_spatial_relationship', { texts: ['Left?', 'Right?'] }, [['?', 'yes']])
    expect(found.value).toBe(1)
    expect(found.ask.asked[0]).toContain('[0-8]')
    expect(found.ask.asked[1]).toBe('Please answer yes or no only for the following questions.\nRight? <15-16>')
  })

  test('actions and stories are told first, and compared then', async () => {
    const actions = { texts: ['sitting', 'sweeping'] }
    const told = ['Return the action', '1. He sits. 2. He sweeps.'] as const
    expect((await valueOf('motion_order_understanding', actions, [told, ['prompt1', 'Yes. Same.']])).value).toBe(1)
    expect((await valueOf('motion_order_understanding', actions, [['Return the action', 'He sits.']])).value).toBeNull()
    const plots = { texts: ['a', 'b', 'c', 'd'] }
    const story = ['Return the plot', '1. A. 2. B. 3. X. 4. D.'] as const
    const half = await valueOf('complex_plot', plots, [story, ['prompt2: X', 'No.'], ['prompt1', 'Yes.']])
    expect(half.value).toBe(0.5)
    const summed = await valueOf('complex_landscape', plots, [
      ['landscape in video', 'hills'],
      ['video_caption', 'Hills only'],
      ['prompt1: a', 'yes'],
      ['prompt1', 'no'],
    ])
    expect(summed.value).toBe(0.25)
    const people = [
      ['human interaction in', 'a person hands a cup'],
      ['in details', 'two men'],
      ['person number', 'yes'],
      ['hands a cup', 'Yes, the same'],
    ] as const
    expect((await valueOf('human_interaction', null, people)).value).toBe(1)
  })

  test('frames are taken evenly, from the first to the last', () => {
    expect(evenFrames(4, 10)).toEqual([0, 3, 6, 9])
    expect(evenFrames(3, 1)).toEqual([0, 0, 0])
  })
})
