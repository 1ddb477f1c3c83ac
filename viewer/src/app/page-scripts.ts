import type { PageName } from '../navigation/routes.ts'

/** Page modules, loaded on demand. The leaderboard is part of the initial bundle. */
export const pageScripts = {
  run: () => import('../pages/run.tsx'),
  episode: () => import('../pages/episode.tsx'),
  shared: () => import('../pages/shared.tsx'),
  compare: () => import('../pages/compare.tsx'),
  pair: () => import('../pages/pair.tsx'),
  play: () => import('../pages/play.tsx'),
} satisfies Record<Exclude<PageName, 'leaderboard'>, () => Promise<unknown>>
