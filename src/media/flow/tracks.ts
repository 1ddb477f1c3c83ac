/** Where points of a film go: optical flow from frame to frame, chained, until a point is lost. */
import type { Bitmap } from '../image.ts'
import { type FlowField, FlowKernel, flowSize } from './kernel.ts'

/** In pixels of the film; the middle of the first pixel is at 0.5. */
export interface TrackPoint {
  x: number
  y: number
}

export interface Track {
  /** The frame it begins in. */
  start: number
  /** One place a frame, until the point was lost or the film ended. */
  points: readonly TrackPoint[]
}

/** Films are brought to at most this shorter side. */
const MAX_SIDE = 480
/** Films smaller than this are not: the pyramid needs something to stand on. */
const MIN_SIDE = 64

/**
 * Forth and back must end where it began: within half a pixel, or a seventh of the way for what moves far (after Sundaram,
 * Brox and Keutzer, 2010).
 */
const CLOSED_WITHIN = 0.5
const CLOSED_SHARE = 0.01

/**
 * Follows points through frames of one size. A point is lost where it leaves the picture, or where the flow back does not
 * lead to where the flow forth came from: it was covered, or nothing can be told there. Lost points do not come back.
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
  /** Those that are not lost. */
  #live: { start: number; points: TrackPoint[] }[] = []
  #kernel: FlowKernel | null = null
  #size = { width: 0, height: 0 }
  #frames = 0

  /** Begins to follow points of the last frame; none where a point is followed already within `apart` pixels. */
  add(points: readonly TrackPoint[], apart = 0): void {
    const followed = this.#live.map((track) => track.points.at(-1)!)
    for (const { x, y } of points) {
      if (followed.some((other) => Math.hypot(other.x - x, other.y - y) < apart)) continue
      const track = { start: this.#frames - 1, points: [{ x, y }] }
      this.#tracks.push(track)
      this.#live.push(track)
    }
  }

  /** The next frame (r, g, b). */
  next({ width, height, channels, data }: Bitmap): void {
    if (channels !== 3) throw new RangeError(`frames need 3 channels, this one has ${channels}`)
    if (!this.#kernel) {
      this.#size = { width, height }
      const side = Math.max(MIN_SIDE, Math.min(MAX_SIDE, width, height))
      this.#kernel = new FlowKernel(flowSize(width, height, side), 2)
    }
    if (width !== this.#size.width || height !== this.#size.height)
      throw new RangeError(`a frame of ${width} × ${height} in a film of ${this.#size.width} × ${this.#size.height}`)
    const here = this.#frames % 2
    this.#kernel.load(here, data, width, height)
    if (this.#frames > 0) this.#follow(this.#kernel, 1 - here, here)
    this.#frames++
  }

  #follow(kernel: FlowKernel, before: number, here: number): void {
    const forth = kernel.flow(before, here, 0)
    const back = kernel.flow(here, before, 1)
    const across = kernel.width / this.#size.width
    const down = kernel.height / this.#size.height
    this.#live = this.#live.filter(({ points }) => {
      const last = points.at(-1)!
      const [x, y] = [last.x * across, last.y * down]
      const [u, v] = [sampled(forth, forth.x, x, y), sampled(forth, forth.y, x, y)]
      const [toX, toY] = [x + u, y + v]
      const isInside = toX >= 0 && toY >= 0 && toX <= kernel.width && toY <= kernel.height
      if (!isInside || !closes(u, v, sampled(back, back.x, toX, toY), sampled(back, back.y, toX, toY))) return false
      points.push({ x: toX / across, y: toY / down })
      return true
    })
  }

  /** In the order in which they were added. */
  tracks(): readonly Track[] {
    return this.#tracks
  }
}

function closes(u: number, v: number, backU: number, backV: number): boolean {
  const open = (u + backU) ** 2 + (v + backV) ** 2
  return open <= CLOSED_WITHIN ** 2 + CLOSED_SHARE * (u * u + v * v + backU * backU + backV * backV)
}

/** Between the four pixels around a place. */
function sampled({ width, height }: FlowField, values: Float32Array, x: number, y: number): number {
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
