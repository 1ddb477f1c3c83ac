/** What votes say: win ratios, agreement of raters, and agreement with the measured dimensions. */
import { correlationP, mean } from '../../../../suite.ts'
import type { Dimension } from '../dimensions.ts'

export type Choice = 'a' | 'b' | 'tie' | 'skip'

/** What one person said of one question, in the end. */
export interface Vote {
  key: string
  dimension: Dimension
  /** Run ids. */
  a: string
  b: string
  rater: string
  choice: Choice
}

export interface WinRatio {
  run: string
  dimension: Dimension
  /** Votes that are not skipped. */
  votes: number
  /** A win counts 1, a tie one half, as in the VBench paper. */
  ratio: number
}

export function winRatios(votes: readonly Vote[]): WinRatio[] {
  const found = new Map<string, { run: string; dimension: Dimension; points: number[] }>()
  const add = (run: string, dimension: Dimension, points: number): void => {
    const key = `${dimension}/${run}`
    const entry = found.get(key) ?? { run, dimension, points: [] }
    entry.points.push(points)
    found.set(key, entry)
  }
  for (const { a, b, dimension, choice } of votes) {
    if (choice === 'skip') continue
    const points = choice === 'tie' ? 0.5 : choice === 'a' ? 1 : 0
    add(a, dimension, points)
    add(b, dimension, 1 - points)
  }
  return [...found.values()].map(({ points, ...rest }) => ({ ...rest, votes: points.length, ratio: mean(points) }))
}

export interface RaterAgreement {
  raters: readonly [string, string]
  /** Questions that both answered. */
  questions: number
  /** Share on which both said the same. */
  share: number
  /** Cohen's kappa over a, b and tie; null where chance alone explains everything. */
  kappa: number | null
}

const CHOICES: readonly Choice[] = ['a', 'b', 'tie']

export function raterAgreement(votes: readonly Vote[]): RaterAgreement[] {
  const raters = [...new Set(votes.map(({ rater }) => rater))].sort((one, other) => one.localeCompare(other))
  const answers = new Map(raters.map((rater) => [rater, new Map<string, Choice>()]))
  for (const { rater, key, choice } of votes) if (choice !== 'skip') answers.get(rater)!.set(key, choice)
  return raters.flatMap((one, i) =>
    raters.slice(i + 1).flatMap((other) => {
      const theirs = answers.get(other)!
      const both = [...answers.get(one)!].flatMap(([key, choice]) =>
        theirs.has(key) ? [[choice, theirs.get(key)!] as const] : [],
      )
      if (both.length === 0) return []
      const share = mean(both.map(([mine, their]) => Number(mine === their)))
      const frequency = (side: 0 | 1, choice: Choice): number => mean(both.map((pair) => Number(pair[side] === choice)))
      const chance = CHOICES.reduce((sum, choice) => sum + frequency(0, choice) * frequency(1, choice), 0)
      const kappa = chance >= 1 ? null : (share - chance) / (1 - chance)
      return [{ raters: [one, other] as const, questions: both.length, share, kappa }]
    }),
  )
}

export interface Correlation {
  dimension: Dimension
  /** Models with both a win ratio and a score. */
  models: number
  /** Null for fewer than two models, or where all are alike. */
  spearman: number | null
  pearson: number | null
  /** Two-sided, by Student's t; null for fewer than three models. */
  spearmanP: number | null
  pearsonP: number | null
}

/** How well scores of a dimension order and place the models as people do, as in the VBench paper. */
export function correlations(
  ratios: readonly WinRatio[],
  scoreOf: (run: string, dimension: Dimension) => number | null,
): Correlation[] {
  const dimensions = [...new Set(ratios.map(({ dimension }) => dimension))]
  return dimensions.map((dimension) => {
    const pairs = ratios
      .filter((each) => each.dimension === dimension)
      .flatMap(({ run, ratio }) => {
        const score = scoreOf(run, dimension)
        return score === null ? [] : [[ratio, score] as const]
      })
    const [people, scores] = [pairs.map(([ratio]) => ratio), pairs.map(([, score]) => score)]
    const spearman = pearsonOf(ranks(people), ranks(scores))
    const pearson = pearsonOf(people, scores)
    const p = (r: number | null): number | null => (r === null ? null : correlationP(r, pairs.length))
    return { dimension, models: pairs.length, spearman, pearson, spearmanP: p(spearman), pearsonP: p(pearson) }
  })
}

/** Null where one side does not vary. */
export function pearsonOf(x: readonly number[], y: readonly number[]): number | null {
  if (x.length < 2) return null
  const [mx, my] = [mean(x), mean(y)]
  let [xy, xx, yy] = [0, 0, 0]
  for (let i = 0; i < x.length; i++) {
    const [dx, dy] = [x[i]! - mx, y[i]! - my]
    xy += dx * dy
    xx += dx * dx
    yy += dy * dy
  }
  return xx === 0 || yy === 0 ? null : Math.max(-1, Math.min(1, xy / Math.sqrt(xx * yy)))
}

/** From 1; equal values share the mean of their ranks. */
export function ranks(values: readonly number[]): number[] {
  return values.map((value) => {
    const below = values.filter((other) => other < value).length
    const equal = values.filter((other) => other === value).length
    return below + (equal + 1) / 2
  })
}
