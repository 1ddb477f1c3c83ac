/**
 * Support for viewer tests: a store with real baseline runs, `sightline view` as a user starts it, and Chromium.
 *
 * @example
 * describeInBrowser('leaderboard', () => {
 *   const viewer = useViewer([['run', 'space/text', '-m', 'baseline/oracle', '-l', '2']])
 *   it('lists the run', async () => {
 *     const { page, problems } = await viewer.open('#/')
 *     await page.getByRole('link', { name: 'baseline/oracle' }).waitFor()
 *     expect(problems()).toEqual(NO_PROBLEMS)
 *   })
 * })
 */
import { fileURLToPath } from 'node:url'
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest'
import { sightline } from '../cli/cli.ts'

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
const CHROMIUM_PATHS = [
  process.env['CHROMIUM'] ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]
/** Software WebGL, and no Chromium sandbox because tests run as root in containers. */
const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--ignore-gpu-blocklist',
]
const START_MS = 120_000
/** Generous, because machines may be busy. */
const TIMEOUT_MS = 120_000

export const DESKTOP = { width: 1280, height: 800 }
export const PHONE = { width: 390, height: 844 }

export function chromiumPath(): string | null {
  return CHROMIUM_PATHS.find((path) => path !== '' && existsSync(path)) ?? null
}

/** `describe`, skipped with a reason if Chromium is missing. */
export const describeInBrowser: (name: string, tests: () => void) => void = chromiumPath()
  ? describe
  : (name, tests) =>
      describe.skip(`${name} (skipped: Chromium not found; run apt-get install chromium, or set CHROMIUM)`, tests)

export function startBrowser(): Promise<Browser> {
  const executablePath = chromiumPath()
  if (executablePath === null) throw new Error('Chromium not found. Run `apt-get install chromium`, or set CHROMIUM.')
  return chromium.launch({ executablePath, args: CHROMIUM_FLAGS })
}

/** Unexpected errors and requests of a page. */
export interface PageProblems {
  /** Console errors and uncaught exceptions. */
  errors: string[]
  /** Requests to other origins. */
  foreign: string[]
}

export const NO_PROBLEMS: PageProblems = { errors: [], foreign: [] }

export interface OpenedPage {
  page: Page
  problems: () => PageProblems
}

export interface OpenOptions extends BrowserContextOptions {
  /** Console errors that the test expects, for example a 404. */
  expectedErrors?: RegExp
}

/** Opens a page in a fresh browser context. */
export async function openPage(browser: Browser, address: string, options: OpenOptions = {}): Promise<OpenedPage> {
  const { expectedErrors, ...context } = options
  const page = await (await browser.newContext({ viewport: DESKTOP, ...context })).newPage()
  page.setDefaultTimeout(TIMEOUT_MS)
  const errors: string[] = []
  const foreign: string[] = []
  const { origin } = new URL(address)
  page.on('console', (message) => {
    if (message.type() === 'error' && expectedErrors?.test(message.text()) !== true) errors.push(message.text())
  })
  page.on('pageerror', (error) => errors.push(String(error)))
  page.on('request', (request) => {
    const url = request.url()
    if (new URL(url).origin !== origin && !/^(data|blob):/.test(url)) foreign.push(url)
  })
  await page.goto(address)
  return { page, problems: () => ({ errors, foreign }) }
}

export interface RunningViewer {
  /** As printed, with the token: opens the viewer in a new browser. */
  link: string
  /** For browsers that have opened the link. Ends with a slash. */
  address: string
  pid: number
  /** A request of a script, with the token. */
  fetch(path: string, how?: RequestInit): Promise<Response>
  stop(): Promise<void>
}

/** Starts `sightline view` in its own process on a free port. */
/** @param command another one that prints a link */
export async function startViewer(
  store: string,
  args: readonly string[] = ['--port', '0'],
  command: readonly string[] = ['view'],
): Promise<RunningViewer> {
  const child: ChildProcess = spawn(process.execPath, [MAIN, ...command, '--log-dir', store, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1' },
  })
  let stderr = ''
  child.stderr!.on('data', (text: Buffer) => (stderr += text.toString()))
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const link = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const found = /^(?:Open|  p1) +(http\S+)/.exec(line)?.[1]
      if (found !== undefined) resolve(found)
    })
    void ended.then(() => reject(new Error(`sightline view exited: ${stderr}`)))
  })
  const { origin, searchParams } = new URL(link)
  const authorization = `Bearer ${searchParams.get('token')}`
  return {
    link,
    address: `${origin}/`,
    pid: child.pid!,
    fetch: (path, { headers, ...how } = {}) =>
      fetch(new URL(path, origin), { ...how, headers: { authorization, ...(headers as Record<string, string>) } }),
    async stop() {
      child.kill('SIGINT')
      await ended
    },
  }
}

export interface Viewer extends Pick<RunningViewer, 'link' | 'address' | 'fetch'> {
  readonly store: string
  readonly browser: Browser
  /** Run ids, in the order of the commands. */
  readonly runs: readonly string[]
  /** Opens a page by its path: `#/runs/…`. */
  open(path: string, options?: OpenOptions): Promise<OpenedPage>
}

/**
 * Sets up a temporary store with runs, a server and a browser for the tests of a `describe`.
 *
 * @param commands `sightline run` arguments, one list per run
 * @param prepare adds to the store before the server starts
 * @param args additional `sightline view` arguments
 */
export function useViewer(
  commands: readonly (readonly string[])[],
  prepare: (store: string, runs: readonly string[]) => Promise<void> = () => Promise.resolve(),
  args: readonly string[] = [],
): Viewer {
  let store = ''
  let server: RunningViewer | null = null
  let browser: Browser | null = null
  const runs: string[] = []
  beforeAll(async () => {
    store = await mkdtemp(join(tmpdir(), 'sightline-viewer-'))
    for (const command of commands) runs.push(await makeRun(store, command))
    await prepare(store, runs)
    ;[server, browser] = await Promise.all([startViewer(store, ['--port', '0', ...args]), startBrowser()])
  }, START_MS)
  // Open pages would slow down later tests.
  afterEach(async () => {
    for (const context of browser?.contexts() ?? []) await context.close()
  }, START_MS)
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
    await rm(store, { recursive: true, force: true })
  }, START_MS)
  return {
    get link() {
      return server!.link
    },
    get address() {
      return server!.address
    },
    get store() {
      return store
    },
    get browser() {
      return browser!
    },
    runs,
    open: (path, options) => openPage(browser!, new URL(path, server!.link).href, options),
    fetch: (path, how) => server!.fetch(path, how),
  }
}

/** Runs a command line and returns the run id. */
export async function makeRun(store: string, command: readonly string[]): Promise<string> {
  const { stdout, stderr, code } = await sightline([...command, '--json', '--log-dir', store], { cwd: store })
  if (code !== 0) throw new Error(`sightline ${command.join(' ')} exited with ${code}: ${stderr}`)
  return (JSON.parse(stdout) as { id: string }[])[0]!.id
}

/** Checks that nothing is wider than the screen. */
export async function expectNoOverflow(page: Page, where = ''): Promise<void> {
  const tooWide = (): Promise<number> =>
    page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
  await expect.poll(tooWide, { message: `page too wide: ${where}` }).toBeLessThanOrEqual(0)
}

/** A screenshot once the stage has settled: twice the same, and not empty. */
export async function settledScreenshot(stage: Locator, minContrast: number): Promise<Buffer> {
  let image: Buffer = Buffer.alloc(0)
  const isSettled = async (): Promise<boolean> => {
    const before = image
    image = await stage.screenshot()
    return before.equals(image) && (await contrast(image)) > minContrast
  }
  await expect.poll(isSettled).toBe(true)
  return image
}

/** Color variation of an image; near 0 for an empty one. */
async function contrast(png: Buffer): Promise<number> {
  const { channels } = await sharp(png).stats()
  return Math.max(...channels.slice(0, 3).map(({ stdev }) => stdev))
}
