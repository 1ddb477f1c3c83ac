/** Point tracking: frame-to-frame optical flow, chained until a point is lost. */
import type { Bitmap } from '../image.ts'
import { type FlowField, FlowKernel, flowSize } from './kernel.ts'

/** In pixels of the video; the center of the first pixel is at 0.5. */
export interface TrackPoint {
  x: number
  y: number
}

export interface Track {
  /** Index of its first frame. */
  start: number
  /** One position per frame, until the point was lost or the video ended. */
  points: readonly TrackPoint[]
}

/** Videos are scaled down to at most this shorter side. */
const MAX_SIDE = 480
/** Smaller videos are scaled up: the pyramid needs at least this size. */
const MIN_SIDE = 64

/**
 * Forward-backward check (after Sundaram, Brox and Keutzer, 2010): the squared closing error must not exceed 0.5² plus
 * 1% of the squared displacements.
 */
const MAX_CLOSING_ERROR = 0.5
const RELATIVE_CLOSING_ERROR = 0.01

/**
 * Tracks points through frames of one size. A point is lost when it leaves the image or fails the forward-backward
 * check, because it is occluded or has no texture. Lost points do not come back.
 *
 * @example
 * const tracker = new PointTracker()
 * for await (const { bitmap, index } of video.frames(indices)) {
 *   tracker.next(bitmap)
 *   if (index === 0) tracker.add(texturedPoints(bitmap, 30))
 * }
 * tracker.tracks()
 */
export class PointTracker {
  readonly #tracks: { start: number; points: TrackPoint[] }[] = []
  /** Tracks that are not lost. */
  #live: { start: number; points: TrackPoint[] }[] = []
  #kernel: FlowKernel | null = null
  #size = { width: 0, height: 0 }
  #frames = 0

  /** Starts tracking points of the last frame, except those within `apart` pixels of a tracked point. */
  add(points: readonly TrackPoint[], apart = 0): void {
    const followed = this.#live.map((track) => track.points.at(-1)!)
    for (const { x, y } of points) {
      if (followed.some((other) => Math.hypot(other.x - x, other.y - y) < apart)) continue
      const track = { start: this.#frames - 1, points: [{ x, y }] }
      this.#tracks.push(track)
      this.#live.push(track)
    }
  }

  /** Processes the next frame (RGB). */
  next({ width, height, channels, data }: Bitmap): void {
    if (channels !== 3) throw new RangeError(`frames must have 3 channels, not ${channels}`)
    if (!this.#kernel) {
      this.#size = { width, height }
      const side = Math.max(MIN_SIDE, Math.min(MAX_SIDE, width, height))
      this.#kernel = new FlowKernel(flowSize(width, height, side), 2)
    }
    if (width !== this.#size.width || height !== this.#size.height)
      throw new RangeError(`frame size ${width} × ${height} does not match ${this.#size.width} × ${this.#size.height}`)
    const here = this.#frames % 2
    this.#kernel.load(here, data, width, height)
    if (this.#frames > 0) this.#follow(this.#kernel, 1 - here, here)
    this.#frames++
  }

  #follow(kernel: FlowKernel, before: number, here: number): void {
    const forward = kernel.flow(before, here, 0)
    const backward = kernel.flow(here, before, 1)
    const scaleX = kernel.width / this.#size.width
    const scaleY = kernel.height / this.#size.height
    this.#live = this.#live.filter(({ points }) => {
      const last = points.at(-1)!
      const [x, y] = [last.x * scaleX, last.y * scaleY]
      const [u, v] = [bilinear(forward, forward.x, x, y), bilinear(forward, forward.y, x, y)]
      const [toX, toY] = [x + u, y + v]
      const isInside = toX >= 0 && toY >= 0 && toX <= kernel.width && toY <= kernel.height
      if (
        !isInside ||
        !isConsistent(u, v, bilinear(backward, backward.x, toX, toY), bilinear(backward, backward.y, toX, toY))
      )
        return false
      points.push({ x: toX / scaleX, y: toY / scaleY })
      return true
    })
  }

  /** All tracks, in the order they were added. */
  tracks(): readonly Track[] {
    return this.#tracks
  }
}

function isConsistent(u: number, v: number, backU: number, backV: number): boolean {
  const open = (u + backU) ** 2 + (v + backV) ** 2
  return open <= MAX_CLOSING_ERROR ** 2 + RELATIVE_CLOSING_ERROR * (u * u + v * v + backU * backU + backV * backV)
}

/** Bilinear interpolation between the four nearest pixels. */
/** A field of values between its pixels; beyond the edges the edges. */
export function bilinear({ width, height }: FlowField, values: Float32Array, x: number, y: number): number {
  const u = Math.min(width - 1, Math.max(0, x - 0.5))
  const v = Math.min(height - 1, Math.max(0, y - 0.5))
  const left = Math.min(width - 2, Math.floor(u))
  const top = Math.min(height - 2, Math.floor(v))
  const [s, t] = [u - left, v - top]
  const at = top * width + left
  const above = values[at]! * (1 - s) + values[at + 1]! * s
  const below = values[at + width]! * (1 - s) + values[at + width + 1]! * s
  return above * (1 - t) + below * t
}
