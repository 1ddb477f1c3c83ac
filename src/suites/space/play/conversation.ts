/** The messages of an episode: text with images at the `<image>` placeholders. */
import type { MediaRef, Message, Part } from '../../../suite.ts'
import { IMAGE } from '../prompts/prompts.ts'

/** Text and the images for its placeholders, in order. */
export interface ComposedMessage {
  text: string
  images: readonly MediaRef[]
}

export function textMessage(text: string): ComposedMessage {
  return { text, images: [] }
}

interface Turn {
  role: Message['role']
  content: readonly ComposedMessage[]
}

export class Conversation {
  readonly #turns: Turn[] = []

  open(system: string, user: ComposedMessage): void {
    this.#turns.push({ role: 'system', content: [textMessage(system)] }, { role: 'user', content: [user] })
  }

  addReply(text: string): void {
    this.#turns.push({ role: 'assistant', content: [textMessage(text)] })
  }

  /** Consecutive user messages are merged into one. */
  addUserMessage(content: ComposedMessage): void {
    const last = this.#turns.at(-1)
    if (last?.role !== 'user') this.#turns.push({ role: 'user', content: [content] })
    else this.#turns.splice(-1, 1, { role: 'user', content: [...last.content, textMessage('\n\n'), content] })
  }

  /** Sends this in place of the last user message. */
  replaceUserMessage(content: ComposedMessage): void {
    this.#turns.splice(-1, 1, { role: 'user', content: [content] })
  }

  get messages(): readonly Message[] {
    return this.#turns.map(messageOf)
  }

  /** The messages with `more` appended to the last one, or to `shown` in its place. Does not change the conversation. */
  fork(more: ComposedMessage, between: string, shown?: ComposedMessage): readonly Message[] {
    const last = this.#turns.at(-1)!
    const content = [...(shown === undefined ? last.content : [shown]), textMessage(between), more]
    return [...this.#turns.slice(0, -1), { role: 'user' as const, content }].map(messageOf)
  }

  /** The fork with `request`, followed by the reply to it and a question. Does not change the conversation. */
  forkAfter(request: ComposedMessage, between: string, reply: string, question: ComposedMessage): readonly Message[] {
    return [
      ...this.fork(request, between),
      messageOf({ role: 'assistant', content: [textMessage(reply)] }),
      messageOf({ role: 'user', content: [question] }),
    ]
  }
}

/** Plain text if there are no images; otherwise parts, with each image at its placeholder. */
function messageOf({ role, content }: Turn): Message {
  if (content.every(({ images }) => images.length === 0))
    return { role, content: content.map(({ text }) => text).join('') }
  const parts: Part[] = []
  const write = (text: string): void => {
    const last = parts.at(-1)
    if (last?.type === 'text') last.text += text
    else if (text !== '') parts.push({ type: 'text', text })
  }
  for (const { text, images } of content) {
    // Only the last placeholders count: object names come earlier and may contain the same text.
    const pieces = text.split(IMAGE)
    const first = Math.max(1, pieces.length - images.length)
    write(pieces.slice(0, first).join(IMAGE))
    for (const [i, piece] of pieces.slice(first).entries()) {
      parts.push({ type: 'media', media: images[i]! })
      write(piece)
    }
  }
  return { role, content: parts }
}
