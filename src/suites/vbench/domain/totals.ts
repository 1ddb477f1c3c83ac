/** Quality, Semantic and Total from the values of the dimensions, with the published constants. */
import {
  type Dimension,
  DIMENSION_FACTS,
  DIMENSIONS,
  FROM_IMAGE,
  I2V_DIMENSIONS,
  QUALITY,
  SEMANTIC,
} from './dimensions.ts'

export const QUALITY_WEIGHT = 4
export const SEMANTIC_WEIGHT = 1

export type DimensionValues = Readonly<Partial<Record<Dimension, number | null>>>

export interface Totals {
  quality: number
  semantic: number
  total: number
}

export function normalised(dimension: Dimension, value: number): number {
  const { min, max } = DIMENSION_FACTS[dimension]
  return (value - min) / (max - min)
}

export interface PublishedTotals extends Totals {
  normalised: Record<Dimension, number>
  weighted: Record<Dimension, number>
}

/** As the published script computes them: a dimension that is not there counts as 0, which may be below its minimum. */
export function publishedTotals(values: DimensionValues): PublishedTotals {
  const each = (valueOf: (name: Dimension) => number) =>
    Object.fromEntries(DIMENSIONS.map((name) => [name, valueOf(name)])) as Record<Dimension, number>
  const normal = each((name) => normalised(name, values[name] ?? 0))
  const weighted = each((name) => normal[name] * DIMENSION_FACTS[name].weight)
  const mean = (names: readonly Dimension[]) =>
    names.reduce((sum, name) => sum + weighted[name], 0) /
    names.reduce((sum, name) => sum + DIMENSION_FACTS[name].weight, 0)
  const [quality, semantic] = [mean(QUALITY), mean(SEMANTIC)]
  const total = (QUALITY_WEIGHT * quality + SEMANTIC_WEIGHT * semantic) / (QUALITY_WEIGHT + SEMANTIC_WEIGHT)
  return { normalised: normal, weighted, quality, semantic, total }
}

/** Of VBench-I2V. A dimension that is not there counts as 0, as published. */
export function i2vTotals(values: DimensionValues): Record<'quality' | 'i2v' | 'total', number> & {
  weighted: Partial<Record<Dimension, number>>
} {
  const weighted = Object.fromEntries(
    I2V_DIMENSIONS.map((name) => [name, normalised(name, values[name] ?? 0) * DIMENSION_FACTS[name].weight]),
  ) as Partial<Record<Dimension, number>>
  const mean = (names: readonly Dimension[]) =>
    names.reduce((sum, name) => sum + weighted[name]!, 0) /
    names.reduce((sum, name) => sum + DIMENSION_FACTS[name].weight, 0)
  const quality = mean(I2V_DIMENSIONS.filter((name) => !FROM_IMAGE.includes(name)))
  const i2v = mean(FROM_IMAGE)
  return { weighted, quality, i2v, total: (quality + i2v) / 2 }
}

/** Null unless every dimension of a group has a value. */
export function strictI2vTotals(values: DimensionValues): Record<'quality' | 'i2v' | 'total', number | null> {
  const has = (names: readonly Dimension[]) => names.every((name) => typeof values[name] === 'number')
  const { quality, i2v, total } = i2vTotals(values)
  return {
    quality: has(I2V_DIMENSIONS.filter((name) => !FROM_IMAGE.includes(name))) ? quality : null,
    i2v: has(FROM_IMAGE) ? i2v : null,
    total: has(I2V_DIMENSIONS) ? total : null,
  }
}

/** What can honestly be said of an incomplete set: a group is null unless every dimension of it has a value. */
export function strictTotals(values: DimensionValues): { [K in keyof Totals]: number | null } {
  const has = (name: Dimension) => typeof values[name] === 'number' && Number.isFinite(values[name])
  const { quality, semantic, total } = publishedTotals(values)
  const whole = { quality: QUALITY.every(has), semantic: SEMANTIC.every(has) }
  return {
    quality: whole.quality ? quality : null,
    semantic: whole.semantic ? semantic : null,
    total: whole.quality && whole.semantic ? total : null,
  }
}
