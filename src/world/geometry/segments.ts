import { addScaled, cross, distance, dot, subtract, type Vec3 } from '../vector.ts'

/** Two points, one on each of two things, and how far apart they are. */
export interface ClosestPoints {
  distance: number
  a: Vec3
  b: Vec3
}

const TINY = 1e-24

/** Closest points of segments p–q and r–s. */
export function closestOfSegments(p: Vec3, q: Vec3, r: Vec3, s: Vec3): ClosestPoints {
  const d1 = subtract(q, p)
  const d2 = subtract(s, r)
  const between = subtract(p, r)
  const a = dot(d1, d1)
  const e = dot(d2, d2)
  const f = dot(d2, between)
  let t = 0
  let u = 0
  if (a <= TINY && e > TINY) u = clamp01(f / e)
  else if (a > TINY) {
    const c = dot(d1, between)
    if (e <= TINY) t = clamp01(-c / a)
    else {
      const b = dot(d1, d2)
      const denominator = a * e - b * b
      // Parallel segments: any point of the first serves, the clamping below finds its partner.
      t = denominator > TINY ? clamp01((b * f - c * e) / denominator) : 0
      u = (b * t + f) / e
      if (u < 0) {
        u = 0
        t = clamp01(-c / a)
      } else if (u > 1) {
        u = 1
        t = clamp01((b - c) / a)
      }
    }
  }
  return between2(addScaled(p, d1, t), addScaled(r, d2, u))
}

/** The point of triangle a b c that is nearest to p (regions of Ericson, Real-Time Collision Detection §5.1.5). */
export function closestOnTriangle(p: Vec3, a: Vec3, b: Vec3, c: Vec3): Vec3 {
  const ab = subtract(b, a)
  const ac = subtract(c, a)
  const ap = subtract(p, a)
  const d1 = dot(ab, ap)
  const d2 = dot(ac, ap)
  if (d1 <= 0 && d2 <= 0) return a
  const bp = subtract(p, b)
  const d3 = dot(ab, bp)
  const d4 = dot(ac, bp)
  if (d3 >= 0 && d4 <= d3) return b
  const vc = d1 * d4 - d3 * d2
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return addScaled(a, ab, d1 / (d1 - d3 || 1))
  const cp = subtract(p, c)
  const d5 = dot(ab, cp)
  const d6 = dot(ac, cp)
  if (d6 >= 0 && d5 <= d6) return c
  const vb = d5 * d2 - d1 * d6
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return addScaled(a, ac, d2 / (d2 - d6 || 1))
  const va = d3 * d6 - d5 * d4
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    return addScaled(b, subtract(c, b), (d4 - d3) / (d4 - d3 + (d5 - d6) || 1))
  }
  const sum = va + vb + vc
  return addScaled(addScaled(a, ab, vb / sum), ac, vc / sum)
}

/** Where segment p–q goes through triangle a b c, if it does. */
export function segmentThroughTriangle(p: Vec3, q: Vec3, a: Vec3, b: Vec3, c: Vec3): Vec3 | undefined {
  const d = subtract(q, p)
  const e1 = subtract(b, a)
  const e2 = subtract(c, a)
  const h = cross(d, e2)
  const determinant = dot(e1, h)
  if (Math.abs(determinant) < TINY) return undefined
  const s = subtract(p, a)
  const u = dot(s, h) / determinant
  if (u < 0 || u > 1) return undefined
  const k = cross(s, e1)
  const v = dot(d, k) / determinant
  if (v < 0 || u + v > 1) return undefined
  const t = dot(e2, k) / determinant
  return t >= 0 && t <= 1 ? addScaled(p, d, t) : undefined
}

export type Triangle = readonly [Vec3, Vec3, Vec3]

/** Closest points of two triangles; distance 0 where they touch or cross. */
export function closestOfTriangles(s: Triangle, t: Triangle): ClosestPoints {
  let best: ClosestPoints = { distance: Infinity, a: s[0], b: t[0] }
  const offer = (found: ClosestPoints) => {
    if (found.distance < best.distance) best = found
  }
  for (let i = 0; i < 3; i++) {
    const s0 = s[i]!
    const s1 = s[(i + 1) % 3]!
    const t0 = t[i]!
    const t1 = t[(i + 1) % 3]!
    const through = segmentThroughTriangle(s0, s1, ...t) ?? segmentThroughTriangle(t0, t1, ...s)
    if (through) return { distance: 0, a: through, b: through }
    offer(between2(s0, closestOnTriangle(s0, ...t)))
    offer(between2(closestOnTriangle(t0, ...s), t0))
    for (let j = 0; j < 3; j++) offer(closestOfSegments(s0, s1, t[j]!, t[(j + 1) % 3]!))
  }
  return best
}

export function between2(a: Vec3, b: Vec3): ClosestPoints {
  return { distance: distance(a, b), a, b }
}

function clamp01(value: number): number {
  return value < 0 ? 0 : value > 1 ? 1 : value
}
