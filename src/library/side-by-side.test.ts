import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { compass } from '../../test/support/compass.ts'
import { type HostileServer, startHostileServer } from '../../test/support/models/hostile-server.ts'
import { type FinishedRun, playSideBySide, type PreparedRun, prepareRun, type RunOptions } from './run.ts'

const SAMPLES = 12
const ANSWER = { do: 'reply', text: 'south' } as const

let folder: string
let first: HostileServer
let second: HostileServer
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-side-by-side-'))
  first = await startHostileServer(ANSWER)
  second = await startHostileServer(ANSWER)
})
afterEach(async () => {
  await Promise.all([first.close(), second.close()])
  await rm(folder, { recursive: true })
})

function prepare(model: string, { origin }: HostileServer, more: Partial<RunOptions> = {}): Promise<PreparedRun> {
  const modelOptions = model.startsWith('baseline/') ? {} : { base_url: `${origin}/v1` }
  const source = `builtin:samples=${SAMPLES}`
  // So many turns that no two questions are the same.
  const options = { turns: 12 }
  return prepareRun(compass, {
    model,
    store: folder,
    source,
    options,
    modelOptions,
    maxRetries: 0,
    threads: 0,
    ...more,
  })
}

async function play(runs: readonly PreparedRun[]): Promise<FinishedRun[]> {
  const results = await playSideBySide(runs, (run) => run.start())
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason
    return result.value
  })
}

describe('runs of one command', () => {
  it('at different endpoints do not wait for each other, and are returned in order', async () => {
    let fastIsDone = (): void => undefined
    const fast = new Promise<void>((resolve) => (fastIsDone = resolve))
    // The slow server answers nothing before the fast one has answered everything.
    first.behave({ ...ANSWER, after: fast })
    let slowRequestsBefore = -1
    second.behave((_, index) => {
      if (index < SAMPLES - 1) return ANSWER
      slowRequestsBefore = first.requests.length
      fastIsDone()
      return ANSWER
    })
    const results = await play([await prepare('vllm/slow', first), await prepare('vllm/fast', second)])
    expect(slowRequestsBefore).toBeGreaterThan(0)
    expect(slowRequestsBefore).toBeLessThan(SAMPLES)
    expect(results.map(({ report, state }) => [report.models['player'], state])).toEqual([
      ['vllm/slow', 'done'],
      ['vllm/fast', 'done'],
    ])
  })

  it('share the connections of an endpoint', async () => {
    first.behave({ ...ANSWER, ms: 1 })
    const runs = await Promise.all(
      ['vllm/a', 'vllm/b', 'vllm/c'].map((model) => prepare(model, first, { maxConnections: 2 })),
    )
    await play(runs)
    expect(first.requests).toHaveLength(3 * SAMPLES)
    expect(first.maxParallel()).toBe(2)
    const models = first.requests.map(({ body }) => (body as { model: string }).model)
    expect(models.indexOf('c')).toBeLessThan(models.lastIndexOf('a'))
  })

  it('take turns on a server that holds one model in memory', async () => {
    await play(await Promise.all(['ollama/a', 'ollama/b'].map((model) => prepare(model, first))))
    const models = first.requests.map(({ body }) => (body as { model: string }).model)
    expect(models.lastIndexOf('a')).toBe(models.indexOf('b') - 1)
  })

  it('play to the end when another one fails', async () => {
    first.behave({ do: 'status', status: 404, message: 'The model `a` does not exist.' })
    const runs = await Promise.all([
      prepare('vllm/a', first),
      prepare('vllm/b', second),
      prepare('baseline/random', first),
      prepare('baseline/oracle', first),
    ])
    const results = await play(runs)
    expect(results.map(({ state }) => state)).toEqual(['failed', 'done', 'done', 'done'])
    expect(new Set(runs.slice(2).map(({ lane }) => lane)).size).toBe(1)
  })

  it('with the same suite and model send nothing twice', async () => {
    await play(await Promise.all([1, 2].map(() => prepare('vllm/a', first))))
    expect(first.requests).toHaveLength(new Set(first.requests.map(({ body }) => JSON.stringify(body))).size)
  })
})
