/**
 * The processes of `video-reader.ts`. What is open is only remembered to save time: a process that has just replaced another
 * opens it again.
 */
import { serveReaders } from '../base/foreign/limited-process.ts'
import type { Sound } from './sound.ts'
import { openVideoFile } from './video-mediabunny.ts'
import type { FrameOptions, Video, VideoFrame } from './video.ts'

/** Frames are handed over in batches, since every message takes as long as decoding a tiny frame. */
const BATCH_FRAMES = 32
const BATCH_BYTES = 8 << 20

interface VideoFile {
  /** Number of the opened video. */
  video: number
  path: string
}

export interface VideoReaders {
  open(file: VideoFile): Promise<Pick<Video, 'info' | 'decoder'>>
  /** The first of these frames. `stream` is the same number until all of them were returned. */
  frames(
    wanted: VideoFile & { stream: number; indices: readonly number[]; options: FrameOptions },
  ): Promise<VideoFrame[]>
  sound(file: VideoFile): Promise<Sound | null>
  stop(reading: { stream: number }): Promise<void>
  close(file: VideoFile): Promise<void>
}

const videos = new Map<number, Promise<Video>>()
const streams = new Map<number, ReturnType<Video['frames']>>()

serveReaders<VideoReaders>({
  open: async (file) => {
    const { info, decoder } = await opened(file)
    return { info, decoder }
  },
  frames: async ({ stream, indices, options, ...file }) => {
    const frames = streams.get(stream) ?? (await opened(file)).frames(indices, options)
    streams.set(stream, frames)
    const batch: VideoFrame[] = []
    for (let bytes = 0; batch.length < Math.min(BATCH_FRAMES, indices.length) && bytes < BATCH_BYTES;) {
      const { value } = await frames.next().catch((error: unknown) => {
        // The frames before the damage are handed over first; the next call meets it again.
        if (batch.length === 0) throw error
        streams.delete(stream)
        return { value: undefined }
      })
      if (!value && batch.length === 0) throw new Error('it has fewer frames than its index says')
      if (!value) break
      batch.push(value)
      bytes += value.bitmap.data.byteLength
    }
    if (batch.length === indices.length) await stop({ stream })
    return batch
  },
  sound: async (file) => (await opened(file)).sound(),
  stop,
  close: async ({ video }) => {
    const known = await videos.get(video)?.catch(() => undefined)
    videos.delete(video)
    await known?.close()
  },
})

function opened({ video, path }: VideoFile): Promise<Video> {
  let known = videos.get(video)
  if (!known) videos.set(video, (known = openVideoFile(path)))
  return known
}

async function stop({ stream }: { stream: number }): Promise<void> {
  const frames = streams.get(stream)
  streams.delete(stream)
  await frames?.return()
}
