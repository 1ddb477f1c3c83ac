import { messageOf, UserError } from '../base/errors.ts'
import { readRegular } from '../base/regular-file.ts'
import { sharp } from './sharp.ts'
import { timing, type Video } from './video.ts'
import { sortedFrameIndices } from './video-rules.ts'

/** A GIF is decoded as a whole; this many pixels over all its frames are refused. */
const PIXEL_LIMIT = 400_000_000
/** What viewers take for a frame without a delay. */
const DEFAULT_DELAY_MS = 100

/** Opens an animated GIF as a video. Transparent pixels are black. */
export async function openGif(path: string): Promise<Video> {
  const decode = sharp()
  const bytes = await readRegular(path)
  try {
    const {
      width,
      pageHeight,
      height,
      pages = 1,
      delay = [],
    } = await decode(bytes, {
      animated: true,
      limitInputPixels: PIXEL_LIMIT,
    }).metadata()
    const rows = pageHeight ?? height
    const starts = [0]
    for (let page = 0; page < pages; page++) starts.push(starts[page]! + (delay[page] || DEFAULT_DELAY_MS))
    const times = Float64Array.from(starts, (ms) => ms / 1000)
    const info = {
      width,
      height: rows,
      ...timing(times.subarray(0, pages), times[pages]!),
      rotation: 0,
      codec: 'gif',
    } as const
    return {
      info,
      decoder: `sharp ${decode.versions.sharp ?? '?'}`,
      async *frames(indices) {
        for (const index of sortedFrameIndices(indices, info, path)) {
          const page = decode(bytes, { page: index, limitInputPixels: PIXEL_LIMIT })
          const data = await page
            .flatten({ background: '#000000' })
            .toColourspace('srgb')
            .raw({ depth: 'uchar' })
            .toBuffer()
            .catch((error: unknown) => refuse(path, error))
          yield { index, time: times[index]!, bitmap: { width, height: rows, channels: 3, data } }
        }
      },
      sound: () => Promise.resolve(null),
      close: () => Promise.resolve(),
    }
  } catch (error) {
    return refuse(path, error)
  }
}

function refuse(path: string, error: unknown): never {
  if (error instanceof UserError) throw error
  throw new UserError(`${path} cannot be read as a GIF: ${messageOf(error)}`, { cause: error })
}
