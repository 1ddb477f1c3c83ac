/** Profile `upstream-v3`: option letters all or nothing, one moment inside the slot's words. */
import { type JsonObject, mean, type Scores, truthy } from '../../../suite.ts'
import type { Size } from '../domain/mask.ts'
import { asNumber } from '../domain/points.ts'
import { field, itemAt, itemsOf, sizeOf, wholeNumber, orNull } from './python.ts'
import { predictedOptions, predictedPoints } from './reply.ts'
import { isPixelHit, type OptionSlot, predictedPixel, sameSequence } from './slots.ts'

const AREA_PIXELS = 50

export interface ScoreV3 {
  intent: number
  spatial: number
  temporal: number
}

/** After an exception. */
const NOTHING: ScoreV3 = { intent: 0, spatial: 0, temporal: 0 }

export function scoreV3(slots: readonly OptionSlot[], prediction: JsonObject, frame: Size): ScoreV3 {
  const scored = orNull((): ScoreV3 => {
    const points = predictedPoints(prediction)
    const hits = slots.map((slot, i) => Number(isHit(slot, points, i, frame)))
    const choices = slots.map(({ choice }) => choice)
    return {
      intent: Number(sameSequence(predictedOptions(prediction), choices)),
      spatial: mean(hits, 0),
      temporal: mean(momentScores(slots, points), 0),
    }
  })
  return scored ?? NOTHING
}

function isHit(slot: OptionSlot, points: unknown, i: number, frame: Size): boolean {
  if (i >= sizeOf(points)) return false
  const point = field(itemAt(points, i), 'point')
  return truthy(point) && isPixelHit(slot, predictedPixel(point, frame), frame, AREA_PIXELS)
}

/** Points without a moment are skipped; moments that are no numbers, and those of extra points, are wrong. */
function momentScores(slots: readonly OptionSlot[], points: unknown): number[] {
  return itemsOf(points).flatMap((item, i) => {
    const moment = field(item, 'timestamp')
    if (moment === null) return []
    const number = asNumber(moment)
    if (number === null) return 0
    const at = wholeNumber(number)
    const window = slots[i]?.speech
    return window && at >= window[0] && at <= window[1] ? 1 : 0
  })
}

/** The published table has no temporal score for the silent template. */
export function metricsV3({ intent, spatial, temporal }: ScoreV3, template: string | null | undefined): Scores {
  return { 'v3.intent': intent, 'v3.spatial': spatial, ...(template === '指令1' ? {} : { 'v3.temporal': temporal }) }
}
