/** Profiles `upstream-v4` and `ecog-v4`: letter, position and a moment inside the gesture, separately and jointly. */
import { mean, type Scores } from '../../../suite.ts'
import type { Size } from '../domain/mask.ts'
import { asNumber } from '../domain/points.ts'
import type { OptionPrediction } from './reply.ts'
import { isPixelHit, type OptionSlot } from './slots.ts'

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

export function scoreV4(slots: readonly OptionSlot[], { options, points }: OptionPrediction, frame: Size): ScoreV4 {
  const rows = slots.map((slot, i) => {
    const time = asNumber(points[i]?.['timestamp'])
    const window = slot.stroke
    const cls = options[i] === slot.choice
    const spatial = isPixelHit(slot, points[i]?.['point'], frame, AREA_PIXELS)
    const temporal = window !== null && time !== null && time >= window[0] && time <= window[1]
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

/** Metrics with prefix `v4` (published) exclude failed clips; with `eco` (ours) failed clips count as 0. */
export function metricsV4({ cls, spatial, temporal, eco, seq }: ScoreV4, prefix: 'v4' | 'eco'): Scores {
  return {
    [`${prefix}.cls`]: cls,
    [`${prefix}.spatial`]: spatial,
    [`${prefix}.temporal`]: temporal,
    [`${prefix}.joint`]: eco,
    [`${prefix}.sequence`]: seq,
  }
}
