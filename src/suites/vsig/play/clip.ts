/** Opens clips, built in or from a video file. */
import {
  toMissingAsset,
  type Bitmap,
  type DataFiles,
  type MediaType,
  MissingAssetError,
  openVideo,
  type Provenance,
  sha256,
  type Sound,
  UserError,
  readRegular,
} from '../../../suite.ts'
import { RENDERER } from '../../../world.ts'
import { ClipRenderer } from '../samples/clips/draw.ts'
import { encodeClip } from '../samples/clips/encode.ts'
import { GENERATOR, HEIGHT, planClip, WIDTH } from '../samples/clips/plan.ts'
import { FPS, frameMs } from '../samples/clips/timing.ts'
import { clipSound, clipVoice } from '../samples/clips/voice.ts'
import type { Origin } from '../samples/sample.ts'
import type { Size } from '../domain/mask.ts'
import type { VsigOptions } from '../options.ts'

export interface OpenClip extends Size {
  frames: number
  fps: number
  durationMs: number
  /** Time of frame `index`, in milliseconds. */
  timeMs(index: number): number
  /** Yields frames; `indices` must be ascending. */
  readFrames(indices: readonly number[]): AsyncIterable<{ index: number; bitmap: Bitmap }>
  /** The whole clip as a file. Built-in clips have a voice unless `speech` is none; for audio a voice is required. */
  file(
    speech: VsigOptions['speech'],
  ): Promise<{ bytes: Uint8Array; type: MediaType; provenance: Omit<Provenance, 'made'> }>
  /** Its sound; null without one. */
  sound(): Promise<Sound | null>
  provenance: Omit<Provenance, 'made'>
  /** Provenance kind of the frames: `render` or `video-frame`. */
  made: string
  close(): Promise<void>
}

export async function openClip(origin: Origin, files: DataFiles): Promise<OpenClip> {
  if (origin.kind === 'clip') return builtinClip(origin)
  if (origin.kind === 'results') throw new MissingAssetError(`${origin.video} is not part of a result file`)
  try {
    return await videoClip(files.path(`${origin.source}/${origin.file}`, origin.file))
  } catch (error) {
    return toMissingAsset(error)
  }
}

function builtinClip(origin: Extract<Origin, { kind: 'clip' }>): OpenClip {
  const { seed, index, language, level, attempt } = origin
  const plan = planClip(origin)
  const renderer = new ClipRenderer(plan)
  return {
    width: WIDTH,
    height: HEIGHT,
    frames: plan.frames,
    fps: FPS,
    durationMs: plan.durationMs,
    timeMs: (frame) => Math.round(frameMs(frame)),
    async *readFrames(indices) {
      for (const frame of indices) yield { index: frame, bitmap: renderer.frame(frame) }
    },
    async file(speech) {
      const voice = await clipVoice(language, speech)
      const { bytes, encoder } = await encodeClip(renderer.film(), plan, voice)
      return { bytes, type: 'video/mp4', provenance: { encoder, voice: voice?.name ?? null } }
    },
    async sound() {
      const voice = await clipVoice(language, 'audio')
      return voice && clipSound(plan, voice)
    },
    made: 'render',
    provenance: { generator: GENERATOR, seed, index, language, level, attempt, renderer: RENDERER },
    close: () => Promise.resolve(),
  }
}

async function videoClip(path: string): Promise<OpenClip> {
  const video = await openVideo(path)
  const { info } = video
  if (info.frames === 0) {
    await video.close()
    throw new UserError(`The video ${path} has no frames.`)
  }
  return {
    width: info.width,
    height: info.height,
    frames: info.frames,
    fps: info.fps,
    durationMs: Math.round(info.durationSeconds * 1000),
    timeMs: (frame) => Math.round((info.times[frame] ?? 0) * 1000),
    readFrames: (indices) => video.frames(indices),
    async file() {
      const type = /\.mov$/i.test(path) ? 'video/quicktime' : 'video/mp4'
      return { bytes: await readRegular(path), type, provenance: {} }
    },
    sound: () => video.sound(),
    made: 'video-frame',
    provenance: { decoder: video.decoder, source: sha256(await readRegular(path)) },
    close: () => video.close(),
  }
}
