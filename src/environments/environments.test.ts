/** Served suites, with a client that is written from the protocol. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { sha256 } from '../base/hash.ts'
import { DataFiles } from '../engine/data-files.ts'
import { playEpisode } from '../engine/episode.ts'
import { baselinePlayer, type Player } from '../engine/players.ts'
import { isTraining, TRAINING_SEEDS, withSeed } from '../engine/split.ts'
import type { Message } from '../models/types.ts'
import { builtinSuite, suiteNames } from '../suites/index.ts'
import bearings from '../../examples/bearings.ts'
import { Environment, type EnvironmentRequest } from './environment.ts'
import { type EnvironmentServer, serveEnvironments } from './server.ts'
import { type PlayerReply, videoIn } from './openenv.ts'
import { Session, type ShownMessage, type ShownPart, type StepResult } from './session.ts'

const open: EnvironmentServer[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()))
})

async function serve(environments: readonly Environment[], changes: { token?: string; maxSessions?: number } = {}) {
  const faults: unknown[] = []
  const server = await serveEnvironments({
    environments,
    host: '127.0.0.1',
    port: 0,
    maxSessions: 10,
    idleMs: 60_000,
    version: '0',
    onFault: (error) => faults.push(error),
    ...changes,
  })
  open.push(server)
  return { server, faults }
}

interface Answer {
  type: string
  data: StepResult & { code?: string; message?: string; episode_id?: string; step_count?: number }
}

async function connect(url: string, path = '/ws') {
  const socket = new WebSocket(`${url.replace('http', 'ws')}${path}`)
  const waiting: ((answer: Answer) => void)[] = []
  const early: Answer[] = []
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as Answer
    const next = waiting.shift()
    if (next) next(message)
    else early.push(message)
  })
  await new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  const receive = () =>
    new Promise<Answer>((resolve) => {
      const known = early.shift()
      if (known) resolve(known)
      else waiting.push(resolve)
    })
  const send = (message: unknown): Promise<Answer> => {
    socket.send(typeof message === 'string' ? message : JSON.stringify(message))
    return receive()
  }
  return { socket, send, receive }
}

/** What a baseline was asked, what it said and what it scored, played as in a run. */
async function playedInRun(environment: Environment, seed: number, baseline: string) {
  const { plan, sample, index } = await environment.sample(seed)
  const asked: (readonly Message[])[] = []
  const said: PlayerReply[] = []
  const media = new Map<string, string>()
  const folder = await mkdtemp(join(tmpdir(), 'sightline-environments-'))
  const inner = baselinePlayer(plan.suite, baseline)
  const player: Player = {
    ...inner,
    startEpisode(...args) {
      const respond = inner.startEpisode(...args)
      return async (request, signal) => {
        asked.push(structuredClone(request.messages))
        const reply = await respond(request, signal)
        const [video] = reply.media ?? []
        said.push(video === undefined ? reply.text : videoIn(media.get(video.sha256)!))
        return reply
      }
    },
  }
  const { signal } = new AbortController()
  const { line } = await playEpisode(
    { index, sample, epoch: 0 },
    {
      suite: plan.suite,
      options: plan.options,
      profile: plan.header.profile,
      seed: plan.header.seed,
      players: new Map([['player', player]]),
      files: new DataFiles(plan.source.roots),
      keep: async (bytes, type, size) => {
        const hash = sha256(bytes)
        media.set(hash, `data:${type};base64,${Buffer.from(bytes).toString('base64')}`)
        await writeFile(join(folder, hash), bytes)
        return { sha256: hash, type, bytes: bytes.length, ...size }
      },
      fileOf: ({ sha256: hash }) => join(folder, hash),
      instruments: environment.instruments,
      beforeRequest: () => {},
      onUsage: () => {},
      signal,
      draining: signal,
    },
  )
  await rm(folder, { recursive: true })
  const shown = (message: Message): ShownMessage => ({
    role: message.role,
    content:
      typeof message.content === 'string'
        ? message.content
        : message.content.map((part) =>
            part.type === 'text' ? part : shownMedia(part.media.type, media.get(part.media.sha256)!),
          ),
  })
  return { asked: asked.map((messages) => messages.map(shown)), said, line }
}

function shownMedia(type: string, url: string): ShownPart {
  if (type.startsWith('video/')) return { type: 'video_url', video_url: { url } }
  if (type.startsWith('audio/')) return { type: 'audio_url', audio_url: { url } }
  return { type: 'image_url', image_url: { url } }
}

/** The quickest episode of every suite. */
const plain = { source: 'builtin:look=plain' }
const small = { size: '320x240' }
const tiny = { ...small, iterations: 1 }
const quickest: Readonly<Record<string, Partial<EnvironmentRequest> & { baseline?: string }>> = {
  'space/text': { baseline: 'baseline/oracle' },
  'vsi/explore': { ...plain, options: { ...small, steps: 2, unanswerable: 'ask' } },
  'vsi/video': { ...plain, options: { ...small, frames: 2, unanswerable: 'ask' } },
  'vsi/blind': plain,
  'articulate/place': { options: tiny },
  'articulate/joint': { options: tiny },
  'articulate/build': { options: tiny },
  'articulate/critic': { options: small },
  vsig: { options: { frames: 2, side: 256, unanswerable: 'ask' } },
  vbench: { baseline: 'baseline/films' },
}

describe('a served episode', () => {
  it.each(suiteNames())('of %s is the one that a run plays', async (name) => {
    const seed = 3
    const { baseline = 'baseline/random', ...settings } = quickest[name] ?? {}
    const environment = await Environment.open({ suite: await builtinSuite(name), ...settings })
    const run = await playedInRun(environment, seed, baseline)
    const session = new Session(environment, () => 0)
    const asked: ShownMessage[][] = []
    let result = await session.reset({ seed })
    for (const reply of run.said) {
      const { kept, messages } = result.observation
      asked.push([...(asked.at(-1) ?? []).slice(0, kept), ...messages])
      expect(result.done).toBe(false)
      result = await session.step(reply)
    }
    expect(asked).toEqual(run.asked)
    expect(result).toMatchObject({ done: true, observation: { status: run.line.status, scores: run.line.scores } })
  })

  it('is another one for every seed, and the same for the same seed', async () => {
    const environment = await Environment.open({ suite: await builtinSuite('space/text') })
    const first = async (seed: number) => (await new Session(environment, () => 0).reset({ seed })).observation.messages
    expect(await first(5)).toEqual(await first(5))
    expect(await first(5)).not.toEqual(await first(6))
    // Beyond the first draw of the source.
    expect(await first(100_000)).not.toEqual(await first(0))
  })

  it('is of a training seed, which no test has', async () => {
    const suite = await builtinSuite('space/text')
    const training = await Environment.open({ suite })
    const testing = await Environment.open({ suite, test: true })
    expect(isTraining(suite, training.source, 0)).toBe(true)
    expect(isTraining(suite, testing.source, 0)).toBe(false)
    expect(isTraining(suite, 'builtin', TRAINING_SEEDS)).toBe(true)
    expect(withSeed(suite, 'builtin:rooms=2', 7)).toBe('builtin:rooms=2,seed=7')
    // However high a client counts.
    const { plan } = await testing.sample(2 ** 53 - 1)
    expect(isTraining(suite, plan.header.source, 0)).toBe(false)
  })

  it('starts at the seed of the source', async () => {
    const suite = await builtinSuite('space/text')
    const source = `builtin:scenes=2,seed=${TRAINING_SEEDS + 5}`
    const environment = await Environment.open({ suite, source })
    expect(environment.source).toBe(source)
    expect((await environment.sample(2)).plan.header.source).toBe(`builtin:scenes=2,seed=${TRAINING_SEEDS + 6}`)
    await expect(Environment.open({ suite, source, test: true })).rejects.toThrow(/is for training/)
    await expect(Environment.open({ suite, source: 'builtin:seed=7' })).rejects.toThrow(/is for tests/)
    for (const seed of ['', '99999999999999999999', '0x7', 'x'])
      for (const test of [true, false])
        await expect(Environment.open({ suite, source: `builtin:seed=${seed}`, test })).rejects.toThrow(/seed: /)
  })
})

describe('rewards', () => {
  it('of steps add up to the progress that the suite sees', async () => {
    const environment = await Environment.open({ suite: await builtinSuite('space/text'), isDense: true })
    const session = new Session(environment, () => 0)
    await session.reset({ seed: 1 })
    const rewards: (number | null)[] = []
    for (let i = 0; i < 4; i++) {
      rewards.push((await session.step('THINK: x\nFINAL ANSWER: Actions: [Rotate(90), Observe()]')).reward)
    }
    await session.close()
    const total = rewards.reduce<number>((sum, reward) => sum + (reward ?? 0), 0)
    expect(total).toBeGreaterThan(0.1)
    expect(total).toBeLessThanOrEqual(1)
    await expect(Environment.open({ suite: bearings, isDense: true })).rejects.toThrow(/only the end/)
  })

  it('are signed if asked for', async () => {
    const session = new Session(await Environment.open({ suite: bearings, reward: 'signed' }), () => 0)
    await session.reset({ seed: 1 })
    expect((await session.step('nowhere')).reward).toBe(-1)
  })
})

describe('the server', () => {
  it('plays over a WebSocket, as OpenEnv describes it', async () => {
    const { server } = await serve([await Environment.open({ suite: bearings })])
    const { send } = await connect(server.url)
    expect((await send({ type: 'step', data: { text: 'north' } })).data.message).toMatch(/There is no episode/)
    const started = await send({ type: 'reset', data: { seed: 4, other: true } })
    expect(started).toMatchObject({ type: 'observation', data: { done: false, reward: null } })
    expect(started.data.observation.messages[0]).toMatchObject({ role: 'user' })
    const ended = await send({ type: 'step', data: { text: 'north' } })
    expect(ended.data.done).toBe(true)
    expect([0, 1]).toContain(ended.data.reward)
    expect(await send({ type: 'state' })).toMatchObject({ type: 'state', data: { step_count: 1, done: true, seed: 4 } })
    expect((await send({ type: 'step', data: { text: 'x' } })).data.message).toMatch(/The episode is over/)
  })

  it('survives hostile messages', async () => {
    const { server, faults } = await serve([await Environment.open({ suite: bearings })])
    const { send, socket } = await connect(server.url)
    const codes: (string | undefined)[] = []
    for (const message of ['{', '[]', 'null', '"x"', '{"type":"fly"}', '{"type":"reset","data":{"seed":-1}}'])
      codes.push((await send(message)).data.code)
    await send({ type: 'reset' })
    for (const data of [{}, { text: 5 }, { text: 'x'.repeat(1_000_001) }, { __proto__: null, text: null }])
      codes.push((await send({ type: 'step', data })).data.code)
    expect(codes).toEqual([
      'INVALID_JSON',
      'UNKNOWN_TYPE',
      'VALIDATION_ERROR',
      'VALIDATION_ERROR',
      'UNKNOWN_TYPE',
      ...Array.from({ length: 5 }, () => 'VALIDATION_ERROR'),
    ])
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.send('x'.repeat(9_000_000))
    await closed
    expect((await fetch(`${server.url}/health`)).status).toBe(200)
    expect(faults).toEqual([])
  })

  it('forgets a client that vanishes in the middle of an episode', async () => {
    const { server } = await serve([await Environment.open({ suite: await builtinSuite('space/text') })])
    const clients = await Promise.all(Array.from({ length: 5 }, () => connect(server.url)))
    await Promise.all(clients.map(({ send }) => send({ type: 'reset' })))
    expect(server.sessions()).toBe(5)
    for (const { socket } of clients) socket.terminate()
    await expect.poll(() => server.sessions()).toBe(0)
  })

  it('refuses more sessions than allowed, pages in browsers, other hosts and wrong tokens', async () => {
    const environments = [await Environment.open({ suite: bearings })]
    const { server } = await serve(environments, { maxSessions: 1 })
    await connect(server.url)
    const second = await connect(server.url)
    expect((await second.receive()).data.code).toBe('CAPACITY_REACHED')
    const asPage = await fetch(`${server.url}/reset`, { method: 'POST', headers: { origin: 'https://x.example' } })
    expect(asPage.status).toBe(403)
    const { server: closed } = await serve(environments, { token: 'secret' })
    expect((await fetch(`${closed.url}/health`)).status).toBe(401)
    const known = { headers: { authorization: 'Bearer secret' } }
    expect((await fetch(`${closed.url}/health`, known)).status).toBe(200)
    await expect(connect(closed.url)).rejects.toThrow()
  })

  it('plays over HTTP, with the episode named in each request', async () => {
    const spatial = await Environment.open({ suite: await builtinSuite('space/text') })
    const { server } = await serve([await Environment.open({ suite: bearings }), spatial])
    const call = async (path: string, body?: object) => {
      const init = body && { method: 'POST', body: JSON.stringify(body) }
      const response = await fetch(`${server.url}${path}`, init)
      return { status: response.status, body: (await response.json()) as never as StepResult & Record<string, unknown> }
    }
    const { body: started } = await call('/reset', { seed: 1 })
    const id = started.observation.episode_id
    expect((await call(`/state?episode_id=${id}`)).body['step_count']).toBe(0)
    expect((await call('/step', { action: { text: 'north' } })).status).toBe(404)
    expect((await call('/step', { action: { text: 'north' }, episode_id: id })).body.done).toBe(true)
    expect((await call('/step', { action: { text: 'north' }, episode_id: id })).status).toBe(404)
    const response = { output: [{ type: 'message', content: [{ type: 'output_text', text: 'north' }] }] }
    const { body: verified } = await call('/verify', { seed: 1, row: 'kept', response })
    expect(verified).toMatchObject({ row: 'kept', response })
    expect([0, 1]).toContain(verified.reward)
    expect((await call('/verify', { response })).status).toBe(422)
    expect((await call('/space/text/metadata')).body['name']).toBe('space/text')
    expect(Object.keys((await call('/schema')).body)).toEqual(['action', 'observation', 'state'])
    expect((await call('/nothing')).status).toBe(404)
  })
})
