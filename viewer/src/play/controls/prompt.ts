/** Extracts text, labeled images and answer options from a prompt. */
import type { Message } from '../../../../src/models/types.ts'
import type { MediaRef } from '../../../../src/media/ref.ts'

export interface LabeledImage {
  media: MediaRef
  /** The text right before it, or before the images that it follows. */
  label: string
}

export interface SplitMessage {
  text: string
  images: readonly LabeledImage[]
}

/** Separates text and images. A short text right before images is the label of all of them. */
export function splitMessage({ content }: Message): SplitMessage {
  if (typeof content === 'string') return { text: content, images: [] }
  const texts: string[] = []
  const images: LabeledImage[] = []
  for (const [i, part] of content.entries()) {
    const next = content[i + 1]
    if (part.type === 'media') {
      const before = content[i - 1]
      images.push({ media: part.media, label: before?.type === 'media' ? images.at(-1)!.label : labelIn(before?.text) })
    } else if (next?.type !== 'media') texts.push(part.text)
    else if (labelIn(part.text) === '') texts.push(part.text)
  }
  return { text: texts.join('\n\n'), images }
}

const MAX_LABEL_LENGTH = 120

/** A long text before an image is more than a label. */
function labelIn(text = ''): string {
  return text.length > MAX_LABEL_LENGTH ? '' : text.trim()
}

export interface Choice {
  letter: string
  text: string
}

/** Answer options, one per line: `A. a chair`. Empty when fewer than two are found. */
export function findChoices(text: string): Choice[] {
  const found = new Map<string, string>()
  for (const match of text.matchAll(/^\s*(?:[-*]\s*)?\(?([A-H])[.):]\s+(.+)$/gm)) found.set(match[1]!, match[2]!.trim())
  return found.size < 2 ? [] : [...found].map(([letter, option]) => ({ letter, text: option }))
}

/** The question, if a long prompt marks it. */
export function findQuestion(text: string): string | null {
  return /\*\*Question:\*\* (.+)/.exec(text)?.[1] ?? null
}

/** Object and door names listed in the Theory of Space instructions. */
export function findObjects(text: string): string[] {
  const objects = /^Objects: (.+)$/m.exec(text)?.[1] ?? ''
  const doors = /^Doors: (.+)$/m.exec(text)?.[1] ?? ''
  return [
    ...objects.split(',').map((entry) => entry.replace(/^\s*\d+:\s*/, '').trim()),
    ...doors.split(',').map((entry) => entry.trim()),
  ].filter((name) => name !== '')
}
