/** A reply in the response cache. What comes back from disk may be anything: what does not fit is a miss. */
import { z } from 'zod'
import type { Reply } from './types.ts'

/** Some servers count in fractions. */
const tokens = z.number().nonnegative()

const schema = z.object({
  format: z.literal(1),
  text: z.string(),
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

export function toStored(model: string, { text, reasoning, finish, usage, ms }: Reply) {
  return { format: 1, model, text, ...(reasoning === undefined ? {} : { reasoning }), finish, usage, ms }
}

export function fromStored(value: unknown): Reply | undefined {
  const parsed = schema.safeParse(value)
  if (!parsed.success) return undefined
  const { text, reasoning, finish, usage, ms } = parsed.data
  return { text, ...(reasoning === undefined ? {} : { reasoning }), finish, usage, ms, cached: true }
}
