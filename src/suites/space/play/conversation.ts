/** The messages of an episode: words, with pictures where the words say `<image>`. */
import type { MediaRef, Message, Part } from '../../../suite.ts'
import { IMAGE } from '../prompts/prompts.ts'

/** Words and the pictures that belong into them, in order. */
export interface ComposedMessage {
  text: string
  pictures: readonly MediaRef[]
}

export function words(text: string): ComposedMessage {
  return { text, pictures: [] }
}

interface Turn {
  role: Message['role']
  said: readonly ComposedMessage[]
}

export class Conversation {
  readonly #turns: Turn[] = []

  open(system: string, user: ComposedMessage): void {
    this.#turns.push({ role: 'system', said: [words(system)] }, { role: 'user', said: [user] })
  }

  reply(text: string): void {
    this.#turns.push({ role: 'assistant', said: [words(text)] })
  }

  /** User turns that follow each other are one message. */
  say(said: ComposedMessage): void {
    const last = this.#turns.at(-1)
    if (last?.role !== 'user') this.#turns.push({ role: 'user', said: [said] })
    else this.#turns.splice(-1, 1, { role: 'user', said: [...last.said, words('\n\n'), said] })
  }

  get messages(): readonly Message[] {
    return this.#turns.map(messageOf)
  }

  /** With something appended to the last message, or to what is shown in its place; the conversation stays as it is. */
  fork(more: ComposedMessage, between: string, shown?: ComposedMessage): readonly Message[] {
    const last = this.#turns.at(-1)!
    const said = [...(shown === undefined ? last.said : [shown]), words(between), more]
    return [...this.#turns.slice(0, -1), { role: 'user' as const, said }].map(messageOf)
  }

  /** With an answer of the player and a question after it; the conversation stays as it is. */
  after(reply: string, question: ComposedMessage): readonly Message[] {
    const more: Turn[] = [
      { role: 'assistant', said: [words(reply)] },
      { role: 'user', said: [question] },
    ]
    return [...this.#turns, ...more].map(messageOf)
  }
}

/** A message without pictures is a plain text; in others each picture stands where the words call for it. */
function messageOf({ role, said }: Turn): Message {
  if (said.every(({ pictures }) => pictures.length === 0))
    return { role, content: said.map(({ text }) => text).join('') }
  const parts: Part[] = []
  const write = (text: string): void => {
    const last = parts.at(-1)
    if (last?.type === 'text') last.text += text
    else if (text !== '') parts.push({ type: 'text', text })
  }
  for (const { text, pictures } of said) {
    // The last so many: names of a scene come before, and may be anything.
    const pieces = text.split(IMAGE)
    const first = Math.max(1, pieces.length - pictures.length)
    write(pieces.slice(0, first).join(IMAGE))
    for (const [i, piece] of pieces.slice(first).entries()) {
      parts.push({ type: 'media', media: pictures[i]! })
      write(piece)
    }
  }
  return { role, content: parts }
}
