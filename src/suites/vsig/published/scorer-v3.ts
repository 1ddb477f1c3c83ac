/** Profile `upstream-v3`: option letters all or nothing, one moment inside the slot's words. */
import { mean, type Scores } from '../../../suite.ts'
import type { Size } from '../domain/mask.ts'
import { asNumber } from '../domain/points.ts'
import type { OptionPrediction } from './reply.ts'
import { isPixelHit, type OptionSlot, sameSequence } from './slots.ts'

const AREA_PIXELS = 50

export interface ScoreV3 {
  intent: number
  spatial: number
  temporal: number
}

export function scoreV3(slots: readonly OptionSlot[], { options, points }: OptionPrediction, frame: Size): ScoreV3 {
  const answers = slots.map(({ choice }) => choice)
  // Points without a moment are skipped; extra moments are wrong.
  const times = points.flatMap(({ timestamp }, i) => {
    if (timestamp === null || timestamp === undefined) return []
    const window = slots[i]?.speech
    const at = wholeNumber(timestamp)
    return [window && at !== null && at >= window[0] && at <= window[1] ? 1 : 0]
  })
  return {
    intent: Number(sameSequence(options, answers)),
    spatial: mean(
      slots.map((slot, i) => Number(isPixelHit(slot, points[i]?.['point'], frame, AREA_PIXELS))),
      0,
    ),
    temporal: mean(times, 0),
  }
}

/** Truncates to an integer; accepts quoted digits. */
function wholeNumber(value: unknown): number | null {
  const number = asNumber(value)
  if (number !== null) return Number.isFinite(number) ? Math.trunc(number) : null
  return typeof value === 'string' && /^\s*[+-]?\d+\s*$/.test(value) ? Number(value) : null
}

/** The published table has no temporal score for the silent template. */
export function metricsV3({ intent, spatial, temporal }: ScoreV3, template: string | null | undefined): Scores {
  return { 'v3.intent': intent, 'v3.spatial': spatial, ...(template === '指令1' ? {} : { 'v3.temporal': temporal }) }
}
