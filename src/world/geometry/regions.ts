import type { FreeSpace } from './free-space.ts'
import { cellCenter } from './grid.ts'

/** Walkable cells that hang together, largest first. */
export interface Regions {
  /** For each cell the number of its region, counted from 1; 0 where the body cannot stand. */
  of: Uint16Array
  /** Cells of each region; `sizes[0]` belongs to region 1. */
  sizes: readonly number[]
}

/** Regions smaller than this are the insides of furniture, or noise. */
const SMALLEST_CELLS = 4
const REGION_LIMIT = 65_535

/** Works for any field of cells whose border is 0. */
export function regionsOf({ grid, walkable }: Pick<FreeSpace, 'grid' | 'walkable'>): Regions {
  const { columns } = grid
  const found = new Int32Array(walkable.length)
  const starts: { start: number; size: number }[] = []
  const stack: number[] = []
  for (let first = 0; first < walkable.length; first++) {
    if (walkable[first] === 0 || found[first] !== 0) continue
    const label = starts.length + 1
    let size = 0
    found[first] = label
    stack.push(first)
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      size++
      // The border of the grid is never walkable, so neighbors need no test for it.
      for (const next of [at - 1, at + 1, at - columns, at + columns]) {
        if (walkable[next] === 0 || found[next] !== 0) continue
        found[next] = label
        stack.push(next)
      }
    }
    starts.push({ start: label, size })
  }
  const kept = starts.filter(({ size }) => size >= SMALLEST_CELLS).sort((a, b) => b.size - a.size || a.start - b.start)
  const renumbered = new Uint16Array(starts.length + 1)
  kept.slice(0, REGION_LIMIT).forEach(({ start }, i) => (renumbered[start] = i + 1))
  const of = new Uint16Array(walkable.length)
  for (let i = 0; i < of.length; i++) of[i] = renumbered[found[i]!]!
  return { of, sizes: kept.map(({ size }) => size) }
}

/**
 * The nearest place in the largest region: where a body that was put into a table, a wall or a wardrobe starts.
 * Undefined when the body fits nowhere.
 */
export function freePlace(
  space: FreeSpace,
  x: number,
  y: number,
  regions: Regions = regionsOf(space),
): readonly [number, number] | undefined {
  let best: readonly [number, number] | undefined
  let nearest = Infinity
  for (let i = 0; i < regions.of.length; i++) {
    if (regions.of[i] !== 1) continue
    const center = cellCenter(space.grid, i)
    const away = (center[0] - x) ** 2 + (center[1] - y) ** 2
    // The place itself when it is free, not the center of its cell.
    if (away < nearest) {
      nearest = away
      best = center
    }
  }
  if (!best) return undefined
  const half = space.grid.cell / 2
  return Math.abs(best[0] - x) <= half && Math.abs(best[1] - y) <= half ? [x, y] : best
}
