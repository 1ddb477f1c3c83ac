/**
 * Messages from workers to the coordinator of a run. A message is a line of JSON, optionally followed by the events of an
 * episode exactly as they will be written, so long logs are not encoded twice.
 */
import { z } from 'zod'
import { MEDIA_TYPES } from '../../media/ref.ts'
import type { EpisodeLine } from '../../store/records.ts'
import { episodeProblem } from '../../store/schemas.ts'
import type { Seal } from './seal.ts'

/** Far above any real message. */
const MAX_MESSAGE_BYTES = 256 * 2 ** 20
/** No single file is larger; it is held in memory. */
const MAX_MEDIA_BYTES = 2 ** 31
const MAX_LISTED = 65_536
/** Longer texts are cut off by the sender. */
const MAX_TEXT_LENGTH = 20_000

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
/** As in the response cache. */
const replyKey = z.string().regex(/^[0-9a-f]{16,128}$/)
const hashes = z.array(sha256).max(MAX_LISTED)
const count = z.number().nonnegative().max(1e12)
const text = z.string().max(MAX_TEXT_LENGTH)

const usage = z.object({
  calls: count,
  inputTokens: count,
  outputTokens: count,
  reasoningTokens: count,
  cachedInputTokens: count,
  usd: count.nullable(),
  estimatedCalls: count.optional(),
})

const line = z.custom<Omit<EpisodeLine, 'events'>>((value) => episodeProblem(value, false) === null)

const messageSchema = z.discriminatedUnion('type', [
  /** Asks whether media is in the store. */
  z.object({ type: z.literal('offer'), media: hashes }),
  /** Media is on the server, complete. */
  z.object({
    type: z.literal('sent'),
    sha256,
    bytes: z.int().nonnegative().max(MAX_MEDIA_BYTES),
    mediaType: z.enum(MEDIA_TYPES),
  }),
  /** Asks for a cached reply in the store. */
  z.object({ type: z.literal('lookup'), key: replyKey }),
  /** A reply was paid for. */
  z.object({ type: z.literal('paid'), usage }),
  /** A reply for the response cache. */
  z.object({ type: z.literal('reply'), key: replyKey, reply: z.json() }),
  /** The budget of the run is spent. */
  z.object({ type: z.literal('budget'), words: text }),
  /** An episode is finished. `calls` and `cachedCalls` count the replies without a `paid` message. */
  z.object({
    type: z.literal('finished'),
    worker: text,
    job: text,
    line,
    fatal: z.boolean(),
    media: hashes,
    calls: count,
    cachedCalls: count,
    /** Keys of shared replies to delete when this episode is in the journal. */
    replies: z.array(replyKey).max(MAX_LISTED),
  }),
  /** A bug in a suite; ends the run. */
  z.object({
    type: z.literal('fault'),
    worker: text,
    episode: text,
    message: text,
    stack: text.nullable(),
  }),
  /** Human-readable information. */
  z.object({ type: z.literal('note'), worker: text, words: text }),
])

export type WorkerMessage = z.infer<typeof messageSchema>

const envelopeSchema = z.object({ message: messageSchema, sender: z.uuid(), number: z.int().positive() })

/** A message with its sender and its number among the messages of the sender. */
export type Envelope = z.infer<typeof envelopeSchema>

const SEALED_AS = 'message'

export function packMessage(envelope: Envelope, events: readonly string[], seal: Seal): Buffer {
  const head = JSON.stringify(envelope)
  return seal.close(SEALED_AS, Buffer.from(events.length === 0 ? head : `${head}\n${events.join('\n')}`))
}

/** The reason for messages that cannot be used, because they are external data. */
export function readMessage(sealed: Buffer, seal: Seal): { envelope: Envelope; events: string[] } | string {
  if (sealed.length > MAX_MESSAGE_BYTES) return 'the message is too large'
  const body = seal.open(SEALED_AS, sealed)
  if (!body) return 'the message is not signed with the secret of this run (SIGHTLINE_QUEUE_SECRET)'
  const end = body.indexOf(10)
  try {
    const parsed = envelopeSchema.safeParse(JSON.parse(body.toString('utf8', 0, end < 0 ? body.length : end)))
    if (!parsed.success) {
      const issue = parsed.error.issues[0]
      return `the message is not valid (${issue?.path.join('.')}: ${issue?.message})`
    }
    const events = end < 0 ? [] : body.toString('utf8', end + 1).split('\n')
    if (!events.every((event) => event.startsWith('{') && event.endsWith('}'))) return 'its events are not valid'
    return { envelope: parsed.data, events }
  } catch {
    return 'the message is not JSON'
  }
}

/** Cuts off a text that may be too long for a message. */
export function shortened(long: string): string {
  return long.length <= MAX_TEXT_LENGTH ? long : `${long.slice(0, MAX_TEXT_LENGTH - 1)}…`
}
