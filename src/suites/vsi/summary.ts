/** The table that people expect: eight numbers and their mean. */
import type { Means } from '../../report/means.ts'
import type { Summary, SummaryRow } from '../../report/summary.ts'
import { DISTANCE_EDGES } from './domain/cognitive-map.ts'
import { binMetric } from './metrics.ts'
import { DIRECTION_TYPES, isNumberType, OVERALL_TYPES, type OverallType, TYPE_TITLES } from './domain/question-types.ts'

const LEVELS_SECTION = 'Levels of relative direction'
const COSTS_SECTION = 'What it took'
const MAP_SECTION = 'Cognitive map: distances within one cell, by true distance (n: pairs)'

/**
 * The mean over the eight types is called overall only when all eight are there; otherwise it is a partial mean, which
 * cannot be compared with published ones.
 */
export function vsiSummary(means: Means): Summary {
  const types = typesIn(means, {})
  const complete = types.length === OVERALL_TYPES.length
  const missing = OVERALL_TYPES.filter((type) => !types.some((each) => each.type === type)).map(
    (type) => TYPE_TITLES[type],
  )
  const headline = complete ? 'overall' : 'overall_partial'
  const rows: SummaryRow[] = [
    {
      key: headline,
      title: complete ? 'Overall' : `Mean of ${types.length} of 8 types`,
      value: meanOf(types.map(({ value }) => value)),
      n: means.count('score'),
      unit: 'percent',
      better: 'higher',
      constant: meanOf(types.map(({ constant }) => constant)),
      blind: meanOf(types.map(({ blind }) => blind)),
      ...(complete ? {} : { note: `Not comparable with published overall scores: ${missing.join(', ')} missing.` }),
    },
    ...types.map(({ type, ...numbers }) => row(type, TYPE_TITLES[type], numbers)),
  ]
  for (const level of DIRECTION_TYPES) {
    const where = { type: level }
    const n = means.count('score', where)
    if (n === 0) continue
    rows.push({ ...row(level, TYPE_TITLES[level], levelNumbers(means, level, {})), section: LEVELS_SECTION })
  }
  if (means.values('pruned').length > 1) rows.push(debiasedRow(means))
  if (means.values('doubtful').includes('yes')) {
    rows.push({
      ...row('undoubted', 'Mean score without questions of doubtful truth', {
        value: means.mean('score', { doubtful: 'no' }),
        n: means.count('score', { doubtful: 'no' }),
      }),
      note: 'Over questions, not over types.',
    })
  }
  if (means.count('right') > 0) {
    rows.push({
      ...row('right', 'Right as the published code counts', { value: means.mean('right'), n: means.count('right') }),
      note: 'Over questions; a number is right when its score is above 0.5.',
    })
  }
  if (means.count('map') > 0) {
    rows.push(
      row('map', 'Distances on the cognitive map within one cell', {
        value: means.mean('map'),
        n: means.count('map'),
      }),
    )
  }
  rows.push(...mapRows(means))
  for (const [metric, title] of COSTS) {
    const n = means.count(metric)
    if (n > 0)
      rows.push({
        key: metric,
        title,
        value: means.mean(metric),
        n,
        unit: 'number',
        better: 'lower',
        section: COSTS_SECTION,
      })
  }
  return { headline, rows, success: 'score' }
}

/** The publishers ask for both numbers: on all questions, and on those that cannot be answered without looking. */
function debiasedRow(means: Means): SummaryRow {
  const where = { pruned: 'no' }
  const types = typesIn(means, where)
  const complete = types.length === OVERALL_TYPES.length
  return {
    ...row('debiased', complete ? 'Overall, debiased' : `Mean of ${types.length} of 8 types, debiased`, {
      value: meanOf(types.map(({ value }) => value)),
      n: means.count('score', where),
      constant: meanOf(types.map(({ constant }) => constant)),
      blind: meanOf(types.map(({ blind }) => blind)),
    }),
    note: 'Without the questions that VSI-Bench-Debiased leaves out.',
  }
}

/** How far a map can be trusted, by how far apart things are in truth: every pair counts alike. */
function mapRows(means: Means): SummaryRow[] {
  return DISTANCE_EDGES.slice(1).flatMap((upTo, bin) => {
    const episodes = means.count(binMetric(bin, 'pairs'))
    const pairs = means.mean(binMetric(bin, 'pairs')) ?? 0
    if (pairs === 0) return []
    const value = (means.mean(binMetric(bin, 'agreeing')) ?? 0) / pairs
    const title = `Pairs ${DISTANCE_EDGES[bin]!.toFixed(1)} to ${upTo.toFixed(1)} cells apart`
    return [{ ...row(`map.${bin + 1}`, title, { value, n: Math.round(pairs * episodes) }), section: MAP_SECTION }]
  })
}

const COSTS = [
  ['pictures', 'Pictures seen'],
  ['moves', 'Moves'],
  ['meters', 'Metres walked'],
  ['blocked', 'Moves that met an obstacle'],
  ['unreadable', 'Replies that could not be read'],
] as const

interface Numbers {
  value: number | null
  n: number
  chance?: number | null | undefined
  constant?: number | null | undefined
  blind?: number | null | undefined
  note?: string | undefined
}

function row(key: string, title: string, { value, n, chance, constant, blind, note }: Numbers): SummaryRow {
  return {
    key,
    title,
    value,
    n,
    unit: 'percent',
    better: 'higher',
    ...(chance === undefined ? {} : { chance }),
    ...(constant === undefined ? {} : { constant }),
    ...(blind === undefined ? {} : { blind }),
    ...(note === undefined ? {} : { note }),
  }
}

type Where = Readonly<Record<string, string>>

/** The types that are there, with their numbers. */
function typesIn(means: Means, where: Where): ({ type: OverallType } & Numbers)[] {
  return OVERALL_TYPES.map((type) => ({ type, ...numbersOf(means, type, where) })).filter(({ n }) => n > 0)
}

/** The three levels count equally, however many questions each has. */
function numbersOf(means: Means, type: OverallType, where: Where): Numbers {
  if (type !== 'object_rel_direction') return levelNumbers(means, type, where)
  const levels = DIRECTION_TYPES.map((level) => levelNumbers(means, level, where)).filter(({ n }) => n > 0)
  const absent = DIRECTION_TYPES.length - levels.length
  return {
    value: meanOf(levels.map(({ value }) => value)),
    n: levels.reduce((sum, { n }) => sum + n, 0),
    chance: meanOf(levels.map(({ chance }) => chance)),
    constant: meanOf(levels.map(({ constant }) => constant)),
    blind: meanOf(levels.map(({ blind }) => blind)),
    ...(absent > 0 && levels.length > 0 ? { note: `${absent} of its 3 levels missing.` } : {}),
  }
}

function levelNumbers(means: Means, type: string, others: Where): Numbers {
  const where = { ...others, type }
  return {
    value: means.mean('score', where),
    n: means.count('score', where),
    ...(isNumberType(type) ? {} : { chance: means.mean('chance', where) }),
    constant: means.mean('frequent', where),
    blind: means.mean('blind', where),
  }
}

function meanOf(values: readonly (number | null | undefined)[]): number | null {
  const known = values.filter((value) => typeof value === 'number')
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length
}
