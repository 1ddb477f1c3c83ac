/** Paths through space for bars, cables and rims. */
import { TAU, cosine, sine } from '../trig.ts'
import type { Vec3 } from '../vector.ts'

/** A smooth path through the points, `between` places from each to the next. */
export function curve(points: readonly Vec3[], between = 5): Vec3[] {
  const path: Vec3[] = []
  for (let i = 0; i + 1 < points.length; i++) {
    const a = points[Math.max(0, i - 1)]!
    const b = points[i]!
    const c = points[i + 1]!
    const d = points[Math.min(points.length - 1, i + 2)]!
    for (let k = 0; k < between; k++) {
      const t = k / between
      const t2 = t * t
      const t3 = t2 * t
      const at = (j: 0 | 1 | 2): number =>
        0.5 *
        (2 * b[j] +
          (c[j] - a[j]) * t +
          (2 * a[j] - 5 * b[j] + 4 * c[j] - d[j]) * t2 +
          (3 * b[j] - a[j] - 3 * c[j] + d[j]) * t3)
      path.push([at(0), at(1), at(2)])
    }
  }
  path.push(points.at(-1)!)
  return path
}

/** A circle of points around `center` in the plane across `axis`. */
export function circle(center: Vec3, radius: number, axis: 'x' | 'y' | 'z', count = 24): Vec3[] {
  return Array.from({ length: count }, (_, i) => {
    const c = cosine((i / count) * TAU) * radius
    const s = sine((i / count) * TAU) * radius
    if (axis === 'x') return [center[0], center[1] + c, center[2] + s]
    if (axis === 'y') return [center[0] + c, center[1], center[2] + s]
    return [center[0] + c, center[1] + s, center[2]]
  })
}
