/** A video file as frames in order, whatever its kind. */
import { open, readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { type Bitmap, type MediaType, messageOf, openVideo, UserError, videoType } from '../../../suite.ts'
import type { ClipFacts } from '../events.ts'

export type ClipInfo = Omit<ClipFacts, 'decoder'>

export interface Clip {
  info: ClipInfo
  /** Which decoder, for the record. */
  decoder: string
  /** All frames in order, r g b, each decoded once. */
  frames(): AsyncGenerator<Bitmap, void, undefined>
  close(): Promise<void>
}

/** Extensions of video files. */
export const VIDEO_ENDINGS: readonly string[] = ['.mp4', '.gif', '.mov', '.mkv', '.webm', '.avi']

/** Enough of a file to tell its kind. */
const HEAD_BYTES = 16
/** A GIF is decoded as a whole; this many pixels over all its frames are refused. */
const GIF_PIXELS = 400_000_000
/** What viewers take for a GIF that states no delay. */
const GIF_DEFAULT_MS = 100

/** What a file is, is told by its first bytes: names may say anything, and kept media have none. */
export async function openClip(path: string): Promise<Clip> {
  return (await clipType(path)) === 'image/gif' ? openGif(path) : openFilm(path)
}

/** The kind of a video file; null for what is not known as one. A file that cannot be read is said where it is opened. */
export async function clipType(path: string): Promise<MediaType | null> {
  const file = await open(path).catch(() => null)
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

async function openFilm(path: string): Promise<Clip> {
  // Codecs that the decoder from npm does not know (MPEG-4 part 2, as OpenCV writes it) are left to ffmpeg, if it is there.
  const video = await openVideo(path).catch((error: unknown) =>
    openVideo(path, { backend: 'ffmpeg' }).catch(() => {
      throw error
    }),
  )
  const { width, height, frames, fps, durationSeconds } = video.info
  return {
    info: { width, height, frames, fps, seconds: durationSeconds },
    decoder: video.decoder,
    async *frames() {
      const all = Array.from({ length: frames }, (_, i) => i)
      for await (const { bitmap } of video.frames(all)) yield bitmap
    },
    close: () => video.close(),
  }
}

async function openGif(path: string): Promise<Clip> {
  const bytes = await readFile(path)
  try {
    const gif = sharp(bytes, { animated: true, limitInputPixels: GIF_PIXELS })
    const { width, pageHeight, height, pages = 1, delay } = await gif.metadata()
    const rows = pageHeight ?? height
    const milliseconds = (delay ?? []).reduce((sum, ms) => sum + (ms > 0 ? ms : GIF_DEFAULT_MS), 0)
    const seconds = (milliseconds > 0 ? milliseconds : pages * GIF_DEFAULT_MS) / 1000
    return {
      info: { width, height: rows, frames: pages, fps: pages / seconds, seconds },
      decoder: `sharp ${sharp.versions.sharp ?? '?'}`,
      async *frames() {
        for (let page = 0; page < pages; page++) {
          const data = await sharp(bytes, { page, limitInputPixels: GIF_PIXELS })
            .flatten({ background: '#000000' })
            .toColourspace('srgb')
            .raw({ depth: 'uchar' })
            .toBuffer()
          yield { width, height: rows, channels: 3, data }
        }
      },
      close: () => Promise.resolve(),
    }
  } catch (error) {
    throw new UserError(`${path} cannot be read as a GIF: ${messageOf(error)}`, { cause: error })
  }
}
