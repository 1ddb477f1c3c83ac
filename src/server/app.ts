/** The addresses of the server. Each subject is a file of its own; this one only says which answers what. */
import { setMaxListeners } from 'node:events'
import { Hono, type Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { sha256 } from '../base/hash.ts'
import { LruCache } from '../base/lru-cache.ts'
import type { Store } from '../store/store.ts'
import { answerJson, answerPacked } from './http/answers.ts'
import { compareRuns } from './compare.ts'
import { episodeOf } from './episodes.ts'
import { guard, type GuardOptions, safeHeaders } from './http/guard.ts'
import type { SuiteFinder } from '../library/suites.ts'
import { ServerInfo } from './info.ts'
import { Library } from './library.ts'
import { LiveRuns } from './live.ts'
import { MediaFiles } from './media.ts'
import { Memo } from './memo.ts'
import type { Packed } from './http/packed.ts'
import { pack } from './http/packed.ts'
import { playRoutes } from './play/routes.ts'
import type { PlayEnvironment } from './play/session.ts'
import { PlaySessions } from './play/sessions.ts'
import { panelSource } from './panel.ts'
import { HttpProblem, notFound, toHttpError } from './http/problem.ts'
import { Scenes } from './scene.ts'
import { searchEvents } from './search.ts'
import type { Pages } from './static.ts'
import { streamLive } from './stream.ts'

const MAX_SEARCH_LENGTH = 1000
/** Comparisons that are kept: going back and forth between two pages needs one. */
const KEPT_COMPARISONS = 8
/** Runs of this many episodes are read beforehand, the newest first. */
const LONG_RUN = 20_000
const WARMED_RUNS = 10

export interface AppOptions extends GuardOptions {
  store: Store
  /** What runs that people play are started with. */
  environment: PlayEnvironment
  /** Which suites there are. */
  finder: SuiteFinder
  pages: Pages
  version: string
  /** A fault of the server, for its log. */
  onFault: (error: unknown) => void
}

export interface ViewerApp {
  app: Hono
  /** Reads what the board shows and what long runs take long for, so that it is there when somebody opens it. */
  warmUp(): Promise<void>
  /** Ends what goes on: streams to pages that are open, and games, which can be continued. */
  close(): Promise<void>
}

export function makeApp(options: AppOptions): ViewerApp {
  const { store, finder, pages, version } = options
  const library = new Library(store, finder)
  const info = new ServerInfo(finder, store.dir, version)
  const live = new LiveRuns(library)
  const media = new MediaFiles(store.media)
  const scenes = new Scenes(store.dir)
  const comparisons = new LruCache<Memo<Packed>>(KEPT_COMPARISONS)
  const games = new PlaySessions(options.environment, finder)
  const ended = new AbortController()
  // Every page that listens waits for it.
  setMaxListeners(0, ended.signal)
  const app = new Hono()

  app.use(safeHeaders())
  app.use(guard(options))

  app.get('/api/info', async (c) => answerJson(c, await info.get()))
  app.get('/api/runs', async (c) => answerJson(c, await library.rows()))
  app.get('/api/runs/:run', async (c) => {
    const entry = await library.runWithLines(c.req.param('run'))
    return answerJson(c, await entry.detail())
  })
  app.get('/api/runs/:run/episodes', async (c) => {
    const entry = await library.runWithLines(c.req.param('run'))
    return answerPacked(c, await entry.columns())
  })
  app.get('/api/runs/:run/panel', async (c) => {
    const source = await panelSource(await library.run(c.req.param('run')))
    const headers = {
      'Content-Type': 'text/javascript; charset=utf-8',
      'Cache-Control': 'private, no-cache',
      ETag: `"${sha256(source).slice(0, 32)}"`,
    }
    if (c.req.header('if-none-match') === headers.ETag) return c.body(null, 304, headers)
    return c.body(source, 200, headers)
  })
  app.get('/api/runs/:run/search', async (c) => {
    const text = c.req.query('q') ?? ''
    if (text.length > MAX_SEARCH_LENGTH)
      throw new HttpProblem(400, `At most ${MAX_SEARCH_LENGTH} letters can be searched for.`)
    const entry = await library.runWithLines(c.req.param('run'))
    const lines = await entry.lines()
    return answerJson(c, await searchEvents(entry.reader.dir, lines, text, c.req.raw.signal))
  })
  app.get('/api/runs/:run/episodes/:index/:epoch', async (c) => {
    const { run, index, epoch } = address(c)
    return answerJson(c, await episodeOf(await library.runWithLines(run), index, epoch))
  })
  app.get('/api/runs/:run/episodes/:index/:epoch/scene', async (c) => {
    const { run, index, epoch } = address(c)
    const { bytes, tag } = await scenes.of(await library.runWithLines(run), index, epoch)
    const headers = { 'Content-Type': 'model/gltf-binary', 'Cache-Control': 'private, no-cache', ETag: `"${tag}"` }
    if (c.req.header('if-none-match') === headers.ETag) return c.body(null, 304, headers)
    return c.body(new Uint8Array(bytes), 200, headers)
  })
  app.get('/api/compare', async (c) => {
    const [a, b] = await Promise.all([
      library.runWithLines(c.req.query('a') ?? ''),
      library.runWithLines(c.req.query('b') ?? ''),
    ])
    const stamp = (await Promise.all([a.stamp(), b.stamp()])).join(' ')
    const key = `${a.reader.header.id} ${b.reader.header.id}`
    const memo = comparisons.getOrCreate(key, () => new Memo())
    return answerPacked(c, await memo.get(stamp, async () => pack(await compareRuns(a, b))))
  })
  app.get('/api/media/:sha256', (c) => media.answer(c.req.param('sha256'), c.req.query('type'), c.req.raw))
  app.get('/api/live', (c) => streamLive(c, live, ended.signal))
  app.route('/api/play', playRoutes(games))

  app.get('*', async (c) => {
    const page = c.req.path.startsWith('/api/') ? null : await pages.answer(c.req.path, c.req.raw)
    if (page) return page
    throw notFound('There is nothing at this address.')
  })
  app.onError((error, c) => problemAnswer(c, error, library.words, options.onFault))
  return {
    app,
    async warmUp() {
      const rows = await library.rows()
      const long = rows.filter(({ state, finished }) => state !== 'running' && finished >= LONG_RUN)
      for (const { id } of long.slice(0, WARMED_RUNS)) {
        if (ended.signal.aborted) return
        // What is wrong with it is said when it is opened.
        await library.prepare(id).catch(() => undefined)
      }
    },
    async close() {
      ended.abort()
      live.stop()
      await games.close()
    },
  }
}

function address(c: Context): { run: string; index: number; epoch: number } {
  const [index, epoch] = [c.req.param('index') ?? '', c.req.param('epoch') ?? '']
  if (!/^\d{1,12}$/.test(index) || !/^\d{1,12}$/.test(epoch)) {
    throw notFound('An episode is addressed by two numbers: its case and its repeat.')
  }
  return { run: c.req.param('run') ?? '', index: Number(index), epoch: Number(epoch) }
}

function problemAnswer(
  c: Context,
  error: unknown,
  words: (text: string) => string,
  onFault: (error: unknown) => void,
): Response {
  // Whoever asked has gone.
  if (c.req.raw.signal.aborted) return c.body(null, 499 as ContentfulStatusCode)
  const { status, body, fault } = toHttpError(error, words)
  if (fault) onFault(error)
  return c.json(body, status as ContentfulStatusCode, { 'Cache-Control': 'no-store' })
}
