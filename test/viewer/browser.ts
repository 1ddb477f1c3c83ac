/**
 * What tests of the viewer stand on: a store with real runs by built-in players, `sightline view` over it as a user
 * starts it, and Debian's Chromium looking at its pages.
 *
 * @example
 * describeInBrowser('the board', () => {
 *   const viewer = useViewer([['run', 'space/text', '-m', 'baseline/oracle', '-l', '2']])
 *   it('lists the run', async () => {
 *     const { page, seen } = await viewer.open('#/')
 *     await page.getByRole('link', { name: 'baseline/oracle' }).waitFor()
 *     expect(seen()).toEqual(CLEAN)
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
const PLACES = [
  process.env['CHROMIUM'] ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]
/** WebGL without a graphics card, and no sandbox of its own: tests run as root in containers. */
const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--ignore-gpu-blocklist',
]
const START_MS = 120_000
/** Tests wait for what a person would see, and machines may be busy: only what never comes is a failure. */
const PATIENCE_MS = 120_000

export const DESKTOP = { width: 1280, height: 800 }
export const PHONE = { width: 390, height: 844 }

export function chromiumPath(): string | null {
  return PLACES.find((path) => path !== '' && existsSync(path)) ?? null
}

/** `describe`, or a plain sentence where there is no browser. */
export const describeInBrowser: (name: string, tests: () => void) => void = chromiumPath()
  ? describe
  : (name, tests) =>
      describe.skip(`${name} (skipped: no Chromium here; apt-get install chromium, or set CHROMIUM)`, tests)

export function startBrowser(): Promise<Browser> {
  const executablePath = chromiumPath()
  if (executablePath === null) throw new Error('There is no Chromium here: apt-get install chromium, or set CHROMIUM.')
  return chromium.launch({ executablePath, args: CHROMIUM_FLAGS })
}

/** What a page did that nobody should see. */
export interface Seen {
  /** Errors in its console, and errors that nothing caught. */
  errors: string[]
  /** Requests that left the server it came from. */
  foreign: string[]
}

export const CLEAN: Seen = { errors: [], foreign: [] }

export interface OpenedPage {
  page: Page
  seen: () => Seen
}

export interface OpenOptions extends BrowserContextOptions {
  /** An answer of the server that the test wants to see, for example a 404. */
  expectedErrors?: RegExp
}

/** A page of its own, in a profile of its own. */
export async function openPage(browser: Browser, address: string, options: OpenOptions = {}): Promise<OpenedPage> {
  const { expectedErrors, ...context } = options
  const page = await (await browser.newContext({ viewport: DESKTOP, ...context })).newPage()
  page.setDefaultTimeout(PATIENCE_MS)
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
  return { page, seen: () => ({ errors, foreign }) }
}

export interface RunningViewer {
  /** Ends with a slash. */
  address: string
  pid: number
  stop(): Promise<void>
}

/** `sightline view` in a process of its own, on a port that is free. */
export async function startViewer(store: string, args: readonly string[] = ['--port', '0']): Promise<RunningViewer> {
  const child: ChildProcess = spawn(process.execPath, [MAIN, 'view', '--log-dir', store, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1' },
  })
  let said = ''
  child.stderr!.on('data', (text: Buffer) => (said += text.toString()))
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const address = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const found = /^Open (http\S+)/.exec(line)?.[1]
      if (found !== undefined) resolve(found)
    })
    void ended.then(() => reject(new Error(`sightline view ended: ${said}`)))
  })
  return {
    address,
    pid: child.pid!,
    async stop() {
      child.kill('SIGINT')
      await ended
    },
  }
}

export interface Viewer {
  /** Of the server; ends with a slash. */
  readonly address: string
  readonly store: string
  readonly browser: Browser
  /** Ids of the runs, in the order in which they were asked for. */
  readonly runs: readonly string[]
  /** A page by what stands behind the server's address: `#/runs/…`. */
  open(path: string, options?: OpenOptions): Promise<OpenedPage>
}

/**
 * Before the tests of a `describe`: a temporary store, its runs, the server, the browser. After them: all gone.
 *
 * @param commands arguments of `sightline run`, one list a run
 * @param prepare puts further things into the store before the server starts
 * @param args further arguments of `sightline view`
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
  // Pages that nobody looks at any more take time from those that come.
  afterEach(async () => {
    for (const context of browser?.contexts() ?? []) await context.close()
  }, START_MS)
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
    await rm(store, { recursive: true, force: true })
  }, START_MS)
  return {
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
    open: (path, options) => openPage(browser!, new URL(path, server!.address).href, options),
  }
}

/** Plays a run by the command line; gives its id. */
export async function makeRun(store: string, command: readonly string[]): Promise<string> {
  const { stdout, stderr, code } = await sightline([...command, '--json', '--log-dir', store], { cwd: store })
  if (code !== 0) throw new Error(`sightline ${command.join(' ')} ended with ${code}: ${stderr}`)
  return (JSON.parse(stdout) as { id: string }[])[0]!.id
}

/** Nothing is pushed aside by something that is too wide. */
export async function fitsTheScreen(page: Page, where = ''): Promise<void> {
  const tooWide = (): Promise<number> =>
    page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
  await expect.poll(tooWide, { message: `too wide ${where}` }).toBeLessThanOrEqual(0)
}

/** What is drawn when it has come to rest: twice the same, and not empty. */
export async function drawn(stage: Locator, leastLiveliness: number): Promise<Buffer> {
  let picture: Buffer = Buffer.alloc(0)
  const isAtRest = async (): Promise<boolean> => {
    const before = picture
    picture = await stage.screenshot()
    return before.equals(picture) && (await liveliness(picture)) > leastLiveliness
  }
  await expect.poll(isAtRest).toBe(true)
  return picture
}

/** How much the colours of a picture differ: near 0 for an empty one. */
async function liveliness(png: Buffer): Promise<number> {
  const { channels } = await sharp(png).stats()
  return Math.max(...channels.slice(0, 3).map(({ stdev }) => stdev))
}
