import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { mediaBackends, openVideo, readFrames } from '../../media/backends.ts'
import { boxRoom } from '../../../test/support/world/box-room.ts'
import { cellAt, freeSpace, seenThings } from '../geometry/index.ts'
import type { OrientedBox } from '../mesh.ts'
import { focalLength, prepareScene, Renderer } from '../render/index.ts'
import { film } from './film.ts'
import { planTour } from './tour.ts'

const wall = (center: [number, number], size: [number, number]): OrientedBox => ({
  center: [center[0], center[1], 1.25],
  size: [size[0], size[1], 2.5],
  yaw: 0,
})
const block = (x: number, y: number): OrientedBox => ({ center: [x, y, 0.4], size: [0.5, 0.5, 0.8], yaw: 20 })

/** Three rooms in a row with doors at alternate ends, and a thing in each far corner. */
const flat = boxRoom({
  size: [9, 4],
  boxes: [
    wall([3, 1.5], [0.1, 3]),
    wall([6, 2.5], [0.1, 3]),
    block(0.6, 0.6),
    block(4.5, 3.4),
    block(8.4, 3.4),
    block(3.5, 0.6),
  ],
})
const space = freeSpace(flat)
const tour = planTour(flat, { fps: 10, space })

describe('a tour of a flat', () => {
  test('stops in every room and sees nearly all of the floor', () => {
    const rooms = tour.stops.map(([x]) => (x < 3 ? 'first' : x < 6 ? 'second' : 'third'))
    expect(new Set(rooms)).toEqual(new Set(['first', 'second', 'third']))
    expect(tour.coverage).toBeGreaterThanOrEqual(0.97)
  })

  test('shows every object', () => {
    const renderer = new Renderer(prepareScene(flat))
    const seen = new Set<number>()
    for (const { pose } of tour.frames.filter((_, i) => i % 5 === 0)) {
      const camera = { pose, lens: focalLength(75, 160, 120) }
      const { ids } = renderer.render(camera, { width: 160, height: 120, color: false, ids: true })
      for (const { instance, pixels } of seenThings(ids, 160)) if (pixels >= 40) seen.add(instance)
    }
    expect(seen).toEqual(new Set([1, 2, 3, 4, 5, 6]))
  })

  test('stays where a body can stand, at eye height', () => {
    for (const { pose } of tour.frames) {
      const [x, y, z] = pose.position
      expect(space.walkable[cellAt(space.grid, x, y)]).toBe(1)
      expect(z).toBeCloseTo(1.5, 6)
    }
  })

  test('can pass through without looking around, or stand and turn', () => {
    const walk = planTour(flat, { space, path: 'walk' })
    expect(walk.stops).toEqual(tour.stops)
    expect(walk.frames.length).toBeLessThan(tour.frames.length / 2)
    const stand = planTour(flat, { space, path: 'stand' })
    expect(new Set(stand.frames.map(({ pose }) => pose.position.join()))).toHaveLength(1)
    expect(new Set(stand.frames.map(({ yaw }) => Math.floor(yaw / 90)))).toHaveLength(4)
  })

  test('moves and turns smoothly', () => {
    tour.frames.slice(1).forEach((frame, i) => {
      const before = tour.frames[i]!
      const [dx, dy] = [0, 1].map((axis) => frame.pose.position[axis]! - before.pose.position[axis]!)
      // At most the walking speed and the turning speed, plus what easing adds.
      expect(Math.hypot(dx!, dy!)).toBeLessThan(0.11)
      const turn = Math.abs(((frame.yaw - before.yaw + 540) % 360) - 180)
      expect(turn).toBeLessThan(8)
    })
  })

  test('is deterministic and has the requested length', () => {
    expect(planTour(flat, { fps: 10 })).toEqual(tour)
    const short = planTour(flat, { fps: 10, space, seconds: 12 })
    expect(short.frames).toHaveLength(120)
    expect(short.frames.at(-1)!.time).toBeCloseTo(11.9, 9)
    expect(short.stops).toEqual(tour.stops)
  })

  test('turns in the middle of a room too small to walk in', () => {
    const closet = planTour(boxRoom({ size: [0.3, 0.3] }), { fps: 5 })
    expect(closet.frames.length).toBeGreaterThan(10)
    expect(new Set(closet.frames.map(({ pose }) => pose.position.join())).size).toBe(1)
  })
})

const decoders = await mediaBackends()

test.skipIf(decoders.every(({ version }) => version === null))(
  'a film has a frame for every pose of its tour',
  async () => {
    const short = planTour(boxRoom({ size: [3, 3] }), { fps: 5, seconds: 4 })
    const { bytes, frames } = await film(
      short,
      (_, index) => ({ width: 64, height: 48, channels: 3, data: new Uint8Array(64 * 48 * 3).fill(index * 12) }),
      { width: 64, height: 48 },
    )
    const folder = await mkdtemp(join(tmpdir(), 'sightline-film-'))
    try {
      await writeFile(join(folder, 'tour.mp4'), bytes)
      const video = await openVideo(join(folder, 'tour.mp4'))
      expect(video.info.frames).toBe(frames.length)
      frames.forEach(({ time }, i) => expect(video.info.times[i]).toBeCloseTo(time, 3))
      const [frame] = await readFrames(video, [13])
      expect(Math.abs(frame!.bitmap.data[0]! - 13 * 12)).toBeLessThan(6)
      await video.close()
    } finally {
      await rm(folder, { recursive: true })
    }
  },
)
