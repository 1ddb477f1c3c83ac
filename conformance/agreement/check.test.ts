import { expect, it } from 'vitest'
import { z } from 'zod'
import { eachCase, firstDifference } from './check.ts'

it('compares every case, whatever is wrong with the one before', () => {
  const cases = [
    { name: 'right', ours: 1, theirs: 1 },
    { name: 'of another form', ours: 'one', theirs: 1 },
    7,
    { id: 'wrong', ours: 1, theirs: 2 },
    { name: 'ours falls over it', ours: 0, theirs: 1 },
    { name: 'right again', ours: 3, theirs: 3 },
  ]
  const shape = z.object({ ours: z.number(), theirs: z.number() })
  const verdicts = [
    ...eachCase('cases', cases, shape, function* ({ ours, theirs }, at) {
      if (ours === 0) throw new RangeError('nothing')
      const detail = firstDifference(ours, theirs)
      yield detail === null ? { where: `${at}`, agrees: true } : { where: `${at}`, agrees: false, detail }
    }),
  ]
  expect(verdicts).toMatchObject([
    { where: '0', agrees: true },
    { where: 'cases.of another form', agrees: false, detail: expect.stringContaining('expected number') },
    { where: 'cases[2]', agrees: false },
    { where: '3', agrees: false },
    { where: 'cases.ours falls over it', agrees: false, detail: 'ours fails: nothing' },
    { where: '5', agrees: true },
  ])
})
