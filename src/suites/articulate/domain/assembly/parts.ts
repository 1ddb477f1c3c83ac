/** What is assembled: parts by name, each in a frame of its own. */
import type { Vec3 } from '../../../../world.ts'
import { boxPoints } from './box.ts'

export interface Part {
  name: string
  /** Corners of its convex hull, or more, in its own frame; none for a link without a body. */
  points: ArrayLike<number>
}

export type PartShelf = ReadonlyMap<string, Part>

/** A link that only carries others. */
export const BASE = 'base'

export function boxPart(name: string, size: Vec3, center: Vec3 = [0, 0, 0]): Part {
  return { name, points: boxPoints(size, center) }
}

export function shelfOf(parts: readonly Part[]): PartShelf {
  return new Map([{ name: BASE, points: [] }, ...parts].map((part) => [part.name, part]))
}
