import { describe, expect, it } from 'vitest'
import { Random } from '../../base/random.ts'
import type { Bitmap } from '../image.ts'
import { texturedPoints } from './corners.ts'
import { PointTracker } from './tracks.ts'

const SIDE = 192

/** Smooth blobs: a trackable texture. */
function texture(seed: string): (x: number, y: number) => number {
  const random = new Random(seed)
  const blobs = Array.from({ length: 160 }, () => ({
    x: random.range(0, SIDE),
    y: random.range(0, SIDE),
    radius: random.range(3, 9),
    height: random.range(-70, 70),
  }))
  return (x, y) =>
    blobs.reduce((sum, b) => {
      const d = (x - b.x) ** 2 + (y - b.y) ** 2
      return d > 9 * b.radius ** 2 ? sum : sum + b.height * Math.exp(-d / (2 * b.radius ** 2))
    }, 128)
}

function drawn(of: (x: number, y: number) => number): Bitmap {
  const data = new Uint8Array(SIDE * SIDE * 3)
  for (let y = 0, at = 0; y < SIDE; y++)
    for (let x = 0; x < SIDE; x++, at += 3) data.fill(Math.min(255, Math.max(0, of(x + 0.5, y + 0.5))), at, at + 3)
  return { width: SIDE, height: SIDE, channels: 3, data }
}

const scene = texture('tracks/scene')
const cover = texture('tracks/cover')

describe('PointTracker', () => {
  it('accumulates small motions over many frames', () => {
    const tracker = new PointTracker()
    for (let i = 0; i < 12; i++) {
      tracker.next(drawn((x, y) => scene(x - 3 * i, y - 1.5 * i)))
      if (i === 0) tracker.add([{ x: 60, y: 60 }])
    }
    const [{ start, points }] = tracker.tracks() as [ReturnType<PointTracker['tracks']>[number]]
    expect([start, points.length]).toEqual([0, 12])
    expect(Math.hypot(points[11]!.x - 93, points[11]!.y - 76.5)).toBeLessThan(1)
  })

  it('stops where a point is occluded or leaves the image', () => {
    const tracker = new PointTracker()
    for (let i = 0; i < 12; i++) {
      const edge = 20 + 6 * i
      tracker.next(drawn((x, y) => (x < edge ? cover(x - 6 * i + 40, y) : scene(x, y))))
      if (i === 0) tracker.add([60, 150].map((x) => ({ x, y: 96 })))
    }
    const [covered, free] = tracker.tracks()
    // The cover's edge is at 60 in the seventh frame.
    expect(covered!.points.length).toBeGreaterThan(4)
    expect(covered!.points.length).toBeLessThanOrEqual(8)
    expect(free!.points.length).toBe(12)
    expect(Math.abs(free!.points[11]!.x - 150)).toBeLessThan(0.5)

    const leaving = new PointTracker()
    for (let i = 0; i < 8; i++) {
      leaving.next(drawn((x, y) => scene(x + 4 * i, y)))
      if (i === 0) leaving.add([{ x: 12, y: 96 }])
    }
    expect(leaving.tracks()[0]!.points.length).toBeLessThanOrEqual(4)
  })

  it('rejects a frame of another size', () => {
    const tracker = new PointTracker()
    tracker.next(drawn(scene))
    expect(() => tracker.next({ width: 8, height: 8, channels: 3, data: new Uint8Array(192) })).toThrow('8 × 8')
  })
})

describe('texturedPoints', () => {
  it('finds corners, not edges or plain areas', () => {
    expect(
      texturedPoints(
        drawn(() => 90),
        6,
      ),
    ).toEqual([])
    expect(
      texturedPoints(
        drawn((x) => (x < 96 ? 40 : 200)),
        6,
      ),
    ).toEqual([])
    const [corner, ...others] = texturedPoints(
      drawn((x, y) => (x < 80 && y < 112 ? 40 : 200)),
      1,
    )
    expect(others).toEqual([])
    expect(Math.hypot(corner!.x - 80, corner!.y - 112)).toBeLessThan(6)
  })

  it('are not added near a tracked point', () => {
    const tracker = new PointTracker()
    tracker.next(drawn(scene))
    tracker.add([{ x: 50, y: 50 }])
    tracker.add(
      [51, 90].map((x) => ({ x, y: 50 })),
      5,
    )
    expect(tracker.tracks().map(({ points }) => points[0]!.x)).toEqual([50, 90])
  })
})
