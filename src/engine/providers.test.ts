import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { compass } from '../../test/support/compass.ts'
import { type Behaviour, type HostileServer, startHostileServer } from '../../test/support/models/hostile-server.ts'
import { openTestModel, SECRET, type TestSettings } from '../../test/support/models/open-test-model.ts'
import { RunStopped, StopControl } from './control.ts'
import type { FailurePolicy } from './failures.ts'
import { planRun } from './plan.ts'
import { startRun, type RunEnvironment } from './run.ts'
import { testEnvironment } from '../../test/support/engine.ts'

let folder: string
let server: HostileServer
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-providers-'))
  server = await startHostileServer()
})
afterEach(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

const ANSWER: Behaviour = { do: 'reply', text: 'south' }
const SAMPLES = 24

async function run(settings: TestSettings = {}, control = new StopControl(), failures: FailurePolicy = {}) {
  const environment = await testEnvironment(folder)
  const { store } = environment
  const plan = await planRun({ suite: compass, models: { player: 'vllm/m' }, source: `builtin:samples=${SAMPLES}` })
  const openModel: RunEnvironment['openModel'] = (id) =>
    openTestModel(id, server.origin, { replies: store.replies, timesAsFast: 200, ...settings })
  const result = await startRun(plan, { ...environment, openModel }, { control, failures })
  const reader = await store.openRun(result.id)
  const lines = await reader.episodes()
  const logs = JSON.stringify(await Promise.all(lines.map((line) => reader.events(line))))
  return { ...result, lines, logs }
}

/** Every third request fails, the others are answered. */
const sometimes = (trouble: Behaviour) => (_: unknown, index: number) => (index % 3 === 0 ? trouble : ANSWER)

describe('a run against a misbehaving server', () => {
  it.each<[string, Behaviour]>([
    ['429 with Retry-After', { do: 'status', status: 429, headers: { 'retry-after': '1' } }],
    ['429 without', { do: 'status', status: 429 }],
    ['500', { do: 'status', status: 500 }],
    ['a dropped connection', { do: 'drop', when: 'before' }],
    ['a connection dropped in the middle', { do: 'drop', when: 'middle' }],
    ['JSON cut short', { do: 'cut-short' }],
  ])('answers every episode despite occasional failures: %s', async (_, trouble) => {
    server.behave(sometimes(trouble))
    const { state, progress, lines } = await run({ maxRetries: 8 })
    expect(state).toBe('done')
    expect(progress.byStatus).toEqual({ answered: SAMPLES })
    expect(lines.every(({ usage }) => usage.calls === 1)).toBe(true)
  })

  it.each<[string, Behaviour, TestSettings]>([
    ['500', { do: 'status', status: 500 }, {}],
    ['hangs', { do: 'hang', when: 'before' }, { timeoutMs: 50 }],
    ['hangs in the middle', { do: 'hang', when: 'middle' }, { timeoutMs: 50 }],
    ['50 MB of nothing', { do: 'flood', bytes: 50e6 }, { maxRetries: 0 }],
    ['bad requests', { do: 'status', status: 400 }, {}],
    ['its own key', { do: 'echo-headers', status: 400 }, {}],
  ])('fails without a score on permanent failure, or plays on without fail-fast: %s', async (_, trouble, settings) => {
    server.behave(trouble)
    const failed = await run({ maxRetries: 1, timesAsFast: 1, ...settings })
    expect(failed).toMatchObject({ state: 'failed', lines: [], progress: { finished: 0, score: null } })
    expect(failed.reason).not.toContain(SECRET)
    const { progress, lines, logs } = await run({ maxRetries: 1, timesAsFast: 1, ...settings }, undefined, {
      failFast: false,
    })
    expect(progress.byStatus).toEqual({ model_error: SAMPLES })
    expect(progress.score).toMatchObject({ value: 0 })
    for (const line of lines) expect(line.error).toBeTruthy()
    expect(JSON.stringify(lines) + logs).not.toContain(SECRET)
  })

  it.each<[string, Behaviour, RegExp]>([
    ['wrong key', { do: 'status', status: 401 }, /HTTP 401.*Check VLLM_API_KEY/],
    ['no permission', { do: 'status', status: 403 }, /HTTP 403/],
    ['unknown model', { do: 'status', status: 404 }, /HTTP 404.*Check the model name/],
    ['no credit', { do: 'status', status: 402 }, /HTTP 402.*Check the credit/],
    [
      'spent quota',
      { do: 'status', status: 429, message: 'insufficient_quota: no more' },
      /HTTP 429: .*no more.*Check the credit/,
    ],
    [
      'unknown model of a gateway',
      { do: 'status', status: 400, message: 'gpt-9 is not a valid model ID' },
      /not a valid model ID/,
    ],
    ['a redirect', { do: 'status', status: 308, headers: { location: '/v2' } }, /redirect to/],
  ])('fails at the first reply that concerns every request: %s', async (_, trouble, reason) => {
    server.behave((_request: unknown, index: number) => (index < 2 ? ANSWER : trouble))
    const result = await run({ maxRetries: 6, maxConnections: 1 })
    expect(result).toMatchObject({ state: 'failed', progress: { byStatus: { answered: 2 } } })
    expect(result.reason).toMatch(reason)
    expect(server.requests).toHaveLength(3)
  })

  it('continues after a request that a gateway flagged', async () => {
    const flagged: Behaviour = { do: 'status', status: 403, message: 'Your input was flagged' }
    server.behave((_request: unknown, index: number) => (index === 3 ? flagged : ANSWER))
    const { state, progress } = await run()
    expect(state).toBe('done')
    expect(progress.byStatus).toEqual({ answered: SAMPLES - 1, model_error: 1 })
  })

  it('fails soon when the server was never reached', async () => {
    await server.close()
    const result = await run({ maxRetries: 100, timesAsFast: 1 })
    expect(result).toMatchObject({ state: 'failed', progress: { finished: 0 } })
    expect(result.reason).toMatch(/connection refused \(after 3 attempts\).*Check that the server is reachable/)
  })

  it('respects a fixed connection limit', async () => {
    const three = expect.poll(() => server.parallel()).toBe(3)
    server.behave({ ...ANSWER, after: three })
    await run({ maxConnections: 3 })
    expect(server.maxParallel()).toBe(3)
  })

  it('can be stopped while waiting to retry', async () => {
    server.behave({ do: 'status', status: 429, headers: { 'retry-after': '300' } })
    const control = new StopControl()
    const stopped = run({ timesAsFast: 1, maxRetries: 8 }, control)
    await expect.poll(() => server.requests.length).toBeGreaterThan(0)
    const asked = server.requests.length
    control.drain(new RunStopped('interrupted', 'stopped by Ctrl-C'))
    expect(await stopped).toMatchObject({ state: 'interrupted', progress: { finished: 0 } })
    expect(server.requests.length).toBeLessThanOrEqual(asked + 8)
  })

  it('sends no requests when the same run is repeated', async () => {
    server.behave(ANSWER)
    await run()
    const asked = server.requests.length
    const again = await run()
    expect(server.requests.length).toBe(asked)
    expect(again.progress.cachedCalls).toBe(SAMPLES)
  })
})
