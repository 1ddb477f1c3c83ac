/** What a provider's adapter does: one request in its own format, one reply in ours. No retries, no cache, no limits. */
import type { MediaType } from '../../media/ref.ts'
import type { TokenCounts } from '../prices.ts'
import { ModelError, type FinishReason, type Message, type Sampling } from '../types.ts'

export interface WireReply {
  text: string
  reasoning?: string
  finish: FinishReason
  tokens: TokenCounts
  /** What the provider says it charged (OpenRouter), in US dollars. */
  chargedUsd?: number
}

export interface WireRequest {
  messages: readonly Message[]
  sampling: Sampling
}

export interface Wire {
  /** The kinds of media it can send; anything else is refused before a byte leaves. */
  readonly accepts: ReadonlySet<MediaType>
  ask(request: WireRequest, signal: AbortSignal): Promise<WireReply>
}

export const PICTURES: readonly MediaType[] = ['image/png', 'image/jpeg', 'image/webp', 'image/gif']
export const SOUNDS: readonly MediaType[] = ['audio/wav', 'audio/mpeg']

/** Refuses what the provider cannot take, with the reason, before anything is read or sent. */
export function checkMedia(model: string, accepts: ReadonlySet<MediaType>, messages: readonly Message[]): void {
  for (const { role, content } of messages) {
    if (typeof content === 'string') continue
    for (const part of content) {
      if (part.type !== 'media') continue
      if (role !== 'user') {
        throw new ModelError('unsupported', `${model} takes media only in user messages, not in ${role} messages.`, 0)
      }
      if (!accepts.has(part.media.type)) {
        const taken = accepts.size === 0 ? 'text only' : [...accepts].join(', ')
        throw new ModelError(
          'unsupported',
          `${model} cannot be given ${part.media.type}: what this provider takes is ${taken}. Nothing was sent.`,
          0,
        )
      }
    }
  }
}

/** Bytes that a request will have on the wire, near enough for the limit of what is under way. */
export function wireBytes(messages: readonly Message[]): number {
  let bytes = 0
  for (const { content } of messages) {
    if (typeof content === 'string') bytes += content.length
    else {
      for (const part of content) bytes += part.type === 'text' ? part.text.length : Math.ceil(part.media.bytes / 3) * 4
    }
  }
  return bytes
}
