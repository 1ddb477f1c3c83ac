/**
 * Screenshots of the built documentation site, wide and narrow, light and dark, to look at before a release:
 *
 *     npx tsx scripts/site-pictures.ts [--output FOLDER] [name…]
 *
 * Needs `npm run docs:site` and Chromium. Reports pages that are wider than the screen, errors in the console, and
 * requests to other servers.
 */
import { createReadStream, existsSync, statSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Browser, FrameLocator, Page } from 'playwright-core'
import { openPage, startBrowser } from '../test/viewer/browser.ts'

const SITE = fileURLToPath(new URL('../site/.vitepress/dist/', import.meta.url))
const BASE = process.env['DOCS_BASE'] ?? '/'
const SIZES = { wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 844 } } as const
const THEMES = ['light', 'dark'] as const
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.mp4': 'video/mp4',
}
/** Time for 3D to be drawn without a graphics card. */
const DRAWING_MS = 1500

interface Shot {
  name: string
  path: string
  fullPage?: boolean
  prepare?: (page: Page) => Promise<void>
}

const SHOTS: readonly Shot[] = [
  { name: 'home', path: '' },
  { name: 'getting-started', path: 'getting-started.html' },
  { name: 'guide', path: 'guides/evaluate-a-vllm-model.html' },
  { name: 'suite', path: 'suites/vsi/' },
  { name: 'cli', path: 'reference/cli.html#sightline-run' },
  { name: 'suite-options', path: 'reference/suites.html#spacetext' },
  { name: 'config', path: 'reference/config.html' },
  { name: 'viewer', path: 'viewer.html' },
  { name: 'api', path: 'api/' },
  { name: 'demo', path: 'demo.html', prepare: openEpisode },
  { name: 'search', path: 'getting-started.html', prepare: search },
  { name: 'menu', path: 'getting-started.html', prepare: openMenu },
]

const { values, positionals } = parseArgs({ options: { output: { type: 'string' } }, allowPositionals: true })
const folder = values.output ?? join(tmpdir(), 'sightline-site-pictures')
await mkdir(folder, { recursive: true })
const server = await serve()
const browser = await startBrowser()
try {
  const address = `http://localhost:${(server.address() as AddressInfo).port}${BASE}`
  for (const shot of SHOTS) {
    if (positionals.length === 0 || positionals.includes(shot.name)) await pictures(browser, address, shot)
  }
} finally {
  await browser.close()
  server.close()
}

async function pictures(browser: Browser, address: string, { name, path, fullPage, prepare }: Shot): Promise<void> {
  for (const [size, viewport] of Object.entries(SIZES)) {
    for (const colorScheme of THEMES) {
      const options = { viewport, colorScheme, reducedMotion: 'reduce' } as const
      const { page, problems: problemsOf } = await openPage(browser, address + path, options)
      await prepare?.(page)
      await atRest(page)
      const file = join(folder, `${name}-${size}-${colorScheme}.png`)
      await page.screenshot({ path: file, fullPage: fullPage ?? false })
      const extra: number = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      )
      const { errors, foreign } = problemsOf()
      const problems = [...errors, ...foreign, ...(extra > 0 ? [`${extra} px too wide`] : [])]
      console.log(`${file}${problems.map((problem) => `\n  ${problem}`).join('')}`)
      await page.context().close()
    }
  }
}

/** Images on the screen are loaded; those further down may wait. */
async function atRest(page: Page): Promise<void> {
  const pending = `[...document.images].filter((image) => image.checkVisibility() && image.getBoundingClientRect().top < innerHeight && !image.complete).length`
  while ((await page.evaluate(pending)) !== 0) await page.waitForTimeout(100)
  await page.waitForTimeout(300)
}

/** Clicks through the exported run: its list of episodes, one of them, three steps of it. */
async function openEpisode(page: Page): Promise<void> {
  const frame: FrameLocator = page.frameLocator('.demo-run iframe').first()
  await page.locator('.demo-run').first().scrollIntoViewIfNeeded()
  await frame.getByRole('heading', { level: 1 }).waitFor()
  await frame.getByRole('tab', { name: /Episodes/ }).click()
  await frame.getByRole('table', { name: 'Episodes' }).getByRole('link').first().click()
  await frame.getByRole('slider', { name: /Moment/ }).waitFor()
  for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowLeft')
  await page.waitForTimeout(DRAWING_MS)
}

async function search(page: Page): Promise<void> {
  const input = page.locator('.VPLocalSearchBox input')
  // The key does nothing until the page's scripts run.
  while (!(await input.isVisible())) {
    await page.keyboard.press('Control+k')
    await page.waitForTimeout(500)
  }
  await input.fill('confidence interval')
  await page.locator('.VPLocalSearchBox .result').first().waitFor()
}

async function openMenu(page: Page): Promise<void> {
  const hamburger = page.locator('.VPNavBarHamburger')
  if (await hamburger.isVisible()) await hamburger.click()
  else await page.getByRole('banner').getByRole('button', { name: 'Reference' }).hover()
  await page.waitForTimeout(500)
}

/** The built site under its base, as a static server does it. */
function serve(): Promise<Server> {
  const server = createServer((request, response) => {
    const path = decodeURI(new URL(request.url!, 'http://localhost').pathname)
    const file = join(SITE, path.slice(BASE.length), path.endsWith('/') ? 'index.html' : '')
    if (!path.startsWith(BASE) || !existsSync(file) || !statSync(file).isFile()) {
      response.writeHead(404).end()
      return
    }
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' })
    createReadStream(file).pipe(response)
  })
  return new Promise((resolve) => server.listen(0, () => resolve(server)))
}
