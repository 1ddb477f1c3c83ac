/** Defaults of the built-in set of clips. */
import { type Language, TEMPLATES } from '../../domain/templates.ts'

export const CLIPS = 300
export const MAX_CLIPS = 1_000_000
export const CLIP_LANGUAGES = ['zh', 'en', 'both'] as const
export type ClipLanguages = (typeof CLIP_LANGUAGES)[number]

/** With both languages, they alternate every six clips: all templates in one, then in the other. */
export function languageOf(index: number, languages: ClipLanguages): Language {
  if (languages !== 'both') return languages
  return Math.floor(index / TEMPLATES.length) % 2 === 0 ? 'zh' : 'en'
}
