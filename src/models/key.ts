/** Hash keys of requests, for the response cache and for recorded runs. */
import { hashOf } from '../base/hash.ts'
import type { Message, ModelRequest, Sampling } from './types.ts'

/**
 * Identifies a request independently of the model: messages with their media as hashes, sampling, epoch. The journal
 * records it with every reply, which lets a replay detect that the request has changed.
 */
export function requestKey(request: Pick<ModelRequest, 'messages' | 'sampling' | 'epoch'>): string {
  return hashOf(describe(request.messages, request.sampling, request.epoch))
}

export interface RequestTarget {
  model: string
  /** Without credentials. */
  baseUrl: string
  /** Everything else that changes what is sent. */
  options: Readonly<Record<string, unknown>>
}

/** Identifies a request to one model: two requests with the same key are the same bytes on the wire. */
export function cacheKey(
  target: RequestTarget,
  messages: readonly Message[],
  sampling: Sampling,
  epoch: number,
): string {
  return hashOf({ format: 1, ...target, ...describe(messages, sampling, epoch) })
}

function describe(messages: readonly Message[], sampling: Sampling, epoch: number) {
  return {
    messages: messages.map(({ role, content }) => ({
      role,
      content:
        typeof content === 'string'
          ? [{ text: content }]
          : content.map((part) =>
              part.type === 'text' ? { text: part.text } : { media: part.media.sha256, type: part.media.type },
            ),
    })),
    sampling,
    epoch,
  }
}
