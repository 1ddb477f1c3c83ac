/** Addresses of the server, relative to the page. `src/server/api.ts` says what each answers. */
export const API = 'api'

export const addressOf = {
  info: () => `${API}/info`,
  runs: () => `${API}/runs`,
  run: (run: string) => `${API}/runs/${encodeURIComponent(run)}`,
  panel: (run: string) => `${addressOf.run(run)}/panel`,
  episodes: (run: string) => `${addressOf.run(run)}/episodes`,
  search: (run: string, text: string) => `${addressOf.run(run)}/search?q=${encodeURIComponent(text)}`,
  episode: (run: string, index: number | string, epoch: number | string) =>
    `${addressOf.run(run)}/episodes/${index}/${epoch}`,
  scene: (run: string, index: number, epoch: number) => `${addressOf.episode(run, index, epoch)}/scene`,
  compare: (a: string, b: string) => `${API}/compare?a=${encodeURIComponent(a)}&b=${encodeURIComponent(b)}`,
}
