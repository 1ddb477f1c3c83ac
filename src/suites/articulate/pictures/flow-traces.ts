/** Motion traces for films that we did not draw: no motion is known, so points are followed by optical flow. */
import { mean } from '../../../base/numbers.ts'
import { PointTracker, texturedPoints, type Track } from '../../../media/flow/index.ts'
import type { Bitmap } from '../../../media/index.ts'
import type { PictureSize } from './cameras.ts'
import { drawDot, drawLine, traceColor } from './strokes.ts'

/** Points are looked for in this many cells a side, as published; again this often, because what turns away is lost. */
const CELLS = 30
const SOWINGS = 8
const MOST_TRACES = 14
/** What goes less far, as a share of the diagonal, is held to be still: a film without motion has no traces. */
const LEAST_WAY = 0.015
const APART = 1 / 30

/** Collects the ways of points while frames of a film of known length go by. */
export class FlowTraces {
  readonly #tracker = new PointTracker()
  readonly #sowEvery: number
  #seen = 0

  constructor(frames: number) {
    this.#sowEvery = Math.max(1, Math.ceil(frames / SOWINGS))
  }

  next(frame: Bitmap): void {
    this.#tracker.next(frame)
    if (this.#seen % this.#sowEvery === 0)
      this.#tracker.add(texturedPoints(frame, CELLS), Math.max(frame.width, frame.height) / CELLS / 2)
    this.#seen++
  }

  /** The ways of points that move, apart from each other, those followed longest first. */
  traces(size: PictureSize): readonly Track[] {
    return movingTracks(this.#tracker.tracks(), size)
  }
}

export function movingTracks(tracks: readonly Track[], { width, height }: PictureSize): readonly Track[] {
  const diagonal = Math.hypot(width, height)
  const ways = tracks.map((track) => farthest(track))
  const least = Math.max(diagonal * LEAST_WAY, between(ways))
  const ranked = tracks
    .map((track, i) => ({ track, way: ways[i]! }))
    .filter(({ way }) => way >= least)
    .sort((a, b) => b.track.points.length - a.track.points.length || b.way - a.way)
  const chosen: Track[] = []
  for (const { track } of ranked) {
    if (chosen.length === MOST_TRACES) break
    const [from] = track.points
    const isNear = chosen.some(({ points }) =>
      points.some(({ x, y }) => Math.hypot(x - from!.x, y - from!.y) < diagonal * APART),
    )
    if (!isNear) chosen.push(track)
  }
  return chosen
}

function farthest({ points }: Track): number {
  const [from] = points
  return points.reduce((most, { x, y }) => Math.max(most, Math.hypot(x - from!.x, y - from!.y)), 0)
}

/** What separates the small from the large: half way between the means of both, until it stays (2-means on a line). */
function between(values: readonly number[]): number {
  if (values.length === 0) return 0
  let limit = (Math.min(...values) + Math.max(...values)) / 2
  for (let turn = 0; turn < 50; turn++) {
    const next =
      (mean(
        values.filter((v) => v < limit),
        0,
      ) +
        mean(
          values.filter((v) => v >= limit),
          0,
        )) /
      2
    if (next === limit) break
    limit = next
  }
  return limit
}

/** Lays the ways up to a frame over it: coloured by time like exact traces, a dot where the point is still followed. */
export function drawFlowTraces(bitmap: Bitmap, traces: readonly Track[], frame: number, frames: number): void {
  const colorAt = (time: number): ReturnType<typeof traceColor> => traceColor(time / Math.max(1, frames - 1))
  for (const { start, points } of traces) {
    const last = Math.min(frame - start, points.length - 1)
    for (let k = 1; k <= last; k++) drawLine(bitmap, points[k - 1]!, points[k]!, colorAt(start + k - 0.5))
    if (last >= 0 && last === frame - start) drawDot(bitmap, points[last]!, colorAt(frame))
  }
}
