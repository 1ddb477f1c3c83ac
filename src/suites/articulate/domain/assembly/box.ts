/** Boxes along the axes of the world: how parts are known to programs. */
import type { Frame, Vec3 } from '../../../../world.ts'

export interface Box {
  min: Vec3
  max: Vec3
}

/** The box around points (x, y, z one after the other) seen from a frame; null for no points. */
export function boxAround(points: ArrayLike<number>, f: Frame): Box | null {
  if (points.length === 0) return null
  const min = [Infinity, Infinity, Infinity]
  const max = [-Infinity, -Infinity, -Infinity]
  for (let i = 0; i < points.length; i += 3) {
    for (let k = 0; k < 3; k++) {
      const row = k * 4
      const value = f[row]! * points[i]! + f[row + 1]! * points[i + 1]! + f[row + 2]! * points[i + 2]! + f[row + 3]!
      if (value < min[k]!) min[k] = value
      if (value > max[k]!) max[k] = value
    }
  }
  return { min: [min[0]!, min[1]!, min[2]!], max: [max[0]!, max[1]!, max[2]!] }
}

export function centerOf({ min, max }: Box): Vec3 {
  return [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2, (min[2] + max[2]) / 2]
}

export function sizeOf({ min, max }: Box): Vec3 {
  return [max[0] - min[0], max[1] - min[1], max[2] - min[2]]
}

export function diagonalOf(box: Box): number {
  const [x, y, z] = sizeOf(box)
  return Math.sqrt(x * x + y * y + z * z)
}

export function union(a: Box, b: Box): Box {
  return {
    min: [Math.min(a.min[0], b.min[0]), Math.min(a.min[1], b.min[1]), Math.min(a.min[2], b.min[2])],
    max: [Math.max(a.max[0], b.max[0]), Math.max(a.max[1], b.max[1]), Math.max(a.max[2], b.max[2])],
  }
}

export function shifted({ min, max }: Box, by: Vec3): Box {
  return {
    min: [min[0] + by[0], min[1] + by[1], min[2] + by[2]],
    max: [max[0] + by[0], max[1] + by[1], max[2] + by[2]],
  }
}

/**
 * The corners in the order that programs count them: back-left-bottom, back-right-bottom, front-left-bottom,
 * front-right-bottom, then the same on top. Front is +x, right is +y.
 */
export function cornersOf({ min, max }: Box): Vec3[] {
  return [min[2], max[2]].flatMap((z) => [min[0], max[0]].flatMap((x) => [min[1], max[1]].map((y): Vec3 => [x, y, z])))
}
