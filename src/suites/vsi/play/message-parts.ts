/** Parts of a message. */
import type { MediaRef, Part } from '../../../suite.ts'

export type { Part }

export const text = (words: string): Part => ({ type: 'text', text: words })
export const media = (ref: MediaRef): Part => ({ type: 'media', media: ref })
