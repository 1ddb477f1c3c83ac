import type { Bitmap } from './image.ts'

/**
 * Conversion between YUV planes and RGB. Done here rather than by the decoder, so pixels are identical across backends
 * and versions.
 */

const FRACTION_BITS = 16
const ONE = 1 << FRACTION_BITS
const HALF = ONE >> 1

/** 8-bit planes with 4:2:0 chroma subsampling. */
export interface Planes {
  width: number
  height: number
  y: Uint8Array
  u: Uint8Array
  v: Uint8Array
  yStride: number
  uvStride: number
}

export interface YuvFormat {
  /** `bt601` unless the stream specifies another, as in ffmpeg. */
  matrix: 'bt601' | 'bt709' | 'bt2020'
  /** Luma range 0–255 instead of 16–235. */
  fullRange: boolean
}

/**
 * Of each matrix: red from V, blue from U, green from U and from V, with 16 fraction bits, for chroma of limited range.
 * These and the rounding below are those of swscale on x86, which OpenCV, decord and ffmpeg use: every product is cut
 * off to a whole number by itself, so that frames equal theirs in every bit.
 */
export const CHROMA = {
  bt601: [104_597, 132_201, -25_675, -53_279],
  bt709: [117_489, 138_438, -13_975, -34_925],
  bt2020: [110_013, 140_363, -12_277, -42_626],
} as const

/** What each possible sample contributes: `(8 × sample − 8 × start) × coefficient >> 16`, coefficients with 13 bits. */
function contributions(coefficient: number, start: number): Int16Array {
  const narrow = (coefficient + 4) >> 3
  return Int16Array.from({ length: 256 }, (_, sample) => (8 * (sample - start) * narrow) >> 16)
}

/** Each chroma sample applies to its four pixels, as in common converters. */
export function yuvToRgb(planes: Planes, { matrix, fullRange }: YuvFormat): Bitmap {
  const { width, height, y, u, v, yStride, uvStride } = planes
  const chroma = (coefficient: number) =>
    contributions(fullRange ? Math.trunc((coefficient * 224) / 255) : coefficient, 128)
  const [redV, blueU, greenU, greenV] = CHROMA[matrix]
  const light = fullRange ? contributions(ONE, 0) : contributions(Math.floor((ONE * 255) / 219), 16)
  const [red, blue, greenOfU, greenOfV] = [chroma(redV), chroma(blueU), chroma(greenU), chroma(greenV)]

  const data = new Uint8ClampedArray(width * height * 3)
  let out = 0
  for (let row = 0; row < height; row++) {
    const yRow = row * yStride
    const uvRow = (row >> 1) * uvStride
    for (let column = 0; column < width; column++) {
      const luma = light[y[yRow + column]!]!
      const cu = u[uvRow + (column >> 1)]!
      const cv = v[uvRow + (column >> 1)]!
      data[out++] = luma + red[cv]!
      data[out++] = luma + greenOfU[cu]! + greenOfV[cv]!
      data[out++] = luma + blue[cu]!
    }
  }
  return { width, height, channels: 3, data: new Uint8Array(data.buffer) }
}

/** BT.601 limited range, the default of video players; chroma is the mean of four pixels. */
export function rgbToYuv({ width, height, channels, data }: Bitmap): Uint8Array<ArrayBuffer> {
  const planes = new Uint8Array((width * height * 3) / 2)
  // Luma weights of red and blue.
  const [kr, kb] = [0.299, 0.114]
  const kg = 1 - kr - kb
  const fixed = (value: number) => Math.round(value * ONE)
  const [yr, yg, yb] = [fixed((kr * 219) / 255), fixed((kg * 219) / 255), fixed((kb * 219) / 255)]
  const u = 224 / 255 / (2 * (1 - kb))
  const v = 224 / 255 / (2 * (1 - kr))
  const [ur, ug, ub] = [fixed(-kr * u), fixed(-kg * u), fixed((1 - kb) * u)]
  const [vr, vg, vb] = [fixed((1 - kr) * v), fixed(-kg * v), fixed(-kb * v)]
  const uStart = width * height
  const vStart = uStart + uStart / 4
  const rowBytes = width * channels
  const luma0 = 16 * ONE + HALF
  // Two rows at once: every byte is read once.
  for (let row = 0, out = 0; row < height; row += 2) {
    let y = row * width
    for (let a = row * rowBytes, end = a + rowBytes; a < end; a += 2 * channels, out++, y += 2) {
      const b = a + channels
      const c = a + rowBytes
      const d = c + channels
      const [ra, ga, ba] = [data[a]!, data[a + 1]!, data[a + 2]!]
      const [rb, gb, bb] = [data[b]!, data[b + 1]!, data[b + 2]!]
      const [rc, gc, bc] = [data[c]!, data[c + 1]!, data[c + 2]!]
      const [rd, gd, bd] = [data[d]!, data[d + 1]!, data[d + 2]!]
      planes[y] = (luma0 + ra * yr + ga * yg + ba * yb) >> FRACTION_BITS
      planes[y + 1] = (luma0 + rb * yr + gb * yg + bb * yb) >> FRACTION_BITS
      planes[y + width] = (luma0 + rc * yr + gc * yg + bc * yb) >> FRACTION_BITS
      planes[y + width + 1] = (luma0 + rd * yr + gd * yg + bd * yb) >> FRACTION_BITS
      const red = ra + rb + rc + rd
      const green = ga + gb + gc + gd
      const blue = ba + bb + bc + bd
      planes[uStart + out] = 128 + ((red * ur + green * ug + blue * ub + 2 * ONE) >> (FRACTION_BITS + 2))
      planes[vStart + out] = 128 + ((red * vr + green * vg + blue * vb + 2 * ONE) >> (FRACTION_BITS + 2))
    }
  }
  return planes
}

/** Rotates an image clockwise. */
export function rotateBitmap(bitmap: Bitmap, rotation: 0 | 90 | 180 | 270): Bitmap {
  if (rotation === 0) return bitmap
  const { width, height, channels, data } = bitmap
  const rotated = new Uint8Array(data.length)
  const swap = rotation !== 180
  const newWidth = swap ? height : width
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const x = rotation === 90 ? height - 1 - row : rotation === 180 ? width - 1 - column : row
      const y = rotation === 90 ? column : rotation === 180 ? height - 1 - row : width - 1 - column
      const from = (row * width + column) * channels
      const to = (y * newWidth + x) * channels
      for (let k = 0; k < channels; k++) rotated[to + k] = data[from + k]!
    }
  }
  return { width: newWidth, height: swap ? width : height, channels, data: rotated }
}
