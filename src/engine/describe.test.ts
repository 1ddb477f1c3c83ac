import { expect, test } from 'vitest'
import type { RunHeader } from '../store/records.ts'
import { defineSuite } from './define.ts'
import { episodeDescriber } from './describe.ts'
import { user } from './messages.ts'
import { number, yesOrNo } from './readers.ts'

const header = { profile: 'default', options: {} } as unknown as RunHeader
const asking = { name: 'windows', version: 1, ask: () => [user`Is there a window?`] }
const yes = defineSuite({ ...asking, samples: [{ open: true }], read: yesOrNo(), truth: ({ open }) => open })

const image = { type: 'media', sha256: 'a', mediaType: 'image/png', bytes: 3, provenance: { made: 'render' } }
const events = [
  { type: 'sample', sample: { id: '1', cluster: '1', labels: {}, open: true } },
  { type: 'media', sha256: 'b', mediaType: 'model/gltf-binary', bytes: 9, provenance: {} },
  image,
  { type: 'message', id: 0, role: 'system', content: 'Be brief.' },
  { type: 'message', id: 1, role: 'user', content: [{ type: 'media' }, { type: 'text', text: 'Is there a window?' }] },
  { type: 'ask', role: 'player', messages: [0, 1] },
  { type: 'reply', role: 'player', text: 'No, there is none.' },
  { type: 'outcome', status: 'answered', outcome: { answer: false, reply: 'No, there is none.' } },
]

test('describes the episodes of questions', () => {
  expect(episodeDescriber(yes, header)(events)).toEqual({
    question: 'Is there a window?',
    answer: 'no',
    truth: 'yes',
    choices: ['yes', 'no'],
    image: { sha256: 'a', type: 'image/png', bytes: 3 },
  })
  const count = defineSuite({ ...asking, samples: [{ open: 2 }], read: number(), truth: ({ open }) => open })
  const failed = [{ type: 'sample', sample: { id: '1', cluster: '1', labels: {}, open: 2 } }]
  expect(episodeDescriber(count, header)(failed)).toEqual({ answer: null, truth: 2 })
})

test('falls back to the log without a suite, without a sample, and when the suite fails', () => {
  const fromLog = { question: 'Is there a window?', answer: 'No, there is none.', image: expect.anything() }
  expect(episodeDescriber(null, header)(events)).toEqual(fromLog)
  expect(episodeDescriber(yes, header)(events.slice(1))).toEqual(fromLog)
  const failing = defineSuite({
    ...asking,
    samples: [{}],
    read: number(),
    truth: () => 1,
    describe: () => {
      throw new Error('an outcome of another version')
    },
  })
  expect(episodeDescriber(failing, header)(events)).toEqual(fromLog)
  const broken = [null, 1, { type: 'ask', role: 'player' }, { type: 'media' }, { type: 'outcome' }, { type: 'message' }]
  expect(episodeDescriber(yes, header)(broken)).toEqual({})
})

test('cuts long texts', () => {
  const long = defineSuite({
    ...asking,
    samples: [{}],
    read: number(),
    truth: () => 1,
    describe: () => ({ question: 'x'.repeat(10_000), choices: Array.from({ length: 999 }, String) }),
  })
  const { question, choices } = episodeDescriber(long, header)(events)
  expect([question!.length, question!.at(-1), choices!.length]).toEqual([2000, '…', 50])
})
