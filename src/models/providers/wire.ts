/** A provider's wire format: sends one request and parses one reply, without retries, caching or limits. */
import type { MediaType } from '../../media/ref.ts'
import type { TokenCounts } from '../prices.ts'
import { ModelError, type FinishReason, type Message, type SampledTokens, type Sampling } from '../types.ts'
import type { OnQueued, Receive } from './transport.ts'

export interface WireReply {
  text: string
  reasoning?: string
  sampled?: SampledTokens
  finish: FinishReason
  /** As the provider counts them; null if it does not say. */
  tokens: TokenCounts | null
  /** Cost reported by the provider (OpenRouter), in US dollars. */
  chargedUsd?: number
}

export interface WireRequest {
  messages: readonly Message[]
  sampling: Sampling
  /** As of `HttpCall`. */
  receive?: Receive
  onQueued?: OnQueued
  /** Key of the request, if it goes into a batch. */
  id?: string
}

export interface Wire {
  /** Accepted media types; requests with others are rejected before anything is sent. */
  readonly accepts: ReadonlySet<MediaType>
  ask(request: WireRequest, signal: AbortSignal): Promise<WireReply>
}

export const IMAGE_TYPES: readonly MediaType[] = ['image/png', 'image/jpeg', 'image/webp', 'image/gif']
export const AUDIO_TYPES: readonly MediaType[] = ['audio/wav', 'audio/mpeg']

/** Rejects media that the provider does not accept, before anything is read or sent. */
export function checkMedia(model: string, accepts: ReadonlySet<MediaType>, messages: readonly Message[]): void {
  for (const { role, content } of messages) {
    if (typeof content === 'string') continue
    for (const part of content) {
      if (part.type !== 'media') continue
      if (role !== 'user') {
        throw new ModelError('unsupported', `${model} accepts media only in user messages, not ${role} messages.`, 0)
      }
      if (!accepts.has(part.media.type)) {
        const accepted = accepts.size === 0 ? 'text only' : [...accepts].join(', ')
        throw new ModelError(
          'unsupported',
          `${model} does not accept ${part.media.type}. This provider accepts ${accepted}. Nothing was sent.`,
          0,
        )
      }
    }
  }
}
