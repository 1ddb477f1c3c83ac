/** What can happen to the server of a queue in the middle of a run. */
import { administer, type TestServer } from './queue.ts'

export interface QueueFault {
  name: string
  /** Statements of the administrator. */
  fault: readonly string[]
  /** Null if nothing has to be repaired. */
  repair: readonly string[] | null
  /** Part of the sentence of a run that ends; null if it waits and continues on its own. */
  ends: RegExp | null
}

const READ_ONLY = (on: 'on' | 'off'): string[] => [
  'SET default_transaction_read_only = off',
  `ALTER SYSTEM SET default_transaction_read_only = ${on}`,
  'SELECT pg_reload_conf()',
]
const DISCONNECT = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'player'`

export const REDIS_FAULTS: readonly QueueFault[] = [
  {
    name: 'is full for a while',
    fault: ['CONFIG SET maxmemory 1'],
    repair: ['CONFIG SET maxmemory 0'],
    ends: null,
  },
  {
    name: 'stays full',
    fault: ['CONFIG SET maxmemory 1'],
    repair: ['CONFIG SET maxmemory 0'],
    ends: /does not work: OOM/,
  },
  { name: 'is read-only for a while', fault: ['REPLICAOF 127.0.0.1 1'], repair: ['REPLICAOF NO ONE'], ends: null },
  { name: 'loses everything', fault: ['FLUSHALL'], repair: null, ends: null },
  {
    name: 'gets another password',
    fault: ['ACL SETUSER default resetpass >another-password', 'CLIENT KILL TYPE normal SKIPME yes'],
    repair: ['AUTH default another-password', 'ACL SETUSER default nopass'],
    ends: /does not work: .*NOAUTH/,
  },
]

export const POSTGRES_FAULTS: readonly QueueFault[] = [
  { name: 'is read-only for a while', fault: READ_ONLY('on'), repair: READ_ONLY('off'), ends: null },
  { name: 'loses its tables', fault: ['DROP SCHEMA sightline CASCADE'], repair: null, ends: null },
  {
    name: 'loses the tables of its jobs',
    fault: ['DROP SCHEMA sightline_bullmq CASCADE'],
    repair: null,
    ends: /does not work: .*(does not exist|could not open relation)/,
  },
  {
    name: 'no longer admits the role',
    fault: ['ALTER ROLE player NOLOGIN', DISCONNECT],
    repair: ['ALTER ROLE player LOGIN'],
    ends: /does not work: role "player" is not permitted to log in/,
  },
]

/** The URL for coordinators and workers, whose role on PostgreSQL is not that of the administrator. */
export async function playersUrl({ url }: TestServer): Promise<string> {
  if (!url.startsWith('postgres')) return url
  await administer(url, 'CREATE ROLE player LOGIN SUPERUSER')
  return url.replace('postgres@', 'player@')
}
