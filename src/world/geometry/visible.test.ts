import { expect, test } from 'vitest'
import { focalLength, fromYawPitch } from '../render/camera.ts'
import { boxInPicture, pixelCounts, seenThings } from './visible.ts'

const ids = Uint16Array.of(0, 7, 7, 0, 0, 7, 9, 0, 0, 0, 0, 0)

test('counts visible objects in an id image', () => {
  expect(seenThings(ids, 4)).toEqual([
    { instance: 7, pixels: 3, x1: 1, y1: 0, x2: 2, y2: 1, cutByEdge: true },
    { instance: 9, pixels: 1, x1: 2, y1: 1, x2: 2, y2: 1, cutByEdge: false },
  ])
  expect([pixelCounts(ids)[0], pixelCounts(ids)[7], pixelCounts(ids)[9]]).toEqual([8, 3, 1])
})

const camera = { pose: fromYawPitch([0, 0, 1.6], 0), lens: focalLength(300, 640, 480) }
const picture = { width: 640, height: 480 }

test('a box ahead and to the left is in the left half of the picture', () => {
  const box = boxInPicture(camera, { center: [4, 1, 1.6], size: [0.5, 0.5, 0.5], yaw: 0 }, picture)!
  expect(box.x2).toBeLessThan(320)
  // Its near face is 3.75 m away, its right edge 0.75 m to the left.
  expect(box.x2).toBeCloseTo(320 - (300 * 0.75) / 4.25, 6)
  expect(box.x1).toBeCloseTo(320 - (300 * 1.25) / 3.75, 6)
})

test('a box behind is not in the picture, one around the camera fills it', () => {
  expect(boxInPicture(camera, { center: [-4, 0, 1.6], size: [1, 1, 1], yaw: 0 }, picture)).toBeUndefined()
  const around = boxInPicture(camera, { center: [0, 0, 1.6], size: [4, 40, 40], yaw: 0 }, picture)
  expect(around).toEqual({ x1: 0, y1: 0, x2: 640, y2: 480 })
})
