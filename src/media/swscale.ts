/**
 * Scaling of video frames as decord does it when it is asked for a size: swscale's bilinear, from YUV planes to RGB in one
 * go, in its integers. Frames equal those of ffmpeg's `scale` filter with `flags=bilinear` in every bit.
 */
import type { Bitmap } from './image.ts'
import { CHROMA, type Planes, type YuvFormat, yuvToRgb } from './yuv.ts'

/** For each output position the first input and the weights of those from there on. */
interface Taps {
  first: Int32Array
  weights: Int32Array
  count: number
}

/** Weights add up to these. */
const ACROSS_ONE = 1 << 14
const DOWN_ONE = 1 << 12
/** Counts of weights are multiples of these on x86, which keeps some that would be cut off as too small. */
const ACROSS_MULTIPLE = 4
const DOWN_MULTIPLE = 2
/** Weights at both ends are cut off while their sum is at most this share. */
const CUT_OFF = 0.002

const PIXEL = 1n << 17n
const absolute = (value: bigint): bigint => (value < 0n ? -value : value)

function tapsOf(from: number, to: number, one: number, multiple: number): Taps {
  const step = Math.floor((from * 65_536 + (to >> 1)) / to)
  const shrink = Math.max(1, Math.floor(from / to))
  const whole = 1n << BigInt(54 - Math.min(31 - Math.clz32(shrink), 8))
  const rows: bigint[][] = []
  const first: number[] = []
  if (Math.abs(step - 65_536) < 10) {
    for (let i = 0; i < to; i++) {
      rows.push([whole])
      first.push(i)
    }
  } else {
    const wide = step <= 65_536 ? 3 : 1 + Math.floor((2 * from + to - 1) / to)
    const count = Math.max(1, Math.min(wide, from - 2))
    let place = BigInt(step) - 65_536n
    for (let i = 0; i < to; i++) {
      const start = Number((place - BigInt(count - 2) * 65_536n) / PIXEL)
      first.push(start)
      rows.push(
        Array.from({ length: count }, (_, j) => {
          let distance = absolute(BigInt(start + j) * PIXEL - place) << 13n
          if (step > 65_536) distance = (distance * BigInt(to)) / BigInt(from)
          const weight = (1n << 30n) - distance
          return weight < 0n ? 0n : weight * (whole >> 30n)
        }),
      )
      place += 2n * BigInt(step)
    }
  }
  const count = shorten(rows, first, whole)
  const aligned = Math.ceil(count / multiple) * multiple
  const weights = new Int32Array(to * aligned)
  for (const [i, row] of rows.entries()) {
    const padded = Array.from({ length: aligned }, (_, j) => row[j] ?? 0n)
    first[i] = keepInside(padded, first[i]!, from)
    weights.set(wholeNumbers(padded, one), i * aligned)
  }
  return { first: Int32Array.from(first), weights, count: aligned }
}

/** Moves each row to its first weight that matters, and returns how many are needed from there on. */
function shorten(rows: bigint[][], first: number[], whole: bigint): number {
  const limit = BigInt(Math.floor(CUT_OFF * Number(whole)))
  let needed = 0
  for (let i = rows.length - 1; i >= 0; i--) {
    const row = rows[i]!
    let cut = 0n
    for (let j = 0; j < row.length; j++) {
      cut += absolute(row[0]!)
      // Positions never go backwards.
      if (cut > limit || (i < rows.length - 1 && first[i]! >= first[i + 1]!)) break
      row.push(0n)
      row.shift()
      first[i]!++
    }
    let used = row.length
    cut = 0n
    for (let j = row.length - 1; j > 0; j--) {
      cut += absolute(row[j]!)
      if (cut > limit) break
      used--
    }
    needed = Math.max(needed, used)
  }
  return needed
}

/** What lies outside counts for the edge. Returns where the row then begins. */
function keepInside(row: bigint[], start: number, from: number): number {
  let at = start
  if (at < 0) {
    for (let j = 1; j < row.length; j++) {
      const left = Math.max(j + at, 0)
      const moved = row[j]!
      row[j] = 0n
      row[left] = row[left]! + moved
    }
    at = 0
  }
  if (at + row.length > from) {
    const shift = at + Math.min(row.length - from, 0)
    let outside = 0n
    for (let j = row.length - 1; j >= 0; j--) {
      if (at + j < from) continue
      outside += row[j]!
      row[j] = 0n
    }
    for (let j = row.length - 1; j >= 0; j--) row[j] = j < shift ? 0n : row[j - shift]!
    at -= shift
    row[from - 1 - at] = row[from - 1 - at]! + outside
  }
  return at
}

/** Whole numbers that add up to `one`; what rounding loses is handed on to the next. */
function wholeNumbers(row: readonly bigint[], one: number): number[] {
  const sum = (row.reduce((total, each) => total + each, 0n) + BigInt(one / 2)) / BigInt(one) || 1n
  let left = 0n
  return row.map((each) => {
    const value = each + left
    const rounded = (value >= 0n ? value + (sum >> 1n) : value - (sum >> 1n)) / sum
    left = value - rounded * sum
    return Number(rounded)
  })
}

/** Rows scaled across, with seven more bits. */
function across(plane: Uint8Array, stride: number, height: number, taps: Taps): Int32Array {
  const { first, weights, count } = taps
  const width = first.length
  const out = new Int32Array(width * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * stride + first[x]!
      let sum = 0
      for (let k = 0; k < count; k++) {
        const weight = weights[x * count + k]!
        if (weight !== 0) sum += weight * plane[at + k]!
      }
      out[y * width + x] = Math.min(sum >> 7, 32_767)
    }
  }
  return out
}

function downAt(rows: Int32Array, width: number, x: number, y: number, { first, weights, count }: Taps, half: number) {
  let sum = half
  for (let k = 0; k < count; k++) {
    const weight = weights[y * count + k]!
    if (weight !== 0) sum += weight * rows[(first[y]! + k) * width + x]!
  }
  return sum >> 19
}

/** Colors of swscale's tables: luma moved by what chroma adds, in steps of luma. */
function colorTables({ matrix, fullRange }: YuvFormat) {
  const [redV, blueU, greenU, greenV] = CHROMA[matrix]
  const light = fullRange ? 65_536 : Math.floor((65_536 * 255) / 219)
  const start = (fullRange ? 0 : 16 * 65_536) + 384 * 65_536
  const offset = fullRange ? 384 : 326
  const moves = (coefficient: number): Int32Array => {
    const narrow = fullRange ? Math.trunc((coefficient * 224) / 255) : coefficient
    const inLuma = Math.trunc((narrow * 65_536 + 0x8000) / light)
    return Int32Array.from({ length: 256 }, (_, i) => Math.floor((i * inLuma) / 65_536) - Math.floor(inLuma / 512))
  }
  const shade = (luma: number): number =>
    Math.min(255, Math.max(0, Math.floor(((luma + offset) * light - start + 0x8000) / 65_536)))
  return { red: moves(redV), blue: moves(blueU), greenU: moves(greenU), greenV: moves(greenV), shade }
}

const clipped = (value: number): number => Math.min(255, Math.max(0, value))

/** @param size of even width */
export function scaleToRgb(planes: Planes, format: YuvFormat, size: { width: number; height: number }): Bitmap {
  const { width, height } = size
  // Nothing to scale: another routine of swscale converts such frames.
  if (planes.width === width && planes.height === height) return yuvToRgb(planes, format)
  const chromaSource = { width: (planes.width + 1) >> 1, height: (planes.height + 1) >> 1 }
  const chromaWidth = width >> 1
  const luma = across(planes.y, planes.yStride, planes.height, tapsOf(planes.width, width, ACROSS_ONE, ACROSS_MULTIPLE))
  const chromaAcross = tapsOf(chromaSource.width, chromaWidth, ACROSS_ONE, ACROSS_MULTIPLE)
  const u = across(planes.u, planes.uvStride, chromaSource.height, chromaAcross)
  const v = across(planes.v, planes.uvStride, chromaSource.height, chromaAcross)
  const lumaDown = tapsOf(planes.height, height, DOWN_ONE, DOWN_MULTIPLE)
  const chromaDown = tapsOf(chromaSource.height, height, DOWN_ONE, DOWN_MULTIPLE)
  const { red, blue, greenU, greenV, shade } = colorTables(format)
  const data = new Uint8Array(width * height * 3)
  for (let y = 0; y < height; y++) {
    // With two weights of which none is negative, swscale does not round.
    const half = lumaDown.count === 2 && chromaDown.count === 2 ? 0 : 1 << 18
    for (let x = 0; x < chromaWidth; x++) {
      const cu = clipped(downAt(u, chromaWidth, x, y, chromaDown, half))
      const cv = clipped(downAt(v, chromaWidth, x, y, chromaDown, half))
      const green = greenU[cu]! + greenV[cv]!
      for (const column of [2 * x, 2 * x + 1]) {
        const light = downAt(luma, width, column, y, lumaDown, half)
        const at = (y * width + column) * 3
        data[at] = shade(light + red[cv]!)
        data[at + 1] = shade(light + green)
        data[at + 2] = shade(light + blue[cu]!)
      }
    }
  }
  return { width, height, channels: 3, data }
}
