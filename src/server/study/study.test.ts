import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { studyProgress, studyReports, studyResults } from '../../library/study/results.ts'
import { createStudy, type Participant, readStudy, runsOfStudy, type Study } from '../../library/study/study.ts'
import { suiteFinder } from '../../library/suites.ts'
import { loadPrices } from '../../models/prices.ts'
import { Store } from '../../store/store.ts'
import type { PlayState, StudyState } from '../api.ts'
import { PlaySessions } from '../play/sessions.ts'
import { studyRoutes } from './routes.ts'

let folder: string
let store: Store
let sessions: PlaySessions
const finder = suiteFinder()

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-study-'))
  store = await Store.open(folder)
  const prices = await loadPrices({ file: undefined, optionalFile: join(folder, 'prices.json') })
  sessions = new PlaySessions({ store, prices, versions: {}, git: null, now: () => new Date() }, finder)
})
afterEach(async () => {
  await sessions.close()
  await rm(folder, { recursive: true, force: true })
})

async function makeStudy(): Promise<Study> {
  const options = { questions: '1', tasks: 'dir', explore: 'passive' }
  const suite = await finder.named({ suite: 'space/text' })
  await createStudy(store, suite, { name: 'pilot', participants: 2, perSample: 2, limit: '1', options })
  return readStudy(store, 'pilot')
}

/** What a participant's page can ask for. */
function pageOf(study: Study, { key }: Participant) {
  const app = studyRoutes({ study, store, sessions }, () => key)
  app.onError((error) => Response.json({ problem: error.message }, { status: 404 }))
  return async <T>(path: string, body?: object): Promise<T> => {
    const how = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    return (await (await app.request(path, body && how)).json()) as T
  }
}

test('participants play their own samples, and the results name nobody', async () => {
  const made = await makeStudy()
  // Samples are not looked for again: those of the study's file are played.
  const kept = {
    ...made.kept!,
    samples: made.kept!.samples.map((sample) => ({
      ...sample,
      cluster: 'kept',
      labels: { ...sample.labels, truth: 'of a label' },
    })),
  }
  const study = { ...made, kept }
  const [first, second] = study.participants as [Participant, Participant]
  const page = pageOf(study, first)
  expect(await page<StudyState>('/study')).toMatchObject({ participant: 'p1', assigned: 1, finished: 0, session: null })
  // Two pages begin at once.
  const begun = await Promise.all([0, 1].map(() => page<PlayState>('/study/begin', {})))
  let state = begun[0]!
  expect(begun[1]!.id).toBe(state.id)
  expect(await store.listRuns()).toHaveLength(1)
  expect(await pageOf(study, second)(`/${state.id}?after=0`)).toEqual({ problem: 'No such session.' })
  state = await sessions
    .get(state.id)
    .waitForChange(state.version, 10_000, new AbortController().signal)
    .then(() => page<PlayState>(`/${state.id}?after=0`))
  // The page was closed and opened again.
  expect((await page<PlayState>('/study/begin', {})).id).toBe(state.id)
  await page(`/${state.id}/reply`, { turn: state.turn!.number, text: 'FINAL ANSWER:\nnorth, near' })
  await sessions.get(state.id).done
  expect(await page<StudyState>('/study')).toMatchObject({ finished: 1, isDone: true })

  expect([...(await runsOfStudy(store, study)).keys()]).toEqual(['p1'])
  for (const other of [{ suite: 'vsi/blind' }, { source: 'builtin:seed=9' }, { created: '2999-01-01T00:00:00.000Z' }])
    expect((await runsOfStudy(store, { ...study, ...other })).size).toBe(0)
  expect(await studyProgress(store, study)).toEqual([
    { id: 'p1', assigned: 1, finished: 1 },
    { id: 'p2', assigned: 1, finished: 0 },
  ])
  const { suite } = await finder.named({ suite: 'space/text' })
  const reports = await studyReports(store, study, suite)
  expect(reports.map(({ models }) => models['player'])).toEqual(['human/pilot', 'human/pilot.p1'])
  expect(reports[0]!.notes[0]).toBe('1 of 2 participants played 1 of 2 assigned samples.')
  const [head, row] = (await studyResults(store, study, suite)).split('\r\n')
  expect(head).toMatch(/^participant,sample,cluster,/)
  expect(new Set(head!.split(',')).size).toBe(head!.split(',').length)
  expect(row).toMatch(/^p1,[^,]+,kept,/)
  expect(row).not.toMatch(/\d{4}-\d{2}-\d{2}/)
})

test('a study has a name of its own, and an unknown one is an error', async () => {
  const study = await makeStudy()
  await expect(makeStudy()).rejects.toThrow('There is a study "pilot" already.')
  await expect(readStudy(store, 'pilto')).rejects.toThrow('no study "pilto"')
  await expect(readStudy(store, '../../etc/passwd')).rejects.toThrow('There is no study')
  expect(new Set(study.participants.map(({ key }) => key)).size).toBe(2)
})
