/** Replies in the response cache. Files on disk are untrusted: one that does not match the schema is a cache miss. */
import { z } from 'zod'
import { MEDIA_TYPES } from '../media/ref.ts'
import type { Reply } from './types.ts'

/** Not an integer: some servers report fractional counts. */
const tokens = z.number().nonnegative()

const mediaRef = z.object({
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  type: z.enum(MEDIA_TYPES),
  bytes: z.int().nonnegative(),
})

export const sampledTokens = z.object({
  texts: z.array(z.string()).exactOptional(),
  logprobs: z.array(z.number()).exactOptional(),
  ids: z.array(z.number()).exactOptional(),
})

const schema = z.object({
  format: z.literal(1),
  text: z.string(),
  media: z.array(mediaRef).exactOptional(),
  reasoning: z.string().exactOptional(),
  finish: z.enum(['stop', 'length', 'content-filter', 'other']),
  usage: z.object({
    calls: tokens,
    inputTokens: tokens,
    outputTokens: tokens,
    reasoningTokens: tokens,
    cachedInputTokens: tokens,
    usd: z.number().nonnegative().nullable(),
    estimatedCalls: tokens.exactOptional(),
  }),
  ms: z.number().nonnegative(),
  sampled: sampledTokens.exactOptional(),
})

export function toStored(model: string, { text, media, reasoning, finish, usage, ms, sampled }: Reply) {
  return { format: 1, model, text, media, reasoning, finish, usage, ms, sampled }
}

export function fromStored(value: unknown): Reply | undefined {
  const parsed = schema.safeParse(value)
  if (!parsed.success) return undefined
  const { format: _, ...reply } = parsed.data
  return { ...reply, cached: true }
}
