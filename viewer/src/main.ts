/**
 * The initial script, kept small: it requests the page's data and script while everything else is still loading.
 */
import './app/style.css'
import { pageScripts } from './app/page-scripts.ts'
import { matchPage, type PageName } from './navigation/routes.ts'
import { apiUrl } from './data/api-urls.ts'
import { prefetch } from './data/prefetch.ts'

async function begin(): Promise<void> {
  const opened = matchPage(location.hash.replace(/^#/, '').split('?', 1)[0]!)
  if (opened) prefetch(dataOf(opened))
  const [{ mount }, { httpSource }] = await Promise.all([
    import('./mount.tsx'),
    import('./data/http.ts'),
    opened && scriptOf(opened.page),
  ])
  await mount(httpSource)
}

function dataOf({ page, parts }: NonNullable<ReturnType<typeof matchPage>>): string[] {
  const [run = '', index = '', epoch = ''] = parts
  switch (page) {
    case 'leaderboard':
      return [apiUrl.runs()]
    case 'run':
      return [apiUrl.run(run), apiUrl.episodes(run)]
    case 'episode':
      return [apiUrl.episode(run, index, epoch)]
    case 'compare':
      return [apiUrl.compare(run, index)]
    case 'shared':
    case 'votes':
      return [apiUrl.runs()]
    case 'pair':
    case 'play':
    case 'vote':
    case 'preference':
    case 'study':
      return []
  }
}

/** Errors show up when the page is rendered. */
async function scriptOf(page: PageName): Promise<void> {
  if (page !== 'leaderboard') await pageScripts[page]().catch(() => undefined)
}

void begin()
