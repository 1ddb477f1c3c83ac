import { expect, it } from 'vitest'
import { Random } from '../../../../base/random.ts'
import { compose, frameOf, IDENTITY, type Vec3 } from '../../../../world/urdf/index.ts'
import { boxPoints } from '../../../../../test/support/suites/articulate/boxes.ts'
import { hullDistance } from './hull-distance.ts'

const gap = (a: number, b: number, c: number, d: number): number => Math.max(0, c - b, a - d)

it('measures the distance of boxes, including touching and overlapping ones', () => {
  const random = new Random('hull-distance')
  for (let i = 0; i < 3000; i++) {
    const size = (): Vec3 => [random.range(0.05, 1), random.range(0.05, 1), random.range(0.05, 1)]
    const [a, b] = [size(), size()]
    // Half of them exactly flush along some axis, as placements make them.
    const at = [0, 1, 2].map((k) =>
      random.chance(0.4) ? (random.chance(0.5) ? 1 : -1) * (a[k]! + b[k]!) * 0.5 : random.range(-1.2, 1.2),
    )
    const offset: Vec3 = [at[0]!, at[1]!, at[2]!]
    const gaps = [0, 1, 2].map((k) => gap(-a[k]! / 2, a[k]! / 2, offset[k]! - b[k]! / 2, offset[k]! + b[k]! / 2))
    const expected = Math.hypot(...gaps)
    // Seen from a turned world the answer is the same.
    const world = random.chance(0.5) ? IDENTITY : frameOf([1, 2, 3], [random.range(-3, 3), random.range(-1, 1), 1])
    const found = hullDistance(
      { points: boxPoints(a, [0, 0, 0]), frame: world },
      { points: boxPoints(b, [0, 0, 0]), frame: compose(world, frameOf(offset)) },
    )
    expect(Math.abs(found - expected), JSON.stringify([a, b, offset])).toBeLessThan(1e-9)
  }
})
