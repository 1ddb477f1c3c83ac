/** Examples to learn from: conversations with good replies, and pairs of a better and a worse reply. */
import type { MediaRef } from '../../media/ref.ts'
import type { Message } from '../../models/types.ts'
import { shortHash } from '../../engine/fingerprint.ts'

/** A request to the player, and what it replied. */
export interface Asked {
  messages: readonly Message[]
  reply: string
}

export interface Example {
  /** The sample, with a number if it gives several conversations. */
  id: string
  labels: Readonly<Record<string, string>>
  /** Up to the last request. */
  messages: readonly Message[]
  reply: string
  /** A reply that earned less, for learning from preferences. */
  rejected?: string
  reward: number
}

export interface PlayedWell {
  asked: readonly Asked[]
  reward: number
}

/** The conversations of an episode: a suite may go back to an earlier point to ask something else. */
export function conversations(
  { id, labels }: { id: string; labels: Example['labels'] },
  { asked, reward }: PlayedWell,
): Example[] {
  const whole = asked.filter(({ messages, reply }, i) => {
    const next = asked[i + 1]?.messages
    return next === undefined || !isContinued(messages, reply, next)
  })
  return whole.map(({ messages, reply }, i) => ({
    id: whole.length === 1 ? id : `${id}.${i + 1}`,
    labels,
    messages,
    reply,
    reward,
  }))
}

/** The first request that two players answered differently; none if one is not better, or both were asked otherwise. */
export function preference(
  { id, labels }: { id: string; labels: Example['labels'] },
  better: PlayedWell,
  worse: PlayedWell,
): Example[] {
  if (better.reward <= worse.reward) return []
  const at = better.asked.findIndex(({ reply }, i) => reply !== worse.asked[i]?.reply)
  const [good, bad] = [better.asked[at], worse.asked[at]]
  if (good === undefined || bad === undefined || !isSame(good.messages, bad.messages)) return []
  return [{ id, labels, messages: good.messages, reply: good.reply, rejected: bad.reply, reward: better.reward }]
}

/** The same example: the same words, pictures and replies. */
export function exampleKey({ messages, reply, rejected }: Example): string {
  return shortHash({ messages, reply, rejected })
}

/** A message as text, with a placeholder for each picture or video. */
export function writtenOut({ content }: Message, placeholder: (media: MediaRef) => string): string {
  if (typeof content === 'string') return content
  return content.map((part) => (part.type === 'text' ? part.text : placeholder(part.media))).join('')
}

function isContinued(before: readonly Message[], reply: string, after: readonly Message[]): boolean {
  const answer = after[before.length]
  return (
    after.length > before.length &&
    isSame(before, after.slice(0, before.length)) &&
    answer?.role === 'assistant' &&
    answer.content === reply
  )
}

function isSame(a: readonly Message[], b: readonly Message[]): boolean {
  return (
    a.length === b.length &&
    a.every((message, i) => message === b[i] || JSON.stringify(message) === JSON.stringify(b[i]))
  )
}
