/** An episode's events as a conversation. Unknown events are skipped. */
import { z } from 'zod'
import { sampledTokens } from '../../models/stored-reply.ts'
import type { SampledTokens } from '../../models/types.ts'

const partSchema = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('media'), media: z.looseObject({ sha256: z.string(), type: z.string() }) }),
])
const messageSchema = z.object({
  type: z.literal('message'),
  id: z.number(),
  role: z.enum(['system', 'user', 'assistant']),
  content: z.union([z.string(), z.array(partSchema)]),
})
const askSchema = z.object({
  type: z.literal('ask'),
  ordinal: z.number(),
  role: z.string(),
  messages: z.array(z.number()),
})
const replySchema = z.object({
  type: z.literal('reply'),
  role: z.string().default('player'),
  ordinal: z.number(),
  text: z.string(),
  reasoning: z.string().optional(),
  finish: z.string(),
  usage: z.looseObject({ outputTokens: z.number() }).optional(),
  sampled: sampledTokens.optional().catch(undefined),
})
const outcomeSchema = z.object({
  type: z.literal('outcome'),
  outcome: z.unknown().optional(),
  problem: z.string().optional(),
})
const eventSchema = z.discriminatedUnion('type', [messageSchema, askSchema, replySchema, outcomeSchema])

export type MessagePart = z.infer<typeof partSchema>

export interface Turn {
  role: 'system' | 'user' | 'assistant'
  content: string | MessagePart[]
  /** Set for replies of the player. */
  reply?: { reasoning: string | null; finish: string; tokens: number | null; sampled?: SampledTokens }
}

export interface Transcript {
  /** All messages to and from the player, each once, in order. */
  turns: Turn[]
  /** Texts of the player's replies, in order. */
  replies: string[]
  outcome: unknown
  problem: string | null
}

export function transcriptOf(events: readonly unknown[]): Transcript {
  const messages = new Map<number, z.infer<typeof messageSchema>>()
  const shown = new Set<number>()
  const asks = new Map<number, z.infer<typeof askSchema>>()
  const transcript: Transcript = { turns: [], replies: [], outcome: null, problem: null }
  for (const raw of events) {
    const parsed = eventSchema.safeParse(raw)
    if (!parsed.success) continue
    const event = parsed.data
    switch (event.type) {
      case 'message':
        messages.set(event.id, event)
        break
      case 'ask':
        asks.set(event.ordinal, event)
        if (event.role === 'player') addMessages(event.messages)
        break
      case 'reply':
        addReply(event)
        break
      case 'outcome':
        transcript.outcome = event.outcome ?? null
        transcript.problem = event.problem ?? null
    }
  }
  return transcript

  function addMessages(ids: readonly number[]): void {
    for (const id of ids) {
      const message = messages.get(id)
      if (message === undefined || shown.has(id)) continue
      shown.add(id)
      // Skip replies that are sent back as part of the conversation.
      if (transcript.replies.some((text) => repeats(message, text))) continue
      transcript.turns.push({ role: message.role, content: message.content })
    }
  }

  function addReply(reply: z.infer<typeof replySchema>): void {
    const ask = asks.get(reply.ordinal)
    if (ask !== undefined && ask.role !== 'player') return
    transcript.replies.push(reply.text)
    transcript.turns.push(turnOf(reply))
  }
}

function turnOf({ text, reasoning, finish, usage, sampled }: z.infer<typeof replySchema>): Turn {
  const tokens = usage?.outputTokens ?? null
  return {
    role: 'assistant',
    content: text,
    reply: { reasoning: reasoning ?? null, finish, tokens, ...(sampled && { sampled }) },
  }
}

/**
 * The conversations with the player, whole: a suite may go back to an earlier point, or begin anew with every request.
 * Replies that another conversation begins with are messages there.
 */
export function conversationsOf(events: readonly unknown[]): Turn[][] {
  const messages = new Map<number, Turn>()
  const found: { ids: readonly number[]; turns: Turn[]; ordinal: number; isAnswered: boolean }[] = []
  for (const raw of events) {
    const event = eventSchema.safeParse(raw).data
    if (event?.type === 'message') messages.set(event.id, { role: event.role, content: event.content })
    else if (event?.type === 'ask' && event.role === 'player') ask(event)
    else if (event?.type === 'reply' && event.role === 'player') {
      const asked = found.find(({ ordinal, isAnswered }) => ordinal === event.ordinal && !isAnswered)
      asked?.turns.push(turnOf(event))
      if (asked) asked.isAnswered = true
    }
  }
  return found.map(({ turns }) => turns).filter((turns) => turns.some(({ reply }) => reply !== undefined))

  function ask({ ordinal, messages: ids }: z.infer<typeof askSchema>): void {
    const before = found.findLast(
      (each) =>
        each.isAnswered &&
        each.ids.every((id, i) => id === ids[i]) &&
        repeats(messages.get(ids[each.ids.length] ?? -1), textOf(each.turns.at(-1)!.content)),
    )
    const added = ids.slice(before ? before.ids.length + 1 : 0).flatMap((id) => messages.get(id) ?? [])
    if (before === undefined) found.push({ ids, turns: added, ordinal, isAnswered: false })
    else {
      before.turns.push(...added)
      Object.assign(before, { ids, ordinal, isAnswered: false })
    }
  }
}

/** Whether a message is a reply that is sent back: suites may trim it, and send a space for an empty one. */
function repeats(message: Turn | undefined, reply: string): boolean {
  return message?.role === 'assistant' && textOf(message.content).trim() === reply.trim()
}

export function textOf(content: Turn['content']): string {
  if (typeof content === 'string') return content
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}
