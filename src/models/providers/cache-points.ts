/**
 * Where a provider should cache a prompt, for those that must be told and charge for it. Marked is what has been sent before,
 * and so will be sent again: earlier turns of a conversation, and media that several questions are about.
 */
import { createHash } from 'node:crypto'
import { LruCache } from '../../base/lru-cache.ts'
import type { Message } from '../types.ts'

/** Starts of prompts that are remembered: more than are asked about at the same time. */
const MAX_STARTS = 1000

export class CachePoints {
  readonly #starts = new LruCache<true>(MAX_STARTS)

  /** The parts after which the prompt is cached: positions of a message and of a part in it. */
  of(messages: readonly Message[]): { message: number; part: number }[] {
    if (messages.some(({ role }) => role === 'assistant')) {
      // The one before was written with the last request: providers look for it only a few parts back.
      return messages
        .flatMap(({ role, content }, message) =>
          role === 'user' ? [{ message, part: typeof content === 'string' ? 0 : content.length - 1 }] : [],
        )
        .slice(-2)
    }
    const last = lastMedia(messages)
    if (!last) return []
    return this.#starts.get(startOf(messages, last)) ? [last] : []
  }

  /** These messages were answered: what they start with may come again. */
  answered(messages: readonly Message[]): void {
    const last = lastMedia(messages)
    if (last) this.#starts.set(startOf(messages, last), true)
  }
}

function lastMedia(messages: readonly Message[]): { message: number; part: number } | null {
  for (const [message, { content }] of [...messages.entries()].reverse()) {
    if (typeof content === 'string') continue
    const part = content.findLastIndex(({ type }) => type === 'media')
    if (part >= 0) return { message, part }
  }
  return null
}

function startOf(messages: readonly Message[], { message, part }: { message: number; part: number }): string {
  const hash = createHash('sha256')
  for (const [at, { role, content }] of messages.slice(0, message + 1).entries()) {
    const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
    const seen = at === message ? parts.slice(0, part + 1) : parts
    for (const each of seen) hash.update(JSON.stringify([role, each.type === 'text' ? each.text : each.media.sha256]))
  }
  return hash.digest('base64')
}
