import { expect, test } from 'vitest'
import { sha256 } from '../../base/hash.ts'
import { Random } from '../../base/random.ts'
import { buildObject } from '../objects/catalogue.ts'
import type { Occluder } from '../objects/shapes.ts'
import { buildScene } from '../rooms/assemble.ts'
import { generateScene } from '../rooms/generate.ts'
import { BoxCaster } from './boxes.ts'
import { refine } from './refine.ts'
import { studioMesh } from './studio.ts'

function box(center: readonly [number, number, number], half: readonly [number, number, number]): Occluder {
  return { frame: [1, 0, 0, center[0], 0, 1, 0, center[1], 0, 0, 1, center[2]], half }
}

/** Brightness of the vertex nearest to a place. */
function lightAt(mesh: { positions: Float32Array; light?: Float32Array }, x: number, y: number, z: number): number {
  let best = Infinity
  let found = 0
  for (let i = 0; i < mesh.positions.length; i += 3) {
    const d = (mesh.positions[i]! - x) ** 2 + (mesh.positions[i + 1]! - y) ** 2 + (mesh.positions[i + 2]! - z) ** 2
    if (d < best) {
      best = d
      found = i
    }
  }
  return mesh.light![found + 1]!
}

test('a ray hits the same box as brute force', () => {
  const random = new Random('test/boxes')
  const at = (): [number, number, number] => [random.range(-3, 3), random.range(-3, 3), random.range(-3, 3)]
  const boxes = Array.from({ length: 200 }, () =>
    box(at(), [random.range(0.02, 0.3), random.range(0.02, 0.3), random.range(0.02, 0.3)]),
  )
  const all = new BoxCaster(boxes)
  const single = boxes.map((one) => new BoxCaster([one]))
  for (let i = 0; i < 500; i++) {
    const o = at()
    const d = at()
    const length = Math.sqrt(d[0] ** 2 + d[1] ** 2 + d[2] ** 2)
    const ray = [...o, d[0] / length, d[1] / length, d[2] / length, 5] as const
    const nearest = Math.min(...single.map((caster) => caster.distance(...ray)))
    expect(all.distance(...ray)).toBeCloseTo(nearest, 9)
    expect(all.blocked(...ray)).toBe(nearest < 5)
  }
})

test('a room is lit the same way, bit for bit, whatever casts the rays', () => {
  // Many rays run exactly along faces, where rounding decides: pictures of a seed must not depend on it.
  const { mesh } = buildScene(generateScene({ seed: 84, kind: 'bathroom' }), { look: 'lit' })
  expect(sha256(new Uint8Array(mesh.light!.buffer)).slice(0, 16)).toBe('5a259cabc6826496')
})

test('splitting long edges keeps the surface and leaves no edge too long', () => {
  const { mesh } = buildObject('cup', 0)
  const fine = refine(mesh, 0.01)
  const area = ({ positions: p, indices }: typeof mesh): number => {
    let total = 0
    for (let t = 0; t < indices.length; t += 3) {
      const [a, b, c] = [indices[t]! * 3, indices[t + 1]! * 3, indices[t + 2]! * 3]
      const u = [0, 1, 2].map((k) => p[b + k]! - p[a + k]!)
      const v = [0, 1, 2].map((k) => p[c + k]! - p[a + k]!)
      total +=
        Math.sqrt(
          (u[1]! * v[2]! - u[2]! * v[1]!) ** 2 +
            (u[2]! * v[0]! - u[0]! * v[2]!) ** 2 +
            (u[0]! * v[1]! - u[1]! * v[0]!) ** 2,
        ) / 2
    }
    return total
  }
  expect(area(fine)).toBeCloseTo(area(mesh), 5)
  const { positions: p, indices } = fine
  let longest = 0
  for (let t = 0; t < indices.length; t++) {
    const a = indices[t]! * 3
    const b = indices[t % 3 === 2 ? t - 2 : t + 1]! * 3
    longest = Math.max(longest, (p[a]! - p[b]!) ** 2 + (p[a + 1]! - p[b + 1]!) ** 2 + (p[a + 2]! - p[b + 2]!) ** 2)
  }
  expect(Math.sqrt(longest)).toBeLessThanOrEqual(0.01 + 1e-6)
})

test('it is darker under a table than next to it', () => {
  const mesh = studioMesh(buildObject('table', 0))
  expect(lightAt(mesh, 0, 0, 0)).toBeLessThan(0.8 * lightAt(mesh, 1.2, 0, 0))
})

test('lights a room deterministically, with no sun through walls', () => {
  const scene = generateScene({ seed: 2, kind: 'corridor' })
  const shut = { ...scene, windows: [], objects: scene.objects.filter(({ support }) => support !== 'ceiling') }
  const { mesh } = buildScene(scene)
  const { mesh: dark } = buildScene(shut)
  expect(mesh.light!.every((value) => Number.isFinite(value) && value >= 0)).toBe(true)
  expect(buildScene(scene).mesh.light).toEqual(mesh.light)
  // Without windows and lamps there is only what the walls throw back.
  expect(Math.max(...dark.light!.subarray(0, 30_000))).toBeLessThan(0.8)
})
