/**
 * The pictures of docs/photographs.md: terminals and pages as users see them.
 *
 *     npx tsx scripts/photographs.ts [--store FOLDER] [name…]
 *
 * Writes to docs/photographs/; with names, only those pictures. Model replies come from a server of our own. Requires
 * `npm run build`, Chromium and tmux.
 */
import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { Store } from '../src/store/store.ts'
import { openPage, type RunningViewer, startBrowser, startViewer } from '../test/viewer/browser.ts'
import { startModelServer } from './photographs/model-server.ts'
import { PLACES, type PageOptions, type RunName, RUNS, type Studio } from './photographs/places.ts'
import { terminalScreen } from './photographs/terminal.ts'

const FOLDER = fileURLToPath(new URL('../docs/photographs/', import.meta.url))
const MAIN = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))
const PNG = { palette: true, colours: 96, dither: 0.5, effort: 10, compressionLevel: 9 } as const
const MAX_BYTES = 150_000
/** Time to draw charts and scenes without a GPU. */
const RENDER_MS = 1500
const ENDED: ReadonlySet<string> = new Set(['done', 'failed'])
/** Nothing listens there. */
const DEAD_ADDRESS = 'http://127.0.0.1:9/v1'
const IS_SETTLED = `!/Loading|Building room/.test(document.body.innerText) && [...document.images].every((image) => image.complete || image.loading === 'lazy')`

const { values, positionals } = parseArgs({ options: { store: { type: 'string' } }, allowPositionals: true })
const folder =
  values.store === undefined ? await mkdtemp(join(tmpdir(), 'sightline-photographs-')) : resolve(values.store)
const logDir = join(folder, '.sightline')
await Promise.all([FOLDER, join(folder, 'bin')].map((path) => mkdir(path, { recursive: true })))
await writeFile(join(folder, 'bin/sightline'), `#!/bin/sh\nexec ${process.execPath} ${MAIN} "$@"\n`)
await chmod(join(folder, 'bin/sightline'), 0o755)
const models = await startModelServer()
const browser = await startBrowser()
const env = {
  PATH: `${join(folder, 'bin')}${delimiter}${process.env['PATH'] ?? ''}`,
  VLLM_BASE_URL: models.address,
  OLLAMA_BASE_URL: DEAD_ADDRESS,
  COLORTERM: 'truecolor',
}
const opened: { viewer?: RunningViewer } = {}
try {
  for (const { name, take } of PLACES) {
    if (positionals.length > 0 && !positionals.includes(name)) continue
    try {
      const file = join(FOLDER, `${name}.png`)
      await writeFile(file, await smallPng(await take(studio())))
      console.log(`${name}: ${Math.round((await stat(file)).size / 1000)} kB`)
    } catch (error) {
      console.error(`${name}: ${error instanceof Error ? error.message : String(error)}`)
      process.exitCode = 1
    }
  }
} finally {
  await browser.close()
  await opened.viewer?.stop()
  models.close()
  if (values.store === undefined) await rm(folder, { recursive: true, force: true })
}

/** Photographs of rooms have many colors: they become smaller until they fit. */
async function smallPng(picture: Buffer): Promise<Buffer> {
  const { width } = await sharp(picture).metadata()
  for (let scale = 1; ; scale *= 0.8) {
    const png = await sharp(picture)
      .resize({ width: Math.round(width * scale) })
      .png(PNG)
      .toBuffer()
    if (png.length <= MAX_BYTES) return png
  }
}

function studio(): Studio {
  return {
    folder,
    run: findOrPlay,
    sightline: async (...args) => void (await sightline(args)),
    async terminal(command, how = {}) {
      const { page } = await openPage(browser, 'about:blank', { deviceScaleFactor: 1.5 })
      await page.setContent(await terminalScreen({ command, ...how, env, folder }))
      return picture(page, () => page.locator('pre').screenshot())
    },
    async page(address, how = {}) {
      opened.viewer ??= await startViewer(logDir)
      return photograph(`${opened.viewer.link}#${address}`, how)
    },
    file: (path, how = {}) => photograph(pathToFileURL(path).href, how),
  }
}

async function photograph(address: string, { width = 1280, height = 800, prepare }: PageOptions): Promise<Buffer> {
  const { page } = await openPage(browser, address, { viewport: { width, height }, reducedMotion: 'reduce' })
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await prepare?.(page)
  while (!(await page.evaluate(IS_SETTLED))) await page.waitForTimeout(200)
  await page.waitForTimeout(RENDER_MS)
  return picture(page, () => page.screenshot())
}

async function picture(page: Page, take: () => Promise<Buffer>): Promise<Buffer> {
  const png = await take()
  await page.context().close()
  return png
}

async function findOrPlay(name: RunName): Promise<string> {
  const [, suite, , player] = RUNS[name]
  const find = async (): Promise<string | undefined> =>
    (await (await Store.open(logDir)).listRuns()).find(
      ({ header, status }) => header.suite === suite && header.models['player'] === player && ENDED.has(status.state),
    )?.header.id
  const known = await find()
  if (known !== undefined) return known
  // A failed run exits with an error, which is what its picture shows.
  await sightline(RUNS[name]).catch(() => undefined)
  const played = await find()
  if (played === undefined) throw new Error(`the run ${name} could not be played`)
  return played
}

function sightline(args: readonly string[]): Promise<unknown> {
  return promisify(execFile)(process.execPath, [MAIN, ...args], { cwd: folder, env: { ...process.env, ...env } })
}
