/** Opens a queue. The drivers are loaded here and nowhere else, when a queue is asked for: local runs do not pay for it. */
import type { ConnectionOptions, PostgresConnectionOptions } from 'bullmq'
import type { RedisOptions } from 'ioredis'
import { messageOf, UserError, trimFullStop } from '../../base/errors.ts'
import type { QueueAddress } from './address.ts'
import type { SharedState } from './shared-state.ts'

/** How long the first connection may take before the user is told that there is nothing. */
const CONNECT_MS = 8000
/** A connection that is silent for so long while an answer is due is cut and made anew: cables get pulled. */
const SILENCE_MS = 15_000
const MAX_RECONNECT_MS = 2000

/** Table space of BullMQ in PostgreSQL. */
export const BULL_SCHEMA = 'sightline_bullmq'

export type Drive =
  | { kind: 'redis'; connection: ConnectionOptions }
  | { kind: 'postgres'; connection: PostgresConnectionOptions }

export interface OpenedQueue {
  address: QueueAddress
  shared: SharedState
  /** What BullMQ is told to connect with. */
  drive: Drive
  close(): Promise<void>
}

export async function openQueue(address: QueueAddress): Promise<OpenedQueue> {
  try {
    return await (address.kind === 'redis' ? openRedis(address) : openPostgres(address))
  } catch (error) {
    if (error instanceof UserError) throw error
    const why = trimFullStop(address.redact(messageOf(error)))
    throw new UserError(`The queue at ${address.shown} cannot be reached: ${why}.`, {
      hint: /certificate/i.test(why)
        ? 'Tell Node whose certificates it may trust: NODE_EXTRA_CA_CERTS=/path/ca.pem, on every machine.'
        : `\`sightline doctor --queue ${address.shown}\` looks closer.`,
    })
  }
}

async function openRedis(address: QueueAddress): Promise<OpenedQueue> {
  const [{ Redis }, { RedisBoard }] = await Promise.all([import('ioredis'), import('./redis-state.ts')])
  const options: RedisOptions = {
    lazyConnect: true,
    connectTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    keepAlive: SILENCE_MS,
    // Commands wait for a server that is away, however long: a restart must not end a run.
    maxRetriesPerRequest: null,
    retryStrategy: (attempt) => Math.min(MAX_RECONNECT_MS, 50 * 2 ** Math.min(attempt, 6)),
  }
  // Commands of one moment go out in one write. BullMQ has a connection of its own: its commands block.
  const redis = new Redis(address.url, { ...options, enableAutoPipelining: true })
  let reached = false
  let lastError: Error | null = null
  redis.on('error', (error: Error) => {
    lastError = error
  })
  try {
    await inTime(
      redis.connect().then(() => redis.ping()),
      () => lastError,
    ).catch((error: unknown) => {
      // "Connection is closed" says less than why it was.
      throw lastError ?? error
    })
    reached = true
  } finally {
    if (!reached) redis.disconnect()
  }
  const shared = new RedisBoard(redis)
  const forBull = new Redis(address.url, options)
  forBull.on('error', () => undefined)
  return {
    address,
    shared,
    drive: { kind: 'redis', connection: forBull },
    close: async () => {
      forBull.disconnect()
      await shared.close()
    },
  }
}

async function openPostgres(address: QueueAddress): Promise<OpenedQueue> {
  const [{ default: pg }, { PostgresBoard }] = await Promise.all([import('pg'), import('./postgres-state.ts')])
  const settings = {
    connectionString: address.url,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5000,
    application_name: 'sightline',
  }
  const pool = new pg.Pool({ ...settings, max: 3, query_timeout: SILENCE_MS })
  // An idle connection that breaks is no reason to end: the next query opens another.
  pool.on('error', () => undefined)
  try {
    await inTime(pool.query('SELECT 1'), () => null)
  } catch (error) {
    await pool.end().catch(() => undefined)
    throw error
  }
  const shared = new PostgresBoard(pool)
  // BullMQ's migrations take no second start at once: the shared's own tables are made first, under a lock.
  await shared.spent('')
  return {
    address,
    shared,
    drive: { kind: 'postgres', connection: { ...settings, schema: BULL_SCHEMA, migrate: true, max: 2 } },
    close: () => shared.close(),
  }
}

async function inTime<T>(work: Promise<T>, reason: () => Error | null): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(reason() ?? new Error(`no answer within ${CONNECT_MS / 1000} s`)), CONNECT_MS)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
