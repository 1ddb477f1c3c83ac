/** What is cut out of a wide picture is what a camera sees that was turned. */
import { describe, expect, it } from 'vitest'
import {
  type Camera,
  fieldOfView,
  fromYawPitch,
  prepareScene,
  Renderer,
  type RenderOptions,
  WideShot,
} from './index.ts'
import { ball, type Box, boxes, type Triple } from '../../../test/support/world/render/meshes.ts'
import type { TriangleMesh } from '../mesh.ts'

const SIZE = { width: 162, height: 120 }
const lens = fieldOfView(60, SIZE.width, SIZE.height)
const turned = (yaw: number, pitch: number): Camera => ({ pose: fromYawPitch([0, 0, 1.5], yaw, pitch), lens })
const cameras = [turned(-12, -9), turned(0, -20), turned(3, 0), turned(11, -14)]

const direct = (mesh: TriangleMesh, camera: Camera, options: Partial<RenderOptions> = {}) =>
  new Renderer(prepareScene(mesh)).render(camera, { ...SIZE, antialias: true, ...options })
const shotOf = (mesh: TriangleMesh): WideShot =>
  new WideShot(new Renderer(prepareScene(mesh)), cameras, { ...SIZE, background: [90, 120, 200] })

const shelves = Array.from({ length: 60 }, (_, i): Box => {
  const [column, row] = [i % 10, Math.floor(i / 10)]
  const min: Triple = [4 + (i % 3), -3 + column * 0.6, -0.4 + row * 0.6]
  return {
    min,
    max: [min[0] + 0.5, min[1] + 0.4, min[2] + 0.35],
    color: [(i * 83) % 256, (i * 47) % 256, (i * 29) % 256],
  }
})

/** Mean difference of a color, of 255. */
function difference(a: Uint8Array, b: Uint8Array): number {
  expect(a).toHaveLength(b.length)
  return a.reduce((sum, value, i) => sum + Math.abs(value - b[i]!), 0) / a.length
}

const SIDES = [
  [0.1, 0],
  [-0.1, 0],
  [0, 0.1],
  [0, -0.1],
] as const

describe('a wide shot', () => {
  it.each(cameras.map((camera, i) => [i, camera] as const))('shows what camera %i sees', (_, camera) => {
    const mesh = boxes(shelves, undefined, true)
    const view = shotOf(mesh).view(camera)
    const off = (right: number, down: number): number => {
      const moved = { ...camera, lens: { ...lens, cx: lens.cx + right, cy: lens.cy + down } }
      return difference(view, direct(mesh, moved, { background: [90, 120, 200] }).color)
    }
    // Softer than drawn, but nowhere else: a tenth of a pixel to any side fits less.
    expect(off(0, 0)).toBeLessThan(2)
    for (const [right, down] of SIDES) expect(off(0, 0)).toBeLessThan(off(right, down))
  })

  it('shows what is laid over it, also the other way round, but not behind things', () => {
    // A wall with its near side at x = 4, and a ball in front of it or behind.
    const wall = boxes([{ min: [4, -6, -3], max: [4.2, 6, 6], color: [40, 160, 60] }])
    const camera = cameras[2]!
    const shot = shotOf(wall)
    const bare = shot.view(camera).slice()
    const above = (center: Triple, isMirrored = false): Uint8Array => {
      const [left, top, width, height] = [40, 30, 90, 60]
      const moved = { ...lens, cx: lens.cx - left, cy: lens.cy - top }
      const picture = direct(
        ball(center, 0.3, 12),
        { pose: camera.pose, lens: moved },
        { width, height, depth: true, background: 'none' },
      )
      return shot.view(camera, { picture, left, top, mirrored: isMirrored }).slice()
    }
    const front = above([2, 0, 1.4])
    const both = direct(joined(wall, ball([2, 0, 1.4], 0.3, 12)), camera, { background: [90, 120, 200] }).color
    expect(difference(front, both)).toBeLessThan(1)
    expect(difference(front, bare)).toBeGreaterThan(5)
    expect(above([5, 0, 1.4])).toEqual(bare)

    const across = (rgb: Uint8Array): Uint8Array =>
      rgb.map((_, i) => {
        const pixel = Math.floor(i / 3)
        const column = SIZE.width - 1 - (pixel % SIZE.width)
        return rgb[(pixel - (pixel % SIZE.width) + column) * 3 + (i % 3)]!
      })
    const mirrored = above([2, 0, 1.4], true)
    const changed = (rgb: Uint8Array): Uint8Array => rgb.map((value, i) => (value === bare[i] ? 0 : 1))
    expect(difference(changed(mirrored), across(changed(front)))).toBeLessThan(0.01)
    expect(difference(mirrored, front)).toBeGreaterThan(1)
  })

  it('refuses cameras that move, and views too far apart', () => {
    const renderer = new Renderer(prepareScene(boxes(shelves)))
    const elsewhere: Camera = { pose: fromYawPitch([0.1, 0, 1.5], 0), lens }
    expect(() => new WideShot(renderer, [cameras[0]!, elsewhere], SIZE)).toThrow(/stand in one place/)
    expect(() => new WideShot(renderer, [turned(-80, 0), turned(80, 0)], SIZE)).toThrow(/too far apart/)
    expect(() => new WideShot(renderer, [], SIZE)).toThrow(/needs a camera/)
  })
})

function joined(a: TriangleMesh, b: TriangleMesh): TriangleMesh {
  const first = a.positions.length / 3
  const white = (mesh: TriangleMesh): Uint8Array => mesh.colors ?? new Uint8Array(mesh.positions.length).fill(255)
  return {
    positions: Float32Array.from([...a.positions, ...b.positions]),
    indices: Uint32Array.from([...a.indices, ...b.indices.map((index) => index + first)]),
    colors: Uint8Array.from([...white(a), ...white(b)]),
    materials: [{ name: 'white', color: [255, 255, 255] }],
    triangleMaterials: new Uint16Array((a.indices.length + b.indices.length) / 3),
  }
}
