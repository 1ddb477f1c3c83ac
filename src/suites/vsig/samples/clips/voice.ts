/** The sound of a clip: every word starts at its annotated time and ends before the next. */
import {
  timeStretch,
  normalizePeak,
  type Sound,
  trimSilence,
  UserError,
  type Voice,
  voiceFor,
} from '../../../../suite.ts'
import type { Language } from '../../domain/templates.ts'
import type { VsigOptions } from '../../options.ts'
import { type ClipPlan } from './plan.ts'
import { FPS } from './timing.ts'

const PEAK = 0.6
/** Sample rate of a silent clip. */
const SILENT_RATE = 16_000

/** Cached words: all clips use the same few dozen. */
const spoken = new Map<string, Promise<Sound>>()

function spokenWord(voice: Voice, text: string): Promise<Sound> {
  const key = `${voice.name}/${text}`
  let sound = spoken.get(key)
  if (!sound) spoken.set(key, (sound = voice.say(text).then(trimSilence)))
  return sound
}

/** The sound track, exactly as long as the clip. */
export async function clipSound(plan: Pick<ClipPlan, 'words' | 'frames'>, voice: Voice): Promise<Sound> {
  const words = await Promise.all(
    plan.words.map(async ({ text, begin_time, end_time }) => ({
      begin: (begin_time ?? 0) / 1000,
      end: (end_time ?? 0) / 1000,
      sound: await spokenWord(voice, text),
    })),
  )
  const sampleRate = words[0]?.sound.sampleRate ?? SILENT_RATE
  const samples = new Float32Array(Math.round((plan.frames / FPS) * sampleRate))
  for (const { begin, end, sound } of words) {
    samples.set(normalizePeak(timeStretch(sound, end - begin), PEAK).samples, Math.round(begin * sampleRate))
  }
  return { sampleRate, samples }
}

/** The voice of a clip's file: required for speech=audio, optional for text, null for none. */
export async function clipVoice(language: Language, speech: VsigOptions['speech']): Promise<Voice | null> {
  if (speech === 'none') return null
  try {
    return await voiceFor(language)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    if (speech === 'text') return null
    const other = language === 'zh' ? ', or English clips with --source builtin:language=en' : ''
    throw new UserError(error.message, {
      hint: `${error.hint ?? ''} Or use a transcript with -T speech=text${other}.`.trim(),
      setup: error.setup,
      cause: error,
    })
  }
}
