/** Profiles `upstream-v4` and `ecog-v4`: letter, position and a moment inside the gesture, separately and jointly. */
import { type JsonObject, mean, type Scores, truthy } from '../../../suite.ts'
import type { Size } from '../domain/mask.ts'
import { asNumber } from '../domain/points.ts'
import { field, itemAt, sizeOf, wholeNumber, orNull } from './python.ts'
import { predictedOptions, predictedPoints } from './reply.ts'
import { isPixelHit, type OptionSlot, predictedPixel } from './slots.ts'

const AREA_PIXELS = 100

export interface ScoreV4 {
  cls: number
  spatial: number
  temporal: number
  /** Share of slots with correct letter, position and moment. */
  eco: number
  /** 1 if all slots are correct, else 0. */
  seq: number
}

/** After an exception, and for a reply that is not an object: it counts as wrong. */
const NOTHING: ScoreV4 = { cls: 0, spatial: 0, temporal: 0, eco: 0, seq: 0 }

/** `prediction` is null if the reply cannot be used. */
export function scoreV4(slots: readonly OptionSlot[], prediction: JsonObject | null, frame: Size): ScoreV4 {
  return (prediction && orNull(() => slotScores(slots, prediction, frame))) ?? NOTHING
}

function slotScores(slots: readonly OptionSlot[], prediction: JsonObject, frame: Size): ScoreV4 {
  const options = predictedOptions(prediction)
  const points = predictedPoints(prediction)
  const rows = slots.map((slot, i) => {
    const cls = options[i] === slot.choice
    const item = i < sizeOf(points) ? itemAt(points, i) : {}
    const spatial = isHit(slot, field(item, 'point'), frame)
    const temporal = isInStroke(slot, field(item, 'timestamp'))
    return { cls, spatial, temporal, eco: cls && spatial && temporal }
  })
  const share = (key: keyof (typeof rows)[number]): number =>
    mean(
      rows.map((row) => Number(row[key])),
      0,
    )
  const eco = share('eco')
  return { cls: share('cls'), spatial: share('spatial'), temporal: share('temporal'), eco, seq: Number(eco === 1) }
}

function isHit({ mask, center }: OptionSlot, point: unknown, frame: Size): boolean {
  if (!Array.isArray(point) || !truthy(point)) return false
  return isPixelHit(mask ? { center, mask } : { center }, predictedPixel(point, frame), frame, AREA_PIXELS)
}

function isInStroke({ stroke }: OptionSlot, moment: unknown): boolean {
  const number = asNumber(moment)
  if (number === null || stroke === null) return false
  const at = wholeNumber(number)
  return at >= stroke[0] && at <= stroke[1]
}

/** Metrics with prefix `v4` (published) or `eco` (ours). */
export function metricsV4({ cls, spatial, temporal, eco, seq }: ScoreV4, prefix: 'v4' | 'eco'): Scores {
  return {
    [`${prefix}.cls`]: cls,
    [`${prefix}.spatial`]: spatial,
    [`${prefix}.temporal`]: temporal,
    [`${prefix}.joint`]: eco,
    [`${prefix}.sequence`]: seq,
  }
}
