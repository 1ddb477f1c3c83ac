/** Shared state on Redis or Valkey. */
import { createHash } from 'node:crypto'
import type { Redis } from 'ioredis'
import { messageOf } from '../../base/errors.ts'
import { spacingFor } from '../../models/rate-spacing.ts'
import {
  type ChunkId,
  type SharedState,
  chunksOf,
  KEEP_MS,
  type StoredMessage,
  type ListedKind,
  LISTED_KINDS,
  RUN_KINDS,
  type PaymentId,
  type Reservation,
  type ServerFinding,
  type Spent,
  type SlotAnswer,
  slotAnswer,
  slotArguments,
  type RateLimits,
  type ValueKind,
} from './shared-state.ts'
import {
  COMPLETE,
  RELEASE_SLOT,
  LEAD,
  RELEASE,
  RENEW_SLOTS,
  RESERVE,
  SPEND,
  START_SPENDING,
  ACQUIRE_SLOT,
} from './redis-scripts.ts'

/** Prefix of all keys, including those of BullMQ, so a server can be shared. */
export const PREFIX = 'sightline'

const key = (...parts: readonly (string | number)[]): string => [PREFIX, ...parts].join(':')

/** Small enough not to block the server for long. */
const KEYS_PER_SCAN = 1000

/** Escapes the special characters of a SCAN pattern. */
const escapePattern = (name: string): string => name.replaceAll(/[*?[\]\\]/g, '\\$&')

export class RedisState implements SharedState {
  readonly #redis: Redis
  readonly #hashes = new Map<string, string>()

  constructor(redis: Redis) {
    this.#redis = redis
  }

  async set(kind: ValueKind, values: ReadonlyMap<string, Uint8Array>, keepMs: number): Promise<void> {
    const isListed = LISTED_KINDS.includes(kind)
    await Promise.all(
      [...values].flatMap(([name, value]) => [
        this.#redis.set(key('value', kind, name), asBuffer(value), 'PX', keepMs),
        ...(isListed ? [this.#redis.zadd(key('index', kind), 0, name)] : []),
      ]),
    )
  }

  async get(kind: ValueKind, names: readonly string[]): Promise<(Buffer | null)[]> {
    if (names.length === 0) return []
    return this.#redis.mgetBuffer(names.map((name) => key('value', kind, name)))
  }

  async remove(kind: ValueKind, names: readonly string[]): Promise<void> {
    if (names.length === 0) return
    const gone = this.#redis.unlink(...names.map((name) => key('value', kind, name)))
    await Promise.all([gone, LISTED_KINDS.includes(kind) ? this.#redis.zrem(key('index', kind), ...names) : undefined])
  }

  async list(kind: ListedKind): Promise<Map<string, Buffer>> {
    const names = await this.#redis.zrange(key('index', kind), 0, -1)
    const values = await this.get(kind, names)
    const gone = names.filter((_, i) => values[i] === null)
    if (gone.length > 0) await this.#redis.zrem(key('index', kind), ...gone)
    return new Map(names.flatMap((name, i) => (values[i] ? [[name, values[i]] as const] : [])))
  }

  async post(run: string, messages: readonly Uint8Array[]): Promise<void> {
    const box = key('box', run)
    // All or none: a full server must not take a part of them.
    const posting = this.#redis.multi()
    for (const message of messages) posting.xadd(box, '*', 'b', asBuffer(message))
    const posted = await posting.pexpire(box, KEEP_MS).exec()
    const failed = posted?.find(([error]) => error !== null)
    if (failed) throw failed[0]
  }

  async messages(run: string, atMost: number): Promise<StoredMessage[]> {
    const found = await this.#redis.xrangeBuffer(key('box', run), '-', '+', 'COUNT', atMost)
    return found.map(([id, fields]) => ({ id: id.toString('latin1'), body: fields[1] ?? Buffer.alloc(0) }))
  }

  async discard(run: string, ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.#redis.xdel(key('box', run), ...ids)
  }

  async reserve(run: string, sha256: string, bytes: number, quota: number, claimMs: number): Promise<Reservation> {
    const answer = await this.#script(RESERVE, mediaKeys(run), [sha256, bytes, quota, claimMs, KEEP_MS])
    return String(answer) as Reservation
  }

  async putChunk(run: string, sha256: string, number: number, chunk: Uint8Array): Promise<void> {
    await this.#redis.set(key('chunk', run, sha256, number), asBuffer(chunk), 'PX', KEEP_MS)
  }

  async complete(run: string, sha256: string): Promise<void> {
    await this.#script(COMPLETE, mediaKeys(run).slice(0, 1), [sha256])
  }

  async chunks(run: string, wanted: readonly ChunkId[]): Promise<(Buffer | null)[]> {
    if (wanted.length === 0) return []
    return this.#redis.mgetBuffer(wanted.map(({ sha256, number }) => key('chunk', run, sha256, number)))
  }

  async release(run: string, media: readonly { sha256: string; bytes: number }[]): Promise<void> {
    await Promise.all(
      media.map(({ sha256, bytes }) => {
        const pieces = Array.from({ length: chunksOf(bytes) }, (_, i) => key('chunk', run, sha256, i))
        return this.#script(RELEASE, [...mediaKeys(run), ...pieces], [sha256])
      }),
    )
  }

  async startSpending(run: string, before: Spent): Promise<void> {
    await this.#script(START_SPENDING, [key('spent', run)], [before.usd ?? '', before.tokens, KEEP_MS])
  }

  async spend(run: string, { payer, number }: PaymentId, { usd, tokens }: Spent): Promise<void> {
    await this.#script(SPEND, [key('spent', run)], [usd ?? '', tokens, KEEP_MS, payer, number])
  }

  async spent(run: string): Promise<Spent | null> {
    const names = ['started', 'usd', 'tokens', 'unpriced']
    const [started, usd, tokens, unpriced] = await this.#redis.hmget(key('spent', run), ...names)
    if (!started) return null
    return { usd: unpriced ? null : Number(usd ?? 0), tokens: Number(tokens ?? 0) }
  }

  async acquireSlot(
    bucket: string,
    lease: string,
    leaseMs: number,
    limits: RateLimits,
    tokens: number,
  ): Promise<SlotAnswer> {
    return slotAnswer(await this.#script(ACQUIRE_SLOT, rateKeys(bucket), slotArguments(lease, leaseMs, limits, tokens)))
  }

  async renewSlots(bucket: string, leases: readonly string[], leaseMs: number): Promise<void> {
    if (leases.length > 0) await this.#script(RENEW_SLOTS, rateKeys(bucket).slice(0, 1), [leaseMs, ...leases])
  }

  async releaseSlot(bucket: string, lease: string, limits: RateLimits, tokens: number, pauseMs: number): Promise<void> {
    const { intervalMs } = spacingFor(limits.tokensPerMinute)
    await this.#script(RELEASE_SLOT, rateKeys(bucket), [lease, intervalMs, tokens, Math.round(pauseMs)])
  }

  async lead(run: string, holder: string, keepMs: number): Promise<boolean> {
    return (await this.#script(LEAD, [key('lead', run)], [holder, keepMs])) === 1
  }

  async forget(run: string): Promise<void> {
    const media = await this.#redis.hgetall(key('depot', run))
    for (const [sha256, place] of Object.entries(media)) {
      await this.release(run, [{ sha256, bytes: Number.parseInt(place, 10) }])
    }
    await this.remove('run', [run])
    await this.#redis.unlink(key('box', run), ...mediaKeys(run), key('spent', run), key('lead', run))
    for (const kind of RUN_KINDS) await this.#unlinkAll(key('value', kind, `${escapePattern(run)}/*`))
  }

  async #unlinkAll(pattern: string): Promise<void> {
    let cursor = '0'
    do {
      const [next, found] = await this.#redis.scan(cursor, 'MATCH', pattern, 'COUNT', KEYS_PER_SCAN)
      if (found.length > 0) await this.#redis.unlink(...found)
      cursor = next
    } while (cursor !== '0')
  }

  async inspect(): Promise<ServerFinding[]> {
    const info = parseInfo(await this.#redis.info())
    const asked = Date.now()
    await this.#redis.ping()
    const findings: ServerFinding[] = [
      {
        what: info.has('valkey_version') ? 'Valkey' : 'Redis',
        verdict: 'fine',
        words: `${info.get('valkey_version') ?? info.get('redis_version') ?? 'unknown version'}, responds in ${Date.now() - asked} ms`,
      },
    ]
    const appends = info.get('aof_enabled') === '1'
    findings.push({
      what: 'Persistence',
      verdict: appends ? 'fine' : 'problem',
      words: appends
        ? 'appendonly is on: a restart loses at most one second'
        : 'appendonly is off: episodes that the coordinator has not fetched are replayed after a restart; set appendonly yes',
    })
    const policy = info.get('maxmemory_policy') ?? 'unknown'
    findings.push({
      what: 'Memory policy',
      verdict: policy === 'noeviction' ? 'fine' : 'problem',
      words:
        policy === 'noeviction'
          ? 'noeviction'
          : `${policy}: the server may evict jobs when it is full; set maxmemory-policy noeviction`,
    })
    const most = Number(info.get('maxmemory') ?? 0)
    findings.push({
      what: 'Memory',
      verdict: 'fine',
      words: `${info.get('used_memory_human') ?? '?'} used, ${most === 0 ? 'no limit' : `limit ${info.get('maxmemory_human')}`}`,
    })
    return findings
  }

  async close(): Promise<void> {
    // `quit` would wait for an unreachable server.
    this.#redis.disconnect()
    await Promise.resolve()
  }

  /** Runs a script by hash; sends the source if the server does not know it yet. */
  async #script(text: string, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    let hash = this.#hashes.get(text)
    if (hash === undefined) {
      hash = createHash('sha1').update(text).digest('hex')
      this.#hashes.set(text, hash)
    }
    try {
      return await this.#redis.evalsha(hash, keys.length, ...keys, ...args)
    } catch (error) {
      if (!messageOf(error).startsWith('NOSCRIPT')) throw error
      return this.#redis.eval(text, keys.length, ...keys, ...args)
    }
  }
}

function mediaKeys(run: string): string[] {
  return [key('depot', run), key('depot-used', run)]
}

function rateKeys(bucket: string): string[] {
  return [key('turns', bucket), key('pace', bucket)]
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function parseInfo(text: string): Map<string, string> {
  const pairs = text.split(/\r?\n/).flatMap((line) => {
    const colon = line.indexOf(':')
    return colon > 0 ? [[line.slice(0, colon), line.slice(colon + 1)] as const] : []
  })
  return new Map(pairs)
}
