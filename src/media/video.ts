import type { Bitmap } from './image.ts'
import type { Sound } from './sound.ts'

/** One way to decode and encode video, and the rules that all ways keep. */

export interface VideoInfo {
  /** As it is to be shown: rotation obeyed. */
  width: number
  height: number
  /** Frames that are shown, in order of time. */
  frames: number
  /** When each frame is shown, in seconds; the first is usually 0. */
  times: Float64Array
  /** From the first frame to the end of the last. */
  durationSeconds: number
  /** Frames over duration. Frames need not be evenly spaced: see `constantRate`. */
  fps: number
  /** Whether all frames last equally long, within a millisecond. */
  constantRate: boolean
  /** Degrees clockwise that frames are turned from how they are stored. */
  rotation: 0 | 90 | 180 | 270
  codec: string
}

export interface VideoFrame {
  index: number
  /** Seconds. */
  time: number
  /** r, g, b, upright. */
  bitmap: Bitmap
}

/** An open video. Frames are decoded when asked for; nothing is decoded twice for one request. */
export interface Video {
  readonly info: VideoInfo
  /** Which decoder, for the provenance of its frames. */
  readonly decoder: string
  /** The frames of these numbers, each once, in ascending order. */
  frames(indices: Iterable<number>): AsyncGenerator<VideoFrame, void, undefined>
  close(): Promise<void>
}

export interface EncodeOptions {
  width: number
  height: number
  fps: number
  /** H.264 quantiser, 0…51, lower is better. Default 20. */
  quantizer?: number
  /** Seconds between key frames. Default 1: frames can be reached quickly. */
  keyFrameSeconds?: number
  /** Heard from the first frame on; without it the film has no sound track. */
  sound?: Sound
  signal?: AbortSignal
}

export interface EncodedVideo {
  /** The file's bytes: mp4, H.264, AAC where there is sound, index first. */
  bytes: Uint8Array<ArrayBuffer>
  /** When each frame is shown, in seconds. */
  times: Float64Array
  /** Which encoder and settings, for the provenance. */
  encoder: string
}

export interface VideoBackend {
  readonly name: 'mediabunny' | 'ffmpeg'
  /** With versions, for logs. */
  readonly version: string
  open(path: string): Promise<Video>
  /** Frames must be r, g, b of the stated size, whose sides must be even. */
  encode(frames: Iterable<Bitmap> | AsyncIterable<Bitmap>, options: EncodeOptions): Promise<EncodedVideo>
}

export const DEFAULT_QUANTIZER = 20
export const DEFAULT_KEY_FRAME_SECONDS = 1
/** Of the sound, in bits a second: ample for a voice. */
export const SOUND_BIT_RATE = 64_000

const EVEN_WITHIN_SECONDS = 0.001

/** Rates and duration from the times of the frames and of the end of the last one. */
export function timing(
  times: Float64Array,
  end: number,
): Pick<VideoInfo, 'frames' | 'times' | 'durationSeconds' | 'fps' | 'constantRate'> {
  const frames = times.length
  const durationSeconds = Math.max(0, end - (times[0] ?? 0))
  const step = frames > 1 ? (times[frames - 1]! - times[0]!) / (frames - 1) : durationSeconds
  let constantRate = true
  for (let i = 1; i < frames; i++) {
    if (Math.abs(times[i]! - times[0]! - i * step) > EVEN_WITHIN_SECONDS) constantRate = false
  }
  return { frames, times, durationSeconds, fps: durationSeconds > 0 ? frames / durationSeconds : 0, constantRate }
}

/** The number of the frame that is shown at a time: the last that has begun; the first for any earlier time. */
export function frameAtTime({ times }: Pick<VideoInfo, 'times'>, seconds: number): number {
  let low = 0
  let high = times.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    // Times are stored as fractions; a caller's 1/30 must find the frame at 0.0333.
    if (times[middle]! <= seconds + 1e-6) low = middle
    else high = middle - 1
  }
  return low
}
