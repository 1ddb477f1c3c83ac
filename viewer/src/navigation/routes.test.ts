import { expect, it } from 'vitest'
import { linkTo, pageAt } from './routes.ts'

const RUN = '2026-11-15T00-00-00_space+text %/ü'

it.each([
  [linkTo.board(), 'board', []],
  [linkTo.run(RUN), 'run', [RUN]],
  [linkTo.episode(RUN, { index: 3, epoch: 1 }), 'episode', [RUN, '3', '1']],
  [linkTo.compare(RUN, 'b'), 'compare', [RUN, 'b']],
  [linkTo.pair(RUN, 'b', { indexA: 1, indexB: 2, epoch: 3 }), 'pair', [RUN, 'b', '1', '2', '3']],
  [linkTo.play(), 'play', []],
  [linkTo.game('g'), 'play', ['g']],
])('%s is an address of the page %s', (address, page, parts) => {
  expect(pageAt(address)).toEqual({ page, parts })
})

it.each(['/somewhere', '/runs', '/runs/a/b', '/compare/a', '/constructor', '/runs/a/1/1/1'])(
  '%s is of none',
  (address) => {
    expect(pageAt(address)).toBeNull()
  },
)

it('takes an address that cannot be read as it stands', () => {
  expect(pageAt('/runs/100%')).toEqual({ page: 'run', parts: ['100%'] })
})
