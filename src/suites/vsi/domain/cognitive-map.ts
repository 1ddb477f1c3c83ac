/** The map that a player draws before it answers, and how well its distances agree with the true map. */
import { z } from 'zod'
import type { NamedObject } from './question.ts'

/** Cells per side, unless an option sets another number. */
export const MAP_CELLS = 10

/** Cells of each category's instances, x and y from 0. */
export const cognitiveMap = z
  .record(z.string(), z.array(z.tuple([z.number(), z.number()]).readonly()).readonly())
  .readonly()
export type CognitiveMap = z.output<typeof cognitiveMap>

/** A distance agrees if it differs from the true one by at most this many cells. */
const AGREEMENT_CELLS = 1

/** Edges of the eight bins of true distance, in tenths of the side of the map. */
export const DISTANCE_EDGES = [1, 2.1, 3.3, 4.4, 5.5, 6.6, 7.8, 8.9, 10] as const

/** Name of the metric that counts pairs of categories in a bin of true distance. */
export function binMetric(bin: number, what: 'pairs' | 'agreeing'): string {
  return `map.${what}.${bin + 1}`
}

/** The true map: object centers from above, with the extent of the room scaled to the grid. */
export function trueMap(
  things: readonly NamedObject[],
  extent: { min: readonly number[]; max: readonly number[] },
  cells: number = MAP_CELLS,
): CognitiveMap {
  const map: Record<string, [number, number][]> = {}
  const onGrid = (value: number, axis: 0 | 1): number => {
    const share = (value - extent.min[axis]!) / (extent.max[axis]! - extent.min[axis]!)
    return Math.min(cells - 1, Math.max(0, Math.floor(share * cells)))
  }
  for (const { category, box } of things) {
    map[category] = [...(map[category] ?? []), [onGrid(box.center[0], 0), onGrid(box.center[1], 1)]]
  }
  return map
}

export interface Locality {
  /** Share of category pairs whose distance agrees; null if there are no pairs. */
  agreement: number | null
  /** Counts in eight bins of the true distance. */
  bins: readonly { upTo: number; pairs: number; agreeing: number }[]
}

/**
 * Compares distances between categories, measured between their nearest instances. A category missing from the player's
 * map agrees with nothing.
 */
export function locality(predicted: CognitiveMap, truth: CognitiveMap, cells: number = MAP_CELLS): Locality {
  const names = Object.keys(truth)
  const bins = DISTANCE_EDGES.slice(1).map((upTo) => ({ upTo, pairs: 0, agreeing: 0 }))
  let pairs = 0
  let agreeing = 0
  for (const [i, a] of names.entries()) {
    for (const b of names.slice(i + 1)) {
      const apart = nearestDistance(truth[a]!, truth[b]!)
      const guessed = predicted[a] && predicted[b] ? nearestDistance(predicted[a], predicted[b]) : Number.NaN
      const agrees = Math.abs(guessed - apart) <= AGREEMENT_CELLS
      pairs += 1
      if (agrees) agreeing += 1
      const tenths = (apart * MAP_CELLS) / cells
      const bin = tenths < DISTANCE_EDGES[0] ? undefined : bins.find(({ upTo }) => tenths <= upTo)
      if (bin) {
        bin.pairs += 1
        if (agrees) bin.agreeing += 1
      }
    }
  }
  return { agreement: pairs === 0 ? null : agreeing / pairs, bins }
}

function nearestDistance(a: CognitiveMap[string], b: CognitiveMap[string]): number {
  return Math.min(...a.flatMap(([ax, ay]) => b.map(([bx, by]) => Math.hypot(ax - bx, ay - by))))
}
