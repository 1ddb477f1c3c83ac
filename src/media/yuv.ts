import { type Call, compileKernel, growTo, kernelCalls, kernelMemory } from '../base/kernel.ts'
import type { Bitmap } from './image.ts'

/**
 * Conversion between YUV planes and RGB. Done here rather than by the decoder, so pixels are identical across backends
 * and versions.
 */

const ONE = 1 << 16

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

let encoder: { memory: WebAssembly.Memory; toPlanes: Call } | undefined

/** The kernel reads 16 bytes at a time. */
const SPARE = 16

/**
 * BT.601 limited range, the default of video players; chroma is the mean of four pixels. The planes are only valid until the
 * next picture: with copies of large ones, the garbage collector takes longer than the conversion.
 */
export function rgbToYuv({ width, height, channels, data }: Bitmap): Uint8Array {
  encoder ??= loadEncoder()
  const { memory, toPlanes } = encoder
  const pixels = width * height
  const y = data.length + SPARE
  const end = y + (pixels * 3) / 2
  growTo(memory, end)
  new Uint8Array(memory.buffer, 0, data.length).set(data)
  toPlanes(0, channels, width, height, y, y + pixels, y + (pixels * 5) / 4)
  return new Uint8Array(memory.buffer, y, end - y)
}

function loadEncoder(): { memory: WebAssembly.Memory; toPlanes: Call } {
  const memory = kernelMemory()
  return { memory, ...kernelCalls(compileKernel(new URL('yuv-kernel.wasm', import.meta.url)), memory, ['toPlanes']) }
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
