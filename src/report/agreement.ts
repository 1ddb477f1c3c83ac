/** How far two people agree: right or wrong on the same samples, beyond chance. */
import { plural } from '../base/plural.ts'
import { formatValue } from './format.ts'
import type { ScoredRow } from './means.ts'

/** Whether a model's name is that of a person who played. */
export function isPerson(player: string): boolean {
  return player.startsWith('human/')
}

export interface Agreement {
  samples: number
  /** Share of samples that both got right or both got wrong. */
  share: number
  /** Cohen's kappa; null if chance alone explains everything. */
  kappa: number | null
}

/** Rows of the same samples in the same order; right is a full score. Null if none has the metric. */
export function agreementOf(a: readonly ScoredRow[], b: readonly ScoredRow[], metric: string): Agreement | null {
  const pairs = a.flatMap(({ scores }, i) => {
    const [one, other] = [scores[metric], b[i]?.scores[metric]]
    return one === undefined || other === undefined ? [] : [[isRight(one), isRight(other)] as const]
  })
  const samples = pairs.length
  if (samples === 0) return null
  const share = pairs.filter(([one, other]) => one === other).length / samples
  const [rightA, rightB] = [0, 1].map((side) => pairs.filter((pair) => pair[side]).length / samples) as [number, number]
  const expected = rightA * rightB + (1 - rightA) * (1 - rightB)
  return { samples, share, kappa: expected >= 1 ? null : (share - expected) / (1 - expected) }
}

const ROUNDING = 1e-9
const isRight = (score: number): boolean => score >= 1 - ROUNDING

export function agreementNote({ samples, share, kappa }: Agreement): string {
  const beyond =
    kappa === null ? 'kappa undefined: all right or all wrong' : `Cohen's kappa ${formatValue(kappa, 'number')}`
  return `Agreement of the two people: right or wrong together on ${formatValue(share, 'percent')}% of ${plural(samples, 'sample')}, ${beyond}.`
}
