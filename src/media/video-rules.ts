import { UserError } from '../base/errors.ts'
import type { Bitmap } from './image.ts'
import type { EncodeOptions, VideoInfo } from './video.ts'

/** What every backend refuses in the same words. */

/** Frame numbers, each once, ascending; throws for one that the video does not have. */
export function wantedFrames(indices: Iterable<number>, { frames }: VideoInfo, path: string): number[] {
  const wanted = [...new Set(indices)].sort((a, b) => a - b)
  const outside = wanted.find((index) => !Number.isInteger(index) || index < 0 || index >= frames)
  if (outside !== undefined) throw new UserError(`${path} has no frame ${outside}: it has ${frames}, counted from 0.`)
  return wanted
}

/** What AAC knows. */
const SOUND_RATES: ReadonlySet<number> = new Set([8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000])

/** H.264 keeps colours for two by two pixels. */
export function checkFilmSides({ width, height }: Pick<EncodeOptions, 'width' | 'height'>): void {
  const even = (side: number) => Number.isInteger(side) && side >= 2 && side % 2 === 0
  if (even(width) && even(height)) return
  throw new UserError(`A film cannot be ${width} × ${height}: both sides must be even numbers.`)
}

export function checkSize({ width, height, fps, quantizer, sound }: EncodeOptions): void {
  checkFilmSides({ width, height })
  if (!(fps > 0 && fps <= 1000)) throw new UserError(`A film cannot have ${fps} frames a second.`)
  if (quantizer !== undefined && !(Number.isInteger(quantizer) && quantizer >= 0 && quantizer <= 51)) {
    throw new UserError(`The quantiser must be a whole number from 0 to 51, not ${quantizer}.`)
  }
  if (sound && !SOUND_RATES.has(sound.sampleRate)) {
    const rates = [...SOUND_RATES].join(', ')
    throw new UserError(`A film's sound can have ${rates} samples a second, not ${sound.sampleRate}.`)
  }
}

export function checkFrame(bitmap: Bitmap, { width, height }: EncodeOptions, index: number): void {
  if (bitmap.width === width && bitmap.height === height && bitmap.channels !== 1) return
  const found = `${bitmap.width} × ${bitmap.height} with ${bitmap.channels} channels`
  throw new UserError(`Frame ${index} of the film is ${found}, not ${width} × ${height} in colour.`)
}
