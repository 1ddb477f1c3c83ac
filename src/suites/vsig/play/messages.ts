/** What the player is asked: prompts of the published generations word for word, or our own. */
import type { MediaRef, Message, Part } from '../../../suite.ts'
import type { Size } from '../domain/mask.ts'
import type { Profile } from '../domain/profiles.ts'
import type { VsigOptions } from '../options.ts'
import { askPrompt, phrase, promptLanguage, systemPrompt } from '../prompts/prompts.ts'
import { publishedAsk } from '../prompts/published.ts'
import type { VsigSample } from '../samples/sample.ts'

const text = (content: string): Part => ({ type: 'text', text: content })

/** What is shown of a clip. */
export interface Shown extends Size {
  durationMs: number
  frames: readonly { ms: number; media: MediaRef }[]
  /** Shown instead of the frames. */
  video: MediaRef | null
}

export function askMessages(sample: VsigSample, options: VsigOptions, profile: Profile, shown: Shown): Message[] {
  const published = publishedAsk(sample, options, profile)
  const language = promptLanguage(sample, options)
  const { frames, video } = shown
  const label = (i: number, ms: number): string | null => {
    if (published) return published.frame?.(ms) ?? null
    const name = `${i === frames.length - 1 ? 'last-frame' : 'frame'}${options.frameTimes ? '' : '-untimed'}`
    return phrase(language, name, { number: i + 1, ...(options.frameTimes ? { time: ms } : {}) })
  }
  const pictures: Part[] = video
    ? [{ type: 'media', media: video }]
    : frames.flatMap(({ ms, media }, i): Part[] => {
        const before = label(i, ms)
        return [...(before === null ? [] : [text(before)]), { type: 'media', media }]
      })
  const prompt = published?.user ?? askPrompt(sample, options, profile, { ...shown, count: frames.length })
  return [
    { role: 'system', content: published?.system ?? systemPrompt(language) },
    { role: 'user', content: [text(prompt), ...pictures] },
  ]
}
