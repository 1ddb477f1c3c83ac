/** Builds message parts. */
import type { MediaRef, Part } from '../../../suite.ts'

export type { Part }

export const text = (content: string): Part => ({ type: 'text', text: content })
export const media = (ref: MediaRef): Part => ({ type: 'media', media: ref })
