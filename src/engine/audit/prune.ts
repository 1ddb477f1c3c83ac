/** Which samples to leave out so that words alone give no more than guessing. */
import { groupBy } from '../../base/group.ts'
import { Random } from '../../base/random.ts'
import type { BlindPoints } from './learn.ts'

export interface LearnedSample {
  id: string
  /** The row that it counts in. */
  row: string
  points: BlindPoints
}

/**
 * The samples that words give away, row by row: those that the learner answers best, until it gets no more on the others
 * than the best of chance and one constant answer. Which of equals go is drawn by the seed.
 */
export function easySamples(samples: readonly LearnedSample[], seed: number): Set<string> {
  const easy = new Set<string>()
  for (const own of groupBy(samples, ({ row }) => row).values()) {
    const order = [...own]
    new Random(`audit/prune/${seed}`).shuffle(order)
    order.sort((a, b) => gainOf(b.points) - gainOf(a.points))
    const left = { chance: 0, constant: 0, blind: 0 }
    for (const { points } of own) add(left, points, 1)
    for (const { id, points } of order) {
      // Rounding: sums of tenths.
      const isFair = left.blind - Math.max(left.chance, left.constant) < 1e-9
      if (isFair || gainOf(points) <= 0) break
      easy.add(id)
      add(left, points, -1)
    }
  }
  return easy
}

function gainOf({ chance, constant, blind }: BlindPoints): number {
  return blind - Math.max(chance ?? 0, constant)
}

function add(sums: { chance: number; constant: number; blind: number }, points: BlindPoints, sign: 1 | -1): void {
  sums.chance += sign * (points.chance ?? 0)
  sums.constant += sign * points.constant
  sums.blind += sign * points.blind
}
