/** The metrics, and the table of the benchmark: eight type scores and their mean. */
import type { Means, Metric, Summary, SummaryRow } from '../../suite.ts'
import { binMetric, DISTANCE_EDGES } from './domain/cognitive-map.ts'
import { LEVEL_NAMES } from './domain/levels.ts'
import type { Profile } from './domain/protocol.ts'
import {
  DIRECTION_TYPES,
  type DirectionType,
  isChoiceType,
  isNumberType,
  OVERALL_TYPES,
  type OverallType,
  TYPE_TITLES,
} from './domain/question-types.ts'

const usageMetric = (title: string): Metric => ({ title, better: 'lower', unit: 'number', failed: 'leave-out' })

const binMetrics = Object.fromEntries(
  DISTANCE_EDGES.slice(1).flatMap((upTo, bin) =>
    (['pairs', 'agreeing'] as const).map((what): [string, Metric] => [
      binMetric(bin, what),
      { title: `Map pairs up to ${upTo} cells: ${what}`, better: 'higher', unit: 'number', failed: 'leave-out' },
    ]),
  ),
)

export const metrics: Readonly<Record<string, Metric>> = {
  score: { title: 'Score', better: 'higher', unit: 'percent', failed: 'zero', appliesTo: () => true },
  right: { title: 'Correct, published rule', better: 'higher', unit: 'percent', failed: 'zero' },
  chance: {
    title: 'Chance',
    better: 'higher',
    unit: 'percent',
    failed: 'leave-out',
    appliesTo: ({ type }) => type !== undefined && isChoiceType(type),
  },
  frequent: { title: 'Most frequent answer', better: 'higher', unit: 'percent', failed: 'leave-out' },
  blind: { title: 'Blind answer', better: 'higher', unit: 'percent', failed: 'leave-out' },
  map: { title: 'Map distances', better: 'higher', unit: 'percent', failed: 'leave-out' },
  ...binMetrics,
  leftOut: usageMetric('Questions left out: not answerable from these images'),
  pictures: usageMetric('Images seen'),
  moves: usageMetric('Moves'),
  meters: usageMetric('Meters walked'),
  blocked: usageMetric('Blocked moves'),
  unreadable: usageMetric('Unreadable replies'),
}

const LEVELS_SECTION = 'Relative direction by level'
const SCENES_SECTION = 'Mean of the types by level of the scenes'
const USAGE_SECTION = 'Per question'
const MAP_SECTION = 'Cognitive map: distances within one cell, by true distance (n: pairs)'

/**
 * The mean is called "overall" only if all eight types and all levels of direction are present. Otherwise it is a
 * partial mean, which is not comparable with published scores.
 */
export function vsiSummary(means: Means, { profile }: { profile: Profile }): Summary {
  const types = typesIn(means, {})
  const missing = missingTypes(types, means)
  const headline = missing.length === 0 ? 'overall' : 'overall_partial'
  const rows: SummaryRow[] = [
    {
      ...row(headline, missing.length === 0 ? 'Overall' : `Mean of ${types.length} of 8 types`, {
        ...meansOver(types),
        value: overallOf(profile, types, means),
        n: means.count('score'),
      }),
      ...(missing.length > 0 && {
        note: `Not comparable with published overall scores; missing: ${missing.join(', ')}.`,
      }),
    },
    ...types.map(({ type, ...numbers }) => row(type, TYPE_TITLES[type], numbers)),
  ]
  for (const level of DIRECTION_TYPES) {
    const numbers = levelNumbers(means, level, {})
    if (numbers.n > 0) rows.push({ ...row(level, TYPE_TITLES[level], numbers), section: LEVELS_SECTION })
  }
  const scenes = LEVEL_NAMES.filter((level) => means.values('level').includes(level))
  for (const level of scenes.length > 1 ? scenes : []) {
    const where = { level }
    const section = SCENES_SECTION
    const numbers = { ...meansOver(typesIn(means, where)), n: means.count('score', where) }
    rows.push({ ...row(`level.${level}`, `Mean at level ${level}`, numbers), section })
  }
  if (means.values('pruned').length > 1) rows.push(debiasedRow(means))
  if (means.values('doubtful').includes('yes')) {
    rows.push({
      ...row('undoubted', 'Mean score without disputed questions', {
        value: means.mean('score', { doubtful: 'no' }),
        n: means.count('score', { doubtful: 'no' }),
      }),
      note: 'Mean over questions, not over types.',
    })
  }
  if (means.count('right') > 0) {
    rows.push({
      ...row('right', 'Correct, published rule', { value: means.mean('right'), n: means.count('right') }),
      note: 'Mean over questions; a number is correct if its score is above 0.5.',
    })
  }
  if (means.count('map') > 0) {
    rows.push(
      row('map', 'Cognitive map: distances within one cell', {
        value: means.mean('map'),
        n: means.count('map'),
      }),
    )
  }
  rows.push(...mapRows(means))
  for (const [metric, title] of USAGE_ROWS) {
    const n = means.count(metric)
    if (n > 0)
      rows.push({
        key: metric,
        title,
        value: means.mean(metric),
        n,
        unit: 'number',
        better: 'lower',
        section: USAGE_SECTION,
      })
  }
  return { headline, rows, success: 'score' }
}

/** Titles of the types and levels a published overall score has and this run does not. */
function missingTypes(types: readonly { type: OverallType }[], means: Means): string[] {
  const absent: (OverallType | DirectionType)[] = OVERALL_TYPES.filter(
    (type) => !types.some((each) => each.type === type),
  )
  if (!absent.includes('object_rel_direction'))
    absent.push(...DIRECTION_TYPES.filter((level) => !hasType(means, level)))
  return absent.map((type) => TYPE_TITLES[type])
}

/** lmms-eval rounds the fraction to this many decimals. */
const LMMS_DECIMALS = 6

/** The mean over types by the rule of each published evaluator; they differ only if types are missing. */
function overallOf(profile: Profile, types: readonly ({ type: OverallType } & Numbers)[], means: Means): number | null {
  // Each level of direction is its own term if the official code finds no easy one, or VLMEvalKit not all three.
  const separate =
    (profile === 'official' && !hasType(means, 'object_rel_direction_easy')) ||
    (profile === 'vlmevalkit' && !DIRECTION_TYPES.every((level) => hasType(means, level)))
  const terms = types.flatMap(({ type, value }) =>
    separate && type === 'object_rel_direction'
      ? DIRECTION_TYPES.map((level) => means.mean('score', { type: level }))
      : [value],
  )
  const overall = meanOf(terms)
  return overall === null || !profile.startsWith('lmms-eval') ? overall : Number(overall.toFixed(LMMS_DECIMALS))
}

function hasType(means: Means, type: string): boolean {
  return means.count('score', { type }) > 0
}

/** Means over types: the score and its constant and blind baselines. */
function meansOver(types: readonly Numbers[]): Pick<Numbers, 'value' | 'constant' | 'blind'> {
  return {
    value: meanOf(types.map(({ value }) => value)),
    constant: meanOf(types.map(({ constant }) => constant)),
    blind: meanOf(types.map(({ blind }) => blind)),
  }
}

/** The benchmark's authors ask for both scores: on all questions, and without those that can be answered blind. */
function debiasedRow(means: Means): SummaryRow {
  const where = { pruned: 'no' }
  const types = typesIn(means, where)
  const complete = types.length === OVERALL_TYPES.length
  return {
    ...row('debiased', complete ? 'Overall, debiased' : `Mean of ${types.length} of 8 types, debiased`, {
      ...meansOver(types),
      n: means.count('score', where),
    }),
    note: 'Without the questions that VSI-Bench-Debiased removes.',
  }
}

/** Map accuracy by true distance; every pair of categories has the same weight. */
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

const USAGE_ROWS = [
  ['leftOut', 'Left out per scene: not answerable from these images'],
  ['pictures', 'Images seen'],
  ['moves', 'Moves'],
  ['meters', 'Meters walked'],
  ['blocked', 'Blocked moves'],
  ['unreadable', 'Unreadable replies'],
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

/** The types with at least one question, with their scores. */
function typesIn(means: Means, where: Where): ({ type: OverallType } & Numbers)[] {
  return OVERALL_TYPES.map((type) => ({ type, ...numbersOf(means, type, where) })).filter(({ n }) => n > 0)
}

/** The three levels have equal weight, whatever their number of questions. */
function numbersOf(means: Means, type: OverallType, where: Where): Numbers {
  if (type !== 'object_rel_direction') return levelNumbers(means, type, where)
  const levels = DIRECTION_TYPES.map((level) => levelNumbers(means, level, where)).filter(({ n }) => n > 0)
  const absent = DIRECTION_TYPES.length - levels.length
  return {
    ...meansOver(levels),
    n: levels.reduce((sum, { n }) => sum + n, 0),
    chance: meanOf(levels.map(({ chance }) => chance)),
    ...(absent > 0 && levels.length > 0 ? { note: `${absent} of 3 levels missing.` } : {}),
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
