import { expect, it } from 'vitest'
import { corpora } from './corpora.ts'
import { readCorpus } from './corpus.ts'

it('counts a misread reply, and fails below the bar', async () => {
  const replies = () => [
    { manner: 'plain', reply: 'B', expected: 'B', read: 'B' },
    { manner: 'chatty', reply: 'Not A. B it is.', expected: 'B', read: 'A' },
  ]
  expect(await readCorpus({ bar: 0.5, replies })).toMatchObject({ total: 2, right: 1, holds: true })
  expect(await readCorpus({ bar: 0.9, replies })).toMatchObject({
    holds: false,
    misread: [{ manner: 'chatty', difference: ': ours "A", theirs "B"' }],
  })
  expect(await readCorpus({ bar: 0, replies: () => [] })).toMatchObject({ holds: false })
})

it.each(Object.entries(corpora))('%s are read as a careful person reads them', async (_, corpus) => {
  const { misread, holds } = await readCorpus(corpus)
  expect(holds, misread.map(({ reply, difference }) => `${reply}\n→ ${difference}`).join('\n\n')).toBe(true)
})
