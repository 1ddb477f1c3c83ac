/** Placement rules: minimum distances and collinearity of the objects in a room. */
import type { Vec } from './scene.ts'

export interface SpacingRules {
  /** Minimum distance between two objects, in cells. */
  minDistance: number
  /** Keep the eight cells around objects, doors and the start free of objects. */
  clearNeighbours: boolean
  /** No three of a room's objects, doors and start within this distance of a line; 0 turns the rule off. */
  collinearWithin: number
  /** Minimum number of objects with a front in the first room and in every other room. */
  orientedInFirst: number
  orientedInOthers: number
}

/** The published text world has no rules; the published dataset, the basis of all published numbers, has these. */
export const SPACING = {
  free: { minDistance: 0, clearNeighbours: false, collinearWithin: 0, orientedInFirst: 0, orientedInOthers: 0 },
  dataset: { minDistance: 1.42, clearNeighbours: true, collinearWithin: 0.4, orientedInFirst: 3, orientedInOthers: 2 },
} as const satisfies Readonly<Record<string, SpacingRules>>

export type SpacingName = keyof typeof SPACING

/** Do the rules allow an object here, next to those already in the room? */
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

/** Is the middle one of three points within `band` of the line through the other two? */
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
