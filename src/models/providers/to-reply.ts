/** A reply with its cost, from what a provider sent. */
import { estimateTokens } from '../estimate.ts'
import { costOf, type Price, type TokenCounts } from '../prices.ts'
import type { Redact } from '../secrets.ts'
import type { Message, Reply, SampledTokens } from '../types.ts'
import type { WireReply } from './wire.ts'

/** A hundred times the largest context there is: more is an error of the server. */
const MAX_TOKENS = 1e9
/** US dollars for one reply. */
const MAX_CHARGE = 1e5

function isPlausible({ input, output, reasoning, cachedInput, cacheWrite }: TokenCounts, text: string): boolean {
  if (![input, output, reasoning, cachedInput, cacheWrite].every((count) => count >= 0 && count <= MAX_TOKENS)) {
    return false
  }
  return input + output > 0 || text === ''
}

export interface ReplySettings {
  price: Price | null
  /** Prefer the cost that the provider reports over the price list. */
  trustReportedCost: boolean
  redact: Redact
}

/** A key may be cut into tokens, where nothing would find it; and ids spell it too. */
function redacted({ texts, logprobs, ids }: SampledTokens, said: string, redact: Redact): SampledTokens {
  if ([said, texts?.join('') ?? ''].some((text) => redact(text) !== text)) return logprobs ? { logprobs } : {}
  return { ...(texts && { texts }), ...(logprobs && { logprobs }), ...(ids && { ids }) }
}

export function toReply(
  { redact, price, trustReportedCost: charges }: ReplySettings,
  wire: WireReply,
  messages: readonly Message[],
  ms: number,
): Reply {
  const told = wire.tokens && isPlausible(wire.tokens, wire.text) ? wire.tokens : null
  const tokens = told ?? estimateTokens(messages, wire.text + (wire.reasoning ?? ''))
  const listed = price && costOf(price, tokens)
  const isCharged = charges && wire.chargedUsd !== undefined && wire.chargedUsd >= 0 && wire.chargedUsd <= MAX_CHARGE
  return {
    // A hostile server may echo what was sent, including the key.
    text: redact(wire.text),
    ...(wire.reasoning === undefined ? {} : { reasoning: redact(wire.reasoning) }),
    ...(wire.sampled && { sampled: redacted(wire.sampled, wire.text + (wire.reasoning ?? ''), redact) }),
    finish: wire.finish,
    usage: {
      calls: 1,
      inputTokens: tokens.input,
      outputTokens: tokens.output,
      reasoningTokens: tokens.reasoning,
      cachedInputTokens: tokens.cachedInput,
      usd: isCharged ? wire.chargedUsd! : listed,
      ...(told ? {} : { estimatedCalls: 1 }),
    },
    ms: Math.round(ms),
    cached: false,
  }
}
