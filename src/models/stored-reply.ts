/** A reply in the response cache. What comes back from disk may be anything: what does not fit is a miss. */
import { z } from 'zod'
import { MEDIA_TYPES } from '../media/ref.ts'
import type { Reply } from './types.ts'

/** Some servers count in fractions. */
const tokens = z.number().nonnegative()

const mediaRef = z.object({
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  type: z.enum(MEDIA_TYPES),
  bytes: z.int().nonnegative(),
})

const schema = z.object({
  format: z.literal(1),
  text: z.string(),
  media: z.array(mediaRef).optional(),
  reasoning: z.string().optional(),
  finish: z.enum(['stop', 'length', 'content-filter', 'other']),
  usage: z.object({
    calls: tokens,
    inputTokens: tokens,
    outputTokens: tokens,
    reasoningTokens: tokens,
    cachedInputTokens: tokens,
    usd: z.number().nonnegative().nullable(),
  }),
  ms: z.number().nonnegative(),
})

export function toStored(model: string, { text, media, reasoning, finish, usage, ms }: Reply) {
  const made = media === undefined ? {} : { media }
  return { format: 1, model, text, ...made, ...(reasoning === undefined ? {} : { reasoning }), finish, usage, ms }
}

export function fromStored(value: unknown): Reply | undefined {
  const parsed = schema.safeParse(value)
  if (!parsed.success) return undefined
  const { text, media, reasoning, finish, usage, ms } = parsed.data
  const made = media === undefined ? {} : { media }
  return { text, ...made, ...(reasoning === undefined ? {} : { reasoning }), finish, usage, ms, cached: true }
}
