import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { critique } from '../../../viewer/src/play/controls/replies.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { loadPrices } from '../../models/prices.ts'
import { suiteFinder } from '../../library/suites.ts'
import { Store } from '../../store/store.ts'
import type { PlayState } from '../api.ts'
import { playRoutes } from './routes.ts'
import { PRESENCE } from './session.ts'
import { PlaySessions } from './sessions.ts'

const LOOK = 'FINAL ANSWER:\nActions: [Observe()]'
const END = 'FINAL ANSWER:\nActions: [Term()]'

let folder: string
let store: Store

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-play-'))
  store = await Store.open(folder)
})

afterEach(() => {
  vi.useRealTimers()
  return rm(folder, { recursive: true, force: true })
})

async function openSessions(): Promise<PlaySessions> {
  const prices = await loadPrices({ file: undefined, optionalFile: join(folder, 'prices.json') })
  return new PlaySessions({ store, prices, versions: {}, git: null, now: () => new Date() }, suiteFinder())
}

const request = { suite: 'space/text', name: 'ada', seed: 1, count: 1, options: { questions: '1', tasks: 'dir' } }

/** The state once a question is pending or the run has ended. */
async function settled(sessions: PlaySessions, id: string): Promise<PlayState> {
  const session = sessions.get(id)
  for (;;) {
    const state = session.state()
    if (state.state !== 'preparing') return state
    await session.waitForChange(state.version, 10_000, new AbortController().signal)
  }
}

async function say(sessions: PlaySessions, { id, turn }: PlayState, text: string): Promise<PlayState> {
  expect(sessions.get(id).reply(turn!.number, text)).toBe(true)
  return settled(sessions, id)
}

test('asks a human what a model is asked and records a run', async () => {
  const sessions = await openSessions()
  let state = await settled(sessions, (await sessions.start(request)).id)
  expect(state).toMatchObject({ state: 'asking', planned: 1, finished: 0, turn: { number: 1, purpose: 'exploration' } })
  expect(JSON.stringify(state.turn!.messages)).toContain('Available Actions')
  state = await say(sessions, state, LOOK)
  state = await say(sessions, state, END)
  expect(state.turn!.purpose).toBe('question dir')
  state = await say(sessions, state, 'FINAL ANSWER:\nnorth, near')
  expect(state).toMatchObject({ state: 'done', finished: 1, turn: null })
  const run = await store.openRunById(state.run!)
  expect(run.header.models).toEqual({ player: 'human/ada' })
  const [line] = await run.episodes()
  expect(line).toMatchObject({ status: 'answered', usage: { calls: 3, usd: 0 } })
  const events = await run.events(line!)
  expect(events).toContainEqual(expect.objectContaining({ type: 'reply', ordinal: 0, text: LOOK }))
})

test('a critic can be played', async () => {
  const sessions = await openSessions()
  const asked = { ...request, suite: 'articulate/critic', options: { size: '320x240' } }
  let state = await settled(sessions, (await sessions.start(asked)).id)
  expect(state.turn!.purpose).toBe('joint-critic')
  state = await say(sessions, state, critique('joint_axis'))
  const [line] = await (await store.openRunById(state.run!)).episodes()
  expect(line).toMatchObject({ status: 'answered', scores: { inconsistent: 0 } })
  await sessions.close()
})

test('resumes a stopped session where it left off; a new session starts over', async () => {
  const first = await openSessions()
  let state = await settled(first, (await first.start(request)).id)
  state = await say(first, state, LOOK)
  await first.close()
  expect(first.get(state.id).state()).toMatchObject({ state: 'stopped', problem: 'the server was stopped' })

  const second = await openSessions()
  const resumed = await settled(second, (await second.resume(state.run!)).id)
  expect(resumed).toMatchObject({ state: 'asking', run: state.run, finished: 0 })
  expect(resumed.turn!.messages).toEqual(state.turn!.messages)
  expect(await second.resume(state.run!)).toMatchObject({ id: resumed.id })

  const fresh = await settled(second, (await second.start(request)).id)
  expect(fresh.turn!.messages.length).toBeLessThan(resumed.turn!.messages.length)
  await second.close()
})

test('pauses a session when its page was closed or nobody answers; it can be resumed', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const sessions = await openSessions()
  const { id, run } = await settled(sessions, (await sessions.start(request)).id)
  const session = sessions.get(id)
  const page = new AbortController()
  const asking = session.waitForChange(session.state().version, PRESENCE.idleMs, page.signal)
  vi.advanceTimersByTime(PRESENCE.awayMs * 2)
  expect(session.state().state).toBe('asking')
  page.abort()
  await asking
  vi.advanceTimersByTime(PRESENCE.awayMs)
  await session.done
  const left = 'the player left the page'
  expect(session.state()).toMatchObject({ state: 'stopped', problem: left, turn: null })
  expect(await (await store.openRunById(run!)).status()).toMatchObject({ state: 'interrupted', reason: left })

  const resumed = await settled(sessions, (await sessions.resume(run!)).id)
  expect(resumed).toMatchObject({ state: 'asking', run })
  const open = sessions.get(resumed.id)
  void open.waitForChange(resumed.version, PRESENCE.idleMs * 2, new AbortController().signal)
  vi.advanceTimersByTime(PRESENCE.idleMs)
  await open.done
  expect(open.state()).toMatchObject({ state: 'stopped', problem: 'no answer for 60 minutes' })
})

test('says what it renders', async () => {
  const sessions = await openSessions()
  const { id } = await sessions.start({ ...request, suite: 'space/vision' })
  const session = sessions.get(id)
  const works: unknown[] = []
  let state = session.state()
  while (state.state === 'preparing') {
    await session.waitForChange(state.version, 10_000, new AbortController().signal)
    state = session.state()
    works.push(state.work)
  }
  expect(state.state).toBe('asking')
  expect(works).toContainEqual({ what: 'Rendering objects', done: 1, total: expect.any(Number) })
  expect(state.work).toBeNull()
  await sessions.close()
})

test('serves clips in the chosen language', async () => {
  const sessions = await openSessions()
  const world = { suite: 'vsig', seed: 1, from: 0, count: 2 }
  // A page has what is made in time: on a busy machine, it may be one clip.
  const spoken = async (language: 'en' | 'zh') =>
    new Set((await sessions.samples({ ...world, language })).samples.map(({ labels }) => labels['language']))
  expect(await spoken('en')).toEqual(new Set(['en']))
  expect(await spoken('zh')).toEqual(new Set(['zh']))
  const { id } = await sessions.start({ suite: 'vsig', name: 'ada', seed: 1, count: 1, language: 'en' })
  const { turn } = await settled(sessions, id)
  expect(JSON.stringify(turn!.messages)).not.toMatch(/\p{Script=Han}/u)
  await sessions.close()
})

test.each(['space/text', 'vsi/explore'])(
  'lists the samples of %s in pages, without making those before',
  async (suite) => {
    const sessions = await openSessions()
    const list = (from: number) => sessions.samples({ suite, seed: 1, from, count: 1 })
    const [first, second] = [await list(0), await list(1)]
    expect([first.complete, second.complete]).toEqual([false, false])
    expect(second).not.toEqual(first)
    expect(await list(0)).toEqual(first)
    expect(await list(100_000)).toEqual({ samples: [], complete: true })
    // A source without access by position makes its samples in order.
    const late = await list(90).catch((error: unknown) => String(error))
    expect(late).toEqual(
      suite === 'space/text'
        ? expect.stringContaining('Samples are listed in order; 2 are listed so far.')
        : { samples: [expect.objectContaining({ cluster: expect.any(String) })], complete: false },
    )
    await sessions.close()
  },
)

test('ignores a second reply to the same turn', async () => {
  const sessions = await openSessions()
  const state = await settled(sessions, (await sessions.start(request)).id)
  const session = sessions.get(state.id)
  expect(session.reply(state.turn!.number, LOOK)).toBe(true)
  expect(session.reply(state.turn!.number, END)).toBe(false)
  expect((await settled(sessions, state.id)).turn!.purpose).toBe('exploration')
  await sessions.close()
})

test.each([
  ['a suite without human play', { ...request, suite: 'vbench' }, 'does not support human play'],
  ['a name that is a path', { ...request, name: '../x' }, 'use up to 40 letters'],
  ['an unknown option', { ...request, options: { shoes: 'red' } }, 'shoes'],
  ['an oversized body', { ...request, text: 'x'.repeat(1024 * 1024) }, 'The limit is 256 kB'],
  ['a language for a suite without speech', { ...request, language: 'zh' }, 'language'],
  ['an unknown field', { ...request, source: 'vsi-bench:/etc' }, 'source'],
])('rejects %s', async (_, invalid, message) => {
  const app = playRoutes(await openSessions())
  app.onError((error, c) => c.text(error.message, 400))
  const answer = await app.request('/start', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(invalid),
  })
  expect(answer.status).toBe(400)
  expect(await answer.text()).toContain(message)
  expect(await store.listRuns()).toEqual([])
})
