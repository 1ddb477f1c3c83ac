import type { Bitmap } from '../../../src/media/image.ts'

/** What can be said of a picture without knowing what is in it. */
export interface PictureMeasures {
  /** Share of the pixels that are not the background. */
  covered: number
  /** Standard deviation of the brightness of those pixels, 0…255. */
  spread: number
  /** Share of all pixels that differ visibly from their right or lower neighbor. */
  edges: number
}

const EDGE = 16

export function measurePicture(
  { width, height, data }: Bitmap,
  background: readonly [number, number, number],
): PictureMeasures {
  let count = 0
  let sum = 0
  let squares = 0
  let edges = 0
  const gray = (pixel: number) => 0.3 * data[pixel * 3]! + 0.59 * data[pixel * 3 + 1]! + 0.11 * data[pixel * 3 + 2]!
  const differ = (a: number, b: number) => [0, 1, 2].some((k) => Math.abs(data[a * 3 + k]! - data[b * 3 + k]!) >= EDGE)
  for (let pixel = 0; pixel < width * height; pixel++) {
    const right = pixel % width < width - 1 && differ(pixel, pixel + 1)
    if (right || (pixel < width * (height - 1) && differ(pixel, pixel + width))) edges++
    if (background.every((value, k) => data[pixel * 3 + k] === value)) continue
    count++
    sum += gray(pixel)
    squares += gray(pixel) ** 2
  }
  const mean = sum / (count || 1)
  const pixels = width * height
  return {
    covered: count / pixels,
    spread: Math.sqrt(Math.max(0, squares / (count || 1) - mean ** 2)),
    edges: edges / pixels,
  }
}
