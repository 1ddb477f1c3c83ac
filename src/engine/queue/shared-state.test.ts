import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseQueueAddress, savedAddress } from './address.ts'
import type { SharedState, RateLimits } from './shared-state.ts'
import { openQueue, type OpenedQueue } from './open.ts'
import { EpisodeJobs } from './jobs.ts'
import {
  administer,
  POSTGRES,
  REDIS,
  reportMissingServers,
  startPostgres,
  startRedis,
  type TestServer,
} from '../../../test/support/engine/queue.ts'

reportMissingServers()

const HASH = 'a'.repeat(64)
const OTHER = 'b'.repeat(64)
/** Expired by the next request. */
const EXPIRED_MS = 1
const bytes = (text: string): Buffer => Buffer.from(text)
const limits = (more: Partial<RateLimits> = {}): RateLimits => ({
  connections: 100,
  requestsPerMinute: null,
  tokensPerMinute: null,
  ...more,
})

describe.each([
  // By default a killed Redis may lose the last second of writes, which is not tested here.
  { name: 'Redis', isInstalled: REDIS !== null, start: () => startRedis({ syncs: 'always' }) },
  { name: 'PostgreSQL', isInstalled: POSTGRES !== null, start: () => startPostgres() },
])('shared state on $name', ({ isInstalled, start }) => {
  let server: TestServer
  let queue: OpenedQueue
  let shared: SharedState
  beforeAll(async () => {
    if (!isInstalled) return
    server = await start()
    queue = await openQueue(parseQueueAddress(server.url, {}))
    shared = queue.shared
  }, 60_000)
  afterAll(async () => {
    await queue?.close()
    await server?.stop()
  })
  const test = it.skipIf(!isInstalled)

  test('stores, lists and expires values', async () => {
    await shared.set('worker', new Map([['one', bytes('1')]]), 60_000)
    await shared.set('worker', new Map([['two', bytes('2')]]), 60_000)
    await shared.set('worker', new Map([['short', bytes('3')]]), 30)
    await expect
      .poll(async () => [...(await shared.list('worker'))].map(([name, body]) => [name, body.toString()]))
      .toEqual([
        ['one', '1'],
        ['two', '2'],
      ])
    await shared.set('worker', new Map([['two', bytes('4')]]), 60_000)
    await shared.remove('worker', ['one'])
    expect((await shared.get('worker', ['one', 'two'])).map((body) => body?.toString() ?? null)).toEqual([null, '4'])
  })

  test('keeps messages in order, with any bytes, until they are discarded', async () => {
    const odd = Buffer.from([0, 255, 10, 13, 128])
    await shared.post('run', [bytes('a'), odd])
    await shared.post('run', [bytes('c')])
    const first = await shared.messages('run', 2)
    expect(first.map(({ body }) => body)).toEqual([bytes('a'), odd])
    expect(await shared.messages('another', 2)).toEqual([])
    const ids = first.map(({ id }) => id)
    await shared.discard('run', ids)
    // A command can reach the server twice, which must not discard anything else.
    await shared.discard('run', ids)
    expect((await shared.messages('run', 9)).map(({ body }) => body.toString())).toEqual(['c'])
  })

  test('accepts media up to the quota, each file once', async () => {
    expect(await shared.reserve('media', HASH, 100, 150, 60_000)).toBe('go')
    expect(await shared.reserve('media', HASH, 100, 150, 60_000)).toBe('busy')
    expect(await shared.reserve('media', OTHER, 100, 150, 60_000)).toBe('full')
    await shared.putChunk('media', HASH, 0, bytes('image'))
    await shared.complete('media', HASH)
    expect(await shared.reserve('media', HASH, 100, 150, 60_000)).toBe('there')
    const chunks = [1, 0, 2].map((number) => ({ sha256: HASH, number }))
    expect(await shared.chunks('media', chunks)).toEqual([null, bytes('image'), null])
    await shared.release('media', [{ sha256: HASH, bytes: 5 }])
    expect(await shared.chunks('media', chunks)).toEqual([null, null, null])
    expect(await shared.reserve('media', OTHER, 100, 150, 60_000)).toBe('go')
  })

  test('accepts a file larger than the quota, and drops reservations of dead senders', async () => {
    expect(await shared.reserve('large', HASH, 1000, 150, 30)).toBe('go')
    await expect.poll(() => shared.reserve('large', OTHER, 10, 150, 60_000)).toBe('go')
    expect(await shared.reserve('large', HASH, 10, 150, 60_000)).toBe('go')
  })

  test('adds up spending, each payment once, which is unknown after a usage without a price', async () => {
    await shared.startSpending('money', { usd: 1, tokens: 10 })
    await shared.startSpending('money', { usd: 1, tokens: 10 })
    const payer = (name: string, number = 1) => ({ payer: name, number })
    await Promise.all(
      Array.from({ length: 20 }, (_, i) => shared.spend('money', payer(`${i}`), { usd: 0.25, tokens: 3 })),
    )
    expect(await shared.spent('money')).toEqual({ usd: 6, tokens: 70 })
    // A payment can reach the server twice, at once or after a later one.
    for (const number of [2, 2, 3, 2]) await shared.spend('money', payer('0', number), { usd: 0.5, tokens: 5 })
    expect(await shared.spent('money')).toEqual({ usd: 7, tokens: 80 })
    await shared.spend('money', payer('1', 2), { usd: -1, tokens: -10 })
    expect(await shared.spent('money')).toEqual({ usd: 6, tokens: 70 })
    await shared.spend('money', payer('2', 2), { usd: null, tokens: 1 })
    expect(await shared.spent('money')).toEqual({ usd: null, tokens: 71 })
    expect(await shared.spent('unknown')).toBe(null)
  })

  test('limits slots to the number of connections and frees those of dead workers', async () => {
    const two = limits({ connections: 2 })
    const take = (lease: string) => shared.acquireSlot('few', lease, 60_000, two, 0)
    expect(await take('a')).toEqual({ granted: true })
    // A repeated request after a broken connection gets the same slot.
    expect(await take('a')).toEqual({ granted: true })
    expect(await take('b')).toEqual({ granted: true })
    expect(await take('c')).toMatchObject({ granted: false })
    await shared.renewSlots('few', ['b'], EXPIRED_MS)
    await expect.poll(() => take('c')).toEqual({ granted: true })
    await shared.releaseSlot('few', 'a', two, 0, 0)
    expect(await take('d')).toEqual({ granted: true })
    await shared.renewSlots('few', ['c', 'd'], 60_000)
    expect(await take('e')).toMatchObject({ granted: false })
  })

  test('spaces requests: at six per minute, the second waits nine seconds', async () => {
    const sixPerMinute = limits({ requestsPerMinute: 6 })
    expect(await shared.acquireSlot('spaced', 'a', 60_000, sixPerMinute, 0)).toEqual({ granted: true })
    const answer = await shared.acquireSlot('spaced', 'b', 60_000, sixPerMinute, 0)
    expect(answer.granted).toBe(false)
    if (!answer.granted) expect(answer.waitMs / 1000).toBeCloseTo(9, -1)
  })

  test('makes all workers wait when tokens are used up or a pause is requested', async () => {
    const thousand = limits({ tokensPerMinute: 1000 })
    expect(await shared.acquireSlot('tokens', 'a', 60_000, thousand, 0)).toEqual({ granted: true })
    await shared.releaseSlot('tokens', 'a', thousand, 500, 0)
    const answer = await shared.acquireSlot('tokens', 'b', 60_000, thousand, 0)
    expect(answer.granted).toBe(false)
    if (!answer.granted) expect(answer.waitMs / 1000).toBeCloseTo(29.5, -1)

    expect(await shared.acquireSlot('busy', 'a', 60_000, limits(), 0)).toEqual({ granted: true })
    await shared.releaseSlot('busy', 'a', limits(), 0, 60_000)
    expect(await shared.acquireSlot('busy', 'b', 60_000, limits(), 0)).toMatchObject({ granted: false })
  })

  test('has one leader per run until its lease expires', async () => {
    expect(await shared.lead('led', 'me', 60_000)).toBe(true)
    expect(await shared.lead('led', 'you', 60_000)).toBe(false)
    expect(await shared.lead('led', 'me', EXPIRED_MS)).toBe(true)
    await expect.poll(() => shared.lead('led', 'you', 60_000)).toBe(true)
  })

  test('deletes all data of a run', async () => {
    await shared.set('run', new Map([['gone', bytes('x')]]), 60_000)
    await shared.post('gone', [bytes('x')])
    await shared.reserve('gone', HASH, 10, 100, 60_000)
    await shared.putChunk('gone', HASH, 0, bytes('x'))
    await shared.lead('gone', 'me', 60_000)
    const names = ['gone/a', 'gone/b', 'gone-not/a']
    for (const kind of ['reply', 'media'] as const) {
      for (const name of names) await shared.set(kind, new Map([[name, bytes('x')]]), 60_000)
    }
    // Not a pattern: no run has this name.
    await shared.forget('g*')
    await shared.forget('gone')
    for (const kind of ['reply', 'media'] as const) {
      expect((await shared.get(kind, names)).map((found) => found !== null)).toEqual([false, false, true])
    }
    expect(await shared.messages('gone', 1)).toEqual([])
    expect(await shared.chunks('gone', [{ sha256: HASH, number: 0 }])).toEqual([null])
    expect((await shared.list('run')).has('gone')).toBe(false)
    expect(await shared.lead('gone', 'you', 60_000)).toBe(true)
  })

  test('continues after a restart of the server', { timeout: 60_000 }, async () => {
    await shared.post('away', [bytes('before')])
    const restarted = server.restart()
    const posted = shared.post('away', [bytes('meanwhile')])
    await restarted
    await posted
    expect((await shared.messages('away', 9)).map(({ body }) => body.toString())).toContain('meanwhile')
    expect((await shared.messages('away', 9))[0]?.body.toString()).toBe('before')
  })

  test('inspects the server', async () => {
    const findings = await shared.inspect()
    expect(findings.map(({ what }) => what)).toContain('Persistence')
    expect(findings.every(({ verdict }) => verdict === 'fine' || verdict === 'problem')).toBe(true)
  })
})

describe.skipIf(POSTGRES === null)('PostgreSQL', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startPostgres()
    await administer(
      server.url,
      'CREATE ROLE "Ana" LOGIN',
      'GRANT CREATE ON DATABASE postgres TO "Ana"',
      'CREATE ROLE bo LOGIN',
      `ALTER ROLE bo SET search_path = ''`,
    )
  }, 60_000)
  afterAll(() => server.stop())
  const open = (role: string, more = ''): Promise<OpenedQueue> =>
    openQueue(parseQueueAddress(server.url.replace('postgres@', `${role}@`) + more, {}))
  const use = async ({ shared }: OpenedQueue): Promise<unknown[]> => [
    await shared.reserve('run', HASH, 10, 100, 1000),
    await shared.acquireSlot('m', 'lease', 1000, limits(), 0),
    await shared.releaseSlot('m', 'lease', limits({ tokensPerMinute: 60 }), 10, 5),
  ]

  it('works for any role in any schema', async () => {
    const { shown } = parseQueueAddress(`${server.url}?schema=Team_A`, {})
    const { url } = savedAddress(shown, {}, [shown])
    const queue = await openQueue(parseQueueAddress(url.replace('postgres@', 'Ana@'), {}))
    expect(await use(queue)).toEqual(['go', { granted: true }, undefined])
    const jobs = await EpisodeJobs.open(queue, 'run')
    expect(await jobs.remaining()).toEqual([])
    await jobs.close()
    await queue.close()
  })

  it('serves roles that may use the tables but not create them', async () => {
    await expect(open('bo')).rejects.toThrow(/^This role may not create the tables of the queue in schema "sightline"/)
    await expect(open('bo', '?schema=Team_A')).rejects.toThrow(/permission denied/)
    const owner = await open('Ana')
    await (await EpisodeJobs.open(owner, 'run')).close()
    await owner.close()
    for (const schema of ['sightline', 'sightline_bullmq']) {
      await administer(
        server.url,
        `GRANT USAGE ON SCHEMA ${schema} TO bo`,
        `GRANT ALL ON ALL TABLES IN SCHEMA ${schema} TO bo`,
        `GRANT ALL ON ALL SEQUENCES IN SCHEMA ${schema} TO bo`,
      )
    }
    const queue = await open('bo')
    expect(await use(queue)).toEqual(['go', { granted: true }, undefined])
    await (await EpisodeJobs.open(queue, 'run')).close()
    await queue.close()
  })

  it('creates its tables again if something dropped them', async () => {
    const queue = await open('postgres')
    await administer(server.url, 'DROP SCHEMA sightline CASCADE')
    await queue.shared.startSpending('run', { usd: 1, tokens: 2 })
    expect(await queue.shared.spent('run')).toEqual({ usd: 1, tokens: 2 })
    await queue.close()
  })
})

describe('queue URLs', () => {
  it.each([
    ['redis://host:6379/0', 'redis', 'redis://host:6379/0'],
    ['rediss://user:secret-word@host:6380/2', 'redis', 'rediss://user@host:6380/2'],
    ['valkey://host/1', 'redis', 'valkey://host/1'],
    ['postgres://me:secret-word@host/db?sslmode=require', 'postgres', 'postgres://me@host/db?sslmode=require'],
    ['postgresql://host/db?password=secret-word&user=me', 'postgres', 'postgresql://host/db?user=me'],
    ['postgresql://host/db?user=me&password=secret-word', 'postgres', 'postgresql://host/db?user=me'],
  ])('%s', (text, kind, shown) => {
    const address = parseQueueAddress(text, {})
    expect(address.kind).toBe(kind)
    expect(address.shown).toBe(shown)
    expect(JSON.stringify(address.shown)).not.toContain('secret-word')
    expect(address.redact('it said secret-word')).toBe(
      text.includes('secret-word') ? 'it said [redacted]' : 'it said secret-word',
    )
  })

  it('takes the password from the environment, also for a saved URL', () => {
    const env = { SIGHTLINE_QUEUE_PASSWORD: 'from-the-environment' }
    expect(parseQueueAddress('redis://host/0', env).url).toBe('redis://:from-the-environment@host/0')
    const whole = { SIGHTLINE_QUEUE: 'redis://u:secret-word@host/0' }
    expect(savedAddress('redis://u@host/0', whole, []).url).toBe('redis://u:secret-word@host/0')
    expect(savedAddress('redis://elsewhere/0', whole, ['redis://elsewhere/0']).url).toBe('redis://elsewhere/0')
  })

  it('of a run from elsewhere gets neither password nor samples', () => {
    const env = { SIGHTLINE_QUEUE: 'redis://host/0', SIGHTLINE_QUEUE_PASSWORD: 'secret-word' }
    for (const shown of ['redis://attacker/0', 'redis://host.attacker.example/0', 'redis://host:6380/0']) {
      expect(() => savedAddress(shown, env, ['redis://other/0'])).toThrow(
        `This run was played on ${shown}, a queue that nobody on this machine has named.`,
      )
    }
  })

  it.each(['localhost:6379', 'http://host', 'redis://host/name'])('rejects %s', (text) => {
    expect(() => parseQueueAddress(text, {})).toThrow(/redis:\/\/host:6379\/0/)
  })
})
