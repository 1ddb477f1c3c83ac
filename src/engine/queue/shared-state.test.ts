import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseQueueAddress, rememberedAddress } from './address.ts'
import type { SharedState, RateLimits } from './shared-state.ts'
import { openQueue, type OpenedQueue } from './open.ts'
import {
  POSTGRES,
  REDIS,
  sayWhatIsMissing,
  startPostgres,
  startRedis,
  type TestServer,
} from '../../../test/support/engine/queue.ts'

sayWhatIsMissing()

const HASH = 'a'.repeat(64)
const OTHER = 'b'.repeat(64)
/** The next time that somebody looks it is over, on whatever machine. */
const AT_ONCE_MS = 1
const bytes = (text: string): Buffer => Buffer.from(text)
const limits = (more: Partial<RateLimits> = {}): RateLimits => ({
  connections: 100,
  requestsPerMinute: null,
  tokensPerMinute: null,
  ...more,
})

describe.each([
  // What was written a moment ago may be lost with a killed Redis, if it is not told otherwise; this is not about that.
  { name: 'Redis', isThere: REDIS !== null, start: () => startRedis({ syncs: 'always' }) },
  { name: 'PostgreSQL', isThere: POSTGRES !== null, start: () => startPostgres() },
])('the shared on $name', ({ isThere, start }) => {
  let server: TestServer
  let queue: OpenedQueue
  let shared: SharedState
  beforeAll(async () => {
    if (!isThere) return
    server = await start()
    queue = await openQueue(parseQueueAddress(server.url, {}))
    shared = queue.shared
  }, 60_000)
  afterAll(async () => {
    await queue?.close()
    await server?.stop()
  })
  const test = it.skipIf(!isThere)

  test('keeps values for a time and lists them', async () => {
    await shared.set('worker', 'one', bytes('1'), 60_000)
    await shared.set('worker', 'two', bytes('2'), 60_000)
    await shared.set('worker', 'short', bytes('3'), 30)
    await expect
      .poll(async () => [...(await shared.list('worker'))].map(([name, body]) => [name, body.toString()]))
      .toEqual([
        ['one', '1'],
        ['two', '2'],
      ])
    await shared.set('worker', 'two', bytes('4'), 60_000)
    await shared.remove('worker', ['one'])
    expect((await shared.get('worker', ['one', 'two'])).map((body) => body?.toString() ?? null)).toEqual([null, '4'])
  })

  test('keeps messages in order until they are thrown away, any bytes in them', async () => {
    const odd = Buffer.from([0, 255, 10, 13, 128])
    await shared.post('mail', [bytes('a'), odd])
    await shared.post('mail', [bytes('c')])
    const first = await shared.messages('mail', 2)
    expect(first.map(({ body }) => body)).toEqual([bytes('a'), odd])
    expect(await shared.messages('another', 2)).toEqual([])
    const ids = first.map(({ id }) => id)
    await shared.discard('mail', ids)
    // A command may reach the server twice: nothing else is lost by it.
    await shared.discard('mail', ids)
    expect((await shared.messages('mail', 9)).map(({ body }) => body.toString())).toEqual(['c'])
  })

  test('takes in media as long as there is room, each once', async () => {
    expect(await shared.reserve('media', HASH, 100, 150, 60_000)).toBe('go')
    expect(await shared.reserve('media', HASH, 100, 150, 60_000)).toBe('busy')
    expect(await shared.reserve('media', OTHER, 100, 150, 60_000)).toBe('full')
    await shared.putChunk('media', HASH, 0, bytes('picture'))
    await shared.complete('media', HASH)
    expect(await shared.reserve('media', HASH, 100, 150, 60_000)).toBe('there')
    expect(await shared.chunk('media', HASH, 0)).toEqual(bytes('picture'))
    expect(await shared.chunk('media', HASH, 1)).toBeNull()
    await shared.release('media', HASH, 1)
    expect(await shared.chunk('media', HASH, 0)).toBeNull()
    expect(await shared.reserve('media', OTHER, 100, 150, 60_000)).toBe('go')
  })

  test('lets one travel that is larger than all the room, and forgets who died while sending', async () => {
    expect(await shared.reserve('large', HASH, 1000, 150, 30)).toBe('go')
    await expect.poll(() => shared.reserve('large', OTHER, 10, 150, 60_000)).toBe('go')
    expect(await shared.reserve('large', HASH, 10, 150, 60_000)).toBe('go')
  })

  test('adds up what all spend; without a price the sum is unknown', async () => {
    await shared.startSpending('money', { usd: 1, tokens: 10 })
    await shared.startSpending('money', { usd: 1, tokens: 10 })
    await Promise.all(Array.from({ length: 20 }, () => shared.spend('money', { usd: 0.25, tokens: 3 })))
    expect(await shared.spent('money')).toEqual({ usd: 6, tokens: 70 })
    await shared.spend('money', { usd: null, tokens: 1 })
    expect(await shared.spent('money')).toEqual({ usd: null, tokens: 71 })
    expect(await shared.spent('nobody')).toEqual({ usd: 0, tokens: 0 })
  })

  test('gives out no more turns at once than there are connections, and frees those of the dead', async () => {
    const two = limits({ connections: 2 })
    const take = (lease: string) => shared.acquireSlot('few', lease, 60_000, two, 0)
    expect(await take('a')).toEqual({ granted: true })
    // Asked twice because a connection broke: the same turn.
    expect(await take('a')).toEqual({ granted: true })
    expect(await take('b')).toEqual({ granted: true })
    expect(await take('c')).toMatchObject({ granted: false })
    await shared.renewSlots('few', ['b'], AT_ONCE_MS)
    await expect.poll(() => take('c')).toEqual({ granted: true })
    await shared.endTurn('few', 'a', two, 0, 0)
    expect(await take('d')).toEqual({ granted: true })
    await shared.renewSlots('few', ['c', 'd'], 60_000)
    expect(await take('e')).toMatchObject({ granted: false })
  })

  test('spaces requests: six a minute are one now and the next in nine seconds', async () => {
    const paced = limits({ requestsPerMinute: 6 })
    expect(await shared.acquireSlot('paced', 'a', 60_000, paced, 0)).toEqual({ granted: true })
    const answer = await shared.acquireSlot('paced', 'b', 60_000, paced, 0)
    expect(answer.granted).toBe(false)
    if (!answer.granted) expect(answer.waitMs / 1000).toBeCloseTo(9, -1)
  })

  test('makes everybody wait when tokens are used up, or when the server asks for it', async () => {
    const thousand = limits({ tokensPerMinute: 1000 })
    expect(await shared.acquireSlot('tokens', 'a', 60_000, thousand, 0)).toEqual({ granted: true })
    await shared.endTurn('tokens', 'a', thousand, 500, 0)
    const answer = await shared.acquireSlot('tokens', 'b', 60_000, thousand, 0)
    expect(answer.granted).toBe(false)
    if (!answer.granted) expect(answer.waitMs / 1000).toBeCloseTo(29.5, -1)

    expect(await shared.acquireSlot('busy', 'a', 60_000, limits(), 0)).toEqual({ granted: true })
    await shared.endTurn('busy', 'a', limits(), 0, 60_000)
    expect(await shared.acquireSlot('busy', 'b', 60_000, limits(), 0)).toMatchObject({ granted: false })
  })

  test('has one leader a run, until it is silent', async () => {
    expect(await shared.lead('led', 'me', 60_000)).toBe(true)
    expect(await shared.lead('led', 'you', 60_000)).toBe(false)
    expect(await shared.lead('led', 'me', AT_ONCE_MS)).toBe(true)
    await expect.poll(() => shared.lead('led', 'you', 60_000)).toBe(true)
  })

  test('forgets everything of a run', async () => {
    await shared.set('run', 'gone', bytes('x'), 60_000)
    await shared.post('gone', [bytes('x')])
    await shared.reserve('gone', HASH, 10, 100, 60_000)
    await shared.putChunk('gone', HASH, 0, bytes('x'))
    await shared.lead('gone', 'me', 60_000)
    const names = ['gone/a', 'gone/b', 'gone-not/a']
    for (const kind of ['reply', 'media'] as const) {
      for (const name of names) await shared.set(kind, name, bytes('x'), 60_000)
    }
    // Names are names: this one is of no run.
    await shared.forget('g*')
    await shared.forget('gone')
    for (const kind of ['reply', 'media'] as const) {
      expect((await shared.get(kind, names)).map((found) => found !== null)).toEqual([false, false, true])
    }
    expect(await shared.messages('gone', 1)).toEqual([])
    expect(await shared.chunk('gone', HASH, 0)).toBeNull()
    expect((await shared.list('run')).has('gone')).toBe(false)
    expect(await shared.lead('gone', 'you', 60_000)).toBe(true)
  })

  test('goes on after the server was away', { timeout: 60_000 }, async () => {
    await shared.post('away', [bytes('before')])
    const restarted = server.restart()
    const posted = shared.post('away', [bytes('meanwhile')])
    await restarted
    await posted
    expect((await shared.messages('away', 9)).map(({ body }) => body.toString())).toContain('meanwhile')
    expect((await shared.messages('away', 9))[0]?.body.toString()).toBe('before')
  })

  test('tells about its server', async () => {
    const findings = await shared.inspect()
    expect(findings.map(({ what }) => what)).toContain('Persistence')
    expect(findings.every(({ verdict }) => verdict === 'fine' || verdict === 'problem')).toBe(true)
  })
})

describe('the address of a queue', () => {
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

  it('takes its password from the environment, and finds it again for a run', () => {
    const env = { SIGHTLINE_QUEUE_PASSWORD: 'from-the-environment' }
    expect(parseQueueAddress('redis://host/0', env).url).toBe('redis://:from-the-environment@host/0')
    const whole = { SIGHTLINE_QUEUE: 'redis://u:secret-word@host/0' }
    expect(rememberedAddress('redis://u@host/0', whole).url).toBe('redis://u:secret-word@host/0')
    expect(rememberedAddress('redis://elsewhere/0', whole).url).toBe('redis://elsewhere/0')
  })

  it.each(['localhost:6379', 'http://host', 'redis://host/name'])('refuses %s in words', (text) => {
    expect(() => parseQueueAddress(text, {})).toThrow(/redis:\/\/host:6379\/0/)
  })
})
