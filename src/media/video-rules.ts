import { plural } from '../base/plural.ts'
import { UserError } from '../base/errors.ts'
import type { Bitmap } from './image.ts'
import type { EncodeOptions, VideoInfo } from './video.ts'

/** Input checks shared by all video backends. */

/** Frame indices, each once, ascending; throws if one is out of range. */
export function sortedFrameIndices(indices: Iterable<number>, { frames }: VideoInfo, path: string): number[] {
  const wanted = [...new Set(indices)].sort((a, b) => a - b)
  const outside = wanted.find((index) => !Number.isInteger(index) || index < 0 || index >= frames)
  if (outside !== undefined) throw new UserError(`${path} has no frame ${outside}; its frames are 0–${frames - 1}.`)
  return wanted
}

/** Sample rates supported by AAC. */
const AAC_SAMPLE_RATES: ReadonlySet<number> = new Set([
  8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000,
])

/** H.264 stores chroma for blocks of 2 × 2 pixels. */
export function checkVideoSize({ width, height }: Pick<EncodeOptions, 'width' | 'height'>): void {
  const even = (side: number) => Number.isInteger(side) && side >= 2 && side % 2 === 0
  if (even(width) && even(height)) return
  throw new UserError(`Invalid video size ${width} × ${height}: width and height must be even.`)
}

export function checkEncodeOptions({ width, height, fps, quantizer, sound }: EncodeOptions): void {
  checkVideoSize({ width, height })
  if (!(fps > 0 && fps <= 1000)) throw new UserError(`Invalid frame rate ${fps}: it must be above 0 and at most 1000.`)
  if (quantizer !== undefined && !(Number.isInteger(quantizer) && quantizer >= 0 && quantizer <= 51)) {
    throw new UserError(`Invalid quantizer ${quantizer}: it must be an integer from 0 to 51.`)
  }
  if (sound && !AAC_SAMPLE_RATES.has(sound.sampleRate)) {
    const rates = [...AAC_SAMPLE_RATES].join(', ')
    throw new UserError(`Unsupported audio sample rate ${sound.sampleRate}. Use one of ${rates}.`)
  }
}

export function checkFrame(bitmap: Bitmap, { width, height }: EncodeOptions, index: number): void {
  if (bitmap.width === width && bitmap.height === height && bitmap.channels !== 1) return
  const found = `${bitmap.width} × ${bitmap.height} with ${plural(bitmap.channels, 'channel')}`
  throw new UserError(`Frame ${index} is ${found}; expected ${width} × ${height} in color.`)
}
