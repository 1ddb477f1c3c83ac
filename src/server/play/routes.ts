/** Human play: with the votes, the only part of the server that accepts writes. */
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { z } from 'zod'
import { jsonBody, parse } from '../http/body.ts'
import { personName, seedSchema } from '../http/fields.ts'
import { HttpProblem } from '../http/problem.ts'
import type { PlaySession } from './session.ts'
import type { PlaySessions } from './sessions.ts'

/** Replies are short texts or a map as JSON. */
const MAX_BODY_LENGTH = 256 * 1024
const MAX_WAIT_MS = 25_000
const MAX_SAMPLES = 100

const language = z.enum(['en', 'zh', 'both']).optional()

const startSchema = z.strictObject({
  suite: z.string().max(100),
  name: personName,
  seed: seedSchema,
  samples: z.array(z.string().max(500)).max(1000).optional(),
  count: z.number().int().min(1).max(1000).optional(),
  language,
  options: z.record(z.string().max(100), z.string().max(1000)).optional(),
})
const resumeSchema = z.strictObject({ run: z.string().max(300) })
const replySchema = z.strictObject({ turn: z.number().int(), text: z.string().max(MAX_BODY_LENGTH) })
const samplesSchema = z.object({
  suite: z.string().max(100),
  seed: seedSchema.default(0),
  from: z.coerce.number().int().min(0).max(100_000).default(0),
  count: z.coerce.number().int().min(1).max(MAX_SAMPLES).default(20),
  language,
})
const afterSchema = z.coerce.number().int().min(0).default(0)

function tooLong(): never {
  throw new HttpProblem(413, `Reply too long. The limit is ${MAX_BODY_LENGTH / 1024} kB.`)
}

export function playRoutes(sessions: PlaySessions): Hono {
  const app = new Hono()
  app.use(bodyLimit({ maxSize: MAX_BODY_LENGTH * 2, onError: tooLong }))
  app.get('/', (c) => c.json(sessions.states()))
  app.get('/samples', async (c) => {
    const { language, ...wanted } = parse(samplesSchema, c.req.query())
    return c.json(await sessions.samples({ ...wanted, ...(language ? { language } : {}) }))
  })
  app.post('/start', async (c) => {
    const { samples, count, language, options, ...rest } = parse(startSchema, await jsonBody(c.req.raw))
    const state = await sessions.start({
      ...rest,
      ...(samples ? { samples: samples } : {}),
      ...(count === undefined ? {} : { count }),
      ...(language ? { language } : {}),
      ...(options ? { options } : {}),
    })
    return c.json(state)
  })
  app.post('/resume', async (c) => c.json(await sessions.resume(parse(resumeSchema, await jsonBody(c.req.raw)).run)))
  app.route(
    '/',
    sessionRoutes((c) => sessions.get(c.req.param('play') ?? '')),
  )
  return app
}

/** What a page does with one session. @param find the session of a request; throws if it is not to be found */
export function sessionRoutes(find: (c: Context) => PlaySession): Hono {
  const app = new Hono()
  app.use(bodyLimit({ maxSize: MAX_BODY_LENGTH * 2, onError: tooLong }))
  app.get('/:play', async (c) => {
    const session = find(c)
    await session.waitForChange(parse(afterSchema, c.req.query('after')), MAX_WAIT_MS, c.req.raw.signal)
    return c.json(session.state())
  })
  app.post('/:play/reply', async (c) => {
    const session = find(c)
    const { turn, text } = parse(replySchema, await jsonBody(c.req.raw))
    // Replying twice to the same turn is ignored.
    session.reply(turn, text)
    return c.json(session.state())
  })
  app.post('/:play/stop', async (c) => {
    const session = find(c)
    await session.stop()
    return c.json(session.state())
  })
  return app
}
