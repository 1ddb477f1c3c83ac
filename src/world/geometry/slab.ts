/** The part of a triangle between two heights: what a standing body of that extent can bump into. */

/** A convex polygon in the plane: x y after x y. At most five corners. */
export type Outline = Float64Array

const CORNERS = 8
const scratchA = new Float64Array(CORNERS * 3)
const scratchB = new Float64Array(CORNERS * 3)

/**
 * Clips the triangle to heights from `low` to `high` and drops z. Gives the number of corners written to `out`, 0 when
 * nothing is left.
 */
export function clipToSlab(
  positions: Float32Array,
  indices: Uint32Array,
  triangle: number,
  low: number,
  high: number,
  out: Outline,
): number {
  let inside = true
  for (let k = 0; k < 3; k++) {
    const vertex = indices[triangle * 3 + k]! * 3
    const z = positions[vertex + 2]!
    inside &&= z >= low && z <= high
    scratchA[k * 3] = positions[vertex]!
    scratchA[k * 3 + 1] = positions[vertex + 1]!
    scratchA[k * 3 + 2] = z
  }
  // Most triangles of a scan are small: nothing of them is cut off.
  if (inside) {
    for (let k = 0; k < 3; k++) {
      out[k * 2] = scratchA[k * 3]!
      out[k * 2 + 1] = scratchA[k * 3 + 1]!
    }
    return 3
  }
  let count = clip(scratchA, 3, scratchB, low, 1)
  count = clip(scratchB, count, scratchA, -high, -1)
  for (let k = 0; k < count; k++) {
    out[k * 2] = scratchA[k * 3]!
    out[k * 2 + 1] = scratchA[k * 3 + 1]!
  }
  return count
}

/** Keeps what has sign · z ≥ limit. */
function clip(from: Float64Array, count: number, to: Float64Array, limit: number, sign: 1 | -1): number {
  let kept = 0
  for (let k = 0; k < count; k++) {
    const a = k * 3
    const b = ((k + 1) % count) * 3
    const heightA = sign * from[a + 2]! - limit
    const heightB = sign * from[b + 2]! - limit
    if (heightA >= 0) {
      to[kept * 3] = from[a]!
      to[kept * 3 + 1] = from[a + 1]!
      to[kept * 3 + 2] = from[a + 2]!
      kept++
    }
    if ((heightA > 0 && heightB < 0) || (heightA < 0 && heightB > 0)) {
      const t = heightA / (heightA - heightB)
      for (let axis = 0; axis < 3; axis++)
        to[kept * 3 + axis] = from[a + axis]! + (from[b + axis]! - from[a + axis]!) * t
      kept++
    }
  }
  return kept
}
