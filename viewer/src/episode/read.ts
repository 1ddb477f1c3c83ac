/**
 * Event schemas. Events may come from another version or a hand-written file: those with an unexpected shape are shown
 * as raw data.
 */
import * as z from 'zod/mini'
import type { RecordedEvent } from '../../../src/server/api.ts'

// The page's policy forbids eval, which zod would otherwise try.
z.config({ jitless: true })

export { z }

const usage = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  reasoningTokens: z.optional(z.number()),
  usd: z.optional(z.nullable(z.number())),
})

const mediaRef = z.object({
  sha256: z.string(),
  type: z.string(),
  bytes: z.optional(z.number()),
  width: z.optional(z.number()),
  height: z.optional(z.number()),
})
export type MediaData = z.infer<typeof mediaRef>

const part = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('media'), media: mediaRef }),
])

export const messageEvent = z.object({
  type: z.literal('message'),
  id: z.number(),
  role: z.string(),
  content: z.union([z.string(), z.array(part)]),
})

export const askEvent = z.object({
  type: z.literal('ask'),
  role: z.string(),
  purpose: z.optional(z.string()),
  messages: z.array(z.number()),
  sampling: z.optional(z.record(z.string(), z.unknown())),
})

export const replyEvent = z.object({
  type: z.literal('reply'),
  role: z.string(),
  text: z.string(),
  media: z.optional(z.array(mediaRef)),
  reasoning: z.optional(z.string()),
  finish: z.optional(z.string()),
  usage: z.optional(usage),
  ms: z.optional(z.number()),
  cached: z.optional(z.boolean()),
})

export const mediaEvent = z.object({
  type: z.literal('media'),
  sha256: z.string(),
  mediaType: z.string(),
  bytes: z.optional(z.number()),
  width: z.optional(z.number()),
  height: z.optional(z.number()),
  provenance: z.optional(z.record(z.string(), z.unknown())),
})

export const outcomeEvent = z.object({
  type: z.literal('outcome'),
  status: z.string(),
  outcome: z.optional(z.unknown()),
  problem: z.optional(z.string()),
})

export const measurementEvent = z.object({
  type: z.literal('measurement'),
  instrument: z.string(),
  version: z.string(),
  value: z.optional(z.unknown()),
})

/** The parsed event, or `null` if it has another shape. */
export function readEvent<Schema extends z.core.$ZodType>(
  schema: Schema,
  event: RecordedEvent,
): z.output<Schema> | null {
  const read = z.safeParse(schema, event)
  return read.success ? read.data : null
}

/** A reference to an image, video or audio file. */
export function readMedia(value: unknown): MediaData | null {
  const read = z.safeParse(mediaRef, value)
  return read.success && /^(image|video|audio)\//.test(read.data.type) ? read.data : null
}

/**
 * Parsed events of one type with their positions.
 *
 * @example
 * const turns = eventsOf(episode.events, 'space/turn', turnEvent)
 */
export function eventsOf<Schema extends z.core.$ZodType>(
  events: readonly RecordedEvent[],
  type: string,
  schema: Schema,
): { at: number; event: z.output<Schema> }[] {
  return events.flatMap((event, at) => {
    const read = event.type === type ? readEvent(schema, event) : null
    return read === null ? [] : [{ at, event: read }]
  })
}

/** The last item at or before a step. */
export function latestAt<T extends { at: number }>(list: readonly T[], at: number): T | undefined {
  return list.findLast((each) => each.at <= at)
}
