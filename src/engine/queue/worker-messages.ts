/**
 * What workers write to the coordinator of a run. A message is a line of JSON; behind it may stand the events of an episode
 * as they will be written, so that long logs are never packed and unpacked as JSON texts.
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
  /** Are these media in the store? */
  z.object({ type: z.literal('offer'), media: z.array(sha256) }),
  /** These are in the depot, all of their chunks. */
  z.object({ type: z.literal('sent'), sha256, bytes: count, mediaType: z.enum(MEDIA_TYPES) }),
  /** Is there a reply under this key in the store? */
  z.object({ type: z.literal('lookup'), key: z.string() }),
  /** A reply came home and was paid for. */
  z.object({ type: z.literal('paid'), usage }),
  /** The same reply for the response cache. */
  z.object({ type: z.literal('reply'), key: z.string(), reply: z.unknown() }),
  /** A worker has seen that the budget of the whole run is spent. */
  z.object({ type: z.literal('budget'), words: z.string() }),
  /** An episode is over. `calls` and `cachedCalls` are the replies that no `paid` told of. */
  z.object({
    type: z.literal('finished'),
    worker: z.string(),
    job: z.string(),
    line,
    media: z.array(sha256),
    calls: count,
    cachedCalls: count,
    /** Keys of replies that are kept beside the queue until this episode is in the journal. */
    replies: z.array(z.string()),
  }),
  /** A fault in a suite: the run ends, loudly. */
  z.object({
    type: z.literal('fault'),
    worker: z.string(),
    episode: z.string(),
    message: z.string(),
    stack: z.string().nullable(),
  }),
  /** Something for people: a worker joined, or may not. */
  z.object({ type: z.literal('note'), worker: z.string(), words: z.string() }),
])

export type WorkerMessage = z.infer<typeof messageSchema>

export function packMessage(message: WorkerMessage, events: readonly string[] = []): Buffer {
  const head = JSON.stringify(message)
  return Buffer.from(events.length === 0 ? head : `${head}\n${events.join('\n')}`)
}

/** Null for what is no message: a box is outside data. */
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
