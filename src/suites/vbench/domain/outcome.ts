/** What is recorded of a video: for scores, for the viewer, for whoever asks in years. */
import type { EpisodeEvent } from '../../../engine/suite.ts'
import type { MediaRef } from '../../../media/index.ts'
import type { VbenchSample } from '../cases/source.ts'
import { type Dimension, DIMENSIONS } from './dimensions.ts'
import type { FilterKind } from '../score/aggregate.ts'
import type { Instruments } from '../measure/instruments.ts'
import { type ClipFacts, factsOf } from '../measure/facts.ts'
import { picturesOf } from '../measure/strips.ts'
import type { Measure, Output, Results, Tier, VideoResult } from '../measure/types.ts'

/** A value with how it came about; null with the reason. */
export interface Measured extends VideoResult {
  tier: Tier | null
  /** What measured it. */
  by: string | null
}

export interface VbenchOutcome {
  media: MediaRef | null
  seed: number | null
  filter: FilterKind
  dimensions: Partial<Record<Dimension, Measured>>
  clip: ClipFacts | null
  /** Whether it stands still; absent where that was not asked. */
  still?: Measured
}

/** Every dimension that the prompt serves and that is wanted has an entry, with a value or with a reason. */
export function outcomeOf(
  sample: Pick<VbenchSample, 'dimensions' | 'index'>,
  results: Results,
  { measures, reasons, filter }: Instruments,
  about: { media: MediaRef | null; seed: number | null; wanted: readonly Output[] },
): VbenchOutcome {
  const measured = (output: Output, tier: Tier | null): Measured => {
    const result = results[output] ?? {
      value: null,
      sum: 0,
      weight: 0,
      reason: reasons.get(output as Dimension) ?? 'nothing here can measure it',
    }
    return { ...result, tier, by: measures.get(output)?.title ?? null }
  }
  const dimensions: VbenchOutcome['dimensions'] = {}
  for (const dimension of DIMENSIONS) {
    if (about.wanted.includes(dimension)) {
      dimensions[dimension] = measured(dimension, tierUnder(dimension, { measures, filter }))
    }
  }
  const still = about.wanted.includes('static_filter')
    ? { still: measured('static_filter', measures.get('static_filter')?.tier ?? null) }
    : {}
  return { media: about.media, seed: about.seed, clip: factsOf(results.clip), filter, dimensions, ...still }
}

/** Flickering is exact by itself, but not on a set that something else than the published filter chose. */
export function tierUnder(
  dimension: Dimension,
  { measures, filter }: { measures: ReadonlyMap<Output, Measure>; filter: FilterKind },
): Tier | null {
  const tier = measures.get(dimension)?.tier ?? null
  if (dimension !== 'temporal_flickering' || filter === 'none') return tier
  const filterTier = measures.get('static_filter')?.tier ?? null
  return filterTier === 'exact' ? tier : filterTier
}

/** What the viewer shows of a video: see docs/suites/vbench/README.md. */
export function videoEvent(sample: VbenchSample, outcome: VbenchOutcome, results: Results): EpisodeEvent {
  const pictures = picturesOf(results.pictures)
  const shown = ({ value, tier, by, reason }: Measured) => ({
    value,
    tier,
    by,
    ...(reason === undefined ? {} : { reason }),
  })
  return {
    type: 'vbench/video',
    prompt: sample.prompt,
    text: sample.text,
    index: sample.index,
    seed: outcome.seed,
    media: outcome.media,
    clip: outcome.clip,
    frames: pictures?.frames ?? null,
    flow: pictures?.flow ?? null,
    dimensions: Object.fromEntries(Object.entries(outcome.dimensions).map(([name, each]) => [name, shown(each)])),
    still: outcome.still === undefined ? null : shown(outcome.still),
  }
}
