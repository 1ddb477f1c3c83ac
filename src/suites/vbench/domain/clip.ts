/** A video file as frames in order, whatever its kind. */
import {
  type Bitmap,
  type MediaType,
  messageOf,
  openGif,
  openRegular,
  openVideo,
  UserError,
  type Video,
  videoType,
} from '../../../suite.ts'
import type { ClipFacts } from '../events.ts'

export type ClipInfo = Omit<ClipFacts, 'decoder'>

/** A frame as the two readers of the published evaluator see it; mostly the same picture. */
export interface ClipFrame {
  /** As decord reads it, by the matrix that the file names. */
  decord: Bitmap
  /** As OpenCV reads it, always by BT.601. */
  opencv: Bitmap
  /** As decord reads it at `SCALED`, if asked for; at full size where the decoder does not do that. */
  scaled: Bitmap
}

/** The size at which the published evaluator has decord read frames for captions. */
export const SCALED = { width: 384, height: 384 }

export interface Clip {
  info: ClipInfo
  /** Which decoder, for the record. */
  decoder: string
  /** What is wrong with a file of which some frames can be read. */
  damage: string | null
  /** All frames in order, each decoded once. Throws a `DamagedVideo` at the first that cannot be decoded. */
  frames(options?: { scaled?: boolean }): AsyncGenerator<ClipFrame, void, undefined>
  close(): Promise<void>
}

/** The frames of a video cannot all be decoded. */
export class DamagedVideo extends UserError {
  /** How many can, from the first on. */
  readonly readable: number

  constructor(readable: number, cause: unknown) {
    super(messageOf(cause), { cause })
    this.readable = readable
  }
}

/** Extensions of video files. */
export const VIDEO_ENDINGS: readonly string[] = ['.mp4', '.gif', '.mov', '.mkv', '.webm', '.avi']

/** Enough of a file to tell its kind. */
const HEAD_BYTES = 16

/** What a file is, is told by its first bytes: names may say anything, and kept media have none. */
export async function openClip(path: string): Promise<Clip> {
  const { video, damage } = await openAny(path)
  return clipOf(video, damage, path)
}

/** For a video that opens, but of which the decoder from npm cannot decode a frame, or not as OpenCV and decord do. */
export async function openWithFfmpeg(path: string, error: unknown): Promise<Clip> {
  const video = await openVideo(path, { backend: 'ffmpeg' }).catch((second: unknown) => withoutFfmpeg(error, second))
  return clipOf(video, null, path)
}

function clipOf(video: Video, damage: string | null, path: string): Clip {
  const { width, height, frames, fps, durationSeconds } = video.info
  return {
    info: { width, height, frames, fps, seconds: durationSeconds },
    decoder: video.decoder,
    damage,
    async *frames(options = {}) {
      const all = Array.from({ length: frames }, (_, i) => i)
      let readable = 0
      try {
        const wanted = { opencv: true, ...(options.scaled && { scaled: SCALED }) }
        for await (const { bitmap, opencv, scaled, approximate } of video.frames(all, wanted)) {
          if (approximate && readable === 0 && (await opensWithFfmpeg(path))) {
            throw new UserError('ffmpeg decodes it as OpenCV and decord do.')
          }
          readable++
          yield { decord: bitmap, opencv: opencv ?? bitmap, scaled: scaled ?? bitmap }
        }
      } catch (error) {
        throw error instanceof UserError ? new DamagedVideo(readable, error) : error
      }
    },
    close: () => video.close(),
  }
}

async function opensWithFfmpeg(path: string): Promise<boolean> {
  const video = await openVideo(path, { backend: 'ffmpeg' }).catch(() => null)
  await video?.close()
  return video !== null
}

/** A damaged file is opened where at least its first frame can be decoded, as OpenCV and decord do. */
async function openAny(path: string): Promise<{ video: Video; damage: string | null }> {
  if ((await clipType(path)) === 'image/gif') return { video: await openGif(path), damage: null }
  try {
    return { video: await openFilm(path), damage: null }
  } catch (error) {
    if (error instanceof UserError && error.setup) throw error
    const video = await openFilm(path, { damaged: true }).catch(() => null)
    if (video === null) throw error
    try {
      for await (const _ of video.frames([0])) return { video, damage: messageOf(error) }
    } catch {
      // What was wrong with the file in the first place says more.
    }
    await video.close()
    throw error
  }
}

/** The kind of a video file; null for what is not known as one. A file that cannot be read is said where it is opened. */
export async function clipType(path: string): Promise<MediaType | null> {
  const file = await openRegular(path).catch(() => null)
  if (file === null) return null
  try {
    const { buffer, bytesRead } = await file.read(new Uint8Array(HEAD_BYTES), 0, HEAD_BYTES, 0)
    return videoType(buffer.subarray(0, bytesRead))
  } catch {
    return null
  } finally {
    await file.close()
  }
}

/**
 * Codecs and containers that the decoder from npm does not know (MPEG-4 part 2 as OpenCV writes it, ProRes, AVI) are left
 * to ffmpeg.
 */
async function openFilm(path: string, options: { damaged?: boolean } = {}): Promise<Video> {
  try {
    return await openVideo(path, options)
  } catch (error) {
    return openVideo(path, { ...options, backend: 'ffmpeg' }).catch((second: unknown) => withoutFfmpeg(error, second))
  }
}

/** What the decoder from npm could not read is a problem of ffmpeg's absence, where it is not there. */
function withoutFfmpeg(error: unknown, second: unknown): never {
  const isMissing = second instanceof UserError && second.setup
  if (!isMissing || (error instanceof UserError && error.setup)) throw error
  throw new UserError(`${messageOf(error)} ffmpeg may read it. ${second.hint?.split('\n')[0] ?? ''}`, { cause: error })
}
