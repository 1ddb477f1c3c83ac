/** The messages of an episode: words, with images where the words say `<image>`. */
import type { MediaRef, Message, Part } from '../../../suite.ts'
import { IMAGE } from '../prompts/prompts.ts'

/** Words and the images that belong into them, in order. */
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

  /** User turns that follow each other are one message. */
  addUserMessage(content: ComposedMessage): void {
    const last = this.#turns.at(-1)
    if (last?.role !== 'user') this.#turns.push({ role: 'user', content: [content] })
    else this.#turns.splice(-1, 1, { role: 'user', content: [...last.content, textMessage('\n\n'), content] })
  }

  get messages(): readonly Message[] {
    return this.#turns.map(messageOf)
  }

  /** With something appended to the last message, or to what is shown in its place; the conversation stays as it is. */
  fork(more: ComposedMessage, between: string, shown?: ComposedMessage): readonly Message[] {
    const last = this.#turns.at(-1)!
    const content = [...(shown === undefined ? last.content : [shown]), textMessage(between), more]
    return [...this.#turns.slice(0, -1), { role: 'user' as const, content }].map(messageOf)
  }

  /** With an answer of the player and a question after it; the conversation stays as it is. */
  forkAfter(reply: string, question: ComposedMessage): readonly Message[] {
    const more: Turn[] = [
      { role: 'assistant', content: [textMessage(reply)] },
      { role: 'user', content: [question] },
    ]
    return [...this.#turns, ...more].map(messageOf)
  }
}

/** A message without images is a plain text; in others each picture stands where the words call for it. */
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
    // The last so many: names of a scene come before, and may be anything.
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
