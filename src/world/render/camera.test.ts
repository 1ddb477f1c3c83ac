import { describe, expect, it } from 'vitest'
import { sinCosDegrees } from './angles.ts'
import {
  fieldOfView,
  focalLength,
  fromMatrix,
  fromYawPitch,
  lookAlong,
  lookAt,
  type Pose,
  project,
  toMatrix,
  topDown,
  unproject,
  type Vec3,
} from './camera.ts'

function near(found: Vec3, expected: Vec3): void {
  for (const axis of [0, 1, 2] as const) expect(found[axis]).toBeCloseTo(expected[axis], 12)
}

describe('poses', () => {
  const poses: [string, Pose, right: Vec3, down: Vec3, forward: Vec3][] = [
    ['facing +x', lookAlong([0, 0, 0], [1, 0, 0]), [0, -1, 0], [0, 0, -1], [1, 0, 0]],
    ['facing nowhere is facing +x', lookAlong([0, 0, 0], [0, 0, 0]), [0, -1, 0], [0, 0, -1], [1, 0, 0]],
    ['facing +y', fromYawPitch([0, 0, 0], 90), [1, 0, 0], [0, 0, -1], [0, 1, 0]],
    ['facing −x by yaw', fromYawPitch([0, 0, 0], -180), [0, 1, 0], [0, 0, -1], [-1, 0, 0]],
    ['straight down', lookAlong([0, 0, 5], [0, 0, -1]), [-1, 0, 0], [0, 1, 0], [0, 0, -1]],
    ['straight down by pitch', fromYawPitch([0, 0, 5], 90, -90), [1, 0, 0], [0, -1, 0], [0, 0, -1]],
    ['at a thing', lookAt([1, 1, 1], [1, 5, 1]), [1, 0, 0], [0, 0, -1], [0, 1, 0]],
  ]
  it.each(poses)('%s', (_, pose, right, down, forward) => {
    near(pose.right, right)
    near(pose.down, down)
    near(pose.forward, forward)
    expect(fromMatrix(toMatrix(pose))).toEqual(pose)
  })
})

describe('places in the picture', () => {
  const camera = { pose: fromYawPitch([1, 2, 1.5], 30, -10), lens: focalLength(300, 640, 480) }
  it('left is left and up is up in the image', () => {
    const facingX = { pose: fromYawPitch([0, 0, 0], 0), lens: focalLength(300, 640, 480) }
    expect(project(facingX, [3, 1, 0])).toEqual({ x: 220, y: 240, depth: 3 })
    expect(project(facingX, [3, 0, 1])).toEqual({ x: 320, y: 140, depth: 3 })
  })
  it('projects and unprojects a point', () => {
    const { x, y, depth } = project(camera, [4, 3, 1])
    near(unproject(camera, x, y, depth), [4, 3, 1])
  })
  it('a field of view of 90 degrees has half the width as focal length', () => {
    expect(fieldOfView(90, 640, 480).fx).toBeCloseTo(320, 10)
  })
  it('a map has +x to the right and +y up', () => {
    const map = topDown({ min: [0, 0, 0], max: [4, 2, 3] }, { width: 400, height: 200 }, { margin: 0 })
    expect(project(map, [4, 2, 0])).toEqual({ x: 400, y: 0, depth: 4 })
    expect(project(map, [0, 0, 3])).toEqual({ x: 0, y: 200, depth: 1 })
  })
})

it('sine and cosine agree with the library and are exact at right angles', () => {
  for (let degrees = -725; degrees < 725; degrees += 7.3) {
    const { sin, cos } = sinCosDegrees(degrees)
    expect(sin).toBeCloseTo(Math.sin((degrees * Math.PI) / 180), 12)
    expect(cos).toBeCloseTo(Math.cos((degrees * Math.PI) / 180), 12)
  }
  expect(sinCosDegrees(270).sin).toBe(-1)
})
