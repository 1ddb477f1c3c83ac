/**
 * Routes, in the URL hash: they work from a server and from disk.
 *
 * | route | page |
 * |---|---|
 * | `#/` | leaderboard |
 * | `#/runs/RUN` | a run |
 * | `#/runs/RUN/INDEX/EPOCH?at=12` | an episode, at its 12th event |
 * | `#/shared?run=RUN&run=RUN…` | any number of runs on the samples they share |
 * | `#/compare/RUN/RUN` | comparison of two runs |
 * | `#/compare/RUN/RUN/INDEX/INDEX/EPOCH` | a pair of episodes, side by side |
 * | `#/play` | start or resume human play |
 * | `#/play/SESSION` | a play session |
 * | `#/votes` | choose runs and vote on their videos |
 * | `#/votes/BALLOT?name=ada` | vote, as a person |
 * | `#/votes/BALLOT/results` | what the votes say |
 * | `#/study` | a participant's part of a study |
 */
const part = encodeURIComponent

export const PATHS = {
  leaderboard: '/',
  run: '/runs/:run',
  episode: '/runs/:run/:index/:epoch',
  shared: '/shared',
  compare: '/compare/:a/:b',
  pair: '/compare/:a/:b/:indexA/:indexB/:epoch',
  play: '/play/:session?',
  votes: '/votes',
  vote: '/votes/:ballot',
  preference: '/votes/:ballot/results',
  study: '/study',
} as const

export type PageName = keyof typeof PATHS

/** By the first path segment and the number of further segments. */
const PAGES: Readonly<Record<string, PageName>> = {
  '/0': 'leaderboard',
  'runs/1': 'run',
  'runs/3': 'episode',
  'shared/0': 'shared',
  'compare/2': 'compare',
  'compare/5': 'pair',
  'play/0': 'play',
  'play/1': 'play',
  'votes/0': 'votes',
  'votes/1': 'vote',
  'votes/2': 'preference',
  'study/0': 'study',
}

/** The page of a path and the path's further segments; `null` for an unknown path. */
export function matchPage(path: string): { page: PageName; parts: readonly string[] } | null {
  const [first = '', ...parts] = path
    .split('/')
    .filter((each) => each !== '')
    .map(decode)
  const page = PAGES[`${first}/${parts.length}`]
  return page === undefined ? null : { page, parts }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export const linkTo = {
  leaderboard: () => '/',
  run: (run: string) => `/runs/${part(run)}`,
  episode: (run: string, { index, epoch }: { index: number; epoch: number }, at?: number) =>
    `/runs/${part(run)}/${index}/${epoch}${at === undefined ? '' : `?at=${at}`}`,
  shared: (runs: readonly string[]) => `/shared?${runs.map((run) => `run=${part(run)}`).join('&')}`,
  compare: (a: string, b: string) => `/compare/${part(a)}/${part(b)}`,
  pair: (a: string, b: string, pair: { indexA: number; indexB: number; epoch: number }) =>
    `/compare/${part(a)}/${part(b)}/${pair.indexA}/${pair.indexB}/${pair.epoch}`,
  play: () => '/play',
  playSession: (session: string) => `/play/${part(session)}`,
  votes: () => '/votes',
  vote: (ballot: string, name: string) => `/votes/${part(ballot)}?name=${part(name)}`,
  preference: (ballot: string) => `/votes/${part(ballot)}/results`,
}
