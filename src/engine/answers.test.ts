import { expect, it } from 'vitest'
import { exampleHeader, exampleLine } from '../../test/support/report.ts'
import { UserError } from '../base/errors.ts'
import { answersIn } from './answers.ts'
import type { AnySuite } from './suite.ts'
import { builtinSuite } from '../suites/index.ts'

it('draws the answers of scored episodes, and counts damaged logs', async () => {
  const suite: AnySuite = { ...(await builtinSuite('vsi/blind')), describe: () => ({ answer: 'left', truth: 'right' }) }
  const reader = {
    header: exampleHeader(),
    events: ({ index }: { index: number }) =>
      index === 1
        ? Promise.reject(new UserError('events.jsonl is damaged.'))
        : Promise.resolve([
            { type: 'sample', sample: { id: 'a' } },
            { type: 'outcome', outcome: null },
          ]),
  }
  const lines = [
    exampleLine(0),
    exampleLine(1),
    exampleLine(2, { status: 'cancelled' }),
    exampleLine(3, { status: 'missing_asset' }),
    exampleLine(4, { status: 'no_answer' }),
  ]
  const episode = { labels: { type: 'direction' }, answer: 'left', truth: 'right' }
  expect(await answersIn(reader, suite, lines)).toEqual({ episodes: [episode, episode], unreadable: 1 })
})
