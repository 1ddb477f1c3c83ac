/** From a recorded video to numbers, each under the name of its dimension and its tier; and which videos count. */
import type { ScoreContext } from '../../engine/suite.ts'
import type { EpisodeLine, Scores } from '../../store/records.ts'
import type { VbenchSample } from './cases/source.ts'
import { type Dimension, DIMENSIONS, SAMPLES } from './domain/dimensions.ts'
import type { VbenchOptions } from './options.ts'
import type { Measured, VbenchOutcome } from './domain/outcome.ts'
import { isLong } from './measure/facts.ts'
import { type Tier, TIERS } from './measure/types.ts'

/**
 * `published` adds up as the published evaluator does with one process, `several-processes` as it does with several:
 * then every video weighs the same, and of appearance style only the last frame counts.
 */
export const PROFILES = ['published', 'several-processes'] as const

/** Dimensions whose longer videos weigh more. */
export const WEIGHTED: readonly Dimension[] = [
  'subject_consistency',
  'background_consistency',
  'object_class',
  'multiple_objects',
  'spatial_relationship',
  'scene',
  'appearance_style',
]
/** Of these, the ones where several processes weigh videos instead. */
const UNWEIGHTED_BY_SEVERAL: ReadonlySet<Dimension> = new Set([
  'subject_consistency',
  'spatial_relationship',
  'appearance_style',
])

/** `dynamic_degree.proxy`: tiers have names of their own, so that nothing can mix them. */
export function scoreName(dimension: Dimension, tier: Tier): string {
  return `${dimension}.${tier}`
}
/** 1 for a video that something tried to measure, and that has no value. */
export function noneName(dimension: Dimension): string {
  return `${dimension}.none`
}
/** 1 for a video that stands still. */
export const STILL = 'still'
/** 1 for a video for which the protocol has another pipeline (VBench-Long). */
export const LONG = 'long'

export function score(
  _: VbenchSample | null,
  outcome: VbenchOutcome,
  { profile }: Pick<ScoreContext<VbenchOptions>, 'profile'>,
): Scores {
  const scores: Record<string, number> = {}
  for (const dimension of DIMENSIONS) {
    const measured = outcome.dimensions[dimension]
    if (measured === undefined) continue
    const found = valueUnder(dimension, measured, profile)
    // Without a tier there was nothing to measure it with, which the table says by itself.
    if (measured.tier === null) continue
    if (found === null) {
      scores[noneName(dimension)] = 1
      continue
    }
    const name = scoreName(dimension, measured.tier)
    scores[name] = found.value
    if (!WEIGHTED.includes(dimension)) continue
    scores[`${name}.sum`] = found.sum
    scores[`${name}.weight`] = found.weight
  }
  if (outcome.still !== undefined) scores[STILL] = outcome.still.value ?? 0
  if (outcome.clip !== null) scores[LONG] = isLong(outcome.clip) ? 1 : 0
  return scores
}

function valueUnder(
  dimension: Dimension,
  { value, sum, weight, detail }: Measured,
  profile: string,
): { value: number; sum: number; weight: number } | null {
  if (value === null) return null
  if (profile !== 'several-processes' || !UNWEIGHTED_BY_SEVERAL.has(dimension)) return { value, sum, weight }
  const last = dimension === 'appearance_style' ? detail?.['cur_sim'] : undefined
  const only = typeof last === 'number' ? last : value
  return { value: only, sum: only, weight: 1 }
}

const FLICKERING = TIERS.map((tier) => scoreName('temporal_flickering', tier))

/**
 * Of temporal flickering only the first five of a prompt that stand still count, in the order of their names, as
 * published: 0, 1, 10, 11 … 2. Where nothing was filtered all count.
 */
export function together<Line extends Pick<EpisodeLine, 'case' | 'epoch' | 'cluster' | 'scores'>>(
  lines: readonly Line[],
): Line[] {
  const taken = new Map<string, number>()
  const dropped = new Set<Line>()
  for (const line of lines.toSorted((a, b) => (a.case < b.case ? -1 : a.case > b.case ? 1 : 0))) {
    if (line.scores[STILL] === undefined) continue
    const key = `${line.epoch}/${line.cluster}`
    const count = taken.get(key) ?? 0
    if (line.scores[STILL] === 1 && count < SAMPLES) taken.set(key, count + 1)
    else dropped.add(line)
  }
  if (dropped.size === 0) return [...lines]
  return lines.map((line) => (dropped.has(line) ? { ...line, scores: without(line.scores, FLICKERING) } : line))
}

function without(scores: Scores, names: readonly string[]): Scores {
  return Object.fromEntries(Object.entries(scores).filter(([name]) => !names.includes(name)))
}
