/** The distance between the convex hulls of two sets of points (Gilbert, Johnson and Keerthi). */
import {
  addScaled,
  cross,
  dot,
  type Frame,
  frameOf,
  moved,
  scaled,
  subtract,
  turnedBack,
  type Vec3,
} from '../../../../world.ts'
import { boxAround, centerOf, diagonalOf } from './box.ts'

/** Points in a frame of their own, x, y, z one after the other. */
export interface Solid {
  points: ArrayLike<number>
  frame: Frame
}

const MAX_STEPS = 64
/** Progress below this share of the squared distance is rounding. */
const RELATIVE = 1e-12
/** Squared distances below this are contact. */
const ZERO = 1e-24

/** 0 where the hulls touch or meet. */
export function hullDistance(a: Solid, b: Solid): number {
  let v = between(a, b, [1, 0, 0])
  let simplex: Vec3[] = [v]
  for (let step = 0; step < MAX_STEPS; step++) {
    const squared = dot(v, v)
    if (squared <= ZERO) return 0
    const w = between(a, b, [-v[0], -v[1], -v[2]])
    const isKnown = simplex.some((p) => p[0] === w[0] && p[1] === w[1] && p[2] === w[2])
    if (isKnown || squared - dot(v, w) <= RELATIVE * squared) return Math.sqrt(squared)
    const nearest = nearestOf([...simplex, w])
    if (nearest === null) return 0
    simplex = nearest.simplex
    // Rounding can make a full simplex look nearer than it is; then there is nothing left to gain.
    if (dot(nearest.point, nearest.point) >= squared) return Math.sqrt(squared)
    v = nearest.point
  }
  return Math.sqrt(dot(v, v))
}

/** A hinge is at most this far from what it holds, meters. */
const HINGE_REACH = 0.02
/** Places along an axis where the distance to a body is looked for. */
const PLACES = 41

/** Whether a body is where a hinge's axis runs, looked for along the body's own length. */
export function isNearAxis({ origin, axis }: { origin: Vec3; axis: Vec3 }, solid: Solid): boolean {
  const box = boxAround(solid.points, solid.frame)
  if (!box) return true
  const nearest = addScaled(origin, axis, dot(subtract(centerOf(box), origin), axis))
  const reach = diagonalOf(box) / 2
  return Array.from({ length: PLACES }, (_, i) => ((2 * i) / (PLACES - 1) - 1) * reach).some(
    (along) =>
      hullDistance({ points: [0, 0, 0], frame: frameOf(addScaled(nearest, axis, along)) }, solid) <= HINGE_REACH,
  )
}

/** The point of the difference of both hulls that lies farthest in a direction. */
function between(a: Solid, b: Solid, direction: Vec3): Vec3 {
  return subtract(support(a, direction), support(b, scaled(direction, -1)))
}

function support({ points, frame }: Solid, direction: Vec3): Vec3 {
  const at = farthest(points, turnedBack(frame, direction))
  return moved(frame, [points[at]!, points[at + 1]!, points[at + 2]!])
}

/** Where in a list of points the one begins that lies farthest in a direction. */
export function farthest(points: ArrayLike<number>, [x, y, z]: Vec3): number {
  let best = -Infinity
  let at = 0
  for (let i = 0; i < points.length; i += 3) {
    const along = points[i]! * x + points[i + 1]! * y + points[i + 2]! * z
    if (along > best) {
      best = along
      at = i
    }
  }
  return at
}

interface Nearest {
  point: Vec3
  simplex: Vec3[]
}

/** The point of a simplex that is nearest to the origin, and the corners it rests on; null when the origin is inside. */
function nearestOf(simplex: Vec3[]): Nearest | null {
  if (simplex.length === 4) return nearestOfSolid(simplex)
  if (simplex.length === 3) return nearestOfTriangle(simplex[0]!, simplex[1]!, simplex[2]!)
  if (simplex.length === 2) return nearestOfEdge(simplex[0]!, simplex[1]!)
  return { point: simplex[0]!, simplex }
}

function nearestOfEdge(a: Vec3, b: Vec3): Nearest {
  const ab = subtract(b, a)
  const squared = dot(ab, ab)
  const t = squared > 0 ? -dot(a, ab) / squared : 0
  if (t <= 0) return { point: a, simplex: [a] }
  if (t >= 1) return { point: b, simplex: [b] }
  return { point: [a[0] + ab[0] * t, a[1] + ab[1] * t, a[2] + ab[2] * t], simplex: [a, b] }
}

function nearestOfTriangle(a: Vec3, b: Vec3, c: Vec3): Nearest {
  const ab = subtract(b, a)
  const ac = subtract(c, a)
  const n = cross(ab, ac)
  const squared = dot(n, n)
  if (squared > 0) {
    // Barycentric coordinates of the origin's foot on the plane.
    const wb = -dot(cross(ac, n), a) / squared
    const wc = -dot(cross(n, ab), a) / squared
    const inside = wb > 0 && wc > 0 && wb + wc < 1
    if (inside) {
      const k = dot(a, n) / squared
      return { point: [n[0] * k, n[1] * k, n[2] * k], simplex: [a, b, c] }
    }
  }
  return nearer(nearestOfEdge(a, b), nearer(nearestOfEdge(a, c), nearestOfEdge(b, c)))
}

function nearestOfSolid(s: Vec3[]): Nearest | null {
  const [a, b, c, d] = [s[0]!, s[1]!, s[2]!, s[3]!]
  let inside = true
  let best: Nearest | null = null
  for (const [p, q, r, other] of [
    [a, b, c, d],
    [a, b, d, c],
    [a, c, d, b],
    [b, c, d, a],
  ] as const) {
    const n = cross(subtract(q, p), subtract(r, p))
    const origin = -dot(n, p)
    const opposite = dot(n, subtract(other, p))
    // A flat solid has no inside.
    if (opposite === 0 || origin * opposite < 0 || Math.abs(opposite) < 1e-18) {
      inside = false
      const found = nearestOfTriangle(p, q, r)
      best = best === null ? found : nearer(found, best)
    }
  }
  return inside ? null : best
}

function nearer(a: Nearest, b: Nearest): Nearest {
  return dot(a.point, a.point) <= dot(b.point, b.point) ? a : b
}
