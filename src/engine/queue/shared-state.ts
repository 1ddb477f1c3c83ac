/**
 * What the processes of a cluster share beside the queue itself: small values, a message box a run, media on their way,
 * money spent, and whose turn it is to send. One interface, two implementations, one test-suite for both.
 */
import { spacingFor } from '../../models/rate-spacing.ts'

/** How long anything stays that nobody has touched: long enough for a weekend, short enough not to fill a server. */
export const KEEP_MS = 7 * 24 * 60 * 60 * 1000

/** Kinds of values; those in `LISTED` can be listed. */
export type ValueKind = 'run' | 'worker' | 'reply' | 'media'
export type ListedKind = 'run' | 'worker'
export const LISTED_KINDS: readonly ValueKind[] = ['run', 'worker']
/** Kinds whose names begin with the run that they are of, and a slash. */
export const RUN_KINDS: readonly ValueKind[] = ['reply', 'media']

/** What may happen to someone who wants to hand in media. */
export type Reservation =
  /** Send it. */
  | 'go'
  /** It is there already. */
  | 'there'
  /** Someone else is sending it at this moment. */
  | 'busy'
  /** Too much is on its way: wait until the coordinator has fetched some. */
  | 'full'

export interface Spent {
  /** Null once anything without a known price was paid. */
  usd: number | null
  tokens: number
}

/** What limits requests to one model over all workers. */
export interface RateLimits {
  /** Requests under way at once. */
  connections: number
  requestsPerMinute: number | null
  tokensPerMinute: number | null
}

export interface StoredMessage {
  id: string
  body: Buffer
}

export interface SharedState {
  set(kind: ValueKind, name: string, value: Uint8Array, keepMs: number): Promise<void>
  get(kind: ValueKind, names: readonly string[]): Promise<(Buffer | null)[]>
  remove(kind: ValueKind, names: readonly string[]): Promise<void>
  list(kind: ListedKind): Promise<Map<string, Buffer>>

  /** Puts messages into the box of a run, in this order. */
  post(run: string, messages: readonly Uint8Array[]): Promise<void>
  /** The oldest messages; they stay until they are discarded. */
  messages(run: string, atMost: number): Promise<StoredMessage[]>
  /** Throws messages away. By name, because a command may reach the server twice when a connection breaks. */
  discard(run: string, ids: readonly string[]): Promise<void>

  /** Asks for room for media. A place that is not filled within `claimMs` is free again. */
  reserve(run: string, sha256: string, bytes: number, quota: number, claimMs: number): Promise<Reservation>
  putChunk(run: string, sha256: string, number: number, chunk: Uint8Array): Promise<void>
  /** All chunks are there. */
  complete(run: string, sha256: string): Promise<void>
  /** Null when it is not there, or not all of it. */
  chunk(run: string, sha256: string, number: number): Promise<Buffer | null>
  /** Fetched: its room is free. */
  release(run: string, sha256: string, chunks: number): Promise<void>

  /** Begins to count what a run spends, from what it had spent before; does nothing when it is counted already. */
  startSpending(run: string, before: Spent): Promise<void>
  spend(run: string, usage: Spent): Promise<void>
  spent(run: string): Promise<Spent>

  /** Asks for a turn to send; the wait in milliseconds when it is not given (0 when nobody can tell). */
  acquireSlot(bucket: string, lease: string, leaseMs: number, limits: RateLimits, tokens: number): Promise<TurnAnswer>
  renewSlots(bucket: string, leases: readonly string[], leaseMs: number): Promise<void>
  /** Gives a turn back. `tokens`: what it used beyond what was asked for; `pauseMs`: nobody sends before that. */
  endTurn(bucket: string, lease: string, limits: RateLimits, tokens: number, pauseMs: number): Promise<void>

  /** Takes or keeps the lead of a run; false when another one has it. */
  lead(run: string, who: string, keepMs: number): Promise<boolean>
  /** Takes away everything of a run. */
  forget(run: string): Promise<void>
  /** What the server says about itself, for `doctor`. */
  inspect(): Promise<ServerFinding[]>
  close(): Promise<void>
}

export type TurnAnswer = { granted: true } | { granted: false; waitMs: number }

/** What the server's own function for turns is given, in this order. */
export function turnArguments(
  lease: string,
  leaseMs: number,
  { connections, requestsPerMinute, tokensPerMinute }: RateLimits,
  tokens: number,
): (string | number)[] {
  const requests = spacingFor(requestsPerMinute)
  const forTokens = spacingFor(tokensPerMinute)
  return [
    lease,
    leaseMs,
    connections,
    requests.intervalMs,
    requests.burstMs,
    forTokens.intervalMs,
    forTokens.burstMs,
    tokens,
  ]
}

/** That function gives −1 for a turn, else the wait. */
export function turnAnswer(given: unknown): TurnAnswer {
  const waitMs = Number(given)
  return waitMs < 0 ? { granted: true } : { granted: false, waitMs }
}

export interface ServerFinding {
  what: string
  verdict: 'fine' | 'missing' | 'problem'
  words: string
}

/** Media travel in pieces of this size, so that nobody has to hold a whole film in memory and the server stays quick. */
export const CHUNK_BYTES = 512 * 1024

export function chunksOf(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / CHUNK_BYTES))
}
