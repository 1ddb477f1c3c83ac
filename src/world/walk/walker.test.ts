import { describe, expect, test } from 'vitest'
import { Random } from '../../base/random.ts'
import { boxRoom } from '../../../test/support/world/box-room.ts'
import { freePlace, freeSpace } from '../geometry/index.ts'
import type { OrientedBox } from '../mesh.ts'
import { fromYawPitch, toMatrix, type Vec3 } from '../render/camera.ts'
import { clampToBounds, type Move, moveThroughAll, NO_MOVE, turnPose } from './move.ts'
import { Walker } from './walker.ts'

const move = (parts: Partial<Move>): Move => ({ ...NO_MOVE, ...parts })
const rounded = (values: readonly number[]) => values.map((value) => Math.round(value * 1000) / 1000 + 0)

const CABINET: OrientedBox = { center: [3, 2, 0.5], size: [1, 1, 1], yaw: 0 }
const TABLE: OrientedBox = { center: [1.5, 4, 0.75], size: [1.2, 0.8, 0.04], yaw: 0 }
const RUG: OrientedBox = { center: [1, 1, 0.01], size: [1.5, 1.5, 0.02], yaw: 10 }
const room = boxRoom({ size: [5, 6], boxes: [CABINET, TABLE, RUG] })
const walker = new Walker(room, { floor: 0 })
const sliding = new Walker(room, { floor: 0, atObstacles: 'slide' })

describe('a body that walks', () => {
  test('turns first, then moves in the new direction', () => {
    const start = fromYawPitch([1, 1, 1.6], 0)
    const report = walker.move(start, move({ turnDegrees: 90, forwardMeters: 0.7, leftMeters: 0.5 }))
    expect(rounded(report.pose.position)).toEqual([0.5, 1.7, 1.6])
    expect(rounded(report.pose.forward)).toEqual([0, 1, 0])
    expect(report).toMatchObject({ blocked: false, stoppedBy: null })
    expect(walker.move(start, move({ leftMeters: 0.5 })).pose.position[1]).toBeCloseTo(1.5, 12)
  })

  test('stops one radius from a cabinet and reports what it hit', () => {
    const report = walker.move(fromYawPitch([1, 2, 1.6], 0), move({ forwardMeters: 1.8 }))
    // The cabinet's face is at x = 2.5; the body's radius is 0.2.
    expect(report.pose.position[0]).toBeCloseTo(2.3, 2)
    expect(report.done.forwardMeters).toBeCloseTo(1.3, 2)
    expect(report).toMatchObject({ blocked: true, stoppedBy: 'obstacle', obstacle: 1 })
    expect(report.asked.forwardMeters).toBe(1.8)
  })

  test('slides along obstacles on request', () => {
    const start = fromYawPitch([2.6, 1.2, 1.6], 45)
    const stopped = walker.move(start, move({ forwardMeters: 1 }))
    const slid = sliding.move(start, move({ forwardMeters: 1 }))
    expect(slid.pose.position[0]).toBeGreaterThan(stopped.pose.position[0] + 0.2)
    expect(slid).toMatchObject({ blocked: true, stoppedBy: 'obstacle', obstacle: 1 })
    expect(slid.done.leftMeters).toBeLessThan(-0.1)
  })

  test('stops in a corner and can leave it', () => {
    const corner = sliding.move(fromYawPitch([0.5, 0.5, 1.6], 225), move({ forwardMeters: 2 }))
    expect(rounded(corner.pose.position.slice(0, 2)).map((value) => Math.abs(value - 0.2) < 0.01)).toEqual([true, true])
    const out = walker.move(corner.pose, move({ turnDegrees: 180, forwardMeters: 0.5 }))
    expect(out.blocked).toBe(false)
  })

  test('walks over a rug but never through a wall, however long the step', () => {
    expect(walker.move(fromYawPitch([0.5, 1, 1.6], 0), move({ forwardMeters: 1 })).blocked).toBe(false)
    const far = walker.move(fromYawPitch([1, 3, 1.6], 180), move({ forwardMeters: 100 }))
    expect(far.pose.position[0]).toBeCloseTo(0.2, 2)
    expect(far).toMatchObject({ stoppedBy: 'obstacle', obstacle: 0 })
  })

  test('passes under a table only when low enough', () => {
    const start = fromYawPitch([1.5, 3, 1.6], 90)
    expect(walker.move(start, move({ forwardMeters: 1 })).stoppedBy).toBe('obstacle')
    const low = walker.move(start, move({ forwardMeters: 1, upMeters: -1.1 }))
    expect(rounded(low.pose.position)).toEqual([1.5, 4, 0.5])
    // Under the table the head meets its top at 0.73 m.
    const up = walker.move(low.pose, move({ upMeters: 0.5 }))
    expect(up.stoppedBy).toBe('ceiling')
    expect(up.pose.position[2]).toBeCloseTo(0.63, 2)
  })

  test('stays above the floor and within bounds', () => {
    const kneeling = walker.move(fromYawPitch([1, 1, 0.5], 0), move({ upMeters: -2 }))
    expect(kneeling.pose.position[2]).toBeCloseTo(0.3, 9)
    expect(kneeling.stoppedBy).toBe('floor')
    const bounds = { min: [0, 0, 0], max: [2, 6, 2.5] } as const
    const held = new Walker(room, { floor: 0, bounds }).move(fromYawPitch([1.5, 3, 1.6], 0), move({ forwardMeters: 1 }))
    expect(held.pose.position[0]).toBeCloseTo(1.9, 9)
    expect(held).toMatchObject({ blocked: true, stoppedBy: 'bounds' })
  })

  test('can leave an object it is stuck in but not go deeper', () => {
    const stuck = fromYawPitch([2.4, 2, 1.2], 0)
    expect(walker.fits(stuck.position)).toBe(false)
    expect(walker.move(stuck, move({ forwardMeters: 0.3 })).done.forwardMeters).toBeCloseTo(0, 6)
    expect(walker.move(stuck, move({ forwardMeters: -0.5 })).blocked).toBe(false)
  })

  test('is moved to the nearest free position', () => {
    const space = freeSpace(room)
    const [x, y] = freePlace(space, 3, 2.2)!
    expect(walker.fits([x, y, 1.6])).toBe(true)
    expect(Math.hypot(x - 3, y - 2.2)).toBeLessThan(0.65)
    expect(freePlace(space, 1, 3)).toEqual([1, 3])
  })

  test('never enters or crosses anything, and is deterministic', () => {
    const walk = (slides: Walker) => {
      const random = new Random('stroll')
      let pose = fromYawPitch([1, 2.5, 1.6], 0)
      const path: Vec3[] = []
      for (let step = 0; step < 300; step++) {
        const asked = move({
          turnDegrees: random.range(-90, 90),
          forwardMeters: random.range(-1, 2),
          leftMeters: random.range(-0.5, 0.5),
          upMeters: random.range(-0.3, 0.3),
        })
        pose = slides.move(pose, asked).pose
        expect(slides.fits(pose.position)).toBe(true)
        const [x, y] = pose.position
        expect(x > 0.19 && x < 4.81 && y > 0.19 && y < 5.81).toBe(true)
        path.push(pose.position)
      }
      return path
    }
    expect(walk(sliding)).toEqual(walk(sliding))
    walk(walker)
  })

  test('rejects non-numbers', () => {
    expect(() => walker.move(fromYawPitch([1, 1, 1.6], 0), move({ forwardMeters: NaN }))).toThrow(RangeError)
  })
})

describe('a movement through everything', () => {
  const bounds = { min: [-3, -4, 0], max: [3, 4, 2.6] } as const
  const start = fromYawPitch([0, 0, 1.6], 0)
  test.each([
    ['left', move({ leftMeters: 0.5 }), [0, 0.5, 1.6]],
    ['too far', move({ forwardMeters: 5 }), [2.9, 0, 1.6]],
    ['too far back', move({ forwardMeters: -9 }), [-2.9, 0, 1.6]],
    ['up, and turned', move({ turnDegrees: 90, forwardMeters: 1, upMeters: 9 }), [0, 1, 2.3]],
  ])('%s', (_, asked, expected) => {
    expect(rounded(moveThroughAll(start, asked, bounds).position)).toEqual(expected)
  })

  test('can mirror left, as the published agent did', () => {
    const mirrored = moveThroughAll(start, move({ leftMeters: 0.5 }), bounds, { mirrorLeft: true })
    expect(rounded(mirrored.position)).toEqual([0, -0.5, 1.6])
  })

  test('ends at the upper bound minus the margin when bounds are thinner than their margins', () => {
    expect(clampToBounds([0, 0, 0], { min: [0, 0, 0], max: [0.1, 1, 0.4] })).toEqual([0, 0.1, 0.4 - 0.3])
  })
})

test('turning a pose four times by 90° gives the same pose', () => {
  let pose = fromYawPitch([1, 2, 3], 0, -20)
  for (let i = 0; i < 4; i++) pose = turnPose(pose, 90)
  expect(toMatrix(pose)).toEqual(toMatrix(fromYawPitch([1, 2, 3], 0, -20)))
})
