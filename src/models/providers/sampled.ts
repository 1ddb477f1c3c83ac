/** Tokens and log-probabilities of a reply, in OpenAI's form. */
import { z } from 'zod'
import type { SampledTokens } from '../types.ts'

export const logprobsSchema = z.array(z.object({ token: z.string(), logprob: z.number() }))

/** What `logprobs` and vLLM's `return_token_ids` bring. */
export function sampledIn(
  tokens: z.infer<typeof logprobsSchema> | null | undefined,
  ids: readonly number[] | null | undefined,
): { sampled?: SampledTokens } {
  if (!tokens && !ids) return {}
  const said = tokens && { texts: tokens.map(({ token }) => token), logprobs: tokens.map(({ logprob }) => logprob) }
  return { sampled: { ...said, ...(ids && { ids }) } }
}
