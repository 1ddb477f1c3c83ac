/** The sound of a clip: every word starts when the annotation says so, and is over before the next. */
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
import { type ClipPlan, FPS } from './plan.ts'

const PEAK = 0.6
/** Of a clip in which nothing is said. */
const SILENT_RATE = 16_000

/** Words as they were spoken alone: clips are made of a few dozen. */
const spoken = new Map<string, Promise<Sound>>()

function spokenWord(voice: Voice, text: string): Promise<Sound> {
  const key = `${voice.name}/${text}`
  let sound = spoken.get(key)
  if (!sound) spoken.set(key, (sound = voice.say(text).then(trimSilence)))
  return sound
}

/** As long as the clip, to the sample. */
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

/** Who speaks in a clip's file: needed where the sound is all that is given, welcome where the words are given too. */
export async function clipVoice(language: Language, speech: VsigOptions['speech']): Promise<Voice | null> {
  if (speech === 'none') return null
  try {
    return await voiceFor(language)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    if (speech === 'text') return null
    const other = language === 'zh' ? ', choose English clips with --source builtin:language=en' : ''
    throw new UserError(error.message, {
      hint: `${error.hint ?? ''} Or give the words as text with -T speech=text${other}.`.trim(),
      cause: error,
    })
  }
}
