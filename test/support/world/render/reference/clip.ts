/** Cuts off what is nearer than the near plane, above the cut, or so far to the side that numbers would overflow. */
import * as at from '../../../../../src/world/render/layout.ts'
import { type CameraVertex, f } from './vertex.ts'

type Distance = (v: CameraVertex) => number

/** How far a vertex is inside each plane; negative is outside. */
export function clipPlanes(view: Float32Array, orthographic: boolean): readonly Distance[] {
  const near = view[at.V_NEAR]!
  const guardX = view[at.V_GUARD_X]!
  const guardY = view[at.V_GUARD_Y]!
  const width = (v: CameraVertex): number => (orthographic ? guardX : f(v.z * guardX))
  const height = (v: CameraVertex): number => (orthographic ? guardY : f(v.z * guardY))
  return [
    (v) => f(v.z - near),
    (v) => -v.above,
    (v) => f(width(v) + v.x),
    (v) => f(width(v) - v.x),
    (v) => f(height(v) + v.y),
    (v) => f(height(v) - v.y),
  ]
}

/** The part of a convex polygon inside all planes (Sutherland and Hodgman). */
export function clip(polygon: readonly CameraVertex[], planes: readonly Distance[]): readonly CameraVertex[] {
  let corners = polygon
  for (const distance of planes) {
    if (corners.every((corner) => distance(corner) >= 0)) continue
    corners = corners.flatMap((b, i) => {
      const a = corners[(i + corners.length - 1) % corners.length]!
      const [da, db] = [distance(a), distance(b)]
      if (da >= 0 !== db >= 0) {
        // Always from inside to outside: both triangles at an edge then find the same point on it.
        const crossing = da >= 0 ? between(a, b, f(da / f(da - db))) : between(b, a, f(db / f(db - da)))
        return db >= 0 ? [crossing, b] : [crossing]
      }
      return db >= 0 ? [b] : []
    })
  }
  return corners
}

function between(a: CameraVertex, b: CameraVertex, t: number): CameraVertex {
  const mix = (from: number, to: number): number => f(from + f(f(to - from) * t))
  return { x: mix(a.x, b.x), y: mix(a.y, b.y), z: mix(a.z, b.z), above: mix(a.above, b.above) }
}
