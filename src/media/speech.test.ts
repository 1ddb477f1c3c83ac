import { ALL_FORMATS, AudioSampleSink, BufferSource, Input } from 'mediabunny'
import { describe, expect, test } from 'vitest'
import { mediaBackends, videoBackend } from './backends.ts'
import type { Bitmap } from './image.ts'
import { timeStretch, normalizePeak, loudness, readWav, type Sound, trimSilence } from './sound.ts'
import { SPEECH_BACKEND_NAMES, SPEECH_LANGUAGES, speechBackends, voiceFor } from './speech.ts'

const RATE = 16_000

/** A tone between two times, with silence around it. */
function beep(seconds: number, from: number, to: number, hertz = 440, sampleRate = RATE): Sound {
  const samples = Float32Array.from({ length: Math.round(seconds * sampleRate) }, (_, i) =>
    i >= from * sampleRate && i < to * sampleRate ? 0.5 * Math.sin((2 * Math.PI * hertz * i) / sampleRate) : 0,
  )
  return { sampleRate, samples }
}

const secondsOf = ({ samples, sampleRate }: Sound): number => samples.length / sampleRate

/** Estimated from zero crossings. */
function pitchOf({ samples, sampleRate }: Sound): number {
  let changes = 0
  for (let i = 1; i < samples.length; i++) if (samples[i]! >= 0 !== samples[i - 1]! >= 0) changes++
  return (changes / 2 / samples.length) * sampleRate
}

describe('sound', () => {
  test('is trimmed of silence at both ends', () => {
    const word = trimSilence(beep(1, 0.3, 0.7))
    expect(Math.abs(secondsOf(word) - 0.4)).toBeLessThan(0.02)
    expect(loudness(word, 0.01, 0.4)).toBeGreaterThan(0.34)
    expect(trimSilence(beep(1, 2, 3)).samples).toHaveLength(0)
  })

  test.each([0.25, 0.4, 0.55])('shortened from 0.6 s to %f s keeps its pitch and level', (seconds) => {
    const quick = timeStretch(beep(0.6, 0, 0.6, 220), seconds)
    expect(secondsOf(quick)).toBeCloseTo(seconds, 3)
    expect(pitchOf(quick) / 220).toBeCloseTo(1, 1)
    for (let at = 0; at + 0.05 <= seconds; at += 0.05) {
      expect(Math.abs(loudness(quick, at, at + 0.05) - 0.354)).toBeLessThan(0.05)
    }
  })

  test('that is short enough is unchanged', () => {
    const sound = beep(0.3, 0, 0.3)
    expect(timeStretch(sound, 0.3)).toBe(sound)
  })

  test('is normalized to a peak and starts and ends at zero', () => {
    const { samples } = normalizePeak(beep(0.2, 0, 0.2, 300), 0.8)
    expect(samples.reduce((most, value) => Math.max(most, Math.abs(value)), 0)).toBeCloseTo(0.8, 2)
    expect(Math.abs(samples[0]!) + Math.abs(samples.at(-1)!)).toBe(0)
    expect(normalizePeak(beep(0.1, 1, 2), 0.8).samples.every((value) => value === 0)).toBe(true)
  })

  test.each<[string, Uint8Array]>([
    ['empty', new Uint8Array()],
    ['text', Buffer.from('this is not a sound at all')],
    ['without samples', Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVE')])],
  ])('rejects an invalid WAV file (%s)', (_, bytes) => {
    expect(() => readWav(bytes)).toThrow(/WAV file/)
  })
})

const speakers = await speechBackends()

test('reports the backends, with one in use per language', () => {
  expect(speakers.map(({ name }) => name)).toEqual([...SPEECH_BACKEND_NAMES])
  const used = speakers.flatMap(({ usedFor }) => usedFor)
  expect(new Set(used).size).toBe(used.length)
  for (const { version, problem } of speakers) expect((version === null) !== (problem === null)).toBe(true)
})

test('reports that flite does not support Chinese', async () => {
  await expect(voiceFor('zh', 'flite')).rejects.toThrow(/No speech synthesizer for Chinese \(.*flite/)
})

const WORDS = { en: ['put', 'put this to the left of it'], zh: ['放到', '把这个放到它的左边'] } as const

describe.each(SPEECH_BACKEND_NAMES)('speech through %s', (name) => {
  const works = speakers.some((each) => each.name === name && each.version !== null)
  describe.each(name === 'flite' ? (['en'] as const) : SPEECH_LANGUAGES)('in %s', (language) => {
    test.skipIf(!works)('is audible, deterministic, and longer for more words', async () => {
      const voice = await voiceFor(language, name)
      const [short, long] = WORDS[language]
      const [first, again, more] = [await voice.say(short), await voice.say(short), await voice.say(long)]
      expect(again).toEqual(first)
      expect(loudness(trimSilence(first))).toBeGreaterThan(0.01)
      expect(secondsOf(trimSilence(first))).toBeGreaterThan(0.1)
      expect(secondsOf(trimSilence(more))).toBeGreaterThan(2 * secondsOf(trimSilence(first)))
    })

    test.skipIf(!works)('does not parse text as options', async () => {
      const voice = await voiceFor(language, name)
      expect(secondsOf(trimSilence(await voice.say('--help')))).toBeGreaterThan(0.1)
    })
  })
})

const coders = (await mediaBackends()).filter(({ version }) => version !== null).map(({ name }) => name)
const FPS = 10
const grey: Bitmap = { width: 64, height: 64, channels: 3, data: new Uint8Array(64 * 64 * 3).fill(90) }
const frames = (seconds: number): Bitmap[] => Array.from({ length: seconds * FPS }, () => grey)

async function soundOf(mp4: Uint8Array): Promise<Sound | null> {
  const input = new Input({ source: new BufferSource(mp4), formats: ALL_FORMATS })
  const track = await input.getPrimaryAudioTrack()
  if (!track) return null
  const sampleRate = await track.getSampleRate()
  const samples = new Float32Array(Math.ceil((await input.computeDuration()) * sampleRate))
  for await (const sample of new AudioSampleSink(track).samples()) {
    const part = new Float32Array(sample.allocationSize({ planeIndex: 0, format: 'f32-planar' }) / 4)
    sample.copyTo(part, { planeIndex: 0, format: 'f32-planar' })
    const at = Math.round(sample.timestamp * sampleRate)
    const skipped = Math.max(0, -at)
    const room = samples.length - Math.max(0, at)
    if (room > 0 && skipped < part.length) samples.set(part.subarray(skipped, skipped + room), Math.max(0, at))
    sample.close()
  }
  return { sampleRate, samples }
}

// Read back through mediabunny, which reports the exact time of each sample.
describe.each(coders)('a video with audio, encoded by %s', (backend) => {
  const readable = coders.includes('mediabunny')

  test.skipIf(!readable).each([16_000, 22_050])(
    'has audio at the right time at %i samples per second',
    async (rate) => {
      const coder = await videoBackend(backend)
      const options = { width: 64, height: 64, fps: FPS, sound: beep(3, 1, 1.5, 440, rate) }
      const { bytes, encoder } = await coder.encode(frames(3), options)
      expect(encoder).toContain('aac')
      expect((await coder.encode(frames(3), options)).bytes).toEqual(bytes)
      await videoBackend('mediabunny')
      const heard = (await soundOf(bytes))!
      expect(heard.sampleRate).toBe(rate)
      expect(Math.abs(secondsOf(heard) - 3)).toBeLessThan(0.15)
      expect(loudness(heard, 0, 0.95)).toBeLessThan(0.005)
      expect(loudness(heard, 1.05, 1.45)).toBeCloseTo(0.354, 1)
      expect(loudness(heard, 1.6, 3)).toBeLessThan(0.005)
      // Within 10 ms.
      const start = heard.samples.findIndex((value) => Math.abs(value) > 0.1) / rate
      expect(Math.abs(start - 1)).toBeLessThan(0.01)
    },
  )

  test.skipIf(!readable)('has none where none was given', async () => {
    const { bytes } = await (await videoBackend(backend)).encode(frames(1), { width: 64, height: 64, fps: FPS })
    await expect(soundOf(bytes)).resolves.toBeNull()
  })

  test('rejects sample rates that AAC does not support', async () => {
    const sound = { sampleRate: 12_345, samples: new Float32Array(10) }
    const coder = await videoBackend(backend)
    await expect(coder.encode(frames(1), { width: 64, height: 64, fps: FPS, sound })).rejects.toThrow(
      /sample rate 12345/,
    )
  })
})
