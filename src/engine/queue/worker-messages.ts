/**
 * Messages from workers to the coordinator of a run. A message is a line of JSON, optionally followed by the events of an
 * episode exactly as they will be written, so long logs are not encoded twice.
 */
import { z } from 'zod'
import { MEDIA_TYPES } from '../../media/ref.ts'
import type { EpisodeLine } from '../../store/records.ts'
import { episodeProblem } from '../../store/schemas.ts'

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const count = z.number().nonnegative()

const usage = z.object({
  calls: count,
  inputTokens: count,
  outputTokens: count,
  reasoningTokens: count,
  cachedInputTokens: count,
  usd: count.nullable(),
})

const line = z.custom<Omit<EpisodeLine, 'events'>>((value) => episodeProblem(value, false) === null)

const messageSchema = z.discriminatedUnion('type', [
  /** Asks whether media is in the store. */
  z.object({ type: z.literal('offer'), media: z.array(sha256) }),
  /** Media is on the server, complete. */
  z.object({ type: z.literal('sent'), sha256, bytes: count, mediaType: z.enum(MEDIA_TYPES) }),
  /** Asks for a cached reply in the store. */
  z.object({ type: z.literal('lookup'), key: z.string() }),
  /** A reply was paid for. */
  z.object({ type: z.literal('paid'), usage }),
  /** A reply for the response cache. */
  z.object({ type: z.literal('reply'), key: z.string(), reply: z.unknown() }),
  /** The budget of the run is spent. */
  z.object({ type: z.literal('budget'), words: z.string() }),
  /** An episode is finished. `calls` and `cachedCalls` count the replies without a `paid` message. */
  z.object({
    type: z.literal('finished'),
    worker: z.string(),
    job: z.string(),
    line,
    fatal: z.boolean(),
    media: z.array(sha256),
    calls: count,
    cachedCalls: count,
    /** Keys of shared replies to delete when this episode is in the journal. */
    replies: z.array(z.string()),
  }),
  /** A bug in a suite; ends the run. */
  z.object({
    type: z.literal('fault'),
    worker: z.string(),
    episode: z.string(),
    message: z.string(),
    stack: z.string().nullable(),
  }),
  /** Human-readable information. */
  z.object({ type: z.literal('note'), worker: z.string(), words: z.string() }),
])

export type WorkerMessage = z.infer<typeof messageSchema>

export function packMessage(message: WorkerMessage, events: readonly string[] = []): Buffer {
  const head = JSON.stringify(message)
  return Buffer.from(events.length === 0 ? head : `${head}\n${events.join('\n')}`)
}

/** Null for invalid messages, because they are external data. */
export function readMessage(body: Buffer): { message: WorkerMessage; events: string[] } | null {
  const end = body.indexOf(10)
  try {
    const parsed = messageSchema.safeParse(JSON.parse(body.toString('utf8', 0, end < 0 ? body.length : end)))
    if (!parsed.success) return null
    return { message: parsed.data, events: end < 0 ? [] : body.toString('utf8', end + 1).split('\n') }
  } catch {
    return null
  }
}
