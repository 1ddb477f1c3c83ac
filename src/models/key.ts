/** Names of requests: what the response cache and recorded runs are looked up by. */
import { hashOf } from '../base/hash.ts'
import type { Message, ModelRequest, Sampling } from './types.ts'

/**
 * Names what is asked, whoever is asked: messages with their media as hashes, sampling, epoch. A run's journal keeps
 * it with every reply, so that a replay can tell when the question has changed.
 */
export function requestKey(request: Pick<ModelRequest, 'messages' | 'sampling' | 'epoch'>): string {
  return hashOf(describe(request.messages, request.sampling, request.epoch))
}

export interface Addressee {
  model: string
  /** Without credentials. */
  baseUrl: string
  /** Everything else that changes what is sent. */
  options: Readonly<Record<string, unknown>>
}

/** Names a whole request to one model: two requests with the same key would be the same bytes on the wire. */
export function cacheKey(
  addressee: Addressee,
  messages: readonly Message[],
  sampling: Sampling,
  epoch: number,
): string {
  return hashOf({ format: 1, ...addressee, ...describe(messages, sampling, epoch) })
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
