import { expect, it } from 'vitest'
import { exampleHeader, exampleLine } from '../../test/support/report.ts'
import { UserError } from '../base/errors.ts'
import { answersIn } from './answers.ts'
import { defineSuite } from './define.ts'
import { user } from './messages.ts'
import { number } from './readers.ts'

it('draws the answers of scored episodes, and counts damaged logs', async () => {
  const suite = defineSuite({
    name: 'doors',
    version: 1,
    samples: [{ doors: 2 }],
    ask: () => [user`How many doors?`],
    read: number(),
    truth: ({ doors }) => doors,
  })
  const events = [
    { type: 'sample', sample: { id: '1', cluster: '1', labels: {}, doors: 2 } },
    { type: 'outcome', status: 'answered', outcome: { answer: 3, reply: '3' } },
  ]
  const reader = {
    header: exampleHeader({ profile: 'default' }),
    events: ({ index }: { index: number }) =>
      index === 1 ? Promise.reject(new UserError('events.jsonl is damaged.')) : Promise.resolve(events),
  }
  const lines = [
    exampleLine(0),
    exampleLine(1),
    exampleLine(2, { status: 'cancelled' }),
    exampleLine(3, { status: 'missing_asset' }),
    exampleLine(4, { status: 'no_answer' }),
  ]
  const episode = { labels: { type: 'direction' }, answer: 3, truth: 2 }
  expect(await answersIn(reader, suite, lines)).toEqual({ episodes: [episode, episode], unreadable: 1 })
})
