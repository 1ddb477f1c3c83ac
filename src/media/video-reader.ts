/** Opens videos of others in processes with limits of memory and time: native code can crash, and not be interrupted. */
import { stat } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { isMainThread } from 'node:worker_threads'
import { LimitedProcess } from '../base/foreign/limited-process.ts'
import type { Sound } from './sound.ts'
import { sortedFrameIndices } from './video-rules.ts'
import type { VideoReaders } from './video-thread.ts'
import type { FrameOptions, Video } from './video.ts'

/** Longer than any decoder needs from a key frame to the requested frames, even on a busy machine. */
const MIN_SECONDS = 30
/** Videos that are decoded at the same time. The threads of episodes are already as many as the machine has cores. */
const THREADS = isMainThread ? Math.min(4, availableParallelism()) : 1

const threads = Array.from({ length: THREADS }, () => ({
  reader: new LimitedProcess<VideoReaders>('./video-thread', import.meta.url, { minSeconds: MIN_SECONDS }),
  videos: 0,
}))
/** Numbers of open videos and of the frames being read, for the thread to find them again. */
let numbers = 0

export async function openInThread(path: string): Promise<Video> {
  const { size } = await stat(path)
  const thread = threads.reduce((least, other) => (other.videos < least.videos ? other : least))
  const { reader } = thread
  const file = { video: ++numbers, path }
  const unreadable = { message: `Cannot read ${path} as a video`, hint: 'Download it again.' }
  thread.videos++
  const close = (): Promise<unknown> => {
    thread.videos--
    return reader.read(['close', file], size, unreadable)
  }
  try {
    const opened = await reader.read(['open', file], size, unreadable)
    const sound = (): Promise<Sound | null> => reader.read(['sound', file], size, unreadable)
    return { ...opened, frames, sound, close: async () => void (await close()) }

    async function* frames(indices: Iterable<number>, options: FrameOptions = {}): ReturnType<Video['frames']> {
      const wanted = sortedFrameIndices(indices, opened.info, path)
      const stream = ++numbers
      let at = 0
      try {
        while (at < wanted.length) {
          // If the thread was replaced because of another video, it starts again from here.
          const batch = await reader.read(
            ['frames', { ...file, stream, indices: wanted.slice(at), options }],
            size,
            unreadable,
          )
          at += batch.length
          yield* batch
        }
      } finally {
        if (at < wanted.length) await reader.read(['stop', { stream }], size, unreadable)
      }
    }
  } catch (error) {
    await close()
    throw error
  }
}
