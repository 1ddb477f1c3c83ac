/** Against geometry: balls, planes and boxes whose depth and outline can be written down. */
import { describe, expect, it } from 'vitest'
import {
  type Camera,
  fieldOfView,
  focalLength,
  fromYawPitch,
  lookAt,
  parallel,
  prepareScene,
  Renderer,
  unproject,
  type Vec3,
} from './index.ts'
import { ball, boxes, type Triple } from '../../../test/support/world/render/meshes.ts'

const SIZE = { width: 320, height: 240 }
const lens = focalLength(150, SIZE.width, SIZE.height)
const MILLIMETER = 0.001

interface Ray {
  from: Vec3
  along: Vec3
}

/** The ray through a place in the picture, as long as a meter of depth. */
function rayAt(camera: Camera, x: number, y: number): Ray {
  const from = unproject(camera, x, y, 0)
  const to = unproject(camera, x, y, 1)
  return { from, along: [to[0] - from[0], to[1] - from[1], to[2] - from[2]] }
}

/** Depth at which a ray meets a ball, or 0. */
function hitBall({ from, along }: Ray, center: Triple, radius: number): number {
  const to = [from[0] - center[0], from[1] - center[1], from[2] - center[2]] as const
  const a = dot(along, along)
  const b = dot(along, to)
  const root = b * b - a * (dot(to, to) - radius * radius)
  return root < 0 ? 0 : (-b - Math.sqrt(root)) / a
}

/** Depths at which a ray enters and leaves a box; empty if it does neither. */
function hitBox({ from, along }: Ray, min: Triple, max: Triple): number[] {
  let enter = -Infinity
  let leave = Infinity
  for (let axis = 0; axis < 3; axis++) {
    const a = (min[axis]! - from[axis]!) / along[axis]!
    const b = (max[axis]! - from[axis]!) / along[axis]!
    enter = Math.max(enter, Math.min(a, b))
    leave = Math.min(leave, Math.max(a, b))
  }
  return enter > leave ? [] : [enter, leave]
}

function dot(a: Vec3, b: Vec3): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

const cameras: [string, Camera][] = [
  ['straight on', { pose: fromYawPitch([0, 0, 1.2], 0), lens }],
  ['from above, turned', { pose: lookAt([0.5, -2.5, 2.3], [4, 0, 1]), lens }],
  ['wide', { pose: fromYawPitch([0, 0, 1], 12, -5), lens: fieldOfView(110, SIZE.width, SIZE.height) }],
  ['parallel', { pose: lookAt([-2, -3, 4], [4, 0, 1]), lens: parallel(6, SIZE.width, SIZE.height) }],
]

describe.each(cameras)('seen %s', (_, camera) => {
  it('a ball has its depth to a millimetre and its outline to half a pixel', () => {
    const center = [4, 0.3, 1.1] as const
    const { depth } = new Renderer(prepareScene(ball(center, 1, 400))).render(camera, { ...SIZE, depth: true })
    const near = (x: number, y: number): boolean => hitBall(rayAt(camera, x, y), center, 1) > 0
    let worst = 0
    let seen = 0
    for (let row = 0; row < SIZE.height; row++)
      for (let column = 0; column < SIZE.width; column++) {
        const [x, y] = [column + 0.5, row + 0.5]
        const found = depth[row * SIZE.width + column]!
        const expected = hitBall(rayAt(camera, x, y), center, 1)
        if (found > 0) seen++
        if (found > 0 === expected > 0) {
          // Near the outline depth changes faster than the ball's facets are fine.
          if (onOutline(near, x, y, 2)) continue
          worst = Math.max(worst, Math.abs(found - expected))
        } else expect(onOutline(near, x, y, 0.5)).toBe(true)
      }
    expect(seen).toBeGreaterThan(1000)
    expect(worst).toBeLessThan(MILLIMETER)
  })

  it('boxes in a room have their depths to a millimetre and their outlines to half a pixel', () => {
    const list = [
      { min: [-6, -5, -3], max: [9, 6, 8], instance: 1 },
      { min: [3, -1.5, 0], max: [4, -0.2, 1.7], instance: 2 },
      { min: [3.4, 0.4, 0.2], max: [5.5, 1.4, 0.9], instance: 3 },
    ] as const
    const mesh = boxes(list)
    const { depth, ids } = new Renderer(prepareScene(mesh)).render(camera, { ...SIZE, depth: true, ids: true })
    const trace = (x: number, y: number): { depth: number; id: number } => {
      const ray = rayAt(camera, x, y)
      const hits = list.flatMap(({ min, max, instance }) =>
        hitBox(ray, min, max).map((at) => ({ depth: at, id: instance as number })),
      )
      return hits.filter((hit) => hit.depth > 0.05).toSorted((a, b) => a.depth - b.depth)[0] ?? { depth: 0, id: 0 }
    }
    let worst = 0
    for (let row = 0; row < SIZE.height; row++)
      for (let column = 0; column < SIZE.width; column++) {
        const [x, y] = [column + 0.5, row + 0.5]
        const pixel = row * SIZE.width + column
        const expected = trace(x, y)
        if (expected.id === ids[pixel]) worst = Math.max(worst, Math.abs(depth[pixel]! - expected.depth))
        else expect(onOutline((u, v) => trace(u, v).id === expected.id, x, y, 0.5)).toBe(true)
      }
    expect(new Set(ids)).toEqual(new Set([1, 2, 3]))
    expect(worst).toBeLessThan(MILLIMETER)
  })
})

/** Whether `inside` differs somewhere within so many pixels of a place. */
function onOutline(inside: (x: number, y: number) => boolean, x: number, y: number, reach: number): boolean {
  const here = inside(x, y)
  for (const [dx, dy] of [
    [1, 0],
    [-1, 0],
    [0, 1],
    [0, -1],
    [0.7, 0.7],
    [-0.7, 0.7],
    [0.7, -0.7],
    [-0.7, -0.7],
  ] as const)
    if (inside(x + dx * reach, y + dy * reach) !== here) return true
  return false
}
