/** How far people agree: right or wrong on the same samples, beyond chance. */
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

export interface AgreementOfMany {
  /** Samples that at least two people played. */
  samples: number
  people: number
  /** Mean over these samples of the share of pairs of people who were right or wrong together. */
  share: number
  /** Krippendorff's alpha for right or wrong; null if everything is right or everything wrong. */
  alpha: number | null
}

/** How far several people agree who played some of the samples each. Null if no sample was played twice. */
export function agreementOfMany(people: readonly ReadonlyMap<string, number>[]): AgreementOfMany | null {
  const units = new Map<string, { right: number; all: number }>()
  for (const scores of people)
    for (const [sample, score] of scores) {
      const unit = units.get(sample) ?? { right: 0, all: 0 }
      units.set(sample, { right: unit.right + (isRight(score) ? 1 : 0), all: unit.all + 1 })
    }
  const shared = [...units.values()].filter(({ all }) => all > 1)
  if (shared.length === 0) return null
  const values = shared.reduce((sum, { all }) => sum + all, 0)
  const right = shared.reduce((sum, unit) => sum + unit.right, 0)
  const disagreeing = ({ right: yes, all }: { right: number; all: number }): number => 2 * yes * (all - yes)
  const observed = shared.reduce((sum, unit) => sum + disagreeing(unit) / (unit.all - 1), 0)
  const expected = (2 * right * (values - right)) / (values - 1)
  const share = shared.reduce((sum, unit) => sum + 1 - disagreeing(unit) / (unit.all * (unit.all - 1)), 0)
  return {
    samples: shared.length,
    people: people.filter((scores) => scores.size > 0).length,
    share: share / shared.length,
    alpha: expected === 0 ? null : 1 - observed / expected,
  }
}

export function agreementOfManyNote({ samples, people, share, alpha }: AgreementOfMany): string {
  const beyond =
    alpha === null ? 'alpha undefined: all right or all wrong' : `Krippendorff's alpha ${formatValue(alpha, 'number')}`
  return `Agreement of ${people} people: pairs right or wrong together on ${formatValue(share, 'percent')}% of ${plural(samples, 'shared sample')}, ${beyond}.`
}

const ROUNDING = 1e-9
const isRight = (score: number): boolean => score >= 1 - ROUNDING

export function agreementNote({ samples, share, kappa }: Agreement): string {
  const beyond =
    kappa === null ? 'kappa undefined: all right or all wrong' : `Cohen's kappa ${formatValue(kappa, 'number')}`
  return `Agreement of the two people: right or wrong together on ${formatValue(share, 'percent')}% of ${plural(samples, 'sample')}, ${beyond}.`
}
