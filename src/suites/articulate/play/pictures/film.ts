/** Films of motions that somebody else made, in place of our own drawings. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { asMissing, UserError, whyUnreadable } from '../../../../base/errors.ts'
import { type Bitmap, openVideo, resizeBitmap } from '../../../../media/index.ts'
import type { PictureSize } from './cameras.ts'
import { drawFlowTraces, FlowTraces } from './flow-traces.ts'

const ENDINGS = new Set(['.mp4', '.m4v', '.mov'])
/** Longer films are thinned out for following points. */
const MOST_FOLLOWED = 240

/** The films in a folder, by the name without ending. */
export async function filmsIn(folder: string): Promise<Map<string, string>> {
  const names = await readdir(folder).catch((error: unknown) => {
    throw new UserError(`The folder of films ${folder} cannot be read: ${whyUnreadable(error)}.`, {
      hint: 'Give the folder that holds OBJECT-PART.mp4, or leave the option "films" out.',
    })
  })
  // Only names that the folder has are ever opened: those of objects and parts come from files.
  return new Map(
    names
      .sort()
      .filter((name) => ENDINGS.has(extname(name).toLowerCase()))
      .map((name) => [name.slice(0, -extname(name).length), join(folder, name)]),
  )
}

/** Changes when a film is added, removed or replaced by one of another size. */
export async function filmsFingerprint(folder: string): Promise<string> {
  const hash = createHash('sha256')
  for (const [name, path] of await filmsIn(folder)) hash.update(`${name}\0${(await stat(path)).size}\0`)
  return hash.digest('hex').slice(0, 16)
}

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
    return asMissing(error, (words) => words.replaceAll(path, basename(path)))
  }
}

async function readFrames(path: string, { frames: count, size, traces }: FilmWishes): Promise<FilmFrames> {
  const video = await openVideo(path)
  try {
    const { frames: length, width, height } = video.info
    const shown = new Set(evenly(length, count))
    const followed = traces ? evenly(length, MOST_FOLLOWED) : []
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
      sha256: await fileHash(path),
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

async function fileHash(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Uint8Array)
  return hash.digest('hex')
}
