/** What is measured, and the table that people expect: eight numbers and their mean. */
import type { Means, Metric, Summary, SummaryRow } from '../../suite.ts'
import { binMetric, DISTANCE_EDGES } from './domain/cognitive-map.ts'
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
      { title: `Map, up to ${upTo} cells: ${what}`, better: 'higher', unit: 'number', failed: 'leave-out' },
    ]),
  ),
)

/** Everything that is measured of an episode. */
export const metrics: Readonly<Record<string, Metric>> = {
  score: { title: 'Score', better: 'higher', unit: 'percent', failed: 'zero', appliesTo: () => true },
  right: { title: 'Right as published', better: 'higher', unit: 'percent', failed: 'zero' },
  chance: {
    title: 'Chance',
    better: 'higher',
    unit: 'percent',
    failed: 'leave-out',
    appliesTo: ({ type }) => type !== undefined && isChoiceType(type),
  },
  frequent: { title: 'Most frequent answer', better: 'higher', unit: 'percent', failed: 'leave-out' },
  blind: { title: 'Answer from the words alone', better: 'higher', unit: 'percent', failed: 'leave-out' },
  map: { title: 'Distances on the map', better: 'higher', unit: 'percent', failed: 'leave-out' },
  ...binMetrics,
  pictures: usageMetric('Pictures seen'),
  moves: usageMetric('Moves'),
  meters: usageMetric('Metres walked'),
  blocked: usageMetric('Moves that met an obstacle'),
  unreadable: usageMetric('Replies that could not be read'),
}

const LEVELS_SECTION = 'Levels of relative direction'
const USAGE_SECTION = 'What it took'
const MAP_SECTION = 'Cognitive map: distances within one cell, by true distance (n: pairs)'

/**
 * The mean over the eight types is called overall only when all eight are there, with all levels of direction; otherwise
 * it is a partial mean, which cannot be compared with published ones.
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
        note: `Not comparable with published overall scores: ${missing.join(', ')} missing.`,
      }),
    },
    ...types.map(({ type, ...numbers }) => row(type, TYPE_TITLES[type], numbers)),
  ]
  for (const level of DIRECTION_TYPES) {
    const numbers = levelNumbers(means, level, {})
    if (numbers.n > 0) rows.push({ ...row(level, TYPE_TITLES[level], numbers), section: LEVELS_SECTION })
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

/** What a published overall has and this one does not, in words. */
function missingTypes(types: readonly { type: OverallType }[], means: Means): string[] {
  const absent: (OverallType | DirectionType)[] = OVERALL_TYPES.filter(
    (type) => !types.some((each) => each.type === type),
  )
  if (!absent.includes('object_rel_direction'))
    absent.push(...DIRECTION_TYPES.filter((level) => !hasType(means, level)))
  return absent.map((type) => TYPE_TITLES[type])
}

/** lmms-eval prints a fraction with so many decimals. */
const LMMS_DECIMALS = 6

/** The mean of the types by the rule of each published evaluator, which are one rule where nothing is missing. */
function overallOf(profile: Profile, types: readonly ({ type: OverallType } & Numbers)[], means: Means): number | null {
  // The official code joins the levels of direction only where there is an easy one; else each is a term of its own.
  const apart = profile === 'official' && !hasType(means, 'object_rel_direction_easy')
  const terms = types.flatMap(({ type, value }) =>
    apart && type === 'object_rel_direction'
      ? DIRECTION_TYPES.map((level) => means.mean('score', { type: level }))
      : [value],
  )
  const overall = meanOf(terms)
  return overall === null || profile !== 'lmms-eval' ? overall : Number(overall.toFixed(LMMS_DECIMALS))
}

function hasType(means: Means, type: string): boolean {
  return means.count('score', { type }) > 0
}

/** Means over types: of the scores, and of what can be had without looking. */
function meansOver(types: readonly Numbers[]): Pick<Numbers, 'value' | 'constant' | 'blind'> {
  return {
    value: meanOf(types.map(({ value }) => value)),
    constant: meanOf(types.map(({ constant }) => constant)),
    blind: meanOf(types.map(({ blind }) => blind)),
  }
}

/** The publishers ask for both numbers: on all questions, and on those that cannot be answered without looking. */
function debiasedRow(means: Means): SummaryRow {
  const where = { pruned: 'no' }
  const types = typesIn(means, where)
  const complete = types.length === OVERALL_TYPES.length
  return {
    ...row('debiased', complete ? 'Overall, debiased' : `Mean of ${types.length} of 8 types, debiased`, {
      ...meansOver(types),
      n: means.count('score', where),
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

const USAGE_ROWS = [
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
    ...meansOver(levels),
    n: levels.reduce((sum, { n }) => sum + n, 0),
    chance: meanOf(levels.map(({ chance }) => chance)),
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
