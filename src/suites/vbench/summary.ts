/** The report table: dimensions by tier, missing values with the reason, and totals where the protocol allows them. */
import type { Means, Metric, Summary, SummaryRow } from '../../suite.ts'
import {
  ALL_DIMENSIONS,
  type Dimension,
  DIMENSION_FACTS,
  DIMENSIONS,
  FROM_IMAGE,
  I2V_DIMENSIONS,
  LONG_SECONDS,
  QUALITY,
  SEMANTIC,
  spacedName,
} from './domain/dimensions.ts'
import { NEEDS } from './domain/needs.ts'
import { type Tier, TIERS } from './domain/results.ts'
import { LONG, noneName, PARTIAL, scoreName, STILL } from './score.ts'
import type { VbenchOptions } from './options.ts'
import { strictI2vTotals, strictTotals } from './domain/totals.ts'

/** What all rows of dimensions and totals have in common. */
const ROW = { unit: 'percent', better: 'higher' } as const
const METRIC = { better: 'higher', failed: 'leave-out' } as const

export const metrics: Readonly<Record<string, Metric>> = {
  ...Object.fromEntries(
    ALL_DIMENSIONS.flatMap((dimension) =>
      TIERS.map((tier): [string, Metric] => [
        scoreName(dimension, tier),
        { ...METRIC, title: `${spacedName(dimension)} (${tier})`, unit: 'percent' },
      ]),
    ),
  ),
  [STILL]: { ...METRIC, title: 'static', unit: 'percent' },
  [LONG]: { ...METRIC, title: 'five seconds or longer', unit: 'percent' },
  [PARTIAL]: { ...METRIC, title: 'read in part', unit: 'number' },
}

const SECTIONS: Readonly<Record<Tier, string>> = {
  exact: 'Exact: the published networks and rules',
  variant: 'Variant: other networks under the published rules',
  proxy: 'Proxy: no network',
}

export function summary(means: Means, { options }: { options: Pick<VbenchOptions, 'long'> }): Summary {
  const wanted = wantedIn(means)
  const rows: SummaryRow[] = []
  const exact: Partial<Record<Dimension, number>> = {}
  for (const tier of TIERS) {
    for (const dimension of wanted) {
      const value = valueOf(means, dimension, tier)
      if (value === null) continue
      if (tier === 'exact') exact[dimension] = value
      rows.push(dimensionRow(means, dimension, tier, value, options.long))
    }
  }
  for (const dimension of wanted) {
    if (TIERS.every((tier) => means.count(scoreName(dimension, tier)) === 0)) rows.push(emptyRow(means, dimension))
  }
  return {
    headline: 'total',
    rows: [...totalsOf(wanted, exact), ...rows, ...longRows(means), ...partialRows(means)],
  }
}

/** Long videos get a row of their own: they are scored, but not as the protocol would. */
function longRows(means: Means): SummaryRow[] {
  const share = means.mean(LONG) ?? 0
  if (share === 0) return []
  return [
    {
      key: LONG,
      title: `${LONG_SECONDS} s or longer`,
      section: 'Videos',
      value: share,
      n: means.count(LONG),
      unit: 'percent',
      better: 'lower',
      note: 'the protocol scores these with another pipeline, VBench-Long: do not compare with scores of short videos',
    },
  ]
}

/** Damaged videos are scored on what can be read of them, as published. */
function partialRows(means: Means): SummaryRow[] {
  const n = means.count(PARTIAL)
  if (n === 0) return []
  const note = 'damaged: only their first frames can be decoded and were scored; see the events of each video'
  return [
    { key: PARTIAL, title: 'read in part', section: 'Videos', value: n, n, unit: 'number', better: 'lower', note },
  ]
}

/** Labels name the requested dimensions, so a dimension without a value keeps its row. */
function wantedIn(means: Means): Dimension[] {
  const named = new Set(means.values('dimensions').flatMap((each) => each.split(' ')))
  return ALL_DIMENSIONS.filter((dimension) => named.has(dimension))
}

function valueOf(means: Means, dimension: Dimension, tier: Tier): number | null {
  const name = scoreName(dimension, tier)
  if (means.count(`${name}.sum`) === 0) return means.mean(name)
  const [sum, weight] = [means.mean(`${name}.sum`), means.mean(`${name}.weight`)]
  return sum === null || weight === null || weight === 0 ? null : sum / weight
}

function dimensionRow(means: Means, dimension: Dimension, tier: Tier, value: number, long: boolean): SummaryRow {
  const name = scoreName(dimension, tier)
  const notes: string[] = []
  const none = means.count(noneName(dimension))
  if (none > 0) notes.push(`${none} without a value; see the events of each video`)
  if (dimension === 'temporal_flickering' && means.count(STILL) > 0) {
    const share = means.mean(STILL) ?? 0
    const still = long
      ? `${Math.round(share * 100)}% of clips`
      : `${Math.round(share * means.count(STILL))} of ${means.count(STILL)} videos`
    notes.push(`${still} are static; at most five per prompt count`)
  }
  return {
    key: name,
    title: spacedName(dimension),
    section: SECTIONS[tier],
    value,
    n: means.count(name),
    ...ROW,
    ...(notes.length > 0 ? { note: notes.join('; ') } : {}),
  }
}

function emptyRow(means: Means, dimension: Dimension): SummaryRow {
  const moving = dimension === 'temporal_flickering' && means.count(STILL) > 0
  const tried = means.count(noneName(dimension))
  const why = moving
    ? 'no video is static'
    : tried > 0
      ? `none of ${tried} videos could be measured; see the events of each`
      : NEEDS[dimension]
  return { key: dimension, title: spacedName(dimension), section: 'No value', value: null, n: 0, ...ROW, note: why }
}

type Exact = Readonly<Partial<Record<Dimension, number>>>

/** Totals need exact values of all their dimensions. */
function totalRow(
  exact: Exact,
  [key, title]: readonly [string, string],
  value: number | null,
  of: readonly Dimension[],
): SummaryRow {
  const have = of.filter((name) => exact[name] !== undefined).length
  const note = `needs exact values of all ${of.length} dimensions; has ${have}`
  return { key, title, value, n: have, ...ROW, ...(value === null ? { note } : {}) }
}

function totalRows(exact: Exact): SummaryRow[] {
  const { quality, semantic, total } = strictTotals(exact)
  return [
    totalRow(exact, ['total', 'VBench total'], total, DIMENSIONS),
    totalRow(exact, ['quality', 'VBench quality'], quality, QUALITY),
    totalRow(exact, ['semantic', 'VBench semantic'], semantic, SEMANTIC),
  ]
}

/** The totals of the benchmark that the dimensions are of. */
function totalsOf(wanted: readonly Dimension[], exact: Exact): SummaryRow[] {
  const kinds = new Set(wanted.map((name) => DIMENSION_FACTS[name].kind))
  if (kinds.has('vbench2')) {
    const note = 'needs the published evaluator for all 18 dimensions: sightline vbench total --benchmark vbench2'
    return [{ key: 'total', title: 'VBench-2.0 total', value: null, n: 0, ...ROW, note }]
  }
  return kinds.has('i2v') ? i2vRows(exact) : totalRows(exact)
}

function i2vRows(exact: Exact): SummaryRow[] {
  const { quality, i2v, total } = strictI2vTotals(exact)
  const inQuality = I2V_DIMENSIONS.filter((name) => !FROM_IMAGE.includes(name))
  return [
    totalRow(exact, ['total', 'VBench-I2V total'], total, I2V_DIMENSIONS),
    totalRow(exact, ['quality', 'VBench-I2V quality'], quality, inQuality),
    totalRow(exact, ['i2v', 'VBench-I2V image'], i2v, FROM_IMAGE),
  ]
}
