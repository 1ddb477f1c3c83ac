/** Mono audio, and its processing for video soundtracks. */
import { UserError } from '../base/errors.ts'

export interface Sound {
  /** Samples per second. */
  sampleRate: number
  /** One channel, −1 to 1. */
  samples: Float32Array<ArrayBuffer>
}

/** Reads a 16-bit PCM WAV file; multiple channels are averaged. */
export function readWav(bytes: Uint8Array): Sound {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const kindAt = (at: number): string => Buffer.from(bytes.subarray(at, at + 4)).toString('latin1')
  if (bytes.length < 12 || kindAt(0) !== 'RIFF' || kindAt(8) !== 'WAVE') throw new UserError('Not a WAV file.')
  let format: { channels: number; sampleRate: number } | undefined
  for (let at = 12; at + 8 <= bytes.length;) {
    // Programs that write to a pipe do not know the length yet and state a huge one.
    const size = Math.min(view.getUint32(at + 4, true), bytes.length - at - 8)
    const start = at + 8
    if (kindAt(at) === 'fmt ' && size >= 16) {
      const [coding, channels, bits] = [0, 2, 14].map((offset) => view.getUint16(start + offset, true))
      const sampleRate = view.getUint32(start + 4, true)
      if (coding !== 1 || bits !== 16 || !channels || sampleRate === 0) {
        throw new UserError(`Expected a 16-bit PCM WAV file, found format ${coding} with ${bits} bits.`)
      }
      format = { channels, sampleRate }
    } else if (kindAt(at) === 'data') {
      if (!format) throw new UserError('The WAV file has no format chunk.')
      return { sampleRate: format.sampleRate, samples: mono(view, start, size, format.channels) }
    }
    at = start + size + (size & 1)
  }
  throw new UserError('The WAV file has no data chunk.')
}

function mono(view: DataView, start: number, size: number, channels: number): Float32Array<ArrayBuffer> {
  const samples = new Float32Array(Math.floor(size / (2 * channels)))
  for (let i = 0; i < samples.length; i++) {
    let sum = 0
    for (let c = 0; c < channels; c++) sum += view.getInt16(start + (i * channels + c) * 2, true)
    samples[i] = sum / channels / 32_768
  }
  return samples
}

/** Samples as 16-bit little-endian PCM. */
export function pcm16({ samples }: Sound): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(samples.length * 2)
  const view = new DataView(bytes.buffer)
  for (let i = 0; i < samples.length; i++) {
    view.setInt16(i * 2, Math.round(Math.max(-1, Math.min(1, samples[i]!)) * 32_767), true)
  }
  return bytes
}

/** A WAV file: 16-bit PCM, one channel. */
export function writeWav(sound: Sound): Uint8Array<ArrayBuffer> {
  const data = pcm16(sound)
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + data.length, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(sound.sampleRate, 24)
  header.writeUInt32LE(sound.sampleRate * 2, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36)
  header.writeUInt32LE(data.length, 40)
  return new Uint8Array(Buffer.concat([header, data]))
}

/** RMS level between two times, in seconds. */
export function loudness({ samples, sampleRate }: Sound, from = 0, to = Number.POSITIVE_INFINITY): number {
  const start = Math.max(0, Math.round(from * sampleRate))
  const end = Math.min(samples.length, Math.round(to * sampleRate))
  let sum = 0
  for (let i = start; i < end; i++) sum += samples[i]! ** 2
  return end > start ? Math.sqrt(sum / (end - start)) : 0
}

const STEP_SECONDS = 0.005
/** Fractions of the loudest step: speech starts above the first and ends below the second. */
const ONSET = 0.05
const SILENCE = 0.01
/** Steps kept before the onset, for soft consonants. */
const LEAD_STEPS = 2

/** Removes silence at both ends. */
export function trimSilence(sound: Sound): Sound {
  const { samples, sampleRate } = sound
  const step = Math.max(1, Math.round(STEP_SECONDS * sampleRate))
  const levels: number[] = []
  for (let at = 0; at < samples.length; at += step) {
    levels.push(loudness(sound, at / sampleRate, (at + step) / sampleRate))
  }
  const loudest = levels.reduce((most, level) => Math.max(most, level), 0)
  if (loudest < 1e-4) return { sampleRate, samples: new Float32Array(0) }
  const first = Math.max(0, levels.findIndex((level) => level > loudest * ONSET) - LEAD_STEPS)
  const last = levels.findLastIndex((level) => level > loudest * SILENCE)
  return { sampleRate, samples: samples.slice(first * step, (last + 1) * step) }
}

const WINDOW_SECONDS = 0.03
const SEARCH_SECONDS = 0.008

/**
 * Shortens audio to at most `seconds` at the same pitch, by waveform-similarity overlap-add (WSOLA). Audio that is
 * short enough is returned unchanged.
 */
export function timeStretch(sound: Sound, seconds: number): Sound {
  const { samples, sampleRate } = sound
  const target = Math.round(seconds * sampleRate)
  if (samples.length <= target) return sound
  const hop = Math.round((WINDOW_SECONDS * sampleRate) / 2)
  const width = hop * 2
  if (target < width * 2) return { sampleRate, samples: samples.slice(0, target) }
  const search = Math.round(SEARCH_SECONDS * sampleRate)
  const out = new Float32Array(target)
  const lastStart = samples.length - width
  let from = 0
  for (let at = 0; at < target; at += hop) {
    if (at > 0) {
      const ideal = Math.round((at * lastStart) / (target - width))
      const low = Math.max(0, Math.min(lastStart, ideal - search))
      from = bestContinuation(samples, Math.min(from + hop, lastStart), low, Math.min(lastStart, ideal + search), hop)
    }
    const length = Math.min(width, target - at)
    for (let i = 0; i < length; i++) {
      // No fade-in at the start and no fade-out at the end.
      const whole = (at === 0 && i < hop) || (at + hop >= target && i >= hop)
      out[at + i]! += samples[from + i]! * (whole ? 1 : 0.5 - 0.5 * Math.cos((Math.PI * i) / hop))
    }
  }
  return { sampleRate, samples: out }
}

/** The start between `low` and `high` where the samples correlate best with those at `natural`. */
function bestContinuation(samples: Float32Array, natural: number, low: number, high: number, length: number): number {
  let best = low
  let bestCorrelation = Number.NEGATIVE_INFINITY
  for (let start = low; start <= high; start++) {
    let dot = 0
    let square = 1e-9
    for (let i = 0; i < length; i++) {
      const value = samples[start + i]!
      dot += value * samples[natural + i]!
      square += value * value
    }
    const correlation = dot / Math.sqrt(square)
    if (correlation > bestCorrelation) [best, bestCorrelation] = [start, correlation]
  }
  return best
}

const FADE_SECONDS = 0.004

/** Scales audio to a peak level and fades both ends to avoid clicks. */
export function normalizePeak({ samples, sampleRate }: Sound, peak: number): Sound {
  let most = 0
  for (const value of samples) most = Math.max(most, Math.abs(value))
  const fade = Math.round(FADE_SECONDS * sampleRate)
  const gain = most > 0 ? peak / most : 0
  const end = samples.length - 1
  return { sampleRate, samples: samples.map((value, i) => value * gain * Math.min(1, i / fade, (end - i) / fade)) }
}
