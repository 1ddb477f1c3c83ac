/**
 * Addresses in the page, behind the `#`: they work from a server and from disk, and can be sent to somebody.
 *
 * | address | page |
 * |---|---|
 * | `#/` | the board of runs |
 * | `#/runs/RUN` | a run |
 * | `#/runs/RUN/INDEX/EPOCH?at=12` | an episode, at its 12th event |
 * | `#/compare/RUN/RUN` | two runs |
 * | `#/compare/RUN/RUN/INDEX/INDEX/EPOCH` | an episode of each, side by side |
 * | `#/play` | before playing as a person |
 * | `#/play/GAME` | a game |
 */
const part = encodeURIComponent

export const PATHS = {
  board: '/',
  run: '/runs/:run',
  episode: '/runs/:run/:index/:epoch',
  compare: '/compare/:a/:b',
  pair: '/compare/:a/:b/:indexA/:indexB/:epoch',
  play: '/play/:game?',
} as const

export type PageName = keyof typeof PATHS

/** By the first part of an address, and how many more there are. */
const PAGES: Readonly<Record<string, PageName>> = {
  '/0': 'board',
  'runs/1': 'run',
  'runs/3': 'episode',
  'compare/2': 'compare',
  'compare/5': 'pair',
  'play/0': 'play',
  'play/1': 'play',
}

/** Which page an address is of, and the parts of the address; `null` where there is none. */
export function pageAt(path: string): { page: PageName; parts: readonly string[] } | null {
  const [first = '', ...parts] = path
    .split('/')
    .filter((each) => each !== '')
    .map(decoded)
  const page = PAGES[`${first}/${parts.length}`]
  return page === undefined ? null : { page, parts }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export const linkTo = {
  board: () => '/',
  run: (run: string) => `/runs/${part(run)}`,
  episode: (run: string, { index, epoch }: { index: number; epoch: number }, at?: number) =>
    `/runs/${part(run)}/${index}/${epoch}${at === undefined ? '' : `?at=${at}`}`,
  compare: (a: string, b: string) => `/compare/${part(a)}/${part(b)}`,
  pair: (a: string, b: string, pair: { indexA: number; indexB: number; epoch: number }) =>
    `/compare/${part(a)}/${part(b)}/${pair.indexA}/${pair.indexB}/${pair.epoch}`,
  play: () => '/play',
  game: (game: string) => `/play/${part(game)}`,
}
