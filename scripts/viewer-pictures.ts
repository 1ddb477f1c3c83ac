/**
 * Screenshots of every viewer page with real baseline runs, in light and dark, wide and narrow:
 *
 *     npx tsx scripts/viewer-pictures.ts [--store FOLDER] [name…]
 *
 * Writes to docs/viewer/. Missing runs are played first; with names, only those screenshots are taken. Requires
 * `npm run build` and Chromium.
 */
import { fileURLToPath } from 'node:url'
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { Store } from '../src/store/store.ts'
import { makeRun, startBrowser, startViewer } from '../test/viewer/browser.ts'
import { type ScreenshotRun, RUNS, type RunIds, type Shot, SHOTS } from './viewer-pictures/shots.ts'

const FOLDER = fileURLToPath(new URL('../docs/viewer/', import.meta.url))
const SIZES = { wide: { width: 1280, height: 800 }, narrow: { width: 390, height: 844 } } as const
const THEMES = ['light', 'dark'] as const
/** A small palette is enough for flat areas and text, and acceptable for rooms. */
const PNG = { palette: true, colours: 128, dither: 0.6, effort: 10, compressionLevel: 9 } as const

/** Time to render 3D without a GPU. */
const RENDER_MS = 1500
const TIMEOUT_MS = 120_000
const IS_SETTLED = `!/Loading|Building room/.test(document.body.innerText) && [...document.images].every((image) => image.complete)`

const { values, positionals } = parseArgs({ options: { store: { type: 'string' } }, allowPositionals: true })
const wanted = SHOTS.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
const folder = values.store === undefined ? await mkdtemp(join(tmpdir(), 'sightline-pictures-')) : resolve(values.store)
await Promise.all([FOLDER, folder].map((path) => mkdir(path, { recursive: true })))
const runs = await findOrPlayRuns(folder)
const server = await startViewer(folder)
const browser = await startBrowser()
try {
  for (const shot of wanted) await takeScreenshots(browser, server.link, shot, runs)
} finally {
  await browser.close()
  await server.stop()
  if (values.store === undefined) await rm(folder, { recursive: true, force: true })
}

/** Run ids by name; missing runs are played. */
async function findOrPlayRuns(dir: string): Promise<RunIds> {
  const found = await (await Store.open(dir)).listRuns()
  const ids = new Map<string, string>()
  for (const [name, run] of Object.entries<ScreenshotRun>(RUNS)) {
    const known = found.find(
      ({ header, status }) =>
        header.suite === run.suite && header.models['player'] === run.player && status.state === 'done',
    )
    if (!known) console.log(`Running ${run.suite} with ${run.player}`)
    ids.set(name, known?.id ?? (await makeRun(dir, ['run', run.suite, '-m', run.player, ...run.args])))
  }
  return (name) => ids.get(name)!
}

async function takeScreenshots(browser: Browser, link: string, shot: Shot, ids: RunIds): Promise<void> {
  for (const [size, viewport] of Object.entries(SIZES)) {
    for (const colorScheme of THEMES) {
      const context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce' })
      const page = await context.newPage()
      await page.goto(`${link}#${shot.address(ids)}`)
      await waitUntilSettled(page)
      if (shot.prepare) {
        await shot.prepare(page)
        await waitUntilSettled(page)
      }
      const file = join(FOLDER, `${shot.name}-${size}-${colorScheme}.png`)
      await sharp(await page.screenshot({ timeout: TIMEOUT_MS }))
        .png(PNG)
        .toFile(file)
      console.log(`${shot.name} ${size} ${colorScheme}: ${Math.round((await stat(file)).size / 1000)} kB`)
      await context.close()
    }
  }
}

/** Waits until everything is loaded and 3D is rendered. */
async function waitUntilSettled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor({ timeout: TIMEOUT_MS })
  const until = performance.now() + TIMEOUT_MS
  // Polled from here, because the page's policy forbids eval.
  while (!(await page.evaluate(IS_SETTLED))) {
    if (performance.now() > until) throw new Error(`${page.url()} did not finish loading`)
    await page.waitForTimeout(200)
  }
  await page.waitForTimeout(RENDER_MS)
}
