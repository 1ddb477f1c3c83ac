/** Tokens and cost where no provider has counted them: before a request is answered, and for replies without usage. */
import { costOf, type Price, type TokenCounts } from './prices.ts'
import type { Message, Usage } from './types.ts'

/** English prose. */
const CHARACTERS_PER_TOKEN = 4
/** Providers charge between 85 and 1,600 tokens for an image of ordinary size. */
const TOKENS_PER_MEDIA = 1000

/** Tokens of a text of so many characters. */
export function estimateTextTokens(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN)
}

/** Tokens of a request, and of its reply if there is one. */
export function estimateTokens(messages: readonly Message[], reply = ''): TokenCounts {
  let characters = 0
  let media = 0
  for (const { content } of messages) {
    if (typeof content === 'string') characters += content.length
    else {
      for (const part of content) {
        if (part.type === 'text') characters += part.text.length
        else media += 1
      }
    }
  }
  return {
    input: estimateTextTokens(characters) + media * TOKENS_PER_MEDIA,
    output: estimateTextTokens(reply.length),
    reasoning: 0,
    cachedInput: 0,
    cacheWrite: 0,
  }
}

/** What a request costs at least: its input. The length of a reply is not known before. */
export function estimateUsage(messages: readonly Message[], price: Price | null): Usage {
  const tokens = estimateTokens(messages)
  return {
    calls: 1,
    inputTokens: tokens.input,
    outputTokens: 0,
    reasoningTokens: 0,
    cachedInputTokens: 0,
    usd: price && costOf(price, tokens),
  }
}
