/** The 10 × 10 map that a player draws before it answers, and how well its distances agree with the truth. */
import { z } from 'zod'
import { bestObject } from '../../../base/text/index.ts'
import type { NamedThing } from '../cases/sample.ts'

export const MAP_CELLS = 10

/** Category to the cells of its instances, x and y in 0…9. */
export type CognitiveMap = Readonly<Record<string, readonly (readonly [number, number])[]>>

/** A pair of cells apart by no more than this much more or less than in truth agrees. */
const AGREES_WITHIN = 1

/** Upper edges of the eight bins of true distance, in cells; the first is closed below at 1. */
export const DISTANCE_EDGES = [1, 2.1, 3.3, 4.4, 5.5, 6.6, 7.8, 8.9, 10] as const

const cell = z.tuple([z.number(), z.number()])
const cells = z.union([z.array(cell), cell.transform((one) => [one])])

/** Reads a map; pairs may be written `(x, y)` as well. Only the categories asked for are kept. */
export function readMap(reply: string, categories: readonly string[]): CognitiveMap | null {
  // Tuples are not JSON, but the published prompt asks for them.
  const text = reply.replaceAll(/\(\s*(-?[\d.]+)\s*,\s*(-?[\d.]+)\s*\)/g, '[$1, $2]')
  const wanted = new Map(categories.map((name) => [name.toLowerCase(), name]))
  const found = bestObject(text, (object) => Object.keys(object).some((key) => wanted.has(key.toLowerCase())))
  if (found === null) return null
  const map: Record<string, [number, number][]> = {}
  for (const [key, value] of Object.entries(found.value)) {
    const name = wanted.get(key.toLowerCase())
    const parsed = cells.safeParse(value)
    if (name === undefined || !parsed.success) continue
    const inside = parsed.data.filter((at) => at.every((n) => n >= 0 && n <= MAP_CELLS))
    if (inside.length > 0) map[name] = inside
  }
  return Object.keys(map).length > 0 ? map : null
}

/** The true map: centres seen from above, x and y stretched to the grid as the extent of the room has them. */
export function trueMap(
  things: readonly NamedThing[],
  extent: { min: readonly number[]; max: readonly number[] },
): CognitiveMap {
  const map: Record<string, [number, number][]> = {}
  const onGrid = (value: number, axis: 0 | 1): number => {
    const share = (value - extent.min[axis]!) / (extent.max[axis]! - extent.min[axis]!)
    return Math.min(MAP_CELLS - 1, Math.max(0, Math.floor(share * MAP_CELLS)))
  }
  for (const { category, box } of things) {
    map[category] = [...(map[category] ?? []), [onGrid(box.center[0], 0), onGrid(box.center[1], 1)]]
  }
  return map
}

export interface Locality {
  /** Share of the pairs of categories whose distance agrees; null when there is no pair. */
  agreement: number | null
  /** The same in eight bins of the true distance. */
  bins: readonly { upTo: number; pairs: number; agreeing: number }[]
}

/**
 * Compares distances between categories: of all their instances the nearest two. A category that the player left out
 * agrees with nothing.
 */
export function locality(predicted: CognitiveMap, truth: CognitiveMap): Locality {
  const names = Object.keys(truth)
  const bins = DISTANCE_EDGES.slice(1).map((upTo) => ({ upTo, pairs: 0, agreeing: 0 }))
  let pairs = 0
  let agreeing = 0
  for (const [i, a] of names.entries()) {
    for (const b of names.slice(i + 1)) {
      const apart = between(truth[a]!, truth[b]!)
      const guessed = predicted[a] && predicted[b] ? between(predicted[a], predicted[b]) : Number.NaN
      const agrees = Math.abs(guessed - apart) <= AGREES_WITHIN
      pairs += 1
      if (agrees) agreeing += 1
      const bin = apart < DISTANCE_EDGES[0] ? undefined : bins.find(({ upTo }) => apart <= upTo)
      if (bin) {
        bin.pairs += 1
        if (agrees) bin.agreeing += 1
      }
    }
  }
  return { agreement: pairs === 0 ? null : agreeing / pairs, bins }
}

function between(a: CognitiveMap[string], b: CognitiveMap[string]): number {
  return Math.min(...a.flatMap(([ax, ay]) => b.map(([bx, by]) => Math.hypot(ax - bx, ay - by))))
}
