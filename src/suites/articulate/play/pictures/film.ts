/** Films of motions that somebody else made, in place of our own drawings. */
import { basename } from 'node:path'
import { toMissingAsset, type Bitmap, openVideo, resizeBitmap, sha256OfFile } from '../../../../suite.ts'
import type { PictureSize } from './cameras.ts'
import { drawFlowTraces, FlowTraces } from './flow-traces.ts'

/** Longer films are thinned out for following points. */
const MAX_FOLLOWED = 240

export interface FilmFrames {
  frames: { index: number; bitmap: Bitmap }[]
  /** Of the whole file. */
  sha256: string
  decoder: string
}

interface FilmWishes {
  frames: number
  size: PictureSize
  traces: boolean
}

/** Frames from the first to the last, evenly apart, within a size; with traces of what moves between them. */
export async function filmFrames(path: string, wishes: FilmWishes): Promise<FilmFrames> {
  try {
    return await readFrames(path, wishes)
  } catch (error) {
    // The message goes into the log: which film it was, not where it lies.
    return toMissingAsset(error, (words) => words.replaceAll(path, basename(path)))
  }
}

async function readFrames(path: string, { frames: count, size, traces }: FilmWishes): Promise<FilmFrames> {
  const video = await openVideo(path)
  try {
    const { frames: length, width, height } = video.info
    const shown = new Set(evenly(length, count))
    const followed = traces ? evenly(length, MAX_FOLLOWED) : []
    const indices = [...new Set([...shown, ...followed])].sort((a, b) => a - b)
    const scale = Math.min(1, size.width / width, size.height / height)
    const fitted = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
    const flow = traces ? new FlowTraces(indices.length) : null
    const frames: { index: number; turn: number; bitmap: Bitmap }[] = []
    let turn = 0
    for await (const { index, bitmap } of video.frames(indices)) {
      const small = scale === 1 ? bitmap : await resizeBitmap(bitmap, fitted.width, fitted.height)
      flow?.next(small)
      if (shown.has(index)) frames.push({ index, turn, bitmap: { ...small, data: small.data.slice() } })
      turn++
    }
    const found = flow?.traces(fitted) ?? []
    for (const frame of frames) drawFlowTraces(frame.bitmap, found, frame.turn, indices.length)
    return {
      frames: frames.map(({ index, bitmap }) => ({ index, bitmap })),
      sha256: await sha256OfFile(path),
      decoder: video.decoder,
    }
  } finally {
    await video.close()
  }
}

/** Numbers from the first to the last, both included. */
function evenly(length: number, count: number): number[] {
  if (length <= count) return Array.from({ length }, (_, i) => i)
  return Array.from({ length: count }, (_, i) => Math.round((i * (length - 1)) / (count - 1)))
}
