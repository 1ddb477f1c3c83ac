import { codeOf, UserError, fileErrorReason } from '../base/errors.ts'
import { openRegular } from '../base/regular-file.ts'
import { OPTIONAL_PARTS, type OptionalPartName, partProblem } from '../base/optional-parts.ts'
import { PIXEL_LIMIT } from './image.ts'
import { findMp4Damage } from './mp4-boxes.ts'
import type { Video, VideoBackend, VideoFrame } from './video.ts'

export type BackendName = VideoBackend['name']

/** Loaded on first use: most commands never touch a video. */
const BACKENDS: Readonly<Record<BackendName, () => Promise<VideoBackend>>> = {
  mediabunny: async () => (await import('./video-mediabunny.ts')).mediabunnyBackend(),
  ffmpeg: async () => (await import('./video-ffmpeg.ts')).ffmpegBackend(),
}
const PARTS: Readonly<Record<BackendName, OptionalPartName>> = { mediabunny: '@mediabunny/server', ffmpeg: 'ffmpeg' }
/** In order of preference: who has installed the npm package wants it. It is the same on every machine, and faster. */
export const BACKEND_NAMES = ['mediabunny', 'ffmpeg'] as const satisfies readonly BackendName[]

export interface BackendState {
  name: BackendName
  part: OptionalPartName
  /** Version, if it works. */
  version: string | null
  /** Why it does not work, if it does not. */
  problem: string | null
  /** Whether `openVideo` and `encodeVideo` use it. */
  used: boolean
}

const loaded = new Map<BackendName, Promise<VideoBackend>>()

function load(name: BackendName): Promise<VideoBackend> {
  let backend = loaded.get(name)
  if (!backend) loaded.set(name, (backend = BACKENDS[name]()))
  return backend
}

/** The video backends and whether they work on this machine, for `sightline doctor`. */
export async function mediaBackends(): Promise<BackendState[]> {
  const states: BackendState[] = []
  for (const name of BACKEND_NAMES) {
    try {
      const { version } = await load(name)
      states.push({ name, part: PARTS[name], version, problem: null, used: states.every(({ used }) => !used) })
    } catch (error) {
      states.push({ name, part: PARTS[name], version: null, problem: partProblem(PARTS[name], error), used: false })
    }
  }
  return states
}

/** The backend with this name, or the first that works. */
export async function videoBackend(name?: BackendName): Promise<VideoBackend> {
  const problems: string[] = []
  for (const candidate of name === undefined ? BACKEND_NAMES : [name]) {
    try {
      return await load(candidate)
    } catch (error) {
      problems.push(partProblem(PARTS[candidate], error))
    }
  }
  throw new UserError(`No video decoder or encoder available: ${problems.join('; ')}.`, {
    hint: `Install one with: ${OPTIONAL_PARTS.ffmpeg.install}\nOr with: ${OPTIONAL_PARTS['@mediabunny/server'].install}`,
    setup: true,
  })
}

export interface OpenOptions {
  backend?: BackendName | undefined
  /** Open a file that is visibly damaged too; its frames can be read up to the damage. Default: false. */
  damaged?: boolean
}

/**
 * Opens a video for frame-accurate access, with rotation metadata applied.
 *
 * @example
 * const video = await openVideo('scene0251_00.mp4')
 * for await (const { index, time, bitmap } of video.frames([0, 46, 92])) …
 * await video.close()
 */
export async function openVideo(path: string, { backend, damaged = false }: OpenOptions = {}): Promise<Video> {
  await checkVideoFile(path, damaged)
  const video = await (await videoBackend(backend)).open(path)
  const { width, height } = video.info
  if (width * height <= PIXEL_LIMIT) return video
  await video.close()
  throw new UserError(`Video ${path} says that its frames have ${width} × ${height} pixels, which is too large.`)
}

/** Frames in the order of `indices`, including repeats; each is decoded once. */
export async function readFrames(video: Video, indices: readonly number[]): Promise<VideoFrame[]> {
  const byIndex = new Map<number, VideoFrame>()
  for await (const frame of video.frames(indices)) byIndex.set(frame.index, frame)
  return indices.map((index) => byIndex.get(index)!)
}

/** Rejects files that no decoder can read with a clear error. */
async function checkVideoFile(path: string, damaged: boolean): Promise<void> {
  let file
  try {
    file = await openRegular(path)
  } catch (error) {
    if (error instanceof UserError) throw error
    if (codeOf(error) === 'ENOENT') throw new UserError(`File not found: ${path}`, { cause: error })
    throw new UserError(`Cannot read video ${path}: ${fileErrorReason(error)}.`, { cause: error })
  }
  try {
    const { size } = await file.stat()
    if (size === 0) throw new UserError(`Video ${path} is empty (0 bytes).`, { hint: 'Download it again.' })
    if (damaged) return
    const damage = await findMp4Damage(file, size)
    if (damage) throw new UserError(`Video ${path} is truncated or damaged: ${damage}.`, { hint: 'Download it again.' })
  } finally {
    await file.close()
  }
}
