/** From a measured video to numbers, each under the name of its dimension and its tier; and which videos count. */
import { type EpisodeLine, mean, type Measurements, type ScoreContext, type Scores, z } from '../../suite.ts'
import { ALL_DIMENSIONS, type Dimension, listed, SAMPLES } from './domain/dimensions.ts'
import { isLong, type VbenchOutcome } from './domain/outcome.ts'
import { type Measured, type Output, type Tier, TIERS } from './domain/results.ts'
import { measuredValue } from './events.ts'
import type { VbenchOptions, VbenchProfile } from './options.ts'

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
/** 1 for a video that was measured on the frames that can be decoded, which are not all. */
export const PARTIAL = 'partial'

export type MeasuredOutputs = Partial<Record<Exclude<Output, 'pictures'>, Measured>>

/** Runs from before there was a measure stage have the values in the outcome. */
interface MeasuredOutcome extends VbenchOutcome {
  dimensions?: MeasuredOutputs
  still?: Measured
}

const measured: z.ZodType<Measured> = measuredValue.extend({
  sum: z.number(),
  weight: z.number(),
  detail: z.record(z.string(), z.unknown()).optional(),
})

/** What was measured on a video, when it was played or later. */
export function measuredOutputs(outcome: Partial<MeasuredOutcome>, measurements: Measurements): MeasuredOutputs {
  const all: Measurements = { ...outcome.dimensions, static_filter: outcome.still, ...measurements }
  const found: MeasuredOutputs = {}
  for (const output of [...ALL_DIMENSIONS, 'static_filter' as const]) {
    const { data } = measured.safeParse(all[output])
    if (data !== undefined) found[output] = data
  }
  return found
}

type Rules = Pick<ScoreContext<VbenchOptions, VbenchProfile>, 'profile' | 'measurements'> & {
  options: Pick<VbenchOptions, 'tier' | 'staticFilter' | 'long'>
}

export function score(_: unknown, outcome: VbenchOutcome, { profile, options, measurements }: Rules): Scores {
  const scores: Record<string, number> = {}
  const outputs = measuredOutputs(outcome, measurements)
  const filter = options.staticFilter === 'none' ? undefined : outputs.static_filter
  for (const dimension of ALL_DIMENSIONS) {
    const measured = outputs[dimension]
    if (measured === undefined) continue
    const tier = tierUnder(dimension, measured, filter)
    // What was measured under other options stays recorded, but only the tiers that are asked for count.
    if (tier === null || !listed(options.tier).includes(tier)) continue
    const found = valueUnder(dimension, measured, profile, options.long)
    if (found === null) {
      scores[noneName(dimension)] = 1
      continue
    }
    const name = scoreName(dimension, tier)
    scores[name] = found.value
    if (options.long && dimension === 'temporal_flickering' && filter !== undefined) {
      Object.assign(scores, staticClips(name, measured, filter))
    }
    if (!WEIGHTED.includes(dimension) && !options.long) continue
    scores[`${name}.sum`] = found.sum
    scores[`${name}.weight`] = found.weight
  }
  if (filter !== undefined) scores[STILL] = filter.value ?? 0
  if (outcome.clip !== null && !options.long) scores[LONG] = isLong(outcome.clip) ? 1 : 0
  if (Object.values(outputs).some(({ note }) => note !== undefined)) scores[PARTIAL] = 1
  return scores
}

/** Flickering is exact by itself, but not on a set that something else than the published filter chose. */
export function tierUnder(dimension: Dimension, { tier }: Measured, filter: Measured | undefined): Tier | null {
  if (dimension !== 'temporal_flickering' || filter === undefined) return tier
  return filter.tier === 'exact' ? tier : filter.tier
}

function valueUnder(
  dimension: Dimension,
  { value, sum, weight, detail }: Measured,
  profile: VbenchProfile,
  long: boolean,
): { value: number; sum: number; weight: number } | null {
  if (value === null) return null
  if (profile === 'published' || long || !UNWEIGHTED_BY_SEVERAL.has(dimension)) return { value, sum, weight }
  const last = dimension === 'appearance_style' ? detail?.['cur_sim'] : undefined
  const only = typeof last === 'number' ? last : value
  return { value: only, sum: only, weight: 1 }
}

const clipDetail = z.object({ clips: z.array(z.object({ value: z.number().nullable() })) })
const CLIP = '.clip.'

/** Of VBench-Long, the clips without motion: `temporal_flickering.exact.clip.3`. */
function staticClips(name: string, flickering: Measured, filter: Measured): Record<string, number> {
  const [values, still] = [flickering, filter].map(({ detail }) => clipDetail.safeParse(detail).data?.clips ?? [])
  const found = values!.flatMap(({ value }, i) =>
    value !== null && still![i]?.value === 1 ? [[`${name}${CLIP}${i}`, value] as const] : [],
  )
  return Object.fromEntries(found)
}

/** The mean of the dimensions that a video has, each by the best instrument that measured it. */
export function reward(scores: Scores): number | null {
  const values = ALL_DIMENSIONS.flatMap((dimension) => {
    const tier = TIERS.find((each) => scores[scoreName(dimension, each)] !== undefined)
    return tier === undefined ? [] : [scores[scoreName(dimension, tier)]!]
  })
  return values.length === 0 ? null : mean(values)
}

const FLICKERING = new Set(TIERS.map((tier) => scoreName('temporal_flickering', tier)))

/**
 * Of temporal flickering only the first five of a prompt that stand still count, in the order of their names, as
 * published: 0, 1, 10, 11 … 2. Where nothing was filtered all count.
 */
export function combine(
  lines: readonly EpisodeLine[],
  { options }: { options: Pick<VbenchOptions, 'long'> },
): EpisodeLine[] {
  if (options.long) return combineClips(lines)
  const taken = new Map<string, number>()
  const dropped = new Set<EpisodeLine>()
  for (const line of inOrder(lines)) {
    if (line.scores[STILL] === undefined) continue
    const key = `${line.epoch}/${line.cluster}`
    const count = taken.get(key) ?? 0
    if (line.scores[STILL] === 1 && count < SAMPLES) taken.set(key, count + 1)
    else dropped.add(line)
  }
  const kept = ([name]: readonly [string, number]) => !FLICKERING.has(name)
  return lines.map((line) =>
    dropped.has(line) ? { ...line, scores: Object.fromEntries(Object.entries(line.scores).filter(kept)) } : line,
  )
}

function inOrder(lines: readonly EpisodeLine[]): EpisodeLine[] {
  return lines.toSorted((a, b) => (a.sample < b.sample ? -1 : a.sample > b.sample ? 1 : 0))
}

/** Of VBench-Long the first five clips of a prompt that stand still count, and of a video the mean of those. */
function combineClips(lines: readonly EpisodeLine[]): EpisodeLine[] {
  const taken = new Map<string, number>()
  const scoresOf = new Map<EpisodeLine, EpisodeLine['scores']>()
  for (const line of inOrder(lines)) {
    if (line.scores[STILL] === undefined) continue
    const entries = Object.entries(line.scores)
    const others = entries.filter(
      ([name]) => ![...FLICKERING].some((own) => name === own || name.startsWith(`${own}.`)),
    )
    const key = `${line.epoch}/${line.cluster}`
    const count = taken.get(key) ?? 0
    const clips = entries.filter(([name]) => name.includes(CLIP)).slice(0, SAMPLES - count)
    taken.set(key, count + clips.length)
    const scores = Object.fromEntries(others)
    if (clips.length > 0) {
      const name = clips[0]![0].split(CLIP)[0]!
      const value = mean(clips.map(([, each]) => each))
      Object.assign(scores, { [name]: value, [`${name}.sum`]: value, [`${name}.weight`]: 1 })
    }
    scoresOf.set(line, scores)
  }
  return lines.map((line) => ({ ...line, scores: scoresOf.get(line) ?? line.scores }))
}
