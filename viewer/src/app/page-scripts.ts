import type { PageName } from '../navigation/routes.ts'

/** Page modules, loaded on demand. The leaderboard is part of the initial bundle. */
export const pageScripts = {
  run: () => import('../pages/run.tsx'),
  episode: () => import('../pages/episode.tsx'),
  shared: () => import('../pages/shared.tsx'),
  compare: () => import('../pages/compare.tsx'),
  pair: () => import('../pages/pair.tsx'),
  study: () => import('../pages/study.tsx'),
  play: () => import('../pages/play.tsx'),
  votes: () => import('../pages/votes.tsx'),
  vote: () => import('../pages/vote.tsx'),
  preference: () => import('../pages/preference.tsx'),
} satisfies Record<Exclude<PageName, 'leaderboard'>, () => Promise<unknown>>
