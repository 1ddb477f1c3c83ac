/** From samples to the figures that were published, generation by generation. */
import { mean } from '../../../base/numbers.ts'
import { asNumber } from '../points.ts'
import type { Score2, Score3, Score4 } from './later.ts'

export interface Sample1 {
  template: string
  intent: number
  spatial: readonly number[]
  temporal: readonly unknown[] | null
}

export interface Figures1 {
  intent: number
  spatial: number
  temporal: number
  overall: number
}

export interface Table1 extends Figures1 {
  byTemplate: Record<string, Figures1 & { count: number }>
}

/** Generation 1 divides by two instead of three when the temporal mean is 0, measured or not. */
export function overallOf(intent: number, spatial: number, temporal: number): number {
  return temporal > 0 ? (intent + spatial + temporal) / 3 : (intent + spatial) / 2
}

/** Null when a judge's text score makes the original's sums fail. */
export function table1(samples: readonly Sample1[]): Table1 | null {
  const all = figures1(samples)
  if (!all) return null
  const byTemplate: Table1['byTemplate'] = {}
  for (const template of new Set(samples.map((sample) => sample.template))) {
    const own = samples.filter((sample) => sample.template === template)
    const figures = figures1(own)
    if (!figures) return null
    byTemplate[template] = { ...figures, count: own.length }
  }
  return { ...all, byTemplate }
}

function figures1(samples: readonly Sample1[]): Figures1 | null {
  const temporalScores = samples.flatMap(({ temporal }) => temporal ?? []).map(asNumber)
  if (!temporalScores.every((score) => score !== null)) return null
  const intent = mean(
    samples.map((sample) => sample.intent),
    0,
  )
  const spatial = mean(
    samples.flatMap((sample) => sample.spatial),
    0,
  )
  const temporal = mean(temporalScores, 0)
  return { intent, spatial, temporal, overall: overallOf(intent, spatial, temporal) }
}

/** Generation 2: samples with a temporal score of 0 are left out of the temporal mean. */
export function table2(samples: readonly Score2[]): Figures1 {
  const intent = mean(
    samples.map((sample) => sample.intent),
    0,
  )
  const spatial = mean(
    samples.map((sample) => sample.spatial),
    0,
  )
  const temporal = mean(
    samples.map((sample) => sample.temporal).filter((score) => score > 0),
    0,
  )
  return { intent, spatial, temporal, overall: overallOf(intent, spatial, temporal) }
}

/** Generation 3: the silent template has no time; with any other, time always counts. */
export function table3(samples: readonly (Score3 & { template: string })[]): Figures1 {
  const spoken = samples.filter(({ template }) => template !== '指令1')
  const intent = mean(
    samples.map((sample) => sample.intent),
    0,
  )
  const spatial = mean(
    samples.map((sample) => sample.spatial),
    0,
  )
  const temporal = mean(
    spoken.map((sample) => sample.temporal),
    0,
  )
  const overall = spoken.length > 0 ? (intent + spatial + temporal) / 3 : (intent + spatial) / 2
  return { intent, spatial, temporal, overall }
}

export function table4(samples: readonly Score4[]): Record<'cls' | 'spatial' | 'temporal' | 'eco' | 'seq', number> {
  return {
    cls: mean(
      samples.map(({ cls }) => cls),
      0,
    ),
    spatial: mean(
      samples.map(({ spatial }) => spatial),
      0,
    ),
    temporal: mean(
      samples.map(({ temporal }) => temporal),
      0,
    ),
    eco: mean(
      samples.map(({ eco }) => eco),
      0,
    ),
    seq: mean(
      samples.map(({ seq }) => seq),
      0,
    ),
  }
}
