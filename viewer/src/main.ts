/**
 * The first script, and a small one: it asks for the data of the page that is opened and for the page's script, so that
 * both are under way while everything else is loaded and read.
 */
import './app/style.css'
import { pageScripts } from './app/page-scripts.ts'
import { pageAt, type PageName } from './navigation/routes.ts'
import { addressOf } from './data/addresses.ts'
import { askEarly } from './data/early.ts'

async function begin(): Promise<void> {
  const opened = pageAt(location.hash.replace(/^#/, '').split('?', 1)[0]!)
  if (opened) askEarly(dataOf(opened))
  const [{ mount }, { httpSource }] = await Promise.all([
    import('./mount.tsx'),
    import('./data/http.ts'),
    opened && scriptOf(opened.page),
  ])
  await mount(httpSource)
}

function dataOf({ page, parts }: NonNullable<ReturnType<typeof pageAt>>): string[] {
  const [run = '', index = '', epoch = ''] = parts
  switch (page) {
    case 'board':
      return [addressOf.runs()]
    case 'run':
      return [addressOf.run(run), addressOf.episodes(run)]
    case 'episode':
      return [addressOf.episode(run, index, epoch)]
    case 'compare':
      return [addressOf.compare(run, index)]
    case 'pair':
    case 'play':
      return []
  }
}

/** Whether it comes is told by the page itself. */
async function scriptOf(page: PageName): Promise<void> {
  if (page !== 'board') await pageScripts[page]().catch(() => undefined)
}

void begin()
