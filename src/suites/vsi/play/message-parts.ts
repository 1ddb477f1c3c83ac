/** Parts of a message. */
import type { MediaRef } from '../../../media/index.ts'
import type { Part } from '../../../models/types.ts'

export type { Part }

export const text = (words: string): Part => ({ type: 'text', text: words })
export const media = (ref: MediaRef): Part => ({ type: 'media', media: ref })
