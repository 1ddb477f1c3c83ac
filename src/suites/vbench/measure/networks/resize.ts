/** Resizing as the published preprocessing does it, and as no picture library does: planes of floats, r then g then b. */
import { type Bitmap, roundHalfEven } from '../../../../suite.ts'
import type { Padding, Size } from '../rules/sizes.ts'

/** Channel after channel, rows from top to bottom. */
export interface Planes extends Size {
  data: Float32Array
}

/** Of frames that several networks are shown. */
const known = new WeakMap<Bitmap, Planes>()

/** The bytes of a picture as planes, which nothing may write to: they are made once per picture. */
export function planesOf(bitmap: Bitmap): Planes {
  const planes = known.get(bitmap) ?? separated(bitmap)
  known.set(bitmap, planes)
  return planes
}

function separated({ width, height, channels, data }: Bitmap): Planes {
  const size = width * height
  const out = new Float32Array(size * 3)
  const [green, blue] = channels < 3 ? [0, 0] : [1, 2]
  for (let i = 0, at = 0; i < size; i++, at += channels) {
    out[i] = data[at]!
    out[size + i] = data[at + green]!
    out[2 * size + i] = data[at + blue]!
  }
  return { width, height, data: out }
}

/** For each output position: first input and weights, edges repeated. */
interface Taps {
  first: Int32Array
  weights: Float32Array
  count: number
}

/** PyTorch's `interpolate` without antialiasing: half-pixel centers; linear clamps at the first pixel, cubic a = −0.75. */
function plainTaps(from: number, to: number, kind: 'bilinear' | 'bicubic'): Taps {
  const count = kind === 'bilinear' ? 2 : 4
  const first = new Int32Array(to)
  const weights = new Float32Array(to * count)
  for (let i = 0; i < to; i++) {
    const centre = ((i + 0.5) * from) / to - 0.5
    const place = kind === 'bilinear' ? Math.max(0, centre) : centre
    const below = Math.floor(place)
    const t = place - below
    if (kind === 'bilinear') {
      first[i] = below
      weights.set([1 - t, t], i * count)
    } else {
      first[i] = below - 1
      weights.set([cubic(1 + t, -0.75), cubic(t, -0.75), cubic(1 - t, -0.75), cubic(2 - t, -0.75)], i * count)
    }
  }
  return { first, weights, count }
}

/**
 * Pillow's bicubic (a = −0.5), and the bilinear of Pillow and of PyTorch with antialiasing: the kernel grows with the
 * reduction, so that nothing is skipped.
 */
function growingTaps(from: number, to: number, kernel: (x: number) => number, reach: number): Taps {
  const scale = Math.max(1, from / to)
  const support = reach * scale
  const count = Math.ceil(support) * 2 + 1
  const first = new Int32Array(to)
  const weights = new Float32Array(to * count)
  for (let i = 0; i < to; i++) {
    const centre = ((i + 0.5) * from) / to
    const start = Math.max(0, Math.trunc(centre - support + 0.5))
    const end = Math.min(from, Math.trunc(centre + support + 0.5))
    first[i] = start
    let sum = 0
    for (let k = start; k < end; k++) {
      const weight = kernel(Math.abs((k - centre + 0.5) / scale))
      weights[i * count + k - start] = weight
      sum += weight
    }
    for (let k = 0; k < end - start; k++) weights[i * count + k]! /= sum
  }
  return { first, weights, count }
}

const pillowCubic = (x: number): number => cubic(x, -0.5)
const triangle = (x: number): number => Math.max(0, 1 - x)

function cubic(x: number, a: number): number {
  const d = Math.abs(x)
  if (d <= 1) return ((a + 2) * d - (a + 3)) * d * d + 1
  return d < 2 ? (((d - 5) * d + 8) * d - 4) * a : 0
}

/** Sums are of 64 bits, in the order of the taps. */
function alongRows({ data: input, width, height }: Planes, to: number, { first, weights, count }: Taps): Planes {
  const places = Int32Array.from(weights, (_, i) => clamp(first[Math.floor(i / count)]! + (i % count), width))
  const out = new Float32Array(to * height * 3)
  for (let row = 0, at = 0; row < height * 3; row++) {
    const base = row * width
    for (let x = 0, tap = 0; x < to; x++) {
      let sum = 0
      for (const end = tap + count; tap < end; tap++) sum += weights[tap]! * input[base + places[tap]!]!
      out[at++] = sum
    }
  }
  return { width: to, height, data: out }
}

/** Beyond the edges, the edges are repeated. */
function clamp(place: number, size: number): number {
  return Math.min(size - 1, Math.max(0, place))
}

function alongColumns({ data: input, width, height }: Planes, to: number, { first, weights, count }: Taps): Planes {
  const out = new Float32Array(width * to * 3)
  const sums = new Float64Array(width)
  for (let c = 0; c < 3; c++) {
    for (let y = 0; y < to; y++) {
      sums.fill(0)
      for (let k = 0; k < count; k++) {
        const weight = weights[y * count + k]!
        if (weight === 0) continue
        const from = (c * height + clamp(first[y]! + k, height)) * width
        for (let x = 0; x < width; x++) sums[x]! += weight * input[from + x]!
      }
      out.set(sums, (c * to + y) * width)
    }
  }
  return { width, height: to, data: out }
}

export type ResizeKind = 'bilinear' | 'bicubic' | 'pillow-bicubic' | 'antialias-bilinear'

/** @param bytes results are whole numbers from 0 to 255, as where the published code resizes bytes */
export function resizePlanes(planes: Planes, size: Size, kind: ResizeKind, bytes: boolean): Planes {
  if (planes.width === size.width && planes.height === size.height) return planes
  const taps = (from: number, to: number) => {
    if (kind === 'pillow-bicubic') return growingTaps(from, to, pillowCubic, 2)
    return kind === 'antialias-bilinear' ? growingTaps(from, to, triangle, 1) : plainTaps(from, to, kind)
  }
  const rows = alongRows(planes, size.width, taps(planes.width, size.width))
  // Pillow keeps bytes between its two passes.
  if (kind === 'pillow-bicubic') toBytes(rows.data, Math.round)
  const resized = alongColumns(rows, size.height, taps(planes.height, size.height))
  if (bytes) toBytes(resized.data, kind === 'pillow-bicubic' ? Math.round : roundHalfEven)
  return resized
}

/** OpenCV's weights of bytes have eleven fraction bits. */
const OPENCV_ONE = 2048

interface OpencvTaps {
  at: Int32Array
  next: Int32Array
  /** Of both; they may add up to one more or less than `OPENCV_ONE`. */
  weights: [Int32Array, Int32Array]
}

/** For each output position the two inputs and their weights. Beyond the edges of a row the edge counts alone. */
function opencvTaps(from: number, to: number, axis: 'x' | 'y'): OpencvTaps {
  const at = new Int32Array(to)
  const next = new Int32Array(to)
  const weights: OpencvTaps['weights'] = [new Int32Array(to), new Int32Array(to)]
  for (let i = 0; i < to; i++) {
    const place = Math.fround((i + 0.5) * (1 / (to / from)) - 0.5)
    const below = Math.floor(place)
    at[i] = Math.min(from - 1, Math.max(0, below))
    next[i] = Math.min(from - 1, Math.max(0, below + 1))
    const part = axis === 'x' && at[i] === next[i] ? 0 : Math.fround(place - below)
    weights[0][i] = roundHalfEven(Math.fround(Math.fround(1 - part) * OPENCV_ONE))
    weights[1][i] = roundHalfEven(Math.fround(part * OPENCV_ONE))
  }
  return { at, next, weights }
}

/**
 * OpenCV's `resize` of bytes with its default, INTER_LINEAR, bit by bit; without antialiasing, but exactly half the
 * size is the mean of four pixels.
 */
export function resizeLikeOpenCv(bitmap: Bitmap, { width, height }: Size): Bitmap {
  if (bitmap.width === width && bitmap.height === height) return bitmap
  const { channels, data: input } = bitmap
  const rowLength = bitmap.width * channels
  const data = new Uint8Array(width * height * channels)
  if (bitmap.width === 2 * width && bitmap.height === 2 * height) {
    for (let i = 0; i < data.length; i++) {
      const y = Math.floor(i / (width * channels))
      const from = 2 * y * rowLength + 2 * (Math.floor(i / channels) - y * width) * channels + (i % channels)
      const below = from + rowLength
      data[i] = (input[from]! + input[from + channels]! + input[below]! + input[below + channels]! + 2) >> 2
    }
    return { width, height, channels, data }
  }
  const across = opencvTaps(bitmap.width, width, 'x')
  const rows = new Int32Array(bitmap.height * width * channels)
  for (let y = 0, out = 0; y < bitmap.height; y++) {
    for (let x = 0; x < width; x++) {
      const [a, b] = [y * rowLength + across.at[x]! * channels, y * rowLength + across.next[x]! * channels]
      const [first, second] = [across.weights[0][x]!, across.weights[1][x]!]
      for (let c = 0; c < channels; c++) rows[out++] = input[a + c]! * first + input[b + c]! * second
    }
  }
  const down = opencvTaps(bitmap.height, height, 'y')
  for (let y = 0, out = 0; y < height; y++) {
    const [a, b] = [down.at[y]! * width * channels, down.next[y]! * width * channels]
    const [first, second] = [down.weights[0][y]!, down.weights[1][y]!]
    for (let i = 0; i < width * channels; i++) {
      const sum = ((first * (rows[a + i]! >> 4)) >> 16) + ((second * (rows[b + i]! >> 4)) >> 16)
      data[out++] = (sum + 2) >> 2
    }
  }
  return { width, height, channels, data }
}

/** PyTorch rounds halves to the even neighbor, Pillow up. */
function toBytes(values: Float32Array, round: (value: number) => number): void {
  for (let i = 0; i < values.length; i++) values[i] = Math.min(255, Math.max(0, round(values[i]!)))
}

export function cropPlanes(planes: Planes, top: number, left: number, size: Size): Planes {
  const data = new Float32Array(size.width * size.height * 3)
  for (let c = 0; c < 3; c++) {
    for (let y = 0; y < size.height; y++) {
      const from = (c * planes.height + y + top) * planes.width + left
      data.set(planes.data.subarray(from, from + size.width), (c * size.height + y) * size.width)
    }
  }
  return { ...size, data }
}

/** Zeros on the right and below, until both sides are multiples of `side`. */
export function padWithZeros({ width, height, data }: Planes, side: number): Planes {
  const size = { width: Math.ceil(width / side) * side, height: Math.ceil(height / side) * side }
  if (size.width === width && size.height === height) return { width, height, data }
  const out = new Float32Array(size.width * size.height * 3)
  for (let row = 0; row < height * 3; row++) {
    const at = (Math.floor(row / height) * size.height + (row % height)) * size.width
    out.set(data.subarray(row * width, (row + 1) * width), at)
  }
  return { ...size, data: out }
}

/** Repeats edges into the padding. */
export function padPlanes(planes: Planes, { left, right, top, bottom }: Padding): Planes {
  const width = planes.width + left + right
  const height = planes.height + top + bottom
  const data = new Float32Array(width * height * 3)
  for (let c = 0; c < 3; c++) {
    for (let y = 0; y < height; y++) {
      const fromY = Math.min(planes.height - 1, Math.max(0, y - top))
      for (let x = 0; x < width; x++) {
        const fromX = Math.min(planes.width - 1, Math.max(0, x - left))
        data[(c * height + y) * width + x] = planes.data[(c * planes.height + fromY) * planes.width + fromX]!
      }
    }
  }
  return { width, height, data }
}

export const IMAGENET = { mean: [0.485, 0.456, 0.406], std: [0.229, 0.224, 0.225] } as const satisfies Normalisation
export const CLIP = {
  mean: [0.48145466, 0.4578275, 0.40821073],
  std: [0.26862954, 0.26130258, 0.27577711],
} as const satisfies Normalisation

interface Normalisation {
  mean: readonly number[]
  std: readonly number[]
}

/** From 0…255 to what the network was trained on. */
export function normalisePlanes({ width, height, data }: Planes, { mean, std }: Normalisation): Planes {
  const size = width * height
  const out = new Float32Array(data.length)
  for (let c = 0; c < 3; c++) {
    for (let i = c * size; i < (c + 1) * size; i++) out[i] = (data[i]! / 255 - mean[c]!) / std[c]!
  }
  return { width, height, data: out }
}
