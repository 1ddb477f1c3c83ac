import { describe, expect, it } from 'vitest'
import { boxRoom } from '../../../test/support/world/box-room.ts'
import { CUBE } from '../../../test/support/world/gltf-files.ts'
import { measurePicture } from '../../../test/support/world/picture-measures.ts'
import { shadeByNormal } from '../formats/index.ts'
import { turnedShape } from '../formats/solids.ts'
import { freeSpace } from '../geometry/index.ts'
import type { TriangleMesh } from '../mesh.ts'
import { prepareScene, Renderer } from '../render/index.ts'
import { buildScene } from '../rooms/assemble.ts'
import { generateScene } from '../rooms/generate.ts'
import { defaultView } from './default-view.ts'

const SIZE = { width: 200, height: 150 }

function look(mesh: TriangleMesh) {
  const prepared = prepareScene(mesh)
  const view = defaultView(prepared, mesh, SIZE, 90)
  const { color } = new Renderer(prepared).render(view.camera, { ...SIZE, background: view.background })
  return { ...view, measures: measurePicture({ ...SIZE, channels: 3, data: color }, view.background) }
}

/** One color all over, shaded or as it is. */
function solid(
  { positions, indices }: { positions: Float32Array; indices: ArrayLike<number> },
  {
    scale = 1,
    color = [200, 60, 40],
    shaded = true,
  }: { scale?: number; color?: [number, number, number]; shaded?: boolean } = {},
): TriangleMesh {
  const mesh = {
    positions: positions.map((value) => value * scale),
    indices: Uint32Array.from(indices),
    materials: [{ name: 'paint', color }],
  }
  return shaded ? shadeByNormal(mesh, ['full']) : mesh
}

const FLAT = { positions: Float32Array.of(-1, 0, -1, 1, 0, -1, 1, 0, 1, -1, 0, 1), indices: [0, 1, 2, 0, 2, 3] }
const BALL = turnedShape(1, 0, true)

describe('the default view of a thing', () => {
  it.each([
    ['a cube of a millimeter', solid(CUBE, { scale: 0.0005 })],
    ['a cube of a centimeter', solid(CUBE, { scale: 0.005 })],
    ['a cube of two meters', solid(CUBE)],
    ['a cube of sixty meters', solid(CUBE, { scale: 30 })],
    ['a hollow ball as large as a room', solid(BALL, { scale: 2.5 })],
    ['a hollow cube as large as a room', solid(CUBE, { scale: 2 })],
    ['a white cube', solid(CUBE, { color: [255, 255, 255] })],
    ['a rod', solid({ ...CUBE, positions: CUBE.positions.map((value, i) => (i % 3 === 0 ? value * 20 : value)) })],
  ])('shows %s whole, from outside, with its sides told apart', (_, mesh) => {
    const { measures, inside } = look(mesh)
    expect(inside).toBe(false)
    expect(measures.covered).toBeGreaterThan(0.03)
    expect(measures.covered).toBeLessThan(0.7)
    expect(measures.spread).toBeGreaterThan(8)
  })

  it.each([
    ['white', [255, 255, 255]],
    ['gray', [132, 150, 170]],
    ['black', [0, 0, 0]],
  ] as const)('has a background that an unlit %s thing stands out from', (_, color) => {
    const { measures, background } = look(solid(CUBE, { color: [...color], shaded: false }))
    expect(measures.covered).toBeGreaterThan(0.1)
    expect(Math.max(...background.map((value, k) => Math.abs(value - color[k]!)))).toBeGreaterThan(60)
  })

  it.each([
    ['standing', FLAT],
    ['lying', { ...FLAT, positions: Float32Array.of(-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0) }],
    [
      'seen along by the usual view',
      { ...FLAT, positions: Float32Array.of(-0.8, 0.5, -1, 0.8, -0.5, -1, 0.8, -0.5, 1, -0.8, 0.5, 1) },
    ],
  ])('shows a sheet, %s', (_, sheet) => {
    expect(look(solid(sheet)).measures.covered).toBeGreaterThan(0.1)
  })
})

describe('the default view of a room', () => {
  it('is from inside, with things in it', () => {
    const { mesh } = buildScene(generateScene({ seed: 3, kind: 'office' }))
    const { inside, measures } = look(mesh)
    expect(inside).toBe(true)
    expect(measures.covered).toBeGreaterThan(0.9)
    expect(measures.edges).toBeGreaterThan(0.05)
  })

  it('takes no more cells than a large building has, however large the floor', () => {
    const { grid } = freeSpace(boxRoom({ size: [404, 348] }))
    expect(grid.columns * grid.rows).toBeLessThanOrEqual(4_000_000)
    expect(freeSpace(boxRoom({ size: [40, 30] })).grid.cell).toBe(0.05)
    expect(look(shadeByNormal(boxRoom({ size: [404, 348] }), ['full'])).inside).toBe(false)
  })
})
