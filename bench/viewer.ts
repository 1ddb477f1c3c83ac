/**
 * How quickly the viewer answers: the page of a run of 100,000 episodes, scrolling through it, an episode with 60
 * pictures, and what the first page loads. Needs `npm run build`.
 *
 * Pages are opened in Chromium, each in a profile of its own with nothing kept from before, from the start of the
 * navigation until what is waited for is drawn. What is judged is what a person waits, by the clock, on a machine that has
 * nothing else to do; the seconds of work (CPU of the server and of the process that draws the page) tell how much of it
 * is ours.
 */
import { fileURLToPath } from 'node:url'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { exampleHeader, exampleLine } from '../test/support/store.ts'
import { Store } from '../src/store/store.ts'
import { type RunningViewer, startBrowser, startViewer } from '../test/viewer/browser.ts'
import { type BenchResult, median } from './harness.ts'

const EPISODES = 100_000
const PICTURES = 60
const ROUNDS = 5
const SCROLLS = 120
const SETTLE_MS = 500
const MAIN = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))
const BUILT = fileURLToPath(new URL('../dist/viewer/', import.meta.url))

export default async function viewer(): Promise<BenchResult> {
  const store = await mkdtemp(join(tmpdir(), 'sightline-bench-viewer-'))
  const large = await writeLargeRun(store)
  await playManyPictures(store)
  const pictured = (await readdir(join(store, 'runs'))).find((id) => id !== large)!
  const browser = await startBrowser()
  try {
    const episodes = `#/runs/${large}?view=episodes`
    const everFirst = await onFreshServer(store, (server) => timeRunPage(browser, server, episodes))
    const afterStart = await onFreshServer(store, (server) => timeRunPage(browser, server, episodes))
    const server = await startViewer(store)
    try {
      const runPage = await middle(() => timeRunPage(browser, server, episodes))
      const overview = await middle(() => timeOverview(browser, server, `#/runs/${large}`))
      const episode = await middle(() => timeEpisode(browser, server, `#/runs/${pictured}/0/1`))
      const scrolled = await scroll(browser, `${server.link}${episodes}`)
      const first = await firstScripts(browser, server.link)
      const figures = {
        'run page of 100,000 episodes, seconds': runPage.clock,
        '… the first time ever': everFirst.clock,
        '… after a start of the server': afterStart.clock,
        '… its overview, with charts': overview.clock,
        'the first click on it is answered, ms': runPage.click * 1000,
        'episode of 60 pictures, seconds': episode.clock,
        'seconds of work: run page': runPage.work,
        'seconds of work: first time ever': everFirst.work,
        'seconds of work: after a start': afterStart.work,
        'seconds of work: overview': overview.work,
        'seconds of work: episode': episode.work,
        'frames while scrolling': scrolled.frames,
        'frames with rows missing': scrolled.blank,
        'longest frame while scrolling, ms': scrolled.longest,
        'first script, kB gzip': first.gzip / 1000,
        'first script, kB brotli': first.brotli / 1000,
        '3D in the first script': first.has3d ? 1 : 0,
      }
      return {
        figures,
        bars: {
          'run page of 100,000 episodes, seconds': { atMost: 1.5 },
          '… after a start of the server': { atMost: 1.5 },
          '… its overview, with charts': { atMost: 1.5 },
          'episode of 60 pictures, seconds': { atMost: 1 },
          'frames with rows missing': { atMost: 0 },
          'first script, kB gzip': { atMost: 300 },
          '3D in the first script': { atMost: 0 },
        },
      }
    } finally {
      await server.stop()
    }
  } finally {
    await browser.close()
    await rm(store, { recursive: true, force: true })
  }
}

async function writeLargeRun(dir: string): Promise<string> {
  const store = await Store.open(dir)
  const id = '2026-11-15T00-00-00_space-text_large_aaaa'
  const writer = await store.createRun(
    exampleHeader({ id, profile: 'fixed', planned: EPISODES, models: { player: 'openai/large' } }),
  )
  const events = ['{"type":"reply","ordinal":0,"role":"player","text":"north"}']
  for (let at = 0; at < EPISODES; at += 1000) {
    await Promise.all(
      Array.from({ length: 1000 }, (_, i) => {
        const index = at + i
        const { scores } = exampleLine(index)
        return writer.append(
          {
            ...exampleLine(index),
            labels: { rooms: String(index % 7) },
            scores: { dir: scores['accuracy']!, rot: index % 2 },
          },
          events,
        )
      }),
    )
  }
  await writer.setStatus({ state: 'done', reason: null })
  await writer.close()
  // As `sightline run` ends: with its report.
  await promisify(execFile)(process.execPath, [MAIN, 'report', id, '--log-dir', dir])
  return id
}

/** A real film through a built-in room. */
async function playManyPictures(dir: string): Promise<void> {
  const args = ['run', 'vsi/video', '-m', 'baseline/oracle', '-l', '1', '-T', `pictures=${PICTURES}`, '--log-dir', dir]
  await promisify(execFile)(process.execPath, [MAIN, ...args])
}

async function onFreshServer<T>(store: string, work: (server: RunningViewer) => Promise<T>): Promise<T> {
  const server = await startViewer(store)
  try {
    return await work(server)
  } finally {
    await server.stop()
  }
}

/** Seconds. */
interface Took {
  work: number
  clock: number
  /** From a click until what it did is drawn; 0 where nothing is clicked. */
  click: number
}

async function middle(measure: () => Promise<Took>): Promise<Took> {
  const times: Took[] = []
  for (let i = 0; i < ROUNDS; i++) times.push(await measure())
  const of = (name: keyof Took): number => median(times.map((took) => took[name]))
  return { work: of('work'), clock: of('clock'), click: of('click') }
}

/** In the page: the next frame is drawn. What is posted in a frame comes after its painting. */
const DRAWN = `new Promise((done) => requestAnimationFrame(() => {
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = done
  port2.postMessage(0)
}))`

interface Wanted {
  /** Holds in the page when everything is there; looked at in every frame. */
  there: string
  /** Further things to wait for, as a promise in the page. */
  ready?: string
  /** A click in the page, and what holds when it was answered. */
  click?: { what: string; answered: string }
}

/** From the start of the navigation until what is wanted is drawn. */
async function timeUntil(browser: Browser, server: RunningViewer, path: string, wanted: Wanted): Promise<Took> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  try {
    const page = await context.newPage()
    let reached: (ms: number) => void = () => undefined
    const ms = new Promise<number>((resolve) => (reached = resolve))
    await page.exposeFunction('reached', reached)
    await page.addInitScript(`
      const until = (holds) => new Promise((done) => {
        const look = () => (holds() ? done() : requestAnimationFrame(look))
        look()
      })
      document.addEventListener('DOMContentLoaded', async () => {
        await until(() => ${wanted.there})
        await ${wanted.ready ?? 'null'}
        await ${DRAWN}
        reached(performance.now())
      })
    `)
    // The page before it has gone, and the browser has come to rest: what it does then is not the viewer's.
    await page.waitForTimeout(SETTLE_MS)
    const before = cpuSecondsOf(server.pid)
    await page.goto(server.link + path)
    const late = page.waitForTimeout(60_000).then(() => Number.NaN)
    const clock = (await Promise.race([ms, late])) / 1000
    const work = cpuSecondsOf(server.pid) - before + (await drawn(page))
    return { work, clock, click: wanted.click ? await timeClick(page, wanted.click) : 0 }
  } finally {
    await context.close()
  }
}

async function timeClick(page: Page, { what, answered }: NonNullable<Wanted['click']>): Promise<number> {
  const ms = await page.evaluate<number>(`(async () => {
    const clicked = ${what}
    const start = performance.now()
    clicked.click()
    while (!(${answered})) await new Promise(requestAnimationFrame)
    await ${DRAWN}
    return performance.now() - start
  })()`)
  return ms / 1000
}

/** CPU seconds of the process that draws a page, since it started. */
async function drawn(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  const { metrics } = await session.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'ProcessTime')?.value ?? Number.NaN
}

/** CPU seconds of a process, as Linux counts them: in hundredths. */
function cpuSecondsOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name of the program may have spaces; fields are counted from behind it.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** Rows with cells in sight, and the number of all; then all of them are put in another order. */
function timeRunPage(browser: Browser, server: RunningViewer, path: string): Promise<Took> {
  return timeUntil(browser, server, path, {
    there: `document.querySelectorAll('[role=table] [role=row]').length > 10 && document.querySelector('[role=table]').getAttribute('aria-rowcount') === '${EPISODES + 1}'`,
    click: {
      what: `[...document.querySelectorAll('[role=columnheader] button')].find(({ textContent }) => /^Sample/.test(textContent))`,
      answered: `document.querySelector('[role=columnheader][aria-sort]') !== null`,
    },
  })
}

/** The table of the suite is there, and charts are drawn from all episodes. */
function timeOverview(browser: Browser, server: RunningViewer, path: string): Promise<Took> {
  return timeUntil(browser, server, path, {
    there: `document.querySelector('main table') !== null && [...document.querySelectorAll('main svg')].filter((svg) => svg.clientWidth > 200).length >= 2`,
  })
}

/** All pictures in sight are drawn, and there are some. */
function timeEpisode(browser: Browser, server: RunningViewer, path: string): Promise<Took> {
  const seen = `[...document.images].filter((image) => {
    const { top, left, bottom, right, width } = image.getBoundingClientRect()
    return width > 40 && bottom > 0 && right > 0 && top < innerHeight && left < innerWidth
  })`
  return timeUntil(browser, server, path, {
    there: `((seen) => seen.length > 4 && seen.every((image) => image.complete && image.naturalWidth > 0))(${seen})`,
    // What has come over the line is not seen before it is decoded.
    ready: `Promise.all(${seen}.map((image) => image.decode()))`,
  })
}

/** Scrolls as fast as a hand can throw it, and looks in every frame whether the whole table is filled with rows. */
async function scroll(browser: Browser, address: string): Promise<{ frames: number; blank: number; longest: number }> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  try {
    const page: Page = await context.newPage()
    await page.goto(address)
    await page.locator('[role=table] [role=row]').nth(10).waitFor()
    return await page.evaluate(`(async () => {
      const table = document.querySelector('[role=table]')
      const step = table.scrollHeight / ${SCROLLS}
      const filled = () => {
        const { left, top, width, height } = table.getBoundingClientRect()
        return [0.15, 0.35, 0.55, 0.75, 0.95].every((share) => {
          const at = document.elementFromPoint(left + width / 3, top + height * share)
          const row = at?.closest('[role=row]')
          return row && row.textContent.trim() !== ''
        })
      }
      let frames = 0, blank = 0, longest = 0, last = performance.now()
      for (let i = 1; i <= ${SCROLLS}; i++) {
        table.scrollTop = (i % 2 ? i : i - 0.6) * step - table.clientHeight
        await new Promise(requestAnimationFrame)
        const now = performance.now()
        longest = Math.max(longest, now - last)
        last = now
        frames += 1
        if (!filled()) blank += 1
      }
      return { frames, blank, longest }
    })()`)
  } finally {
    await context.close()
  }
}

/** What the first page loads as script, compressed. */
async function firstScripts(
  browser: Browser,
  address: string,
): Promise<{ gzip: number; brotli: number; has3d: boolean }> {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    const names = new Set<string>()
    page.on('response', (response) => {
      const { pathname } = new URL(response.url())
      if (pathname.endsWith('.js')) names.add(pathname)
    })
    await page.goto(address, { waitUntil: 'networkidle' }).catch(() => undefined)
    const scripts = await Promise.all([...names].map((name) => readFile(join(BUILT, name))))
    return {
      gzip: scripts.reduce((sum, script) => sum + gzipSync(script).length, 0),
      brotli: scripts.reduce((sum, script) => sum + brotliCompressSync(script).length, 0),
      has3d: scripts.some((script) => script.includes('WebGLRenderer')),
    }
  } finally {
    await context.close()
  }
}
