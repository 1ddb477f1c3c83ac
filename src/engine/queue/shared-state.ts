/**
 * State shared by the processes of a cluster, in addition to the BullMQ queue: small values, messages per run, media in
 * transit, money spent and rate limits. One interface, two implementations, one test suite for both.
 */
import { spacingFor } from '../../models/rate-spacing.ts'

/** Lifetime of unused data: long enough for a weekend, short enough not to fill a server. */
export const KEEP_MS = 7 * 24 * 60 * 60 * 1000

/** Kinds of values; only those in `LISTED_KINDS` can be listed. */
export type ValueKind = 'run' | 'worker' | 'reply' | 'media'
export type ListedKind = 'run' | 'worker'
export const LISTED_KINDS: readonly ValueKind[] = ['run', 'worker']
/** Kinds whose names start with the id of their run and a slash. */
export const RUN_KINDS: readonly ValueKind[] = ['reply', 'media']

/** The answer to a request to send media. */
export type Reservation =
  /** Send it. */
  | 'go'
  /** Already on the server. */
  | 'there'
  /** Another worker is sending it. */
  | 'busy'
  /** Quota exceeded: wait until the coordinator has fetched some. */
  | 'full'

export interface Spent {
  /** Null once a reply without a known price was paid for. */
  usd: number | null
  tokens: number
}

/** Payers send one payment at a time, so the server remembers one number for each. */
export interface PaymentId {
  payer: string
  number: number
}

/** Limits for requests to one model, across all workers. */
export interface RateLimits {
  /** Maximum concurrent requests. */
  connections: number
  requestsPerMinute: number | null
  tokensPerMinute: number | null
}

/** Chunks of media are numbered from 0. */
export interface ChunkId {
  sha256: string
  number: number
}

export interface StoredMessage {
  id: string
  body: Buffer
}

export interface SharedState {
  set(kind: ValueKind, values: ReadonlyMap<string, Uint8Array>, keepMs: number): Promise<void>
  get(kind: ValueKind, names: readonly string[]): Promise<(Buffer | null)[]>
  remove(kind: ValueKind, names: readonly string[]): Promise<void>
  list(kind: ListedKind): Promise<Map<string, Buffer>>

  /** Sends messages to the coordinator of a run, in order. */
  post(run: string, messages: readonly Uint8Array[]): Promise<void>
  /** The oldest messages. They stay until discarded. */
  messages(run: string, atMost: number): Promise<StoredMessage[]>
  /** Deletes messages by id, because a command can reach the server twice if a connection breaks. */
  discard(run: string, ids: readonly string[]): Promise<void>

  /** Reserves space for media. An incomplete reservation expires after `claimMs`. */
  reserve(run: string, sha256: string, bytes: number, quota: number, claimMs: number): Promise<Reservation>
  putChunk(run: string, sha256: string, number: number, chunk: Uint8Array): Promise<void>
  /** Marks media as complete: all chunks are on the server. */
  complete(run: string, sha256: string): Promise<void>
  /** Null for chunks that are not there. */
  chunks(run: string, wanted: readonly ChunkId[]): Promise<(Buffer | null)[]>
  /** Deletes fetched media and frees its space. */
  release(run: string, media: readonly { sha256: string; bytes: number }[]): Promise<void>

  /** Initializes the spending of a run; no effect if it is initialized already. */
  startSpending(run: string, before: Spent): Promise<void>
  /** Adds an amount once: numbers of a payer that are not higher than its last one have no effect. */
  spend(run: string, payment: PaymentId, amount: Spent): Promise<void>
  /** Null if it is not initialized, for example because the server lost it. */
  spent(run: string): Promise<Spent | null>

  /** Requests a slot to send a request. If it is not granted, returns the wait in milliseconds (0: unknown). */
  acquireSlot(bucket: string, lease: string, leaseMs: number, limits: RateLimits, tokens: number): Promise<SlotAnswer>
  renewSlots(bucket: string, leases: readonly string[], leaseMs: number): Promise<void>
  /** Releases a slot. `tokens` is the usage beyond what was requested; `pauseMs` pauses all workers. */
  releaseSlot(bucket: string, lease: string, limits: RateLimits, tokens: number, pauseMs: number): Promise<void>

  /** Acquires or renews the coordinator lease of a run; false if another process has it. */
  lead(run: string, holder: string, keepMs: number): Promise<boolean>
  /** Deletes all data of a run. */
  forget(run: string): Promise<void>
  /** Checks of the server, for `doctor`. */
  inspect(): Promise<ServerFinding[]>
  close(): Promise<void>
}

export type SlotAnswer = { granted: true } | { granted: false; waitMs: number }

/** Arguments of the server-side function that grants slots, in order. */
export function slotArguments(
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

/** The result of that function: -1 if granted, otherwise the wait. */
export function slotAnswer(given: unknown): SlotAnswer {
  const waitMs = Number(given)
  return waitMs < 0 ? { granted: true } : { granted: false, waitMs }
}

export interface ServerFinding {
  what: string
  verdict: 'fine' | 'missing' | 'problem'
  words: string
}

/** Media is sent in chunks, so no process holds a whole video in memory and the server stays responsive. */
export const CHUNK_BYTES = 512 * 1024

export function chunksOf(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / CHUNK_BYTES))
}
