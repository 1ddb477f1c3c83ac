import type { PageName } from '../navigation/routes.ts'

/** The scripts of the pages, each loaded when it is wanted. The board opens first, so it is always there. */
export const pageScripts = {
  run: () => import('../pages/run.tsx'),
  episode: () => import('../pages/episode.tsx'),
  compare: () => import('../pages/compare.tsx'),
  pair: () => import('../pages/pair.tsx'),
  play: () => import('../pages/play.tsx'),
} satisfies Record<Exclude<PageName, 'board'>, () => Promise<unknown>>
