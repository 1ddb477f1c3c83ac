/** Shared state on PostgreSQL. */
import type { Pool } from 'pg'
import { codeOf, messageOf, UserError } from '../../base/errors.ts'
import { spacingFor } from '../../models/rate-spacing.ts'
import {
  type ChunkId,
  type SharedState,
  type StoredMessage,
  type ListedKind,
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
import { isSetUp, quoted, setUp, sweep } from './postgres-schema.ts'

/** How often expired values are deleted; Redis does this on its own. */
const SWEEP_MS = 60_000

/** Codes of PostgreSQL: a missing table, schema, column or function. */
const MISSING: ReadonlySet<string> = new Set(['42P01', '3F000', '42703', '42883'])
const FORBIDDEN = '42501'
/** The client reads results as text; by default bytes would be hexadecimal, half as long again and slower to decode. */
const LARGE_BODY = `encode(body, 'base64') AS body`

export class PostgresState implements SharedState {
  readonly #pool: Pool
  readonly #name: string
  /** Quoted, for statements. */
  readonly #schema: string
  #ready: Promise<void> | null = null
  #sweptAt = performance.now()

  constructor(pool: Pool, schema: string) {
    this.#pool = pool
    this.#name = schema
    this.#schema = quoted(schema)
  }

  async set(kind: ValueKind, values: ReadonlyMap<string, Uint8Array>, keepMs: number): Promise<void> {
    if (values.size === 0) return
    await this.#query(
      `INSERT INTO ${this.#schema}.value
       SELECT $1, name, body, now() + $4 * interval '1 millisecond' FROM unnest($2::text[], $3::bytea[]) AS v(name, body)
       ON CONFLICT (kind, name) DO UPDATE SET body = excluded.body, expires = excluded.expires`,
      [kind, [...values.keys()], [...values.values()].map(asBuffer), keepMs],
    )
    await this.#sweep()
  }

  async get(kind: ValueKind, names: readonly string[]): Promise<(Buffer | null)[]> {
    if (names.length === 0) return []
    const rows = await this.#query(
      `SELECT name, body FROM ${this.#schema}.value WHERE kind = $1 AND name = ANY($2) AND expires > now()`,
      [kind, names],
    )
    const found = new Map(rows.map(({ name, body }) => [name, body as Buffer]))
    return names.map((name) => found.get(name) ?? null)
  }

  async remove(kind: ValueKind, names: readonly string[]): Promise<void> {
    if (names.length > 0)
      await this.#query(`DELETE FROM ${this.#schema}.value WHERE kind = $1 AND name = ANY($2)`, [kind, names])
  }

  async list(kind: ListedKind): Promise<Map<string, Buffer>> {
    const rows = await this.#query(
      `SELECT name, body FROM ${this.#schema}.value WHERE kind = $1 AND expires > now() ORDER BY name`,
      [kind],
    )
    return new Map(rows.map(({ name, body }) => [String(name), body as Buffer]))
  }

  async post(run: string, messages: readonly Uint8Array[]): Promise<void> {
    await this.#query(
      `INSERT INTO ${this.#schema}.message (run, body)
       SELECT $1, body FROM unnest($2::bytea[]) WITH ORDINALITY AS l(body, place) ORDER BY place`,
      [run, messages.map(asBuffer)],
    )
  }

  async messages(run: string, atMost: number): Promise<StoredMessage[]> {
    const rows = await this.#query(
      `SELECT id, ${LARGE_BODY} FROM ${this.#schema}.message WHERE run = $1 ORDER BY id LIMIT $2`,
      [run, atMost],
    )
    return rows.map(({ id, body }) => ({ id: String(id), body: fromBase64(body) }))
  }

  async discard(run: string, ids: readonly string[]): Promise<void> {
    if (ids.length > 0)
      await this.#query(`DELETE FROM ${this.#schema}.message WHERE run = $1 AND id = ANY($2::bigint[])`, [run, ids])
  }

  async reserve(run: string, sha256: string, bytes: number, quota: number, claimMs: number): Promise<Reservation> {
    const [row] = await this.#query(`SELECT ${this.#schema}.reserve($1, $2, $3, $4, $5, 0) AS answer`, [
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
      `INSERT INTO ${this.#schema}.chunk VALUES ($1, $2, $3, $4)
       ON CONFLICT (run, sha256, number) DO UPDATE SET body = excluded.body`,
      [run, sha256, number, asBuffer(chunk)],
    )
  }

  async complete(run: string, sha256: string): Promise<void> {
    await this.#query(`UPDATE ${this.#schema}.depot SET whole = true WHERE run = $1 AND sha256 = $2`, [run, sha256])
  }

  async chunks(run: string, wanted: readonly ChunkId[]): Promise<(Buffer | null)[]> {
    const rows = await this.#query(
      `SELECT ${LARGE_BODY} FROM unnest($2::text[], $3::int[]) WITH ORDINALITY AS w(sha256, number, place)
       LEFT JOIN ${this.#schema}.chunk c ON c.run = $1 AND c.sha256 = w.sha256 AND c.number = w.number ORDER BY place`,
      [run, wanted.map(({ sha256 }) => sha256), wanted.map(({ number }) => number)],
    )
    return rows.map(({ body }) => (body === null ? null : fromBase64(body)))
  }

  async release(run: string, media: readonly { sha256: string }[]): Promise<void> {
    if (media.length === 0) return
    await this.#query(
      `WITH gone AS (DELETE FROM ${this.#schema}.chunk WHERE run = $1 AND sha256 = ANY($2))
       DELETE FROM ${this.#schema}.depot WHERE run = $1 AND sha256 = ANY($2)`,
      [run, media.map(({ sha256 }) => sha256)],
    )
  }

  async startSpending(run: string, { usd, tokens }: Spent): Promise<void> {
    await this.#query(
      `INSERT INTO ${this.#schema}.spent AS s (run, usd, tokens, unpriced, started) VALUES ($1, $2, $3, $4, true)
       ON CONFLICT (run) DO UPDATE SET usd = s.usd + excluded.usd, tokens = s.tokens + excluded.tokens,
         unpriced = s.unpriced OR excluded.unpriced, started = true WHERE NOT s.started`,
      [run, usd ?? 0, tokens, usd === null],
    )
  }

  async spend(run: string, { payer, number }: PaymentId, { usd, tokens }: Spent): Promise<void> {
    await this.#query(
      `INSERT INTO ${this.#schema}.spent AS s (run, usd, tokens, unpriced, started, payers)
       VALUES ($1, $2, $3, $4, false, jsonb_build_object($5::text, $6::bigint))
       ON CONFLICT (run) DO UPDATE
       SET usd = s.usd + excluded.usd, tokens = s.tokens + excluded.tokens, unpriced = s.unpriced OR excluded.unpriced,
           payers = s.payers || excluded.payers, touched = now()
       WHERE coalesce((s.payers ->> $5::text)::bigint, 0) < $6::bigint`,
      [run, usd ?? 0, tokens, usd === null, payer, number],
    )
  }

  async spent(run: string): Promise<Spent | null> {
    const [row] = await this.#query(
      `SELECT usd, tokens, unpriced FROM ${this.#schema}.spent WHERE run = $1 AND started`,
      [run],
    )
    if (!row) return null
    return { usd: row['unpriced'] === true ? null : Number(row['usd']), tokens: Number(row['tokens']) }
  }

  async acquireSlot(
    bucket: string,
    lease: string,
    leaseMs: number,
    limits: RateLimits,
    tokens: number,
  ): Promise<SlotAnswer> {
    const [row] = await this.#query(`SELECT ${this.#schema}.take_turn($1, $2, $3, $4, $5, $6, $7, $8, $9) AS answer`, [
      bucket,
      ...slotArguments(lease, leaseMs, limits, tokens),
    ])
    return slotAnswer(row!['answer'])
  }

  async renewSlots(bucket: string, leases: readonly string[], leaseMs: number): Promise<void> {
    if (leases.length === 0) return
    await this.#query(
      `UPDATE ${this.#schema}.turn SET expires = now() + $3 * interval '1 millisecond' WHERE bucket = $1 AND lease = ANY($2)`,
      [bucket, leases, leaseMs],
    )
  }

  async releaseSlot(bucket: string, lease: string, limits: RateLimits, tokens: number, pauseMs: number): Promise<void> {
    const { intervalMs } = spacingFor(limits.tokensPerMinute)
    await this.#query(`SELECT ${this.#schema}.end_turn($1, $2, $3, $4, $5)`, [
      bucket,
      lease,
      intervalMs,
      tokens,
      pauseMs,
    ])
  }

  async lead(run: string, holder: string, keepMs: number): Promise<boolean> {
    const rows = await this.#query(
      `INSERT INTO ${this.#schema}.lead AS l VALUES ($1, $2, now() + $3 * interval '1 millisecond')
       ON CONFLICT (run) DO UPDATE SET who = excluded.who, expires = excluded.expires
       WHERE l.who = excluded.who OR l.expires <= now() RETURNING who`,
      [run, holder, keepMs],
    )
    return rows.length > 0
  }

  async forget(run: string): Promise<void> {
    for (const table of ['message', 'chunk', 'depot', 'spent', 'lead']) {
      await this.#query(`DELETE FROM ${this.#schema}.${table} WHERE run = $1`, [run])
    }
    await this.remove('run', [run])
    await this.#query(`DELETE FROM ${this.#schema}.value WHERE kind = ANY($1) AND starts_with(name, $2)`, [
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
      { what: 'PostgreSQL', verdict: 'fine', words: `${String(row!['version'])}, responds in ${ms} ms` },
      {
        what: 'Persistence',
        verdict: safe ? 'fine' : 'problem',
        words: safe
          ? `fsync is on, synchronous_commit ${String(row!['commits'])}`
          : 'fsync is off: a crash of the server can corrupt the queue',
      },
      {
        what: 'Connections',
        verdict: free < 10 ? 'problem' : 'fine',
        words: `${String(row!['used'])} of ${String(row!['most'])} used; each worker and coordinator uses up to 7`,
      },
      { what: 'Database', verdict: 'fine', words: `size ${String(row!['size'])}` },
    ]
  }

  /** Whether this role may create or change a schema; a role that may not uses it as it is. */
  async mayCreate(schema: string): Promise<boolean> {
    const [row] = await this.#query(
      `SELECT has_database_privilege(current_database(), 'CREATE') OR to_regnamespace($1) IS NULL AS may`,
      [quoted(schema)],
    )
    return row?.['may'] === true
  }

  async close(): Promise<void> {
    await this.#pool.end()
  }

  async #query(text: string, values: readonly unknown[]): Promise<Record<string, unknown>[]> {
    await (this.#ready ??= this.#setUp(false))
    try {
      return (await this.#pool.query<Record<string, unknown>>(text, [...values])).rows
    } catch (error) {
      if (!MISSING.has(codeOf(error) ?? '')) throw error
      // Something dropped the tables while the queue was open.
      await (this.#ready = this.#setUp(true))
      return (await this.#pool.query<Record<string, unknown>>(text, [...values])).rows
    }
  }

  async #setUp(again: boolean): Promise<void> {
    try {
      const { rows } = await this.#pool.query<{ ready: boolean }>(isSetUp(this.#name))
      if (again || rows[0]?.ready !== true) await this.#create()
    } catch (error) {
      this.#ready = null
      throw error
    }
  }

  async #create(): Promise<void> {
    const client = await this.#pool.connect()
    // Otherwise a connection that breaks between two queries ends the process.
    client.on('error', () => undefined)
    try {
      await client.query(`BEGIN;${setUp(this.#name)}COMMIT;`)
      await client.query(sweep(this.#name))
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined)
      if (codeOf(error) !== FORBIDDEN) throw error
      throw new UserError(
        `This role may not create the tables of the queue in schema ${this.#schema}: ${messageOf(error)}.`,
        {
          hint:
            'Let a role that may create them connect first (sightline doctor --queue …) and grant the others their use, ' +
            'or name a schema of your own: postgres://…?schema=NAME.',
          cause: error,
        },
      )
    } finally {
      client.release()
    }
  }

  async #sweep(): Promise<void> {
    if (performance.now() - this.#sweptAt < SWEEP_MS) return
    this.#sweptAt = performance.now()
    await this.#query(`DELETE FROM ${this.#schema}.value WHERE expires < now()`, [])
  }
}

function fromBase64(body: unknown): Buffer {
  return Buffer.from(body as string, 'base64')
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
