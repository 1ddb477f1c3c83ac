/** The server's routes; the handlers live in their own files. */
import { setMaxListeners } from 'node:events'
import { Hono, type Context } from 'hono'
import { sha256 } from '../base/hash.ts'
import { LruCache } from '../base/lru-cache.ts'
import type { Store } from '../store/store.ts'
import { sendJson, sendPacked } from './http/responses.ts'
import { compareRuns } from './compare.ts'
import { Descriptions } from './described.ts'
import { episodeDetail } from './episodes.ts'
import { guard, type GuardOptions, safeHeaders } from './http/guard.ts'
import type { SuiteFinder } from '../library/suites.ts'
import { ServerInfo } from './info.ts'
import { Library } from './library.ts'
import { LiveRuns } from './live.ts'
import { MediaFiles } from './media.ts'
import { Memo } from './memo.ts'
import type { PackedJson } from './http/packed-json.ts'
import { packJson } from './http/packed-json.ts'
import { playRoutes } from './play/routes.ts'
import type { PlayEnvironment } from './play/session.ts'
import { PlaySessions } from './play/sessions.ts'
import { panelSource } from './panel.ts'
import { notFound } from './http/problem.ts'
import { errorRoutes } from './errors.ts'
import { errorResponse } from './http/error-response.ts'
import { Scenes } from './scene.ts'
import { Searches } from './search.ts'
import { sharedDetail, sharedIds } from './shared.ts'
import type { StaticPages } from './static.ts'
import { figuresOf } from './figures.ts'
import { streamLive } from './stream.ts'
import { voteRoutes } from './votes/routes.ts'

/** Cached comparisons, for navigating back and forth. */
const MAX_COMPARISONS = 8
/** Runs whose answers were drawn lately. */
const MAX_FIGURES = 16
/** A leaderboard asks for each of its rows. */
const MAX_SHARINGS = 64
/** Runs with at least this many episodes are loaded at startup, newest first. */
const MIN_WARMED_EPISODES = 20_000
const MAX_WARMED_RUNS = 10

export interface AppOptions extends GuardOptions {
  store: Store
  /** Environment for runs played by humans. */
  environment: PlayEnvironment
  finder: SuiteFinder
  pages: StaticPages
  version: string
  /** Called on internal errors, for logging. */
  onFault: (error: unknown) => void
}

export interface ViewerApp {
  app: Hono
  /** Loads the leaderboard and long runs ahead of the first visit. */
  warmUp(): Promise<void>
  /** Ends open streams and play sessions; the sessions' runs can be resumed. */
  close(): Promise<void>
}

export function makeApp(options: AppOptions): ViewerApp {
  const { store, finder, pages, version } = options
  const library = new Library(store, finder)
  const info = new ServerInfo(finder, store.dir, version)
  const live = new LiveRuns(library)
  const media = new MediaFiles(store.media)
  const scenes = new Scenes(store.dir)
  const descriptions = new Descriptions()
  const comparisons = new LruCache<Memo<PackedJson>>(MAX_COMPARISONS)
  const figures = new LruCache<Memo<PackedJson>>(MAX_FIGURES)
  const sharings = new LruCache<Memo<PackedJson>>(MAX_SHARINGS)
  const searches = new Searches()
  const games = new PlaySessions(options.environment, finder)
  const ended = new AbortController()
  // Every open page adds a listener.
  setMaxListeners(0, ended.signal)
  const app = new Hono()

  app.use(safeHeaders())
  app.use(guard(options))

  app.get('/api/info', async (c) => sendJson(c, await info.get()))
  app.get('/api/runs', async (c) => sendJson(c, await library.rows()))
  app.get('/api/runs/:run', async (c) => {
    const entry = await library.runWithLines(c.req.param('run'))
    return sendJson(c, await entry.detail())
  })
  app.get('/api/runs/:run/episodes', async (c) => {
    const entry = await library.runWithLines(c.req.param('run'))
    return sendPacked(c, await entry.columns())
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
  app.get('/api/runs/:run/descriptions', async (c) => {
    const entry = await library.runWithLines(c.req.param('run'))
    return sendJson(c, await descriptions.of(entry, c.req.query('of') ?? ''))
  })
  app.get('/api/runs/:run/figures', async (c) => {
    const entry = await library.runWithLines(c.req.param('run'))
    const memo = figures.getOrCreate(entry.reader.header.id, () => new Memo())
    return sendPacked(c, await memo.get(await entry.stamp(), async () => packJson(await figuresOf(entry))))
  })
  app.get('/api/runs/:run/search', async (c) => {
    const entry = await library.runWithLines(c.req.param('run'))
    const run = { dir: entry.reader.dir, stamp: await entry.stamp(), lines: await entry.lines() }
    return sendJson(c, await searches.search(run, c.req.query('q') ?? '', c.req.raw.signal))
  })
  app.get('/api/runs/:run/episodes/:index/:epoch', async (c) => {
    const { run, index, epoch } = episodeParams(c)
    return sendJson(c, await episodeDetail(await library.runWithLines(run), index, epoch))
  })
  app.get('/api/runs/:run/episodes/:index/:epoch/scene', async (c) => {
    const { run, index, epoch } = episodeParams(c)
    const { bytes, tag } = await scenes.get(await library.runWithLines(run), index, epoch)
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
    return sendPacked(c, await memo.get(stamp, async () => packJson(await compareRuns(a, b))))
  })
  app.get('/api/shared', async (c) => {
    const ids = sharedIds(c.req.query('runs') ?? '')
    // In percent: every value is a computation of its own.
    const least = Math.round(100 * Math.min(1, Math.max(0, Number(c.req.query('least') ?? 0) || 0))) / 100
    const entries = await Promise.all(ids.map((id) => library.runWithLines(id)))
    const stamp = (await Promise.all(entries.map((entry) => entry.stamp()))).join(' ')
    const memo = sharings.getOrCreate(`${least} ${ids.join(' ')}`, () => new Memo())
    return sendPacked(c, await memo.get(stamp, async () => packJson(await sharedDetail(entries, least))))
  })
  app.get('/api/media/:sha256', (c) =>
    c.req.query('size') === 'small'
      ? media.thumbnail(c.req.param('sha256'), c.req.raw)
      : media.respond(c.req.param('sha256'), c.req.query('type'), c.req.raw),
  )
  app.get('/api/live', (c) => streamLive(c, live, ended.signal))
  app.route('/api/errors', errorRoutes(library))
  app.route('/api/play', playRoutes(games))
  app.route('/api/votes', voteRoutes(store))

  app.get('*', async (c) => {
    const page = c.req.path.startsWith('/api/') ? null : await pages.respond(c.req.path, c.req.raw)
    if (page) return page
    throw notFound('Not found.')
  })
  app.onError((error, c) => errorResponse(c, error, library.redact, options.onFault))
  return {
    app,
    async warmUp() {
      const rows = await library.rows()
      const long = rows.filter(({ state, finished }) => state !== 'running' && finished >= MIN_WARMED_EPISODES)
      for (const { id } of long.slice(0, MAX_WARMED_RUNS)) {
        if (ended.signal.aborted) return
        // Errors show up when the run is opened.
        await library.prepare(id).catch(() => undefined)
      }
    },
    async close() {
      ended.abort()
      live.stop()
      await Promise.all([games.close(), searches.close()])
    },
  }
}

function episodeParams(c: Context): { run: string; index: number; epoch: number } {
  const [index, epoch] = [c.req.param('index') ?? '', c.req.param('epoch') ?? '']
  if (!/^\d{1,12}$/.test(index) || !/^\d{1,12}$/.test(epoch)) {
    throw notFound('Invalid episode address. Use two numbers: sample index and epoch.')
  }
  return { run: c.req.param('run') ?? '', index: Number(index), epoch: Number(epoch) }
}
