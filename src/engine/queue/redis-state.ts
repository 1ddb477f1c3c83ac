/** The shared on Redis or Valkey. */
import { createHash } from 'node:crypto'
import type { Redis } from 'ioredis'
import { messageOf, UserError } from '../../base/errors.ts'
import { spacingFor } from '../../models/rate-spacing.ts'
import {
  type SharedState,
  chunksOf,
  KEEP_MS,
  type StoredMessage,
  type ListedKind,
  LISTED_KINDS,
  RUN_KINDS,
  type Reservation,
  type ServerFinding,
  type Spent,
  type TurnAnswer,
  turnAnswer,
  turnArguments,
  type RateLimits,
  type ValueKind,
} from './shared-state.ts'
import { COMPLETE, END_TURN, LEAD, RELEASE, RENEW_TURNS, RESERVE, SPEND, TAKE_TURN } from './redis-scripts.ts'

/** All keys begin so, those of BullMQ too: a server may be shared. */
export const PREFIX = 'sightline'

const key = (...parts: readonly (string | number)[]): string => [PREFIX, ...parts].join(':')

/** Keys of a server that are looked at in one go: it does nothing else meanwhile. */
const SCANNED_AT_ONCE = 1000

/** A name in a pattern, as nothing but itself. */
const literally = (name: string): string => name.replaceAll(/[*?[\]\\]/g, '\\$&')

export class RedisBoard implements SharedState {
  readonly #redis: Redis
  readonly #hashes = new Map<string, string>()

  constructor(redis: Redis) {
    this.#redis = redis
  }

  async set(kind: ValueKind, name: string, value: Uint8Array, keepMs: number): Promise<void> {
    const set = this.#redis.set(key('value', kind, name), asBuffer(value), 'PX', keepMs)
    const listed = LISTED_KINDS.includes(kind)
      ? this.#redis.zadd(key('index', kind), Date.now() + keepMs, name)
      : undefined
    await finish(set, listed)
  }

  async get(kind: ValueKind, names: readonly string[]): Promise<(Buffer | null)[]> {
    if (names.length === 0) return []
    return this.#redis.mgetBuffer(names.map((name) => key('value', kind, name)))
  }

  async remove(kind: ValueKind, names: readonly string[]): Promise<void> {
    if (names.length === 0) return
    const gone = this.#redis.unlink(...names.map((name) => key('value', kind, name)))
    await finish(gone, LISTED_KINDS.includes(kind) ? this.#redis.zrem(key('index', kind), ...names) : undefined)
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
    const posted = messages.map((message) => this.#redis.xadd(box, '*', 'b', asBuffer(message)))
    await finish(...posted, this.#redis.pexpire(box, KEEP_MS))
  }

  async messages(run: string, atMost: number): Promise<StoredMessage[]> {
    const found = await this.#redis.xrangeBuffer(key('box', run), '-', '+', 'COUNT', atMost)
    return found.map(([id, fields]) => ({ id: id.toString('latin1'), body: fields[1] ?? Buffer.alloc(0) }))
  }

  async discard(run: string, ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.#redis.xdel(key('box', run), ...ids)
  }

  async reserve(run: string, sha256: string, bytes: number, quota: number, claimMs: number): Promise<Reservation> {
    const answer = await this.#script(RESERVE, places(run), [sha256, bytes, quota, claimMs, KEEP_MS])
    return String(answer) as Reservation
  }

  async putChunk(run: string, sha256: string, number: number, chunk: Uint8Array): Promise<void> {
    await this.#redis.set(key('chunk', run, sha256, number), asBuffer(chunk), 'PX', KEEP_MS)
  }

  async complete(run: string, sha256: string): Promise<void> {
    await this.#script(COMPLETE, places(run).slice(0, 1), [sha256])
  }

  chunk(run: string, sha256: string, number: number): Promise<Buffer | null> {
    return this.#redis.getBuffer(key('chunk', run, sha256, number))
  }

  async release(run: string, sha256: string, chunks: number): Promise<void> {
    const pieces = Array.from({ length: chunks }, (_, i) => key('chunk', run, sha256, i))
    await this.#script(RELEASE, [...places(run), ...pieces], [sha256])
  }

  async startSpending(run: string, before: Spent): Promise<void> {
    const started = await this.#redis.hsetnx(key('spent', run), 'started', 1)
    if (started === 1) await this.spend(run, before)
  }

  async spend(run: string, { usd, tokens }: Spent): Promise<void> {
    await this.#script(SPEND, [key('spent', run)], [usd ?? '', tokens, KEEP_MS])
  }

  async spent(run: string): Promise<Spent> {
    const [usd, tokens, unpriced] = await this.#redis.hmget(key('spent', run), 'usd', 'tokens', 'unpriced')
    return { usd: unpriced ? null : Number(usd ?? 0), tokens: Number(tokens ?? 0) }
  }

  async acquireSlot(
    bucket: string,
    lease: string,
    leaseMs: number,
    limits: RateLimits,
    tokens: number,
  ): Promise<TurnAnswer> {
    return turnAnswer(await this.#script(TAKE_TURN, rateLimiter(bucket), turnArguments(lease, leaseMs, limits, tokens)))
  }

  async renewSlots(bucket: string, leases: readonly string[], leaseMs: number): Promise<void> {
    if (leases.length > 0) await this.#script(RENEW_TURNS, rateLimiter(bucket).slice(0, 1), [leaseMs, ...leases])
  }

  async endTurn(bucket: string, lease: string, limits: RateLimits, tokens: number, pauseMs: number): Promise<void> {
    const { intervalMs } = spacingFor(limits.tokensPerMinute)
    await this.#script(END_TURN, rateLimiter(bucket), [lease, intervalMs, tokens, Math.round(pauseMs)])
  }

  async lead(run: string, who: string, keepMs: number): Promise<boolean> {
    return (await this.#script(LEAD, [key('lead', run)], [who, keepMs])) === 1
  }

  async forget(run: string): Promise<void> {
    const media = await this.#redis.hgetall(key('depot', run))
    for (const [sha256, place] of Object.entries(media)) {
      await this.release(run, sha256, chunksOf(Number.parseInt(place, 10)))
    }
    await this.remove('run', [run])
    await this.#redis.unlink(key('box', run), ...places(run), key('spent', run), key('lead', run))
    for (const kind of RUN_KINDS) await this.#unlinkAll(key('value', kind, `${literally(run)}/*`))
  }

  async #unlinkAll(pattern: string): Promise<void> {
    let cursor = '0'
    do {
      const [next, found] = await this.#redis.scan(cursor, 'MATCH', pattern, 'COUNT', SCANNED_AT_ONCE)
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
        words: `${info.get('valkey_version') ?? info.get('redis_version') ?? 'unknown version'}, answers in ${Date.now() - asked} ms`,
      },
    ]
    const appends = info.get('aof_enabled') === '1'
    findings.push({
      what: 'Persistence',
      verdict: appends ? 'fine' : 'problem',
      words: appends
        ? 'appendonly is on: a restart loses a second at most'
        : 'appendonly is off: what workers have finished and the coordinator has not fetched is played again after a restart; set appendonly yes',
    })
    const policy = info.get('maxmemory_policy') ?? 'unknown'
    findings.push({
      what: 'Memory policy',
      verdict: policy === 'noeviction' ? 'fine' : 'problem',
      words:
        policy === 'noeviction'
          ? 'noeviction'
          : `${policy}: the server may throw jobs away when it is full; set maxmemory-policy noeviction`,
    })
    const most = Number(info.get('maxmemory') ?? 0)
    findings.push({
      what: 'Memory',
      verdict: 'fine',
      words: `${info.get('used_memory_human') ?? '?'} used, ${most === 0 ? 'no limit set' : `${info.get('maxmemory_human')} at most`}`,
    })
    return findings
  }

  async close(): Promise<void> {
    // `quit` would wait for a server that is gone.
    this.#redis.disconnect()
    await Promise.resolve()
  }

  /** By its hash; a server that does not know it (new, or restarted) is told the whole of it once. */
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

function places(run: string): string[] {
  return [key('depot', run), key('depot-used', run)]
}

function rateLimiter(bucket: string): string[] {
  return [key('turns', bucket), key('pace', bucket)]
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

async function finish(...commands: readonly (Promise<unknown> | undefined)[]): Promise<void> {
  try {
    await Promise.all(commands.filter((command) => command !== undefined))
  } catch (error) {
    if (!messageOf(error).startsWith('OOM')) throw error
    throw new UserError('The Redis server of the queue has no memory left.', {
      hint: 'Raise its maxmemory, or use fewer workers.',
      cause: error,
    })
  }
}

function parseInfo(text: string): Map<string, string> {
  const pairs = text.split(/\r?\n/).flatMap((line) => {
    const colon = line.indexOf(':')
    return colon > 0 ? [[line.slice(0, colon), line.slice(colon + 1)] as const] : []
  })
  return new Map(pairs)
}
