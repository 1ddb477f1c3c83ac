/** The pictures of a clip, wherever it comes from. */
import { readFile } from 'node:fs/promises'
import { asMissing, UserError } from '../../../base/errors.ts'
import { sha256 } from '../../../base/hash.ts'
import { placeOf } from '../../../engine/places.ts'
import {
  type Bitmap,
  type EncodedVideo,
  type MediaType,
  openVideo,
  videoBackend,
  type Voice,
} from '../../../media/index.ts'
import type { Provenance } from '../../../media/ref.ts'
import { RENDERER } from '../../../world/render/index.ts'
import type { Origin } from '../cases/sample.ts'
import { ClipRenderer } from '../cases/clips/draw.ts'
import { type ClipPlan, FPS, frameMs, GENERATOR, HEIGHT, planClip, WIDTH } from '../cases/clips/plan.ts'
import { clipSound, clipVoice } from '../cases/clips/voice.ts'
import type { Size } from '../domain/mask.ts'
import type { VsigOptions } from '../options.ts'

export interface OpenClip extends Size {
  frames: number
  fps: number
  durationMs: number
  /** When frame `index` is shown, in milliseconds. */
  timeMs(index: number): number
  /** Frames in the order of the numbers, which must ascend. */
  pictures(indices: readonly number[]): AsyncIterable<{ index: number; bitmap: Bitmap }>
  /** The whole clip as a file. A built-in one speaks unless `speech` is none, and must where that is all there is. */
  file(
    speech: VsigOptions['speech'],
  ): Promise<{ bytes: Uint8Array; type: MediaType; provenance: Omit<Provenance, 'made'> }>
  provenance: Omit<Provenance, 'made'>
  /** What made its frames. */
  made: string
  close(): Promise<void>
}

export async function openClip(origin: Origin): Promise<OpenClip> {
  if (origin.kind === 'clip') return builtinClip(origin)
  const path = placeOf(`${origin.source}/${origin.file}`, origin.file)
  try {
    return await videoClip(path)
  } catch (error) {
    // Without the path: folders are named after people.
    return asMissing(error, (words) => words.replaceAll(path, origin.file))
  }
}

function builtinClip({ seed, index, language, attempt }: Extract<Origin, { kind: 'clip' }>): OpenClip {
  const plan = planClip(seed, index, language, attempt)
  const renderer = new ClipRenderer(plan)
  return {
    width: WIDTH,
    height: HEIGHT,
    frames: plan.frames,
    fps: FPS,
    durationMs: plan.durationMs,
    timeMs: (frame) => Math.round(frameMs(frame)),
    async *pictures(indices) {
      for (const frame of indices) yield { index: frame, bitmap: renderer.frame(frame) }
    },
    async file(speech) {
      const voice = await clipVoice(language, speech)
      const { bytes, encoder } = await encodedClip(renderer, plan, voice)
      return { bytes, type: 'video/mp4', provenance: { encoder, voice: voice?.name ?? null } }
    },
    made: 'render',
    provenance: { generator: GENERATOR, seed, index, language, attempt, renderer: RENDERER },
    close: () => Promise.resolve(),
  }
}

/** All frames of a built-in clip as mp4, with its words where there is a voice. */
export async function encodedClip(renderer: ClipRenderer, plan: ClipPlan, voice: Voice | null): Promise<EncodedVideo> {
  const backend = await videoBackend()
  function* all(): Generator<Bitmap> {
    for (let i = 0; i < plan.frames; i++) yield renderer.frame(i)
  }
  const sound = voice ? { sound: await clipSound(plan, voice) } : {}
  return backend.encode(all(), { width: WIDTH, height: HEIGHT, fps: FPS, ...sound })
}

async function videoClip(path: string): Promise<OpenClip> {
  const video = await openVideo(path)
  const { info } = video
  if (info.frames === 0) {
    await video.close()
    throw new UserError(`The video ${path} has no frame.`)
  }
  return {
    width: info.width,
    height: info.height,
    frames: info.frames,
    fps: info.fps,
    durationMs: Math.round(info.durationSeconds * 1000),
    timeMs: (frame) => Math.round((info.times[frame] ?? 0) * 1000),
    pictures: (indices) => video.frames(indices),
    async file() {
      const type = /\.mov$/i.test(path) ? 'video/quicktime' : 'video/mp4'
      return { bytes: await readFile(path), type, provenance: {} }
    },
    made: 'video-frame',
    provenance: { decoder: video.decoder, source: sha256(await readFile(path)) },
    close: () => video.close(),
  }
}
