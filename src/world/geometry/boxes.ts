import type { OrientedBox } from '../mesh.ts'
import { sinCosDegrees } from '../render/angles.ts'
import { between2, closestOfSegments, type ClosestPoints } from './segments.ts'
import { addScaled, cross, dot, subtract, type Vec3 } from '../vector.ts'

/** A box turned in any way: its three axes are unit vectors at right angles. */
export interface TurnedBox {
  center: Vec3
  /** Full lengths along the axes. */
  size: Vec3
  axes: readonly [Vec3, Vec3, Vec3]
}

/** An upright box as a turned one. */
export function turnedBox({ center, size, yaw }: OrientedBox): TurnedBox {
  const { sin, cos } = sinCosDegrees(yaw)
  return {
    center,
    size,
    axes: [
      [cos, sin, 0],
      [-sin, cos, 0],
      [0, 0, 1],
    ],
  }
}

/** The corners: bit 0 of the number stands for the first axis, bit 1 for the second, bit 2 for the third. */
export function boxCorners({ center, size, axes }: TurnedBox): Vec3[] {
  return Array.from({ length: 8 }, (_, corner) => {
    let point = center
    for (let axis = 0; axis < 3; axis++) {
      point = addScaled(point, axes[axis]!, ((corner >> axis) & 1 ? 0.5 : -0.5) * size[axis]!)
    }
    return point
  })
}

/** The point of a solid box that is nearest to `point`: the point itself when it is inside. */
export function closestInBox({ center, size, axes }: TurnedBox, point: Vec3): Vec3 {
  const offset = subtract(point, center)
  let nearest = center
  for (let axis = 0; axis < 3; axis++) {
    const half = size[axis]! / 2
    nearest = addScaled(nearest, axes[axis]!, Math.min(half, Math.max(-half, dot(offset, axes[axis]!))))
  }
  return nearest
}

export function pointInBox(box: TurnedBox, point: Vec3): boolean {
  const offset = subtract(point, box.center)
  return box.axes.every((axis, i) => Math.abs(dot(offset, axis)) <= box.size[i]! / 2)
}

const EDGES: readonly (readonly [number, number])[] = Array.from({ length: 8 }, (_, corner) =>
  [0, 1, 2].filter((axis) => ((corner >> axis) & 1) === 0).map((axis) => [corner, corner | (1 << axis)] as const),
).flat()

/**
 * Closest points of two solid boxes, exact; distance 0 where they touch or overlap. The nearest points of two
 * polyhedra that are apart are always a corner and a face, or an edge and an edge.
 */
export function closestOfBoxes(a: TurnedBox, b: TurnedBox): ClosestPoints {
  const cornersA = boxCorners(a)
  const cornersB = boxCorners(b)
  if (boxesOverlap(a, b)) {
    const shared = cornersA.find((corner) => pointInBox(b, corner)) ?? cornersB.find((corner) => pointInBox(a, corner))
    const point = shared ?? closestInBox(b, closestInBox(a, b.center))
    return { distance: 0, a: point, b: point }
  }
  let best: ClosestPoints = { distance: Infinity, a: a.center, b: b.center }
  const offer = (found: ClosestPoints) => {
    if (found.distance < best.distance) best = found
  }
  for (const corner of cornersA) offer(between2(corner, closestInBox(b, corner)))
  for (const corner of cornersB) offer(between2(closestInBox(a, corner), corner))
  for (const [a0, a1] of EDGES) {
    for (const [b0, b1] of EDGES) offer(closestOfSegments(cornersA[a0]!, cornersA[a1]!, cornersB[b0]!, cornersB[b1]!))
  }
  return best
}

/** Separating axes: two boxes are apart when one of 15 directions shows a gap between them. */
export function boxesOverlap(a: TurnedBox, b: TurnedBox): boolean {
  const between = subtract(b.center, a.center)
  const directions: Vec3[] = [...a.axes, ...b.axes]
  for (const axis of a.axes) for (const other of b.axes) directions.push(cross(axis, other))
  return directions.every((direction) => {
    const reach = (box: TurnedBox) =>
      box.axes.reduce((sum, axis, i) => sum + Math.abs(dot(axis, direction)) * (box.size[i]! / 2), 0)
    // The cross product of parallel axes has no direction; the other axes decide.
    return dot(direction, direction) < 1e-12 || Math.abs(dot(between, direction)) <= reach(a) + reach(b)
  })
}
