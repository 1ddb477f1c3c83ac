/** The kernel draws what the reference draws, bit by bit; and both draw what they drew when these hashes were noted. */
import { describe, expect, it } from 'vitest'
import { sha256 } from '../../base/hash.ts'
import type { TriangleMesh } from '../mesh.ts'
import {
  type Camera,
  focalLength,
  fromYawPitch,
  lookAt,
  parallel,
  type Picture,
  prepareScene,
  Renderer,
  type RenderOptions,
  topDown,
} from './index.ts'
import { ReferenceEngine } from '../../../test/support/world/render/reference/engine.ts'
import { ball, boxes, confetti, hills, room } from '../../../test/support/world/render/meshes.ts'

const SIZE = { width: 163, height: 121 }
const ALL = { ...SIZE, depth: true, ids: true, triangles: true }
const lens = focalLength(80, SIZE.width, SIZE.height)
const inside: Camera = { pose: fromYawPitch([0, 0, 1.5], 10, -8), lens }
const close: Camera = { pose: fromYawPitch([1.9, 1.1, 0.7], -20, -30), lens, near: 0.1 }
const doll: Camera = { pose: lookAt([-8, -9, 9], [0.5, 0, 0.8]), lens: parallel(14, SIZE.width, SIZE.height) }
const map: Camera = topDown({ min: [-4, -4, 0], max: [6, 4, 2.6] }, SIZE)

const cases: [name: string, mesh: () => TriangleMesh, camera: Camera, options: Partial<RenderOptions>, hash: string][] =
  [
    ['a room as captured', () => room(false), inside, {}, '3ef1d79717969d3f'],
    ['a lit room', () => room(true), inside, { exposure: 1.3 }, '39b83c369e9278a7'],
    ['a room without colours', () => colorless(room(false)), inside, {}, '496ebaea9dfad707'],
    ['a lit room without colours', () => colorless(room(true)), inside, {}, '66c01587c9a23885'],
    ['a lit room, smoothed', () => room(true), inside, { antialias: true }, '96c955d5a908919c'],
    ['a lit room from near by', () => room(true), close, {}, '7d486864508d3cd2'],
    ['a doll’s house', () => room(true), doll, { cutAbove: 2 }, 'b92574fedf300ec2'],
    [
      'a doll’s house without near walls',
      () => room(false),
      doll,
      { cutAbove: 2, hideBackFaces: true },
      '39d9331686214449',
    ],
    ['a map', () => room(false), map, { cutAbove: 1.2, background: [10, 20, 30] }, 'fec354ab69fa41d4'],
    ['confetti', () => confetti(3000, 'confetti'), inside, {}, '370c6bb08f345014'],
    ['confetti, parallel', () => confetti(1000, 'more confetti'), doll, { antialias: true }, '1b7988085e440cd6'],
    ['hills', () => hills(60), inside, {}, '8502e1421b856a6a'],
    ['fine hills', () => hills(150), doll, {}, 'f0dd6f24f4bbe9dd'],
    ['a ball', () => ball([3, 0, 1.5], 1, 24), inside, { background: [0, 0, 0] }, '78d37e78243ecba2'],
    ['a room on nothing', () => room(false), doll, { cutAbove: 2, background: 'none' }, '35a07aa96127a55f'],
    [
      'a ball on nothing, smoothed',
      () => ball([3, 0, 1.5], 1, 24),
      inside,
      { background: 'none', antialias: true },
      'c202675d0efe2963',
    ],
    [
      'a lit room on nothing, smoothed',
      () => room(true),
      doll,
      { background: 'none', antialias: true },
      'c77b6594c32e82b3',
    ],
    ['two equal boxes in one place', () => twice(), inside, {}, '2fff384392adad7b'],
  ]

describe('the kernel and the reference draw the same', () => {
  it.each(cases)('%s', (_, mesh, camera, options, hash) => {
    const scene = prepareScene(mesh(), { keepTriangleNumbers: true })
    const drawn = new Renderer(scene).render(camera, { ...ALL, ...options })
    const expected = new Renderer(scene, new ReferenceEngine(scene)).render(camera, { ...ALL, ...options })
    for (const part of ['color', 'depth', 'ids', 'triangles'] as const)
      expect([part, differences(drawn[part], expected[part])]).toEqual([part, 0])
    expect(drawn.ids.some((id) => id > 0) || drawn.depth.some((depth) => depth > 0)).toBe(true)
    expect(fingerprint(drawn)).toBe(hash)
  })

  it('in an image after a smaller and a larger one', () => {
    const scene = prepareScene(room(true))
    const renderer = new Renderer(scene)
    const before = fingerprint(renderer.render(inside, { ...SIZE, depth: true, ids: true }))
    renderer.render(doll, { width: 500, height: 300, antialias: true, cutAbove: 2 })
    renderer.render(inside, { width: 7, height: 3 })
    expect(fingerprint(renderer.render(inside, { ...SIZE, depth: true, ids: true }))).toBe(before)
  })

  it.each([1, 2, 3, 5, 66])('in an image %i pixels wide after a large one', (width) => {
    const scene = prepareScene(room(true))
    const small = { width, height: 5, depth: true, ids: true }
    const camera: Camera = { pose: inside.pose, lens: focalLength(width, width, 5) }
    const renderer = new Renderer(scene)
    renderer.render(inside, { width: 500, height: 300, depth: true, ids: true, antialias: true })
    const expected = new Renderer(scene, new ReferenceEngine(scene)).render(camera, small)
    expect(fingerprint(renderer.render(camera, small))).toBe(fingerprint(expected))
  })
})

/** As a model has them whose colors are all in its textures. */
function colorless(mesh: TriangleMesh): TriangleMesh {
  const copy = { ...mesh }
  delete copy.colors
  return copy
}

function twice(): TriangleMesh {
  const box = { min: [2, -1, 0.5], max: [3, 1, 2] } as const
  return boxes([
    { ...box, color: [255, 0, 0], instance: 1 },
    { ...box, color: [0, 255, 0], instance: 2 },
  ])
}

function differences(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let count = Math.abs(a.length - b.length)
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) count++
  return count
}

function fingerprint({ color, depth, ids, triangles }: Picture): string {
  const parts = [color, depth, ids, triangles].map((part) => sha256(new Uint8Array(part.buffer)))
  return sha256(parts.join('')).slice(0, 16)
}
