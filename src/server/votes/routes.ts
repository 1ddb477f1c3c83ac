/** Votes on pairs of videos. Like human play, this part of the server writes to the store. */
import { Hono } from 'hono'
import { z } from 'zod'
import { createBallot, Voting } from '../../library/votes.ts'
import { SIDES } from '../../report/preference.ts'
import type { Store } from '../../store/store.ts'
import { isDimension } from '../../suites/vbench/domain/dimensions.ts'
import { jsonBody, parse, shortBody } from '../http/body.ts'
import { personName, seedSchema } from '../http/fields.ts'

const dimension = z.string().refine(isDimension, 'no such dimension')
const startSchema = z.strictObject({
  runs: z.array(z.string().max(300)).min(2, 'choose two or more runs').max(50),
  dimensions: z.array(dimension).min(1).max(16).optional(),
  seed: seedSchema,
  count: z.number().int().min(1).max(5000),
})
const raterSchema = z.object({ name: personName })
const voteSchema = z.strictObject({ name: personName, key: z.string().max(2000), choice: z.enum(SIDES) })

export function voteRoutes(store: Store): Hono {
  const app = new Hono()
  const voting = new Voting(store)
  app.use(shortBody())
  app.get('/', async (c) => c.json(await voting.list()))
  app.post('/start', async (c) => {
    const { id } = await createBallot(store, parse(startSchema, await jsonBody(c.req.raw)))
    return c.json({ id })
  })
  app.get('/:ballot/report', async (c) => c.json(await voting.report(c.req.param('ballot'))))
  app.get('/:ballot', async (c) => {
    const { name } = parse(raterSchema, c.req.query())
    return c.json(await voting.state(c.req.param('ballot'), name))
  })
  app.post('/:ballot/vote', async (c) => {
    const { name, key, choice } = parse(voteSchema, await jsonBody(c.req.raw))
    return c.json(await voting.vote(c.req.param('ballot'), name, key, choice))
  })
  app.post('/:ballot/undo', async (c) => {
    const { name } = parse(raterSchema, await jsonBody(c.req.raw))
    return c.json(await voting.undo(c.req.param('ballot'), name))
  })
  return app
}
