/** Corner detection: only points with texture in every direction can be tracked. */
import type { Bitmap } from '../image.ts'
import type { TrackPoint } from './tracks.ts'

/** Half the side of a window, in pixels. */
const WINDOW_RADIUS = 4
/** Minimum smaller eigenvalue of the structure tensor, per pixel, in squared gray levels. Below are noise and edges. */
const MIN_EIGENVALUE = 6

/** The best corner in each of `side` × `side` cells (after Shi and Tomasi, 1994); none in cells without texture. */
export function texturedPoints({ width, height, data }: Bitmap, side: number): TrackPoint[] {
  const grey = new Float32Array(width * height)
  for (let i = 0, at = 0; i < grey.length; i++, at += 3)
    grey[i] = 0.299 * data[at]! + 0.587 * data[at + 1]! + 0.114 * data[at + 2]!
  const row = width + 1
  // Summed-area tables: a window costs four look-ups.
  const [xx, xy, yy] = [0, 1, 2].map(() => new Float64Array(row * (height + 1))) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ]
  for (let y = 0; y < height; y++) {
    let [sumXX, sumXY, sumYY] = [0, 0, 0]
    for (let x = 0; x < width; x++) {
      const i = y * width + x
      const dx = x > 0 && x < width - 1 ? (grey[i + 1]! - grey[i - 1]!) / 2 : 0
      const dy = y > 0 && y < height - 1 ? (grey[i + width]! - grey[i - width]!) / 2 : 0
      sumXX += dx * dx
      sumXY += dx * dy
      sumYY += dy * dy
      const at = (y + 1) * row + x + 1
      xx[at] = xx[at - row]! + sumXX
      xy[at] = xy[at - row]! + sumXY
      yy[at] = yy[at - row]! + sumYY
    }
  }
  const best = new Float64Array(side * side).fill(MIN_EIGENVALUE)
  const places = new Int32Array(side * side).fill(-1)
  const area = (2 * WINDOW_RADIUS + 1) ** 2
  for (let y = WINDOW_RADIUS; y < height - WINDOW_RADIUS; y++) {
    const cells = Math.floor((y * side) / height) * side
    for (let x = WINDOW_RADIUS; x < width - WINDOW_RADIUS; x++) {
      const from = (y - WINDOW_RADIUS) * row + x - WINDOW_RADIUS
      const to = (y + WINDOW_RADIUS + 1) * row + x - WINDOW_RADIUS
      const across = 2 * WINDOW_RADIUS + 1
      const a = xx[to + across]! - xx[to]! - xx[from + across]! + xx[from]!
      const b = xy[to + across]! - xy[to]! - xy[from + across]! + xy[from]!
      const c = yy[to + across]! - yy[to]! - yy[from + across]! + yy[from]!
      const smaller = ((a + c) / 2 - Math.sqrt(((a - c) / 2) ** 2 + b * b)) / area
      const cell = cells + Math.floor((x * side) / width)
      if (smaller <= best[cell]!) continue
      best[cell] = smaller
      places[cell] = y * width + x
    }
  }
  return [...places]
    .filter((place) => place >= 0)
    .map((place) => ({ x: (place % width) + 0.5, y: Math.floor(place / width) + 0.5 }))
}
