import { expect, it } from 'vitest'
import { linkTo, matchPage } from './routes.ts'

const RUN = '2026-11-15T00-00-00_space+text %/ü'

it.each([
  [linkTo.leaderboard(), 'leaderboard', []],
  [linkTo.run(RUN), 'run', [RUN]],
  [linkTo.episode(RUN, { index: 3, epoch: 1 }), 'episode', [RUN, '3', '1']],
  [linkTo.shared([RUN]).split('?')[0]!, 'shared', []],
  [linkTo.compare(RUN, 'b'), 'compare', [RUN, 'b']],
  [linkTo.pair(RUN, 'b', { indexA: 1, indexB: 2, epoch: 3 }), 'pair', [RUN, 'b', '1', '2', '3']],
  [linkTo.play(), 'play', []],
  [linkTo.votes(), 'votes', []],
  [linkTo.vote('votes-1', 'ada').split('?')[0]!, 'vote', ['votes-1']],
  [linkTo.preference('votes-1'), 'preference', ['votes-1', 'results']],
  [linkTo.playSession('g'), 'play', ['g']],
])('matches %s to the page %s', (address, page, parts) => {
  expect(matchPage(address)).toEqual({ page, parts })
})

it.each(['/somewhere', '/runs', '/runs/a/b', '/compare/a', '/constructor', '/runs/a/1/1/1'])(
  'matches %s to no page',
  (address) => {
    expect(matchPage(address)).toBeNull()
  },
)

it('keeps a path that cannot be decoded', () => {
  expect(matchPage('/runs/100%')).toEqual({ page: 'run', parts: ['100%'] })
})
