/** API URLs, relative to the page. See `src/server/api.ts` for the responses. */
export const API = 'api'

export const apiUrl = {
  info: () => `${API}/info`,
  runs: () => `${API}/runs`,
  run: (run: string) => `${API}/runs/${encodeURIComponent(run)}`,
  panel: (run: string) => `${apiUrl.run(run)}/panel`,
  episodes: (run: string) => `${apiUrl.run(run)}/episodes`,
  descriptions: (run: string, episodes: readonly { index: number; epoch: number }[]) =>
    `${apiUrl.run(run)}/descriptions?of=${episodes.map(({ index, epoch }) => `${index}.${epoch}`).join(',')}`,
  figures: (run: string) => `${apiUrl.run(run)}/figures`,
  search: (run: string, text: string) => `${apiUrl.run(run)}/search?q=${encodeURIComponent(text)}`,
  episode: (run: string, index: number | string, epoch: number | string) =>
    `${apiUrl.run(run)}/episodes/${index}/${epoch}`,
  scene: (run: string, index: number, epoch: number) => `${apiUrl.episode(run, index, epoch)}/scene`,
  shared: (runs: readonly string[], least: number) =>
    `${API}/shared?runs=${runs.map(encodeURIComponent).join(',')}&least=${least}`,
  errors: () => `${API}/errors`,
  compare: (a: string, b: string) => `${API}/compare?a=${encodeURIComponent(a)}&b=${encodeURIComponent(b)}`,
}
