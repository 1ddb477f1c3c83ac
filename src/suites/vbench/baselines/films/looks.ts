/** From a large picture to a frame: made smaller, and drawn in the style that a prompt asks for. */
import type { Bitmap } from '../../../../suite.ts'
import type { Look } from './words.ts'

/** The picture at half its width and height. */
export function halved(color: Uint8Array, width: number, height: number): Bitmap {
  const [w, h] = [width / 2, height / 2]
  const data = new Uint8Array(w * h * 3)
  for (let y = 0, to = 0; y < h; y++) {
    for (let x = 0; x < w; x++) {
      const from = (2 * y * width + 2 * x) * 3
      const below = from + width * 3
      for (let c = 0; c < 3; c++)
        data[to++] = (color[from + c]! + color[from + 3 + c]! + color[below + c]! + color[below + 3 + c]! + 2) >> 2
    }
  }
  return { width: w, height: h, channels: 3, data }
}

export function inStyle(frame: Bitmap, look: Look | null): Bitmap {
  switch (look) {
    case null:
      return frame
    case 'black and white':
      return grey(frame)
    case 'pixel art':
      return toned(blocks(frame), (value) => Math.round((Math.round((value / 255) * LEVELS) * 255) / LEVELS))
    case 'watercolor painting':
      // Paint on white paper: nothing is darker than its pigment.
      return toned(washed(frame), (value) => Math.round(64 + (value * 191) / 255))
  }
}

/** Steps of each color in pixel art. */
const LEVELS = 7

function grey(frame: Bitmap): Bitmap {
  const data = new Uint8Array(frame.data.length)
  for (let i = 0; i < data.length; i += 3) {
    const value = Math.round(0.299 * frame.data[i]! + 0.587 * frame.data[i + 1]! + 0.114 * frame.data[i + 2]!)
    data.fill(value, i, i + 3)
  }
  return { ...frame, data }
}

function toned(frame: Bitmap, tone: (value: number) => number): Bitmap {
  const table = Uint8Array.from({ length: 256 }, (_, value) => tone(value))
  return { ...frame, data: frame.data.map((value) => table[value]!) }
}

const BLOCK = 4

function blocks({ width, height, data, channels }: Bitmap): Bitmap {
  const out = new Uint8Array(data.length)
  for (let y = 0; y < height; y++) {
    const row = Math.min(height - 1, y - (y % BLOCK) + BLOCK / 2)
    for (let x = 0; x < width; x++) {
      const from = (row * width + Math.min(width - 1, x - (x % BLOCK) + BLOCK / 2)) * 3
      out.set(data.subarray(from, from + 3), (y * width + x) * 3)
    }
  }
  return { width, height, channels, data: out }
}

const BRUSH = 3

/** Kuwahara's filter: of the four squares around a pixel, the mean of the evenest. It makes patches with sharp edges. */
function washed({ width, height, data, channels }: Bitmap): Bitmap {
  const side = BRUSH + 1
  const [columns, rows] = [width - BRUSH, height - BRUSH]
  // Sums of each square by its left upper corner: red, green, blue, brightness, brightness squared.
  const sums = new Float64Array(columns * rows * 5)
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      const to = (y * columns + x) * 5
      for (let v = y; v < y + side; v++) {
        for (let i = (v * width + x) * 3, end = i + side * 3; i < end; i += 3) {
          const bright = data[i]! + data[i + 1]! + data[i + 2]!
          sums[to] = sums[to]! + data[i]!
          sums[to + 1] = sums[to + 1]! + data[i + 1]!
          sums[to + 2] = sums[to + 2]! + data[i + 2]!
          sums[to + 3] = sums[to + 3]! + bright
          sums[to + 4] = sums[to + 4]! + bright * bright
        }
      }
    }
  }
  const area = side * side
  const out = new Uint8Array(data.length)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let evenest = Infinity
      let best = 0
      for (let corner = 0; corner < 4; corner++) {
        const left = Math.min(columns - 1, Math.max(0, x - (corner & 1 ? BRUSH : 0)))
        const top = Math.min(rows - 1, Math.max(0, y - (corner & 2 ? BRUSH : 0)))
        const at = (top * columns + left) * 5
        const spread = sums[at + 4]! - (sums[at + 3]! * sums[at + 3]!) / area
        if (spread >= evenest) continue
        evenest = spread
        best = at
      }
      for (let c = 0; c < 3; c++) out[(y * width + x) * 3 + c] = sums[best + c]! / area
    }
  }
  return { width, height, channels, data: out }
}
