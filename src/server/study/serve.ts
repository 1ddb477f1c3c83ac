/** The server of a study: participants see their own samples and nothing else of the store. */
import { Hono } from 'hono'
import type { Study } from '../../library/study/study.ts'
import type { SuiteFinder } from '../../library/suites.ts'
import { guard, safeHeaders, tokenOf } from '../http/guard.ts'
import { errorResponse } from '../http/error-response.ts'
import { MediaFiles } from '../media.ts'
import type { PlayEnvironment } from '../play/session.ts'
import { PlaySessions } from '../play/sessions.ts'
import { serveApp, type ServedApp } from '../serve.ts'
import { StaticPages, viewerFolder } from '../static.ts'
import { notFound, redactStorePath } from '../http/problem.ts'
import { studyRoutes } from './routes.ts'

export interface ServeStudyOptions {
  study: Study
  environment: PlayEnvironment
  finder: SuiteFinder
  host?: string
  port?: number
  onFault: (error: unknown) => void
}

export interface StudyServer extends Pick<ServedApp, 'isLocal' | 'close'> {
  /** A link per participant, with the secret. */
  links: readonly { participant: string; link: string }[]
}

/** Everybody may play at the same time. */
export async function serveStudy(options: ServeStudyOptions): Promise<StudyServer> {
  const { study, environment, finder, onFault } = options
  const { store } = environment
  const sessions = new PlaySessions(environment, finder, Math.max(16, 2 * study.participants.length))
  const media = new MediaFiles(store.media)
  const pages = await StaticPages.open(viewerFolder())
  const makeApp = (host: string): Hono => {
    const app = new Hono()
    app.use(safeHeaders())
    app.use(guard({ host, token: study.participants.map(({ key }) => key) }))
    app.get('/api/media/:sha256', (c) =>
      c.req.query('size') === 'small'
        ? media.thumbnail(c.req.param('sha256'), c.req.raw)
        : media.respond(c.req.param('sha256'), c.req.query('type'), c.req.raw),
    )
    app.route('/api/play', studyRoutes({ study, store, sessions }, tokenOf))
    app.get('*', async (c) => {
      const page = c.req.path.startsWith('/api/') ? null : await pages.respond(c.req.path, c.req.raw)
      if (page) return page
      throw notFound('Not found.')
    })
    app.onError((error, c) => errorResponse(c, error, redactStorePath(store.dir), onFault))
    return app
  }
  const served = await serveApp(makeApp, options)
  return {
    isLocal: served.isLocal,
    links: study.participants.map(({ id, key }) => ({
      participant: id,
      link: `${served.address}/?token=${key}#/study`,
    })),
    async close() {
      await sessions.close()
      await served.close()
    },
  }
}
