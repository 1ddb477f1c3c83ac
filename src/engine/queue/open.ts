/** Opens a queue. Drivers are imported here only, so local runs do not load them. */
import type { ConnectionOptions, PostgresConnectionOptions } from 'bullmq'
import type { RedisOptions } from 'ioredis'
import { messageOf, UserError, trimFullStop } from '../../base/errors.ts'
import type { QueueAddress } from './address.ts'
import type { SharedState } from './shared-state.ts'

const CONNECT_TIMEOUT_MS = 8000
/** A connection that does not answer for this long is reopened. */
const SOCKET_TIMEOUT_MS = 15_000
const MAX_RECONNECT_DELAY_MS = 2000

/** PostgreSQL schema of BullMQ. */
export const BULL_SCHEMA = 'sightline_bullmq'

export type BullConnection =
  | { kind: 'redis'; connection: ConnectionOptions }
  | { kind: 'postgres'; connection: PostgresConnectionOptions }

export interface OpenedQueue {
  address: QueueAddress
  shared: SharedState
  /** Connection settings for BullMQ. */
  bull: BullConnection
  close(): Promise<void>
}

export async function openQueue(address: QueueAddress): Promise<OpenedQueue> {
  try {
    return await (address.kind === 'redis' ? openRedis(address) : openPostgres(address))
  } catch (error) {
    if (error instanceof UserError) throw error
    const why = trimFullStop(address.redact(messageOf(error)))
    throw new UserError(`Cannot reach the queue at ${address.shown}: ${why}.`, {
      hint: /certificate/i.test(why)
        ? 'Add your CA certificate on every machine: NODE_EXTRA_CA_CERTS=/path/ca.pem.'
        : `Check it with \`sightline doctor --queue ${address.shown}\`.`,
    })
  }
}

async function openRedis(address: QueueAddress): Promise<OpenedQueue> {
  const [{ Redis }, { RedisState }] = await Promise.all([import('ioredis'), import('./redis-state.ts')])
  const options: RedisOptions = {
    lazyConnect: true,
    connectTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS,
    keepAlive: SOCKET_TIMEOUT_MS,
    // Wait for an unreachable server indefinitely: a restart must not end a run.
    maxRetriesPerRequest: null,
    retryStrategy: (attempt) => Math.min(MAX_RECONNECT_DELAY_MS, 50 * 2 ** Math.min(attempt, 6)),
  }
  // Concurrent commands are pipelined. BullMQ uses blocking commands, so it has its own connection.
  const redis = new Redis(address.url, { ...options, enableAutoPipelining: true })
  let reached = false
  let lastError: Error | null = null
  redis.on('error', (error: Error) => {
    lastError = error
  })
  try {
    await withConnectTimeout(
      redis.connect().then(() => redis.ping()),
      () => lastError,
    ).catch((error: unknown) => {
      // The underlying error is more useful than "Connection is closed".
      throw lastError ?? error
    })
    reached = true
  } finally {
    if (!reached) redis.disconnect()
  }
  const shared = new RedisState(redis)
  const forBull = new Redis(address.url, options)
  forBull.on('error', () => undefined)
  return {
    address,
    shared,
    bull: { kind: 'redis', connection: forBull },
    close: async () => {
      forBull.disconnect()
      await shared.close()
    },
  }
}

async function openPostgres(address: QueueAddress): Promise<OpenedQueue> {
  const [{ default: pg }, { PostgresState }] = await Promise.all([import('pg'), import('./postgres-state.ts')])
  const settings = {
    connectionString: address.url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5000,
    application_name: 'sightline',
  }
  const pool = new pg.Pool({ ...settings, max: 3, query_timeout: SOCKET_TIMEOUT_MS })
  // A broken idle connection is harmless: the next query opens another.
  pool.on('error', () => undefined)
  try {
    await withConnectTimeout(pool.query('SELECT 1'), () => null)
  } catch (error) {
    await pool.end().catch(() => undefined)
    throw error
  }
  const shared = new PostgresState(pool)
  // BullMQ migrations cannot run concurrently, so our own tables are created first, under a lock.
  await shared.spent('')
  return {
    address,
    shared,
    bull: { kind: 'postgres', connection: { ...settings, schema: BULL_SCHEMA, migrate: true, max: 2 } },
    close: () => shared.close(),
  }
}

async function withConnectTimeout<T>(work: Promise<T>, reason: () => Error | null): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(reason() ?? new Error(`no answer within ${CONNECT_TIMEOUT_MS / 1000} s`)),
      CONNECT_TIMEOUT_MS,
    )
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
