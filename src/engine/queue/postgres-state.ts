/** The shared on PostgreSQL. */
import type { Pool } from 'pg'
import { spacingFor } from '../../models/rate-spacing.ts'
import {
  type SharedState,
  type StoredMessage,
  type ListedKind,
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
import { SCHEMA, SETUP } from './postgres-schema.ts'
import { whenReachable } from './reachable.ts'

/** Values that a server throws away by itself elsewhere are looked for here so often. */
const SWEEP_MS = 60_000

export class PostgresBoard implements SharedState {
  readonly #pool: Pool
  readonly #closed = new AbortController()
  #ready: Promise<void> | null = null
  #sweptAt = Date.now()

  constructor(pool: Pool) {
    this.#pool = pool
  }

  async set(kind: ValueKind, name: string, value: Uint8Array, keepMs: number): Promise<void> {
    await this.#query(
      `INSERT INTO ${SCHEMA}.value VALUES ($1, $2, $3, now() + $4 * interval '1 millisecond')
       ON CONFLICT (kind, name) DO UPDATE SET body = excluded.body, expires = excluded.expires`,
      [kind, name, asBuffer(value), keepMs],
    )
    await this.#sweep()
  }

  async get(kind: ValueKind, names: readonly string[]): Promise<(Buffer | null)[]> {
    if (names.length === 0) return []
    const rows = await this.#query(
      `SELECT name, body FROM ${SCHEMA}.value WHERE kind = $1 AND name = ANY($2) AND expires > now()`,
      [kind, names],
    )
    const found = new Map(rows.map(({ name, body }) => [name, body as Buffer]))
    return names.map((name) => found.get(name) ?? null)
  }

  async remove(kind: ValueKind, names: readonly string[]): Promise<void> {
    if (names.length > 0)
      await this.#query(`DELETE FROM ${SCHEMA}.value WHERE kind = $1 AND name = ANY($2)`, [kind, names])
  }

  async list(kind: ListedKind): Promise<Map<string, Buffer>> {
    const rows = await this.#query(
      `SELECT name, body FROM ${SCHEMA}.value WHERE kind = $1 AND expires > now() ORDER BY name`,
      [kind],
    )
    return new Map(rows.map(({ name, body }) => [String(name), body as Buffer]))
  }

  async post(run: string, messages: readonly Uint8Array[]): Promise<void> {
    await this.#query(
      `INSERT INTO ${SCHEMA}.message (run, body)
       SELECT $1, body FROM unnest($2::bytea[]) WITH ORDINALITY AS l(body, place) ORDER BY place`,
      [run, messages.map(asBuffer)],
    )
  }

  async messages(run: string, atMost: number): Promise<StoredMessage[]> {
    const rows = await this.#query(`SELECT id, body FROM ${SCHEMA}.message WHERE run = $1 ORDER BY id LIMIT $2`, [
      run,
      atMost,
    ])
    return rows.map(({ id, body }) => ({ id: String(id), body: body as Buffer }))
  }

  async discard(run: string, ids: readonly string[]): Promise<void> {
    if (ids.length > 0)
      await this.#query(`DELETE FROM ${SCHEMA}.message WHERE run = $1 AND id = ANY($2::bigint[])`, [run, ids])
  }

  async reserve(run: string, sha256: string, bytes: number, quota: number, claimMs: number): Promise<Reservation> {
    const [row] = await this.#query(`SELECT ${SCHEMA}.reserve($1, $2, $3, $4, $5, 0) AS answer`, [
      run,
      sha256,
      bytes,
      quota,
      claimMs,
    ])
    return String(row!['answer']) as Reservation
  }

  async putChunk(run: string, sha256: string, number: number, chunk: Uint8Array): Promise<void> {
    await this.#query(
      `INSERT INTO ${SCHEMA}.chunk VALUES ($1, $2, $3, $4)
       ON CONFLICT (run, sha256, number) DO UPDATE SET body = excluded.body`,
      [run, sha256, number, asBuffer(chunk)],
    )
  }

  async complete(run: string, sha256: string): Promise<void> {
    await this.#query(`UPDATE ${SCHEMA}.depot SET whole = true WHERE run = $1 AND sha256 = $2`, [run, sha256])
  }

  async chunk(run: string, sha256: string, number: number): Promise<Buffer | null> {
    const [row] = await this.#query(`SELECT body FROM ${SCHEMA}.chunk WHERE run = $1 AND sha256 = $2 AND number = $3`, [
      run,
      sha256,
      number,
    ])
    return row ? (row['body'] as Buffer) : null
  }

  async release(run: string, sha256: string): Promise<void> {
    await this.#query(
      `WITH gone AS (DELETE FROM ${SCHEMA}.chunk WHERE run = $1 AND sha256 = $2)
       DELETE FROM ${SCHEMA}.depot WHERE run = $1 AND sha256 = $2`,
      [run, sha256],
    )
  }

  async startSpending(run: string, { usd, tokens }: Spent): Promise<void> {
    await this.#query(`INSERT INTO ${SCHEMA}.spent VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`, [
      run,
      usd ?? 0,
      tokens,
      usd === null,
    ])
  }

  async spend(run: string, { usd, tokens }: Spent): Promise<void> {
    await this.#query(
      `INSERT INTO ${SCHEMA}.spent AS s VALUES ($1, $2, $3, $4) ON CONFLICT (run) DO UPDATE
       SET usd = s.usd + excluded.usd, tokens = s.tokens + excluded.tokens, unpriced = s.unpriced OR excluded.unpriced,
           touched = now()`,
      [run, usd ?? 0, tokens, usd === null],
    )
  }

  async spent(run: string): Promise<Spent> {
    const [row] = await this.#query(`SELECT usd, tokens, unpriced FROM ${SCHEMA}.spent WHERE run = $1`, [run])
    if (!row) return { usd: 0, tokens: 0 }
    return { usd: row['unpriced'] === true ? null : Number(row['usd']), tokens: Number(row['tokens']) }
  }

  async acquireSlot(
    bucket: string,
    lease: string,
    leaseMs: number,
    limits: RateLimits,
    tokens: number,
  ): Promise<TurnAnswer> {
    const [row] = await this.#query(`SELECT ${SCHEMA}.take_turn($1, $2, $3, $4, $5, $6, $7, $8, $9) AS answer`, [
      bucket,
      ...turnArguments(lease, leaseMs, limits, tokens),
    ])
    return turnAnswer(row!['answer'])
  }

  async renewSlots(bucket: string, leases: readonly string[], leaseMs: number): Promise<void> {
    if (leases.length === 0) return
    await this.#query(
      `UPDATE ${SCHEMA}.turn SET expires = now() + $3 * interval '1 millisecond' WHERE bucket = $1 AND lease = ANY($2)`,
      [bucket, leases, leaseMs],
    )
  }

  async endTurn(bucket: string, lease: string, limits: RateLimits, tokens: number, pauseMs: number): Promise<void> {
    const { intervalMs } = spacingFor(limits.tokensPerMinute)
    await this.#query(`SELECT ${SCHEMA}.end_turn($1, $2, $3, $4, $5)`, [bucket, lease, intervalMs, tokens, pauseMs])
  }

  async lead(run: string, who: string, keepMs: number): Promise<boolean> {
    const rows = await this.#query(
      `INSERT INTO ${SCHEMA}.lead AS l VALUES ($1, $2, now() + $3 * interval '1 millisecond')
       ON CONFLICT (run) DO UPDATE SET who = excluded.who, expires = excluded.expires
       WHERE l.who = excluded.who OR l.expires <= now() RETURNING who`,
      [run, who, keepMs],
    )
    return rows.length > 0
  }

  async forget(run: string): Promise<void> {
    for (const table of ['message', 'chunk', 'depot', 'spent', 'lead']) {
      await this.#query(`DELETE FROM ${SCHEMA}.${table} WHERE run = $1`, [run])
    }
    await this.remove('run', [run])
    await this.#query(`DELETE FROM ${SCHEMA}.value WHERE kind = ANY($1) AND starts_with(name, $2)`, [
      RUN_KINDS,
      `${run}/`,
    ])
  }

  async inspect(): Promise<ServerFinding[]> {
    const asked = performance.now()
    const [row] = await this.#query(
      `SELECT current_setting('server_version') AS version, current_setting('max_connections') AS most,
              current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commits,
              (SELECT count(*) FROM pg_stat_activity) AS used, pg_size_pretty(pg_database_size(current_database())) AS size`,
      [],
    )
    const ms = Math.round(performance.now() - asked)
    const free = Number(row!['most']) - Number(row!['used'])
    const safe = row!['fsync'] === 'on'
    return [
      { what: 'PostgreSQL', verdict: 'fine', words: `${String(row!['version'])}, answers in ${ms} ms` },
      {
        what: 'Persistence',
        verdict: safe ? 'fine' : 'problem',
        words: safe
          ? `fsync is on, synchronous_commit ${String(row!['commits'])}`
          : 'fsync is off: a crash of the server may damage the queue',
      },
      {
        what: 'Connections',
        verdict: free < 10 ? 'problem' : 'fine',
        words: `${String(row!['used'])} of ${String(row!['most'])} used; a worker takes up to 7, a coordinator up to 7`,
      },
      { what: 'Database', verdict: 'fine', words: `${String(row!['size'])} large` },
    ]
  }

  async close(): Promise<void> {
    this.#closed.abort(new Error('the queue is closed'))
    await this.#pool.end()
  }

  #query(text: string, values: readonly unknown[]): Promise<Record<string, unknown>[]> {
    return whenReachable(async () => {
      this.#ready ??= this.#setUp()
      await this.#ready
      const { rows } = await this.#pool.query<Record<string, unknown>>(text, [...values])
      return rows
    }, this.#closed.signal)
  }

  async #setUp(): Promise<void> {
    const client = await this.#pool.connect().catch((error: unknown) => {
      this.#ready = null
      throw error
    })
    try {
      await client.query(`BEGIN;${SETUP}COMMIT;`)
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined)
      this.#ready = null
      throw error
    } finally {
      client.release()
    }
  }

  async #sweep(): Promise<void> {
    if (Date.now() - this.#sweptAt < SWEEP_MS) return
    this.#sweptAt = Date.now()
    await this.#query(`DELETE FROM ${SCHEMA}.value WHERE expires < now()`, [])
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
