/** What a question looks like to a person: its words, its pictures with their labels, the options it names. */
import type { Message } from '../../../../src/models/types.ts'
import type { MediaRef } from '../../../../src/media/ref.ts'

export interface LabelledPicture {
  media: MediaRef
  /** The words right before it. */
  label: string
}

export interface Asked {
  text: string
  pictures: readonly LabelledPicture[]
}

/** Takes a message apart. A text between two pictures, or right before one, is that picture's label. */
export function takeApart({ content }: Message): Asked {
  if (typeof content === 'string') return { text: content, pictures: [] }
  const words: string[] = []
  const pictures: LabelledPicture[] = []
  for (const [i, part] of content.entries()) {
    const next = content[i + 1]
    if (part.type === 'media') {
      const before = content[i - 1]
      pictures.push({ media: part.media, label: before?.type === 'text' ? before.text.trim() : '' })
    } else if (next?.type !== 'media') words.push(part.text)
    // A long text before a picture is more than its label.
    else if (part.text.length > MAX_LABEL_LENGTH) words.push(part.text)
  }
  return { text: words.join('\n\n'), pictures }
}

const MAX_LABEL_LENGTH = 120

export interface Choice {
  letter: string
  text: string
}

/** Options as prompts write them, each on a line of its own: `A. a chair`. None when fewer than two are found. */
export function choicesIn(text: string): Choice[] {
  const found = new Map<string, string>()
  for (const match of text.matchAll(/^\s*(?:[-*]\s*)?\(?([A-H])[.):]\s+(.+)$/gm)) found.set(match[1]!, match[2]!.trim())
  return found.size < 2 ? [] : [...found].map(([letter, words]) => ({ letter, text: words }))
}

/** The question itself, where a long prompt marks it. */
export function questionIn(text: string): string | null {
  return /\*\*Question:\*\* (.+)/.exec(text)?.[1] ?? null
}

/** Names of things and doors as the instructions of Theory of Space list them. */
export function thingsIn(text: string): string[] {
  const objects = /^Objects: (.+)$/m.exec(text)?.[1] ?? ''
  const doors = /^Doors: (.+)$/m.exec(text)?.[1] ?? ''
  return [
    ...objects.split(',').map((entry) => entry.replace(/^\s*\d+:\s*/, '').trim()),
    ...doors.split(',').map((entry) => entry.trim()),
  ].filter((name) => name !== '')
}
