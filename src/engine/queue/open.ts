/** Opens a queue. Drivers are imported here only, so local runs do not load them. */
import type { ConnectionOptions, PostgresConnectionOptions } from 'bullmq'
import type { RedisOptions } from 'ioredis'
import { messageOf, UserError, trimFullStop } from '../../base/errors.ts'
import type { QueueAddress } from './address.ts'
import { type HealthSettings, QueueHealth, retried } from './health.ts'
import { bullSchema } from './postgres-schema.ts'
import type { SharedState } from './shared-state.ts'

const CONNECT_TIMEOUT_MS = 8000
/** A connection that does not answer for this long is reopened. */
const SOCKET_TIMEOUT_MS = 15_000
const MAX_RECONNECT_DELAY_MS = 2000

export type BullConnection =
  | { kind: 'redis'; connection: ConnectionOptions }
  | { kind: 'postgres'; connection: PostgresConnectionOptions }

export interface OpenedQueue {
  address: QueueAddress
  /** Retries what the server cannot do yet. */
  shared: SharedState
  health: QueueHealth
  /** Connection settings for BullMQ. */
  bull: BullConnection
  close(): Promise<void>
}

export async function openQueue(address: QueueAddress, settings: HealthSettings = {}): Promise<OpenedQueue> {
  const health = new QueueHealth(address, settings)
  try {
    return await (address.kind === 'redis' ? openRedis(address, health) : openPostgres(address, health))
  } catch (error) {
    if (error instanceof UserError) throw error
    health.close()
    const why = trimFullStop(address.redact(messageOf(error)))
    throw new UserError(`Cannot reach the queue at ${address.shown}: ${why}.`, {
      hint: /certificate/i.test(why)
        ? 'Add your CA certificate on every machine: NODE_EXTRA_CA_CERTS=/path/ca.pem.'
        : `Check it with \`sightline doctor --queue ${address.shown}\`.`,
    })
  }
}

async function openRedis(address: QueueAddress, health: QueueHealth): Promise<OpenedQueue> {
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
    shared: retried<SharedState>(shared, health),
    health,
    bull: { kind: 'redis', connection: forBull },
    close: async () => {
      health.close()
      forBull.disconnect()
      await shared.close()
    },
  }
}

async function openPostgres(address: QueueAddress, health: QueueHealth): Promise<OpenedQueue> {
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
  const shared = new PostgresState(pool, address.schema)
  const close = async (): Promise<void> => {
    health.close()
    await shared.close()
  }
  try {
    // BullMQ migrations cannot run concurrently, so our own tables are created first, under a lock.
    await shared.spent('')
    const schema = bullSchema(address.schema)
    const connection = { ...settings, schema, migrate: await shared.mayCreate(schema), max: 2 }
    return {
      address,
      shared: retried<SharedState>(shared, health),
      health,
      bull: { kind: 'postgres', connection },
      close,
    }
  } catch (error) {
    await close()
    throw error
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
