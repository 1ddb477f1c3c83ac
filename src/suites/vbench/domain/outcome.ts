/** What is recorded of a video that was made, and what was measured on it. */
import { type Measurements, type MediaRef, z } from '../../../suite.ts'
import { type ClipFacts, measuredValue } from '../events.ts'
import { DIMENSIONS, LONG_SECONDS } from './dimensions.ts'
import type { Measured, Output } from './results.ts'

export interface VbenchOutcome {
  media: MediaRef | null
  /** Null where it is not known. */
  seed: number | null
  /** Null where there is no video that opens. */
  clip: ClipFacts | null
  /** Of videos from a folder: their name in it. */
  file?: string
}

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
  for (const output of [...DIMENSIONS, 'static_filter' as const]) {
    const { data } = measured.safeParse(all[output])
    if (data !== undefined) found[output] = data
  }
  return found
}

/** Does the protocol have another pipeline for it? */
export function isLong(clip: Pick<ClipFacts, 'seconds'> | null): boolean {
  return clip !== null && clip.seconds >= LONG_SECONDS
}
