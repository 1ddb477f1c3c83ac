/** Motion traces for films that we did not draw: no motion is known, so points are followed by optical flow. */
import { type Bitmap, PointTracker, texturedPoints, type Track } from '../../../../suite.ts'
import type { PictureSize } from './cameras.ts'
import { drawDot, drawLine, traceColor } from './strokes.ts'

/** Points are looked for in this many cells a side, as published; again this often, because what turns away is lost. */
const CELLS = 30
const SOWINGS = 8
/** Where the picture changes, in this many: parts that move may be small, or plain but for their edges. */
const FINE_CELLS = 72
/** Gray levels between frames that are a change, and how far from a point it may be, pixels. */
const CHANGE = 10
const CHANGE_REACH = 3
const MAX_TRACES = 14
/** With so many traces that are beyond doubt, doubtful ones are left out. */
const ENOUGH_TRACES = 3
/**
 * What goes less far, as a share of the diagonal, is held to be still: a film without motion has no traces. In restless
 * films that is several times what the middle one of all points goes, up to a share that only motion reaches.
 */
const MIN_WAY = 0.006
const RESTLESS = 4
const SURE_WAY = 0.02
const APART = 1 / 30

/** Collects the ways of points while frames of a film of known length go by. */
export class FlowTraces {
  readonly #tracker = new PointTracker()
  readonly #sowEvery: number
  /** What the picture showed where each track begins, in the order of the tracks. */
  readonly #colors: Color[] = []
  #before: Bitmap | null = null
  #seen = 0

  constructor(frames: number) {
    this.#sowEvery = Math.max(1, Math.ceil(frames / SOWINGS))
  }

  next(frame: Bitmap): void {
    this.#tracker.next(frame)
    const cell = Math.max(frame.width, frame.height) / CELLS
    if (this.#seen % this.#sowEvery === 0) this.#tracker.add(texturedPoints(frame, CELLS), cell / 2)
    // The first change tells what moves; sowing goes on there, in the middle between the others.
    if (this.#before && (this.#seen === 1 || this.#seen % this.#sowEvery === this.#sowEvery >> 1)) {
      const before = this.#before
      const moving = texturedPoints(frame, FINE_CELLS).filter((point) => changesAt(before, frame, point))
      this.#tracker.add(moving, cell / 3)
    }
    for (const { points } of this.#tracker.tracks().slice(this.#colors.length))
      this.#colors.push(colorAt(frame, points[0]!))
    this.#before = { ...frame, data: frame.data.slice() }
    this.#seen++
  }

  /** The ways of points that move, apart from each other, those followed longest first. */
  traces(size: PictureSize): readonly Track[] {
    const last = this.#before
    const isStill = ({ points }: Track, i: number): boolean =>
      last !== null && staysAt(last, this.#colors[i]!, points[0]!)
    const tracks = this.#tracker.tracks()
    const gone = tracks.filter((track, i) => !isStill(track, i))
    const sure = movingTracks(gone, size)
    return sure.length >= ENOUGH_TRACES ? sure : movingTracks(tracks, size)
  }
}

type Color = readonly [number, number, number]

/** The mean of the nine pixels around a point. */
function colorAt({ width, height, data }: Bitmap, { x, y }: { x: number; y: number }): Color {
  const sum = [0, 0, 0]
  const [column, row] = [within(x, width), within(y, height)]
  for (let dy = -1; dy <= 1; dy++) {
    for (let dx = -1; dx <= 1; dx++) {
      const at = ((row + dy) * width + column + dx) * 3
      for (let k = 0; k < 3; k++) sum[k]! += data[at + k]! / 9
    }
  }
  return [sum[0]!, sum[1]!, sum[2]!]
}

function within(place: number, side: number): number {
  return Math.min(side - 2, Math.max(1, Math.floor(place)))
}

/**
 * Does the last picture show there what it showed when the track began? Then it was most likely a piece of the background,
 * dragged along by an edge that went by.
 */
function staysAt(last: Bitmap, color: Color, point: { x: number; y: number }): boolean {
  return colorAt(last, point).every((value, k) => Math.abs(value - color[k]!) < CHANGE)
}

/** Is the picture another one around this point? */
function changesAt(before: Bitmap, { width, height, data }: Bitmap, { x, y }: { x: number; y: number }): boolean {
  const [left, top] = [Math.max(0, Math.floor(x) - CHANGE_REACH), Math.max(0, Math.floor(y) - CHANGE_REACH)]
  const [right, bottom] = [Math.min(width - 1, left + 2 * CHANGE_REACH), Math.min(height - 1, top + 2 * CHANGE_REACH)]
  for (let row = top; row <= bottom; row++) {
    for (let at = (row * width + left) * 3, end = (row * width + right) * 3; at <= end; at += 3) {
      // Green is most of what an eye calls bright.
      if (Math.abs(data[at + 1]! - before.data[at + 1]!) > CHANGE) return true
    }
  }
  return false
}

export function movingTracks(tracks: readonly Track[], { width, height }: PictureSize): readonly Track[] {
  const diagonal = Math.hypot(width, height)
  const ways = tracks.map((track) => farthest(track))
  const middle = ways.toSorted((a, b) => a - b)[ways.length >> 1] ?? 0
  const least = Math.max(diagonal * MIN_WAY, Math.min(RESTLESS * middle, diagonal * SURE_WAY))
  const ranked = tracks
    .map((track, i) => ({ track, way: ways[i]! }))
    .filter(({ way }) => way >= least)
    .sort((a, b) => b.track.points.length - a.track.points.length || b.way - a.way)
  const chosen: Track[] = []
  for (const { track } of ranked) {
    if (chosen.length === MAX_TRACES) break
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

/** Lays the ways up to a frame over it: colored by time like exact traces, a dot where the point is still followed. */
export function drawFlowTraces(bitmap: Bitmap, traces: readonly Track[], frame: number, frames: number): void {
  const colorAt = (time: number): ReturnType<typeof traceColor> => traceColor(time / Math.max(1, frames - 1))
  for (const { start, points } of traces) {
    const last = Math.min(frame - start, points.length - 1)
    for (let k = 1; k <= last; k++) drawLine(bitmap, points[k - 1]!, points[k]!, colorAt(start + k - 0.5))
    if (last >= 0 && last === frame - start) drawDot(bitmap, points[last]!, colorAt(frame))
  }
}
