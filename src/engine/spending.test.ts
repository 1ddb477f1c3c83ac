/** A local run stops asking as soon as what it pays for cannot be stored, and never spends much more than its budget. */
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { compass } from '../../test/support/compass.ts'
import { testEnvironment } from '../../test/support/engine.ts'
import { Prices } from '../models/prices.ts'
import { openModel } from '../models/providers/open.ts'
import { AppendLog } from '../store/append-log.ts'
import { toDiskError } from '../store/disk.ts'
import { ReplyFiles } from '../store/replies.ts'
import { planRun, replan } from './plan.ts'
import { resumeRun, type RunEnvironment, startRun } from './run.ts'

const CONNECTIONS = 4
const SAMPLES = 40

let folder: string
let server: Server
let requests = 0
let usage: unknown
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-spending-'))
  requests = 0
  usage = { prompt_tokens: 20, completion_tokens: 5 }
  server = createServer((request, response) => {
    request.resume()
    request.on('end', () => {
      requests += 1
      // As text: JSON has no infinity, but a server can send one.
      const counted = usage === undefined ? '' : `,"usage":${typeof usage === 'string' ? usage : JSON.stringify(usage)}`
      response.end(`{"choices":[{"message":{"role":"assistant","content":"I face north."}}]${counted}}`)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(async () => {
  vi.restoreAllMocks()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await rm(folder, { recursive: true })
})

async function environment(): Promise<RunEnvironment> {
  const opened = await testEnvironment(folder)
  return {
    ...opened,
    openModel: (id) =>
      openModel(id, {
        env: {},
        options: { base_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` },
        maxConnections: CONNECTIONS,
        maxRetries: 3,
        timeoutMs: 60_000,
        prices: new Prices([]),
        replies: opened.store.replies,
        readMedia: () => Promise.reject(new Error('no media')),
        log: () => {},
      }),
  }
}

const plan = (budget?: string) =>
  planRun({
    suite: compass,
    models: { player: 'vllm/m' },
    // So long that no two samples ask the same.
    options: { turns: 20 },
    source: `builtin:samples=${SAMPLES}`,
    budget,
  })

function full(path: string): Error {
  return toDiskError(Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }), path)
}

describe('a full disk stops asking at once', () => {
  /** Lets a few writes succeed; returns how many requests had come when the first one failed. */
  function fillDisk(part: string, writesLeft: number): () => number | null {
    let atFailure: number | null = null
    const mayWrite = (): boolean => {
      writesLeft -= 1
      if (writesLeft < 0) atFailure ??= requests
      return writesLeft >= 0
    }
    if (part === 'replies') {
      const put = Reflect.get(ReplyFiles.prototype, 'put')
      vi.spyOn(ReplyFiles.prototype, 'put').mockImplementation(function (this: ReplyFiles, key, value) {
        return mayWrite() ? put.call(this, key, value) : Promise.reject(full(key))
      })
    } else {
      const append = Reflect.get(AppendLog.prototype, 'append')
      vi.spyOn(AppendLog.prototype, 'append').mockImplementation(function (this: AppendLog, bytes) {
        return !this.path.endsWith(part) || mayWrite() ? append.call(this, bytes) : Promise.reject(full(this.path))
      })
    }
    return () => atFailure
  }

  it.each([
    ['ledger', 'paid.jsonl', 6],
    ['reply store', 'replies', 5],
    ['log of events', 'events.jsonl', 2],
    ['journal', 'episodes.jsonl', 2],
  ])('when the %s cannot be written', async (_, part, writes) => {
    const atFailure = fillDisk(part, writes)
    const run = startRun(await plan(), await environment())
    await expect(run).rejects.toMatchObject({ name: 'UserError', message: expect.stringContaining('The disk is full') })
    expect(atFailure()).not.toBeNull()
    expect(requests - atFailure()!).toBeLessThanOrEqual(CONNECTIONS)
    expect(requests).toBeLessThan(SAMPLES / 2)

    vi.restoreAllMocks()
    const { store, ...rest } = await environment()
    const [interrupted] = await store.listRuns()
    const { header } = await store.openRun('latest')
    const resumed = await resumeRun(await replan(compass, header, 'resume'), interrupted!.id, { store, ...rest })
    expect(resumed).toMatchObject({ state: 'done', progress: { finished: SAMPLES } })
    // At most what was in flight is paid for again.
    expect(requests).toBeLessThanOrEqual(SAMPLES + CONNECTIONS)
  })
})

describe('a budget holds within one reply per connection', () => {
  it.each<[string, unknown, number]>([
    ['is honest', { prompt_tokens: 20, completion_tokens: 5 }, 25],
    // A question has some 400 characters.
    ['is missing', undefined, 120],
    ['is null', null, 120],
    ['is zero', { prompt_tokens: 0, completion_tokens: 0 }, 120],
    ['is negative', { prompt_tokens: -5e9, completion_tokens: -1 }, 120],
    ['is absurd', '{"prompt_tokens":1.7e308,"completion_tokens":1e999}', 120],
    ['is text', { prompt_tokens: 'many', completion_tokens: {} }, 120],
    ['is enormous', { prompt_tokens: 900_000, completion_tokens: 100_000 }, 1e6],
  ])('if the usage %s', async (_, sent, mostPerReply) => {
    usage = sent
    const budget = 300
    const { id, state, cause, progress } = await startRun(await plan(`${budget}-tokens`), await environment())
    expect({ state, cause }).toEqual({ state: 'interrupted', cause: 'budget' })
    expect(progress.tokens).toBeGreaterThanOrEqual(budget)
    expect(progress.tokens).toBeLessThanOrEqual(budget + CONNECTIONS * mostPerReply)
    expect(requests).toBeLessThan(SAMPLES)
    expect(progress.tokens).toBeLessThanOrEqual(requests * mostPerReply)
    const writer = await (await testEnvironment(folder)).store.resumeRun(id)
    await writer.close()
    expect(writer.paidBefore.inputTokens + writer.paidBefore.outputTokens).toBe(progress.tokens)
  })
})
