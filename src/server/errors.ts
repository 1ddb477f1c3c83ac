/** Assigns types of errors to episodes. */
import { Hono } from 'hono'
import { z } from 'zod'
import { UserError } from '../base/errors.ts'
import { assignErrorType } from '../store/error-types.ts'
import type { ErrorRequest } from './api.ts'
import { findEpisode } from './episodes.ts'
import { jsonBody, parse, shortBody } from './http/body.ts'
import type { Library } from './library.ts'

const requestSchema: z.ZodType<ErrorRequest> = z.strictObject({
  run: z.string().max(300),
  index: z.int().min(0),
  epoch: z.int().min(0),
  type: z.string().max(100).nullable(),
})

export function errorRoutes(library: Library): Hono {
  const app = new Hono()
  /** Files are read, changed and written: one after the other. */
  let last: Promise<unknown> = Promise.resolve()
  app.use(shortBody())
  app.post('/', async (c) => {
    const { run, index, epoch, type } = parse(requestSchema, await jsonBody(c.req.raw))
    const entry = await library.runWithLines(run)
    const types = (await entry.suite())?.viewer.errorTypes ?? {}
    if (type !== null && !Object.hasOwn(types, type)) throw new UserError('The suite has no such type of error.')
    await findEpisode(entry, index, epoch)
    const written = last.catch(() => undefined).then(() => assignErrorType(entry.reader.dir, { index, epoch }, type))
    last = written
    await written
    return c.json({ type })
  })
  return app
}
