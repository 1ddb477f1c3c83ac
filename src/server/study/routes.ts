/** The API of a participant: the own part of a study, and the own session. */
import { Hono } from 'hono'
import type { Context } from 'hono'
import { UserError } from '../../base/errors.ts'
import { type Participant, playerOf, runsOfStudy, type Study } from '../../library/study/study.ts'
import type { Store } from '../../store/store.ts'
import type { PlayState, StudyState } from '../api.ts'
import { notFound } from '../http/problem.ts'
import { sessionRoutes } from '../play/routes.ts'
import type { PlaySession } from '../play/session.ts'
import type { PlaySessions } from '../play/sessions.ts'

/** @param tokenOf the secret that a request came with */
export function studyRoutes(
  { study, store, sessions }: { study: Study; store: Store; sessions: PlaySessions },
  tokenOf: (c: Context) => string,
): Hono {
  const app = new Hono()
  const participantOf = (c: Context): Participant => {
    const found = study.participants.find(({ key }) => key === tokenOf(c))
    if (found) return found
    throw notFound('This link does not belong to a participant.')
  }
  const sessionOf = (participant: Participant) =>
    sessions.states().findLast(({ name }) => name === playerOf(study, participant))
  app.get('/study', async (c) => {
    const participant = participantOf(c)
    const run = (await runsOfStudy(store, study)).get(participant.id)
    const session = sessionOf(participant)
    const state: StudyState = {
      study: study.name,
      participant: participant.id,
      suite: study.suite,
      assigned: participant.samples.length,
      finished: Math.max(run?.finished ?? 0, session?.finished ?? 0),
      isDone: run?.status.state === 'done',
      session: session && ['asking', 'preparing'].includes(session.state) ? session.id : null,
    }
    return c.json(state)
  })
  const begin = async (participant: Participant): Promise<PlayState> => {
    const run = (await runsOfStudy(store, study)).get(participant.id)
    if (run?.status.state === 'done') throw new UserError('You have played all your samples.')
    if (run !== undefined) return sessions.resume(run.id, study.kept)
    return sessions.startAssigned(study, playerOf(study, participant), participant.samples)
  }
  /** By participant: someone with two pages still gets one run. */
  const beginning = new Map<string, Promise<PlayState>>()
  app.post('/study/begin', async (c) => {
    const participant = participantOf(c)
    const { id } = participant
    const begun = beginning.get(id) ?? begin(participant).finally(() => beginning.delete(id))
    beginning.set(id, begun)
    return c.json(await begun)
  })
  app.route(
    '/',
    sessionRoutes((c): PlaySession => {
      const session = sessions.get(c.req.param('play') ?? '')
      if (session.name === playerOf(study, participantOf(c))) return session
      throw notFound('No such session.')
    }),
  )
  return app
}
