/** Rules for how close and how aligned the things of a room may stand. */
import type { Vec } from './scene.ts'

export interface SpacingRules {
  /** Least distance between the centres of two objects, in cells. */
  minDistance: number
  /** Keep the eight cells around objects, doors and the start free of objects. */
  clearNeighbours: boolean
  /** No three of a room's objects, doors and start within this distance of one line; 0 allows it. */
  collinearWithin: number
  /** Least objects with a front in the first room and in each other room. */
  orientedInFirst: number
  orientedInOthers: number
}

/** The procedural text world has no rules; the published data set, from which all published numbers come, has these. */
export const SPACING = {
  free: { minDistance: 0, clearNeighbours: false, collinearWithin: 0, orientedInFirst: 0, orientedInOthers: 0 },
  dataset: { minDistance: 1.42, clearNeighbours: true, collinearWithin: 0.4, orientedInFirst: 3, orientedInOthers: 2 },
} as const satisfies Readonly<Record<string, SpacingRules>>

export type SpacingName = keyof typeof SPACING

/** May something stand here, beside what is in the room already? */
export function canPlace(rules: SpacingRules, pos: Vec, present: readonly Vec[]): boolean {
  const least = rules.minDistance * rules.minDistance
  for (const other of present) {
    const dx = Math.abs(pos[0] - other[0])
    const dy = Math.abs(pos[1] - other[1])
    if (dx === 0 && dy === 0) return false
    if (rules.clearNeighbours && dx <= 1 && dy <= 1) return false
    if (dx * dx + dy * dy < least) return false
  }
  if (rules.collinearWithin === 0) return true
  for (let i = 0; i < present.length; i++) {
    for (let j = i + 1; j < present.length; j++) {
      if (aligned(pos, present[i]!, present[j]!, rules.collinearWithin)) return false
    }
  }
  return true
}

/** Does the middle one of three points lie within `band` of the line through the other two? */
export function aligned(a: Vec, b: Vec, c: Vec, band: number): boolean {
  const ab = square(a, b)
  const bc = square(b, c)
  const ca = square(c, a)
  // Twice the triangle's area over its longest side is the height on that side.
  const area = Math.abs((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))
  return area * area <= band * band * Math.max(ab, bc, ca)
}

function square(a: Vec, b: Vec): number {
  return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2
}
