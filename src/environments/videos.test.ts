/** A suite that asks for videos, with clients that send good ones, broken ones and something else. */
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import bearings from '../../examples/bearings.ts'
import { baselinePlayer } from '../engine/players.ts'
import { sha256 } from '../base/hash.ts'
import { Random } from '../base/random.ts'
import { DataFiles } from '../engine/data-files.ts'
import type { MediaType } from '../media/ref.ts'
import { builtinSuite } from '../suites/index.ts'
import { Environment } from './environment.ts'
import { SentFiles } from './sent-files.ts'
import { type EnvironmentServer, serveEnvironments } from './server.ts'
import type { StepResult } from './session.ts'

const open: EnvironmentServer[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()))
  vi.unstubAllEnvs()
})

async function served(limits: { maxReceivingBytes?: number } = {}) {
  const options = { dimension: 'temporal_flickering,dynamic_degree,subject_consistency', pictures: false }
  const films = await Environment.open({ suite: await builtinSuite('vbench'), options })
  const environments = [films, await Environment.open({ suite: bearings })]
  const faults: unknown[] = []
  const server = await serveEnvironments({
    environments,
    host: '127.0.0.1',
    port: 0,
    maxSessions: 10,
    ...limits,
    idleMs: 60_000,
    version: '0',
    onFault: (error) => faults.push(error),
  })
  open.push(server)
  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const response = await fetch(server.url + path, { method: 'POST', body: JSON.stringify(body), headers })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: JSON.parse(text) as never }
  }
  const played = async (action: object) => {
    const { observation } = (await post('/reset', { seed: 2 })).body as StepResult
    return post('/step', { action, episode_id: observation.episode_id })
  }
  return { server, faults, films, post, played }
}

async function filmOf(environment: Environment, seed: number): Promise<string> {
  const { plan, sample } = await environment.sample(seed)
  let url = ''
  const keep = async (bytes: Uint8Array, type: MediaType) => {
    url = `data:${type};base64,${Buffer.from(bytes).toString('base64')}`
    return { sha256: sha256(bytes), type, bytes: bytes.length }
  }
  const respond = baselinePlayer(plan.suite, 'baseline/films').startEpisode(sample, {
    random: new Random('film'),
    options: plan.options,
    profile: plan.header.profile,
    files: new DataFiles({}),
    keep,
  })
  const origin = { sampleId: sample.id, ordinal: 0, role: 'player' as const }
  await respond({ messages: [], sampling: { seed: 1 }, epoch: 1, origin }, new AbortController().signal)
  return url
}

it('rewards a video with the mean of what is measured on it', async () => {
  const { played, films, faults } = await served()
  const { body } = await played({ video: await filmOf(films, 2) })
  const { done, reward, observation } = body as StepResult
  expect(done).toBe(true)
  expect(observation.status).toBe('answered')
  const values = Object.entries(observation.scores).flatMap(([name, value]) =>
    /\.(exact|variant|proxy)$/.test(name) ? [value] : [],
  )
  expect(values.length).toBeGreaterThan(0)
  expect(reward).toBeCloseTo(values.reduce((sum, value) => sum + value, 0) / values.length, 12)
  expect(faults).toEqual([])
})

it('scores a file other than a video as unreadable, and refuses what has no file', async () => {
  const { played, faults } = await served()
  const junk = `data:video/mp4;codecs=avc1;base64,${Buffer.from('....ftypisom but nothing else').toString('base64')}`
  expect((await played({ video: junk })).body).toMatchObject({
    done: true,
    reward: 0,
    observation: { status: 'parse_failed', error: expect.stringContaining('cannot be read') },
  })
  for (const action of [
    { text: 'a film of a fox' },
    { video: '/etc/passwd' },
    { video: 'file:///etc/passwd' },
    { video: 'data:video/mp4;base64,' },
    { video: 'data:video/mp4;base64,####' },
    { video: `data:video/mp4;base64,QUJD${'='.repeat(8_000_000)}a` },
    { video: 'https://example.com/film.mp4' },
    { video: 5 },
    [],
  ])
    expect((await played(action)).status).toBe(422)
  expect(faults).toEqual([])
})

it('lets suites with texts refuse videos, and tools send them', async () => {
  const { post, films } = await served()
  const { observation } = (await post('/bearings/reset', { seed: 1 })).body as StepResult
  const wrong = { action: { video: 'data:video/mp4;base64,AAAA' }, episode_id: observation.episode_id }
  expect((await post('/bearings/step', wrong)).status).toBe(422)
  expect((await post('/verify', { seed: 1, response: { output: [] } })).text).toMatch(/send videos to/)

  const rpc = (method: string, params: object, headers = {}) =>
    post('/mcp', { jsonrpc: '2.0', id: 1, method, params }, headers)
  const session = { 'mcp-session-id': (await rpc('initialize', {})).headers.get('mcp-session-id')! }
  expect((await rpc('tools/list', {}, session)).text).toMatch(/"required":\["video"\]/)
  await rpc('tools/call', { name: 'new_episode', arguments: { seed: 2 } }, session)
  const call = { name: 'reply', arguments: { video: await filmOf(films, 2) } }
  const { text } = await rpc('tools/call', call, session)
  expect(JSON.parse(text)).toMatchObject({ result: { structuredContent: { done: true, status: 'answered' } } })
})

it('keeps sent files only as long as the episode', async () => {
  const files = new SentFiles()
  const ref = await files.keep({ bytes: Buffer.from('film'), type: 'video/mp4' })
  const path = files.pathOf(ref)
  expect(existsSync(path)).toBe(true)
  await files.remove()
  expect(existsSync(dirname(path))).toBe(false)
})

it('leaves no file behind when the server stops while a video is measured', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-test-'))
  try {
    const { played, films, server } = await served()
    const video = await filmOf(films, 2)
    vi.stubEnv('TMPDIR', folder)
    const answer = played({ video }).catch(() => null)
    await vi.waitFor(async () => expect(await readdir(folder)).toHaveLength(1), { interval: 2 })
    await server.close()
    expect(await readdir(folder)).toEqual([])
    await answer
  } finally {
    await rm(folder, { recursive: true })
  }
})

it('refuses to hold more than its memory has room for', async () => {
  const { post, server } = await served({ maxReceivingBytes: 1000 })
  const first = request(`${server.url}/step`, { method: 'POST' })
  first.on('error', () => {})
  first.write(' '.repeat(900))
  await vi.waitFor(async () => expect((await post('/reset', { note: '.'.repeat(200) })).status).toBe(503))
  first.destroy()
  await vi.waitFor(async () => expect((await post('/reset', { note: '.'.repeat(200) })).status).toBe(200))
})

it('does not parse what takes far more memory than its text', async () => {
  const { server } = await served()
  const body = `[${'[],'.repeat(5_000_000)}[]]`
  const response = await fetch(`${server.url}/step`, { method: 'POST', body })
  expect(await response.json()).toEqual({ detail: 'Invalid JSON' })
})
