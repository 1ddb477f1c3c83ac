/** Sound as numbers: one channel, and what is done to it before it goes into a film. */

export interface Sound {
  /** Samples a second. */
  sampleRate: number
  /** One channel, −1…1. */
  samples: Float32Array<ArrayBuffer>
}

/** Reads a WAV file of 16-bit samples; several channels become their mean. */
export function readWav(bytes: Uint8Array): Sound {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const kindAt = (at: number): string => Buffer.from(bytes.subarray(at, at + 4)).toString('latin1')
  if (bytes.length < 12 || kindAt(0) !== 'RIFF' || kindAt(8) !== 'WAVE') throw new Error('this is no WAV file')
  let format: { channels: number; sampleRate: number } | undefined
  for (let at = 12; at + 8 <= bytes.length;) {
    // Programs that write into a pipe do not know the length yet and state a huge one.
    const size = Math.min(view.getUint32(at + 4, true), bytes.length - at - 8)
    const start = at + 8
    if (kindAt(at) === 'fmt ' && size >= 16) {
      const [coding, channels, bits] = [0, 2, 14].map((offset) => view.getUint16(start + offset, true))
      const sampleRate = view.getUint32(start + 4, true)
      if (coding !== 1 || bits !== 16 || !channels || sampleRate === 0) {
        throw new Error(`a WAV file of 16-bit samples was expected, not coding ${coding} with ${bits} bits`)
      }
      format = { channels, sampleRate }
    } else if (kindAt(at) === 'data') {
      if (!format) throw new Error('the WAV file does not say how its samples are stored')
      return { sampleRate: format.sampleRate, samples: mono(view, start, size, format.channels) }
    }
    at = start + size + (size & 1)
  }
  throw new Error('the WAV file has no samples')
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

/** Samples as 16-bit little-endian numbers, as encoders take them. */
export function pcm16({ samples }: Sound): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(samples.length * 2)
  const view = new DataView(bytes.buffer)
  for (let i = 0; i < samples.length; i++) {
    view.setInt16(i * 2, Math.round(Math.max(-1, Math.min(1, samples[i]!)) * 32_767), true)
  }
  return bytes
}

/** Square root of the mean square between two moments, in seconds. */
export function loudness({ samples, sampleRate }: Sound, from = 0, to = Number.POSITIVE_INFINITY): number {
  const start = Math.max(0, Math.round(from * sampleRate))
  const end = Math.min(samples.length, Math.round(to * sampleRate))
  let sum = 0
  for (let i = start; i < end; i++) sum += samples[i]! ** 2
  return end > start ? Math.sqrt(sum / (end - start)) : 0
}

const STEP_SECONDS = 0.005
/** Of the loudest step: a word has begun above the first, however soft its end; it is over below the second. */
const ONSET = 0.05
const SILENCE = 0.01
/** Kept before the onset, in steps: the breath of a soft consonant. */
const LEAD_STEPS = 2

/** Without the silence at either end. */
export function trimmed(sound: Sound): Sound {
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
 * Said faster, at the same pitch: windows are taken from the sound in larger steps than they are laid down in, each
 * moved to where it continues the one before best. A sound that is short enough comes back as it is.
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
      // The first window starts, and what nothing is laid over any more ends, at full strength.
      const whole = (at === 0 && i < hop) || (at + hop >= target && i >= hop)
      out[at + i]! += samples[from + i]! * (whole ? 1 : 0.5 - 0.5 * Math.cos((Math.PI * i) / hop))
    }
  }
  return { sampleRate, samples: out }
}

/** Where, from `low` to `high`, the samples are most like those at `natural`. */
function bestContinuation(samples: Float32Array, natural: number, low: number, high: number, length: number): number {
  let best = low
  let bestLikeness = Number.NEGATIVE_INFINITY
  for (let start = low; start <= high; start++) {
    let dot = 0
    let square = 1e-9
    for (let i = 0; i < length; i++) {
      const value = samples[start + i]!
      dot += value * samples[natural + i]!
      square += value * value
    }
    const likeness = dot / Math.sqrt(square)
    if (likeness > bestLikeness) [best, bestLikeness] = [start, likeness]
  }
  return best
}

const FADE_SECONDS = 0.004

/** Brought to one loudness, without clicks at its ends. */
export function normalizePeak({ samples, sampleRate }: Sound, peak: number): Sound {
  let most = 0
  for (const value of samples) most = Math.max(most, Math.abs(value))
  const fade = Math.round(FADE_SECONDS * sampleRate)
  const gain = most > 0 ? peak / most : 0
  const end = samples.length - 1
  return { sampleRate, samples: samples.map((value, i) => value * gain * Math.min(1, i / fade, (end - i) / fade)) }
}
