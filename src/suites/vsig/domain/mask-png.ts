/** A synchronous PNG decoder for masks: any color type and depth, the whole image or a single pixel. */
import { inflateRawSync, inflateSync } from 'node:zlib'

export interface PngHeader {
  width: number
  height: number
  depth: number
  colorType: number
  interlaced: boolean
}

export interface Png extends PngHeader {
  /** The concatenated compressed image data. */
  data: Uint8Array
  /** RGB entries, for color type 3. */
  palette: Uint8Array | null
  /** Whether the file has its last chunk. */
  complete: boolean
}

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }
const DEPTHS: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
}
/** Larger than any camera's frame; bigger images are not decoded. */
const MAX_PIXELS = 64 * 1024 * 1024

/** Maximum bytes beyond the expected size, against decompression bombs. */
const MAX_EXCESS = 65_536
const ZLIB_HEADER = 2
/** Output buffer of zlib: large enough for a frame, but not allocated from an untrusted size. */
const MAX_CHUNK = 8 * 1024 * 1024

const IHDR = 0x49484452
const PLTE = 0x504c5445
const IDAT = 0x49444154
const IEND = 0x49454e44

/** Parses a PNG, or returns why it is invalid. */
export function parsePng(bytes: Uint8Array): Png | string {
  if (bytes.length < 8 || SIGNATURE.some((byte, i) => bytes[i] !== byte)) return 'not a PNG'
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let header: PngHeader | null = null
  let palette: Uint8Array | null = null
  const parts: Uint8Array[] = []
  let complete = false
  for (let at = 8; at + 8 <= bytes.length;) {
    const size = view.getUint32(at)
    const type = view.getUint32(at + 4)
    const start = at + 8
    const isCut = start + size + 4 > bytes.length
    const body = bytes.subarray(start, start + size)
    if (type === IHDR && size === 13 && !isCut) {
      const [depth, colorType] = [body[8]!, body[9]!]
      header = {
        width: view.getUint32(start),
        height: view.getUint32(start + 4),
        depth,
        colorType,
        interlaced: body[12] === 1,
      }
      if (!DEPTHS[colorType]?.includes(depth)) return `unsupported PNG (color type ${colorType}, ${depth} bits)`
    } else if (type === PLTE) palette = body
    else if (type === IDAT) parts.push(body)
    else if (type === IEND) complete = true
    if (isCut || type === IEND) break
    at = start + size + 4
  }
  if (!header) return 'PNG without a header'
  const { width, height } = header
  if (width === 0 || height === 0 || width * height > MAX_PIXELS) return `invalid PNG size ${width} × ${height}`
  if (parts.length === 0) return 'PNG without image data'
  if (header.colorType === 3 && !palette) return 'PNG without a palette'
  const data = parts.length === 1 ? parts[0]! : Buffer.concat(parts)
  return { ...header, data, palette, complete }
}

const bitsPerPixel = ({ colorType, depth }: PngHeader): number => CHANNELS[colorType]! * depth
const rowBytes = (width: number, bits: number): number => Math.ceil((width * bits) / 8)

let rowA = new Uint8Array(0)
let rowB = new Uint8Array(0)

/** The filtered rows of the image; null if the stream is broken, too short or far too long. */
function inflateRows({ data }: Png, length: number, { checked }: { checked: boolean }): Uint8Array | null {
  const options = { maxOutputLength: length + MAX_EXCESS, chunkSize: Math.min(length + 64, MAX_CHUNK) }
  try {
    const rows = checked ? inflateSync(data, options) : inflateRawSync(data.subarray(ZLIB_HEADER), options)
    return rows.length < length ? null : rows
  } catch {
    return null
  }
}

/** Gray value of one pixel, 0…255; null if the image is broken. Checksums are left to the validator. */
export function pixelAt(png: Png, x: number, y: number): number | null {
  if (png.interlaced) {
    const whole = decodeGray(png)
    return whole === null ? null : whole[y * png.width + x]!
  }
  const bits = bitsPerPixel(png)
  const stride = rowBytes(png.width, bits) + 1
  const rows = inflateRows(png, stride * png.height, { checked: false })
  return rows === null ? null : unfilterPixel(png, rows, stride, bits, x, y)
}

/** Undoes the filters for one pixel: along its column if rows only refer to the row above, else row by row. */
function unfilterPixel(png: Png, data: Uint8Array, stride: number, bits: number, x: number, y: number): number | null {
  if (bits === 8) {
    let sum = 0
    let row = y
    while (row >= 0 && data[row * stride] === 2) {
      sum += data[row * stride + 1 + x]!
      row--
    }
    if (row < 0) return toGray(png, sum & 255, 0, 0)
    const filter = data[row * stride]!
    const at = row * stride + 1
    if (filter === 0) return toGray(png, (sum + data[at + x]!) & 255, 0, 0)
    if (filter === 1) {
      for (let i = 0; i <= x; i++) sum += data[at + i]!
      return toGray(png, sum & 255, 0, 0)
    }
  }
  const width = stride - 1
  if (rowA.length < width) {
    rowA = new Uint8Array(width)
    rowB = new Uint8Array(width)
  }
  let first = y
  while (first > 0 && data[first * stride]! > 1) first--
  let [above, current] = [rowA, rowB]
  above.fill(0, 0, width)
  const step = Math.max(1, bits >> 3)
  for (let row = first; row <= y; row++) {
    if (!unfilter(data, row * stride, width, step, above, current)) return null
    ;[above, current] = [current, above]
  }
  return grayAt(png, above, bits, x)
}

function unfilter(
  data: Uint8Array,
  start: number,
  width: number,
  step: number,
  above: Uint8Array,
  into: Uint8Array,
): boolean {
  const filter = data[start]!
  const at = start + 1
  if (filter > 4) return false
  // A fast path for most masks; the loop below gives the same result.
  if (filter === 0) {
    into.set(data.subarray(at, at + width))
    return true
  }
  for (let i = 0; i < width; i++) {
    const raw = data[at + i]!
    const left = i >= step ? into[i - step]! : 0
    const up = above[i]!
    if (filter === 1) into[i] = raw + left
    else if (filter === 2) into[i] = raw + up
    else if (filter === 3) into[i] = raw + ((left + up) >> 1)
    else {
      const corner = i >= step ? above[i - step]! : 0
      const estimate = left + up - corner
      const dl = Math.abs(estimate - left)
      const du = Math.abs(estimate - up)
      const dc = Math.abs(estimate - corner)
      into[i] = raw + (dl <= du && dl <= dc ? left : du <= dc ? up : corner)
    }
  }
  return true
}

/** Luma as the published scorers' image library computes it: fixed point, truncated. */
function luma(r: number, g: number, b: number): number {
  return r === g && r === b ? r : (9798 * r + 19235 * g + 3735 * b) >> 15
}

function toGray({ colorType, palette }: Png, a: number, b: number, c: number): number {
  if (colorType === 3) return luma(palette![a * 3] ?? 0, palette![a * 3 + 1] ?? 0, palette![a * 3 + 2] ?? 0)
  return colorType === 2 || colorType === 6 ? luma(a, b, c) : a
}

/** Ignores transparency, uses the high byte of 16-bit samples, and scales fewer than 8 bits to 0…255. */
function grayAt(png: Png, row: Uint8Array, bits: number, x: number): number {
  const { depth } = png
  if (depth < 8) {
    const value = (row[(x * depth) >> 3]! >> (8 - depth - ((x * depth) & 7))) & ((1 << depth) - 1)
    return toGray(png, png.colorType === 3 ? value : (value * 255) / ((1 << depth) - 1), 0, 0)
  }
  const at = x * (bits >> 3)
  const next = depth >> 3
  return toGray(png, row[at]!, row[at + next] ?? 0, row[at + 2 * next] ?? 0)
}

/** The seven passes: start and step in x and y. */
const ADAM7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

/** Decodes the whole image to gray; null if anything in it is broken or missing. */
export function decodeGray(png: Png): Uint8Array | null {
  const { width, height } = png
  const bits = bitsPerPixel(png)
  const passes = png.interlaced ? ADAM7 : ([[0, 0, 1, 1]] as const)
  let expected = 0
  for (const [x0, y0, dx, dy] of passes) {
    const columns = Math.ceil((width - x0) / dx)
    const rows = Math.ceil((height - y0) / dy)
    if (columns > 0 && rows > 0) expected += rows * (rowBytes(columns, bits) + 1)
  }
  const data = inflateRows(png, expected, { checked: true })
  if (data === null) return null
  const out = new Uint8Array(width * height)
  if (bits === 8 && png.colorType === 0 && !png.interlaced) {
    let above: Uint8Array = new Uint8Array(width)
    for (let row = 0; row < height; row++) {
      const current = out.subarray(row * width, (row + 1) * width)
      if (!unfilter(data, row * (width + 1), width, 1, above, current)) return null
      above = current
    }
    return out
  }
  let start = 0
  for (const [x0, y0, dx, dy] of passes) {
    const columns = Math.ceil((width - x0) / dx)
    const rows = Math.ceil((height - y0) / dy)
    if (columns <= 0 || rows <= 0) continue
    const bytes = rowBytes(columns, bits)
    let above = new Uint8Array(bytes)
    let current = new Uint8Array(bytes)
    for (let row = 0; row < rows; row++) {
      if (!unfilter(data, start, bytes, Math.max(1, bits >> 3), above, current)) return null
      start += bytes + 1
      for (let i = 0; i < columns; i++) out[(y0 + row * dy) * width + x0 + i * dx] = grayAt(png, current, bits, i)
      ;[above, current] = [current, above]
    }
  }
  return out
}
