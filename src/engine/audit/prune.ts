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
 * The samples that words give away, row by row: those that the learner or one constant answer gets right, until neither gets
 * more on the others than chance. Where there are no choices, the constant answer is what guessing gets. Which of equals go
 * is drawn by the seed.
 */
export function easySamples(samples: readonly LearnedSample[], seed: number): Set<string> {
  const easy = new Set<string>()
  for (const own of groupBy(samples, ({ row }) => row).values()) {
    const order = [...own]
    new Random(`audit/prune/${seed}`).shuffle(order)
    for (const line of ['constant', 'blind'] as const) {
      order.sort((a, b) => gainOf(b.points, line) - gainOf(a.points, line))
      const left = order.filter(({ id }) => !easy.has(id))
      let gain = left.reduce((sum, { points }) => sum + gainOf(points, line), 0)
      for (const { id, points } of left) {
        // Rounding: sums of tenths.
        if (gain < 1e-9 || gainOf(points, line) <= 0) break
        easy.add(id)
        gain -= gainOf(points, line)
      }
    }
  }
  return easy
}

function gainOf(points: BlindPoints, line: 'constant' | 'blind'): number {
  return points[line] - (points.chance ?? points.constant)
}
