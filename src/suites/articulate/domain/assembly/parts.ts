/** What is assembled: parts by name, each in a frame of its own. */

export interface Part {
  name: string
  /** Corners of its convex hull, or more, in its own frame; none for a link without a body. */
  points: ArrayLike<number>
}

export type PartShelf = ReadonlyMap<string, Part>

/** A link that only carries others. */
export const BASE = 'base'

export function shelfOf(parts: readonly Part[]): PartShelf {
  return new Map([{ name: BASE, points: [] }, ...parts].map((part) => [part.name, part]))
}

/** `door_2` is a door. */
export function kindOf(name: string): string {
  return name.replace(/_\d+$/, '')
}
