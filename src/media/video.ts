import type { Bitmap } from './image.ts'
import type { Sound } from './sound.ts'

/** The interface of video backends, and what they share. */

export interface VideoInfo {
  /** Display size, after rotation. */
  width: number
  height: number
  /** Number of displayed frames. */
  frames: number
  /** Presentation time of each frame in seconds; the first is usually 0. */
  times: Float64Array
  /** From the first frame to the end of the last. */
  durationSeconds: number
  /** Average frame rate. Frames may be unevenly spaced: see `constantRate`. */
  fps: number
  /** Whether frames are evenly spaced, within a millisecond. */
  constantRate: boolean
  /** Clockwise rotation, in degrees, from the stored to the displayed frame. */
  rotation: 0 | 90 | 180 | 270
  codec: string
}

export interface VideoFrame {
  index: number
  /** Seconds. */
  time: number
  /** RGB, upright. */
  bitmap: Bitmap
  /** If asked for: the frame as OpenCV reads it, which takes every video for BT.601; missing where `bitmap` is the same. */
  opencv?: Bitmap | undefined
  /** If asked for, and if the frame is stored upright: the frame as decord scales it. */
  scaled?: Bitmap | undefined
  /** Set where pixels may differ by a few levels from those of OpenCV and decord, and `opencv` and `scaled` are missing. */
  approximate?: true
}

export interface FrameOptions {
  /** Also decode frames as OpenCV does. */
  opencv?: boolean | undefined
  /** Also scale frames as decord does. The width is even. */
  scaled?: { width: number; height: number } | undefined
}

/** An open video. Frames are decoded on demand, each at most once per call. */
export interface Video {
  readonly info: VideoInfo
  /** Name of the decoder, for the provenance of frames. */
  readonly decoder: string
  /** The frames at these indices, each once, in ascending order. */
  frames(indices: Iterable<number>, options?: FrameOptions): AsyncGenerator<VideoFrame, void, undefined>
  /** The first minutes of its sound as one channel; null without a sound track. */
  sound(): Promise<Sound | null>
  close(): Promise<void>
}

export interface EncodeOptions {
  width: number
  height: number
  fps: number
  /** H.264 quantizer, 0–51, lower is better. Default: 20. */
  quantizer?: number
  /**
   * Preset of libx264. Default: medium. With ultrafast, a file of the same quantizer is 1.7 times as large for an eighth of
   * the work.
   */
  preset?: 'medium' | 'ultrafast'
  /** Seconds between key frames. Default: 1, for fast seeking. */
  keyFrameSeconds?: number
  /** Audio, starting with the first frame; omit for a video without audio. */
  sound?: Sound
  signal?: AbortSignal
}

export interface EncodedVideo {
  /** An MP4 file: H.264, AAC if there is audio, index first. */
  bytes: Uint8Array<ArrayBuffer>
  /** Presentation time of each frame in seconds. */
  times: Float64Array
  /** Encoder and settings, for the provenance. */
  encoder: string
}

export interface VideoBackend {
  readonly name: 'mediabunny' | 'ffmpeg'
  /** Name and version, for logs. */
  readonly version: string
  open(path: string): Promise<Video>
  /** Frames must be RGB with the given size; width and height must be even. */
  encode(frames: Iterable<Bitmap> | AsyncIterable<Bitmap>, options: EncodeOptions): Promise<EncodedVideo>
}

export const DEFAULT_QUANTIZER = 20
export const DEFAULT_PRESET = 'medium'
export const DEFAULT_KEY_FRAME_SECONDS = 1
/** What is read of a sound track, in seconds. */
export const MAX_SOUND_SECONDS = 600
/** Audio bit rate in bits per second: ample for speech. */
export const SOUND_BIT_RATE = 64_000

/** Encoder and settings, for the provenance. */
export function encoderText(
  version: string,
  { quantizer = DEFAULT_QUANTIZER, preset = DEFAULT_PRESET, sound }: EncodeOptions,
): string {
  const isDefault = preset === DEFAULT_PRESET
  return `${version}, libx264 qp=${quantizer}${isDefault ? '' : ` ${preset}`} bt601${sound ? ', aac' : ''}`
}

const CONSTANT_RATE_TOLERANCE_SECONDS = 0.001

/** Frame rate and duration from the frame times and the end of the last frame. */
export function timing(
  times: Float64Array,
  end: number,
): Pick<VideoInfo, 'frames' | 'times' | 'durationSeconds' | 'fps' | 'constantRate'> {
  const frames = times.length
  const durationSeconds = Math.max(0, end - (times[0] ?? 0))
  const step = frames > 1 ? (times[frames - 1]! - times[0]!) / (frames - 1) : durationSeconds
  let constantRate = true
  for (let i = 1; i < frames; i++) {
    if (Math.abs(times[i]! - times[0]! - i * step) > CONSTANT_RATE_TOLERANCE_SECONDS) constantRate = false
  }
  return { frames, times, durationSeconds, fps: durationSeconds > 0 ? frames / durationSeconds : 0, constantRate }
}

/** Index of the frame displayed at a time; the first frame for any time before it. */
export function frameAtTime({ times }: Pick<VideoInfo, 'times'>, seconds: number): number {
  let low = 0
  let high = times.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    // Stored times are rounded: a caller's 1/30 must find the frame at 0.0333.
    if (times[middle]! <= seconds + 1e-6) low = middle
    else high = middle - 1
  }
  return low
}
