/** A video file as frames in order, whatever its kind. */
import { type Bitmap, type MediaType, openGif, openVideo, type Video, videoType, openRegular } from '../../../suite.ts'
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

/** What a file is, is told by its first bytes: names may say anything, and kept media have none. */
export async function openClip(path: string): Promise<Clip> {
  const video = (await clipType(path)) === 'image/gif' ? await openGif(path) : await openFilm(path)
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

/** Codecs that the decoder from npm does not know (MPEG-4 part 2, as OpenCV writes it) are left to ffmpeg, if it is there. */
function openFilm(path: string): Promise<Video> {
  return openVideo(path).catch((error: unknown) =>
    openVideo(path, { backend: 'ffmpeg' }).catch(() => {
      throw error
    }),
  )
}
