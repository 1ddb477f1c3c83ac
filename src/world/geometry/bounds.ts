import { selectInPlace } from '../../base/numbers.ts'
import type { Vec3 } from '../render/camera.ts'

export interface Bounds {
  min: Vec3
  max: Vec3
}

/** The box around all points, x y z after x y z. */
export function boundsOf(points: ArrayLike<number>): Bounds {
  const min: [number, number, number] = [Infinity, Infinity, Infinity]
  const max: [number, number, number] = [-Infinity, -Infinity, -Infinity]
  for (let i = 0; i + 2 < points.length; i += 3) {
    for (let axis = 0; axis < 3; axis++) {
      const value = points[i + axis]!
      if (value < min[axis]!) min[axis] = value
      if (value > max[axis]!) max[axis] = value
    }
  }
  return { min, max }
}

/**
 * The box between two percentiles of each axis, over all points, as NumPy computes them (linear interpolation): stray
 * points of a scan do not count.
 *
 * @example
 * percentileBounds(mesh.positions, 2, 98)
 */
export function percentileBounds(points: ArrayLike<number>, low: number, high: number): Bounds {
  const count = Math.floor(points.length / 3)
  if (count === 0) throw new RangeError('no points have no bounds')
  const column = new Float64Array(count)
  const axis = (offset: number): [number, number] => {
    for (let i = 0; i < count; i++) column[i] = points[i * 3 + offset]!
    return [percentileInPlace(column, low), percentileInPlace(column, high)]
  }
  const [x, y, z] = [axis(0), axis(1), axis(2)]
  return { min: [x[0], y[0], z[0]], max: [x[1], y[1], z[1]] }
}

/** The q-th percentile by linear interpolation. */
export function percentile(values: ArrayLike<number>, q: number): number {
  return percentileInPlace(Float64Array.from(values), q)
}

function percentileInPlace(values: Float64Array, q: number): number {
  const rank = (q / 100) * (values.length - 1)
  const below = Math.floor(rank)
  const fraction = rank - below
  const a = selectInPlace(values, below)
  if (fraction === 0) return a
  // After selection all larger values stand behind, so the next one is their least.
  let b = Infinity
  for (let i = below + 1; i < values.length; i++) if (values[i]! < b) b = values[i]!
  // From the nearer end, as NumPy does: exact at both ends.
  return fraction < 0.5 ? a + (b - a) * fraction : b - (b - a) * (1 - fraction)
}
