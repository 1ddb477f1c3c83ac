/** Where a queue is, as the user writes it, and how to name it without its secrets. */
import { UserError } from '../../base/errors.ts'
import { passwordsIn, type Redact, redactor } from '../../models/secrets.ts'

export type QueueKind = 'redis' | 'postgres'

export interface QueueAddress {
  kind: QueueKind
  /** Complete, with user and password: for the driver alone. */
  url: string
  /** The same without the password: for people, logs and files. */
  shown: string
  /** Takes the password out of any words. */
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

/** Where a password may be that should not stand on a command line, which every user of a machine can read. */
export const PASSWORD_VARIABLE = 'SIGHTLINE_QUEUE_PASSWORD'
export const QUEUE_VARIABLE = 'SIGHTLINE_QUEUE'

/**
 * Reads the address of a queue: `redis://host:6379/0`, `rediss://` for TLS, `valkey://`, `postgres://host/database`.
 *
 * @example
 * parseQueueAddress('redis://:secret@host:6379/0', {}).shown // 'redis://host:6379/0'
 */
export function parseQueueAddress(text: string, env: Environment): QueueAddress {
  const url = URL.canParse(text) ? new URL(text) : null
  const kind = url ? KINDS[url.protocol] : undefined
  if (!url || !kind) {
    throw new UserError(
      `A queue is at redis://host:6379/0 or postgres://host/database, not at "${withoutPassword(text)}".`,
      {
        hint: 'With TLS: rediss://… or postgres://…?sslmode=require. Passwords: in the address or in SIGHTLINE_QUEUE_PASSWORD.',
      },
    )
  }
  if (kind === 'redis' && !/^\/?\d*$/.test(url.pathname)) {
    throw new UserError(`The database of a Redis queue is a number, as in redis://host:6379/0, not "${url.pathname}".`)
  }
  const set = env[PASSWORD_VARIABLE]
  if (url.password === '' && set !== undefined && set !== '') url.password = set
  // The drivers know Redis by one name.
  const driven = url.href.replace(/^valkey(s?):/, 'redis$1:')
  const inQuery = url.searchParams.get('password') ?? undefined
  const credentials = url.password === '' ? undefined : `${url.username}:${decodeURIComponent(url.password)}`
  return {
    kind,
    url: driven,
    shown: withoutPassword(url.href),
    redact: redactor([...passwordsIn(credentials), url.password, inQuery]),
  }
}

/**
 * The address that a run was played on, to be used again: its password was not kept, so it comes from the environment. The
 * whole of `SIGHTLINE_QUEUE` is taken when it is the same place.
 */
export function savedAddress(shown: string, env: Environment): QueueAddress {
  const whole = env[QUEUE_VARIABLE]
  if (whole !== undefined && URL.canParse(whole) && withoutPassword(new URL(whole).href) === shown) {
    return parseQueueAddress(whole, env)
  }
  return parseQueueAddress(shown, env)
}

function withoutPassword(text: string): string {
  return text
    .replace(/^([a-z]+:\/\/[^:/?#@]*)(?::[^/?#]*)?@/i, (_, user: string) => (user.endsWith('//') ? user : `${user}@`))
    .replaceAll(/([?&])password=[^&#]*&?/gi, '$1')
    .replace(/[?&]$/, '')
}
