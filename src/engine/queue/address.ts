/** Parses queue URLs and removes their passwords for display. */
import { UserError } from '../../base/errors.ts'
import { passwordsIn, type Redact, redactor } from '../../models/secrets.ts'

export type QueueKind = 'redis' | 'postgres'

export interface QueueAddress {
  kind: QueueKind
  /** Complete URL with user and password, for the driver only. */
  url: string
  /** Schema of the tables in PostgreSQL: `?schema=NAME` in the URL. */
  schema: string
  /** URL without the password, for output, logs and files. */
  shown: string
  /** Signs messages; empty if there is none. */
  secret: string
  /** Removes the password from any text. */
  redact: Redact
}

const KINDS: Readonly<Record<string, QueueKind>> = {
  'redis:': 'redis',
  'rediss:': 'redis',
  'valkey:': 'redis',
  'valkeys:': 'redis',
  'postgres:': 'postgres',
  'postgresql:': 'postgres',
}

type Environment = Readonly<Record<string, string | undefined>>

/** Environment variable for the password; command lines are visible to every user of a machine. */
export const PASSWORD_VARIABLE = 'SIGHTLINE_QUEUE_PASSWORD'
/** Environment variable for the secret that signs messages. */
export const SECRET_VARIABLE = 'SIGHTLINE_QUEUE_SECRET'
export const QUEUE_VARIABLE = 'SIGHTLINE_QUEUE'

const DEFAULT_SCHEMA = 'sightline'
/** Leaves room for the suffix of BullMQ's schema; PostgreSQL truncates names at 63 bytes. */
const SCHEMA = /^[A-Za-z_][A-Za-z0-9_]{0,49}$/

/**
 * Parses the URL of a queue: `redis://host:6379/0`, `rediss://` for TLS, `valkey://`, `postgres://host/database`.
 *
 * @example
 * parseQueueAddress('redis://:secret@host:6379/0', {}).shown // 'redis://host:6379/0'
 */
export function parseQueueAddress(text: string, env: Environment): QueueAddress {
  const url = URL.canParse(text) ? new URL(text) : null
  const kind = url ? KINDS[url.protocol] : undefined
  if (!url || !kind) {
    throw new UserError(
      `Invalid queue URL "${withoutPassword(text)}". Use redis://host:6379/0 or postgres://host/database.`,
      {
        hint: 'For TLS use rediss://… or postgres://…?sslmode=require. Put the password in the URL or in SIGHTLINE_QUEUE_PASSWORD.',
      },
    )
  }
  if (kind === 'redis' && !/^\/?\d*$/.test(url.pathname)) {
    throw new UserError(
      `Invalid queue URL: the database of Redis must be a number, as in redis://host:6379/0, not "${url.pathname}".`,
    )
  }
  const schema = url.searchParams.get('schema') ?? DEFAULT_SCHEMA
  if (!SCHEMA.test(schema)) {
    throw new UserError(`Invalid queue URL: the schema "${schema}" is not a simple name.`, {
      hint: 'Use up to 50 letters, digits and underscores, as in postgres://host/database?schema=team_a.',
    })
  }
  const set = env[PASSWORD_VARIABLE]
  if (url.password === '' && set !== undefined && set !== '') url.password = set
  // The drivers do not know the valkey: scheme.
  const driven = url.href.replace(/^valkey(s?):/, 'redis$1:')
  const secret = env[SECRET_VARIABLE] ?? ''
  const inQuery = url.searchParams.get('password') ?? undefined
  const credentials = url.password === '' ? undefined : `${url.username}:${decodeURIComponent(url.password)}`
  return {
    kind,
    url: driven,
    schema,
    shown: withoutPassword(url.href),
    secret,
    redact: redactor([...passwordsIn(credentials), url.password, inQuery, secret]),
  }
}

/**
 * The queue that a run was played on. Passwords are not saved, so the password comes from the environment; if
 * `SIGHTLINE_QUEUE` is the same queue, it is used as is. The run may come from elsewhere, and its queue would get the
 * password and the samples: any other queue must be known.
 *
 * @param known queues that the user has named on this machine, without passwords
 */
export function savedAddress(shown: string, env: Environment, known: readonly string[]): QueueAddress {
  const current = env[QUEUE_VARIABLE]
  if (current !== undefined && URL.canParse(current) && withoutPassword(new URL(current).href) === shown) {
    return parseQueueAddress(current, env)
  }
  if (!known.includes(shown)) {
    throw new UserError(`This run was played on ${shown}, a queue that nobody on this machine has named.`, {
      hint: `If it is yours, use --queue ${shown}. To play in this process, use --queue here.`,
    })
  }
  return parseQueueAddress(shown, env)
}

function withoutPassword(text: string): string {
  return text
    .replace(/^([a-z]+:\/\/[^:/?#@]*)(?::[^/?#]*)?@/i, (_, user: string) => (user.endsWith('//') ? user : `${user}@`))
    .replaceAll(/([?&])password=[^&#]*&?/gi, '$1')
    .replace(/[?&]$/, '')
}
