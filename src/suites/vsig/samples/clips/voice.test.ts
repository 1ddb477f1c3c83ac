import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  type Bitmap,
  loudness,
  mediaBackends,
  openVideo,
  type Sound,
  speechBackends,
  type SpeechLanguage,
  videoBackend,
  voiceFor,
} from '../../../../media/index.ts'
import { hashOf } from '../../../../base/hash.ts'
import { suiteOptions } from '../../../../engine/options.ts'
import { openSource } from '../../../../engine/source.ts'
import { vsig } from '../../suite.ts'
import { ClipRenderer } from './draw.ts'
import { planClip } from './plan.ts'
import { FPS } from './timing.ts'
import { encodeClip } from './encode.ts'
import { clipSound, clipVoice } from './voice.ts'

const spoken = new Set((await speechBackends()).flatMap(({ usedFor }) => usedFor))
const canEncode = (await mediaBackends()).some(({ used }) => used)
const speaks = (language: SpeechLanguage): boolean => spoken.has(language === 'en' ? 'English' : 'Chinese')

/** When the sound is not silent, in steps of five milliseconds. */
const heardAt = (sound: Sound, ms: number): boolean => loudness(sound, ms / 1000, (ms + 5) / 1000) > 0.004

describe.each(['en', 'zh'] as const)('the sound of a clip in %s', (language) => {
  it.skipIf(!speaks(language))('has every word at its time, and silence in between', async () => {
    const voice = await voiceFor(language)
    for (const index of [1, 3, 5]) {
      const plan = planClip({ seed: 9, index, language, level: 'medium', attempt: 0 })
      const sound = await clipSound(plan, voice)
      expect(sound.samples.length / sound.sampleRate).toBeCloseTo(plan.frames / FPS, 3)
      for (const { text, begin_time, end_time } of plan.words) {
        expect([text, loudness(sound, begin_time! / 1000, end_time! / 1000) > 0.03]).toEqual([text, true])
        // It starts exactly then, not later in its window.
        expect([text, [0, 5, 10, 15, 20, 25, 30, 35].some((late) => heardAt(sound, begin_time! + late))]).toEqual([
          text,
          true,
        ])
      }
      const inWord = (ms: number): boolean =>
        plan.words.some(({ begin_time, end_time }) => ms + 5 > begin_time! && ms < end_time!)
      for (let ms = 0; ms < plan.durationMs; ms += 5) {
        if (!inWord(ms)) expect([ms, heardAt(sound, ms)]).toEqual([ms, false])
      }
    }
  })

  it.skipIf(!speaks(language))('is the same each time, and silent where only the hand speaks', async () => {
    const voice = await voiceFor(language)
    const plan = planClip({ seed: 9, index: 3, language, level: 'medium', attempt: 0 })
    const [a, b] = [await clipSound(plan, voice), await clipSound(plan, voice)]
    expect(hashOf([...a.samples])).toBe(hashOf([...b.samples]))
    const silent = await clipSound(planClip({ seed: 9, index: 0, language, level: 'medium', attempt: 0 }), voice)
    expect(loudness(silent)).toBe(0)
    expect(silent.samples.length).toBeGreaterThan(0)
  })
})

describe.each(['en', 'zh'] as const)('the sound track of a file in %s', (language) => {
  /** How far a decoded onset may be from the transcript: two frames of the codec. */
  const LATE_MS = 2 * 64

  it.skipIf(!speaks(language) || !canEncode)('has every word at its transcript time', async () => {
    const plan = planClip({ seed: 9, index: 5, language, level: 'medium', attempt: 0 })
    const sound = await clipSound(plan, await voiceFor(language))
    const blank: Bitmap = { width: 32, height: 32, channels: 3, data: new Uint8Array(32 * 32 * 3) }
    const frames = Array.from({ length: plan.frames }, () => blank)
    const { bytes } = await (await videoBackend()).encode(frames, { width: 32, height: 32, fps: FPS, sound })
    const heard = await decoded(bytes)
    const inWords = plan.words.map(({ begin_time, end_time }) => loudness(heard, begin_time! / 1000, end_time! / 1000))
    for (const [i, { text, begin_time: begin }] of plan.words.entries()) {
      expect(inWords[i], text).toBeGreaterThan(0.03)
      const onset = onsetAfter(heard, begin! - LATE_MS, plan.words[i - 1]?.end_time ?? 0)
      expect(Math.abs(onset - begin!), `${text} at ${begin} is heard at ${onset}`).toBeLessThanOrEqual(LATE_MS / 2)
    }
    // Pauses are quiet: the energy is inside words.
    const spokenFor = plan.words.reduce((sum, { begin_time, end_time }) => sum + end_time! - begin_time!, 0) / 1000
    const energy = (level: number, seconds: number): number => level * level * seconds
    const all = energy(loudness(heard), heard.samples.length / heard.sampleRate)
    const within = plan.words.reduce(
      (sum, { begin_time, end_time }, i) => sum + energy(inWords[i]!, (end_time! - begin_time!) / 1000),
      0,
    )
    expect(spokenFor).toBeGreaterThan(0.5)
    expect(within / all).toBeGreaterThan(0.97)
  })
})

/** The first non-silent moment in milliseconds, at or after `from` and the end of the previous word. */
function onsetAfter(sound: Sound, from: number, notBefore: number): number {
  let ms = Math.max(from, notBefore, 0)
  while (ms < 60_000 && loudness(sound, ms / 1000, (ms + 5) / 1000) < 0.01) ms += 5
  return ms
}

/** The decoded sound track of an mp4. */
async function decoded(bytes: Uint8Array): Promise<Sound> {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-voice-'))
  try {
    const file = join(folder, 'clip.mp4')
    await writeFile(file, bytes)
    const video = await openVideo(file)
    const sound = await video.sound()
    await video.close()
    return sound!
  } finally {
    await rm(folder, { recursive: true })
  }
}

describe('built-in clips with audio', () => {
  const open = async (language: string, options: Record<string, unknown>) =>
    openSource(vsig, `builtin:clips=2,language=${language}`, suiteOptions(vsig, options), { seed: 1, profile: 'seed' })

  it('require the video', async () => {
    await expect(open('en', { speech: 'audio' })).rejects.toThrow(/speech=audio requires input=video/)
  })

  it.each(['en', 'zh'] as const)('report a missing voice for %s before the run', async (language) => {
    const opened = open(language, { speech: 'audio', input: 'video' })
    if (speaks(language)) {
      const voice = await voiceFor(language)
      expect((await opened).fingerprint).toContain(voice.name)
    } else {
      await expect(opened).rejects.toMatchObject({
        message: expect.stringMatching(/No speech synthesizer for/) as unknown,
        hint: expect.stringMatching(/espeak-ng.*speech=text/) as unknown,
      })
    }
  })

  it.skipIf(!canEncode)('have a sound track, except with speech=none', async () => {
    // A few frames are enough.
    const plan = { ...planClip({ seed: 3, index: 0, language: 'en', level: 'medium', attempt: 0 }), frames: 4 }
    const file = async (speech: 'text' | 'none') =>
      encodeClip(new ClipRenderer(plan).film(), plan, await clipVoice('en', speech))
    const hasSound = ({ bytes }: { bytes: Uint8Array }) => Buffer.from(bytes).includes('mp4a')
    expect([hasSound(await file('text')), hasSound(await file('none'))]).toEqual([speaks('en'), false])
  })

  it('have no voice with speech=none', async () => {
    await expect(clipVoice('en', 'none')).resolves.toBeNull()
    expect((await clipVoice('en', 'text')) !== null).toBe(speaks('en'))
  })
})
