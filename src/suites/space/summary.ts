/** The report table: nine tasks, exploration, maps and revision. */
import {
  correlationP,
  floorOf,
  type Means,
  type Metric,
  type Summary,
  type SummaryContext,
  type SummaryRow,
} from '../../suite.ts'
import { aboveGuessing } from './domain/answers/reference.ts'
import { TASK_NAMES } from './domain/answers/question.ts'
import { CURVE_COSTS } from './score.ts'
import { isConstantScored } from './score/record.ts'
import { TASK_TITLES } from './domain/answers/titles.ts'
import type { Profile } from './domain/profile.ts'
import { ERROR_ORIGINS } from './score/error-origins.ts'

interface MetricRow {
  key: string
  title: string
  unit: 'percent' | 'number'
  better: 'higher' | 'lower'
  failed?: Metric['failed']
  note?: string
}

const percentRow = (key: string, title: string, note?: string): MetricRow => ({
  key,
  title,
  unit: 'percent',
  better: 'higher',
  ...(note === undefined ? {} : { note }),
})
const numberRow = (key: string, title: string, note?: string): MetricRow => ({
  key,
  title,
  unit: 'number',
  better: 'lower',
  failed: 'leave-out',
  ...(note === undefined ? {} : { note }),
})

const EXPLORATION: readonly MetricRow[] = [
  numberRow('cost', 'Cost', 'Observe costs 1, Query 2'),
  numberRow('steps', 'Turns'),
  percentRow('coverage.nodes', 'Objects and doors seen'),
  percentRow('coverage.edges', 'Pairs seen'),
  percentRow('information', 'Information', 'how far the views narrow down positions; 100: one possible position each'),
  { ...percentRow('failed', 'Turns with a failed action'), better: 'lower', failed: 'leave-out' },
  { ...percentRow('invalid', 'Invalid replies'), better: 'lower', failed: 'leave-out' },
  {
    ...percentRow(
      'stop.missed',
      'Missed by stopping',
      'share of objects and doors that one more look, at the best place, would have shown for the first time',
    ),
    better: 'lower',
    failed: 'leave-out',
  },
  numberRow('stop.idle', 'Cost after the last new object'),
]

const ANSWERS: readonly MetricRow[] = [
  percentRow('exact', 'Exact answers'),
  { ...percentRow('format', 'Format errors'), better: 'lower', failed: 'leave-out' },
]

const BELIEF: readonly MetricRow[] = [
  percentRow(
    'map.correctness.facing',
    'Correctness, facing',
    'last map against the whole scene; constant: everything at the start, facing north',
  ),
  percentRow('map.correctness.position', 'Correctness, position'),
  percentRow('map.correctness.overall', 'Correctness, overall'),
  percentRow('map.perception.facing', 'Perception, facing', 'local maps, objects seen for the first time'),
  percentRow('map.perception.position', 'Perception, position'),
  percentRow('map.consistency.facing', 'Consistency, facing', 'local against global map of the same turn'),
  percentRow('map.consistency.position', 'Consistency, position'),
  percentRow('map.stability.facing', 'Stability, facing'),
  percentRow('map.stability.position', 'Stability, position'),
  percentRow('map.selfTracking.facing', 'Self-tracking, facing'),
  percentRow('map.selfTracking.position', 'Self-tracking, position'),
  percentRow('map.rooms.overall', 'Rooms map, overall'),
  percentRow('map.uncertainty.f1', 'Uncertainty, F1', 'constant: naming every cell'),
  percentRow('map.uncertainty.balancedAccuracy', 'Uncertainty, balanced accuracy'),
  { ...percentRow('map.formatError', 'Map format errors'), better: 'lower', failed: 'leave-out' },
]

const REVISION: readonly MetricRow[] = [
  numberRow('revision.cost', 'Cost'),
  numberRow('revision.redundantCost', 'Redundant cost', 'spent after all changes had been seen'),
  percentRow('revision.identification.f1', 'Changes identified, F1', 'constant: every object as moved and as turned'),
  percentRow('revision.identification.position', 'Moved objects identified, F1'),
  percentRow('revision.identification.facing', 'Turned objects identified, F1'),
  percentRow('revision.belief.position', 'Belief about moved objects'),
  percentRow('revision.belief.facing', 'Belief about turned objects'),
  percentRow('revision.final.overall', 'Last map, overall'),
  { ...percentRow('revision.inertia.position', 'Inertia, position'), better: 'lower', failed: 'leave-out' },
  { ...percentRow('revision.inertia.facing', 'Inertia, facing'), better: 'lower', failed: 'leave-out' },
]

const SINGLE: readonly MetricRow[] = [
  percentRow('single.position', 'Position', 'maps of single views, each in a conversation of its own'),
  percentRow('single.facing', 'Facing'),
  percentRow('single.near', 'In the right cell, up to 2 cells away'),
  percentRow('single.mid', 'In the right cell, 2 to 4 cells away'),
  percentRow('single.far', 'In the right cell, farther away'),
]

/** As many as the option allows. */
const ROUNDS = [1, 2, 3, 4, 5]

const CHANGES: readonly MetricRow[] = [
  ...ROUNDS.map((round) => percentRow(`changes.f1.${round}`, `Changes identified, F1, at change ${round}`)),
  ...ROUNDS.map((round) => percentRow(`changes.belief.${round}`, `Last map, overall, at change ${round}`)),
  ...ROUNDS.map((round) => numberRow(`changes.cost.${round}`, `Cost at change ${round}`)),
]

const CURVES: readonly MetricRow[] = [
  ...CURVE_COSTS.map((cost) => percentRow(`curve.information.${cost}`, `Information at cost ${cost}`)),
  ...CURVE_COSTS.map((cost) => percentRow(`curve.nodes.${cost}`, `Objects and doors seen at cost ${cost}`)),
  ...CURVE_COSTS.map((cost) => percentRow(`curve.map.${cost}`, `Map correctness at cost ${cost}`)),
]

const ORIGIN_TITLES = {
  perception: 'Wrong from the first map on',
  overwritten: 'Right before, overwritten',
  forgotten: 'On a map before, forgotten',
  unmapped: 'Seen, on no map',
} as const

const ORIGINS: readonly MetricRow[] = ERROR_ORIGINS.map((origin) => ({
  ...percentRow(`origin.${origin}`, ORIGIN_TITLES[origin]),
  better: 'lower',
  failed: 'leave-out',
}))

const SECTIONS: readonly (readonly [string, readonly MetricRow[]])[] = [
  ['Answers', ANSWERS],
  ['Exploration', EXPLORATION],
  ['Cost curves', CURVES],
  ['Belief', BELIEF],
  ['Where errors of the last map entered (share of everything seen)', ORIGINS],
  ['Revision', REVISION],
  ['Successive changes', CHANGES],
  ['Perception alone: single views', SINGLE],
]

/** Rows whose constant line is measured: the score of a reply that needs no look at the scene. */
const WITH_CONSTANT = [...BELIEF, ...REVISION].filter(({ key }) => isConstantScored(key))

/** Chance where it does not depend on the scene. */
const CHANCE: Readonly<Record<string, number>> = { 'map.uncertainty.balancedAccuracy': 0.5 }

/** The position inertia of an episode as a sum and a count: the published code pools objects over all scenes. */
const POOLED = ['inertia.sum', 'inertia.count'] as const

/** Of an episode: what the correlation between map and answers is computed from. */
const MOMENT_TITLES = {
  map: 'Map correctness, for the correlation',
  accuracy: 'Answers, for the correlation',
  map2: 'Map correctness squared, for the correlation',
  accuracy2: 'Answers squared, for the correlation',
  both: 'Map correctness times answers, for the correlation',
  'inertia.sum': 'Position inertia, sum over objects',
  'inertia.count': 'Position inertia, number of objects',
} as const

const MOMENTS = ['map', 'accuracy', 'map2', 'accuracy2', 'both'] as const

const REFERENCE_SCORES = ['chance', 'constant', 'ceiling'] as const

export const metrics: Readonly<Record<string, Metric>> = Object.fromEntries([
  ...TASK_NAMES.flatMap((task): [string, Metric][] => [
    [task, { title: TASK_TITLES[task], better: 'higher', unit: 'percent', failed: 'zero' }],
    ...REFERENCE_SCORES.map((line): [string, Metric] => [
      `${task}.${line}`,
      { title: `${TASK_TITLES[task]}, ${line}`, better: 'higher', unit: 'percent', failed: 'leave-out' },
    ]),
  ]),
  ...[...MOMENTS, ...POOLED].map((name): [string, Metric] => [
    `moment.${name}`,
    { title: MOMENT_TITLES[name], better: 'higher', unit: 'number', failed: 'leave-out' },
  ]),
  ...WITH_CONSTANT.map(({ key, title }): [string, Metric] => [
    `${key}.constant`,
    { title: `${title}, constant`, better: 'higher', unit: 'percent', failed: 'leave-out' },
  ]),
  ...SECTIONS.flatMap(([, measures]) =>
    measures.map(({ key, title, unit, better, failed = 'zero' }): [string, Metric] => [
      key,
      { title, unit, better, failed },
    ]),
  ),
])

export function summary(
  means: Means,
  { blind = {}, profile }: Partial<Pick<SummaryContext<unknown, Profile>, 'blind' | 'profile'>> = {},
): Summary {
  const tasks = TASK_NAMES.filter((task) => means.count(task) > 0)
  const taskRows = tasks.map((task): SummaryRow => ({
    key: task,
    title: TASK_TITLES[task],
    value: means.mean(task),
    n: means.count(task),
    unit: 'percent',
    better: 'higher',
    section: 'Tasks',
    ...Object.fromEntries(
      REFERENCE_SCORES.flatMap((line) =>
        means.count(`${task}.${line}`) > 0 ? [[line, means.mean(`${task}.${line}`)]] : [],
      ),
    ),
  }))
  const measured = SECTIONS.flatMap(([section, measures]) =>
    measures.flatMap(({ key, title, unit, better, note }): SummaryRow[] => {
      const n = means.count(key)
      if (n === 0) return []
      return [
        {
          key,
          title,
          value: key === 'revision.inertia.position' && profile === 'upstream' ? pooledInertia(means) : means.mean(key),
          n,
          unit,
          better,
          section,
          ...(note === undefined ? {} : { note }),
          ...(means.count(`${key}.constant`) > 0 ? { constant: means.mean(`${key}.constant`) } : {}),
          ...(key in CHANCE ? { chance: CHANCE[key]! } : {}),
        },
      ]
    }),
  )
  return {
    headline: 'accuracy',
    success: 'exact',
    rows: [
      accuracy(taskRows),
      aboveGuessingRow(taskRows, blind),
      ...taskRows,
      ...groupRows(taskRows),
      ...measured,
      ...pooledRow(means, profile),
      ...correlation(means),
    ],
  }
}

/** The paper's two kinds of belief. Perspective decision and the tasks before it are read off a route. */
const TASK_GROUPS = {
  route: { title: 'Route', tasks: ['dir', 'pov', 'bwd_pov_text', 'fwd_fov', 'bwd_nav_text'] },
  survey: { title: 'Survey', tasks: ['e2a', 'rot', 'fwd_loc', 'bwd_loc_text'] },
} as const

/** Means of the task means of a group, where all its tasks were asked. */
function groupRows(rows: readonly SummaryRow[]): SummaryRow[] {
  return Object.entries(TASK_GROUPS).flatMap(([key, { title, tasks }]) => {
    const own = rows.filter((row) => tasks.some((task) => task === row.key))
    return own.length < tasks.length
      ? []
      : [{ ...meanRow(own), key, title, section: 'Belief on route and survey', note: `mean of ${own.length} tasks` }]
  })
}

/** Beside the mean over episodes: over all moved objects, as published. */
function pooledRow(means: Means, profile: Profile | undefined): SummaryRow[] {
  const value = pooledInertia(means)
  const n = means.count('moment.inertia.sum')
  if (profile === 'upstream' || n === 0) return []
  const title = 'Inertia, position, pooled over objects'
  return [{ key: 'revision.inertia.pooled', title, value, n, unit: 'percent', better: 'lower', section: 'Revision' }]
}

function pooledInertia(means: Means): number | null {
  const [sum, count] = POOLED.map((name) => means.mean(`moment.${name}`))
  return sum == null || !count ? means.mean('revision.inertia.position') : sum / count
}

/** Pearson's r over episodes between the last map and accuracy, from means. */
function correlation(means: Means): SummaryRow[] {
  const [map, accuracy, map2, accuracy2, both] = MOMENTS.map((name) => means.mean(`moment.${name}`))
  if (map == null || accuracy == null || map2 == null || accuracy2 == null || both == null) return []
  const spread = Math.sqrt((map2 - map * map) * (accuracy2 - accuracy * accuracy))
  // Smaller values are rounding errors: every scene scored the same.
  const value = spread > 1e-9 ? (both - map * accuracy) / spread : null
  const n = means.count('moment.map')
  const p = value === null ? null : correlationP(value, n)
  return [
    {
      key: 'map.correlation',
      title: 'Correlation of last map and accuracy',
      value,
      n,
      unit: 'number',
      better: 'higher',
      section: 'Belief',
      ...(p === null
        ? {}
        : { note: `Pearson's r over episodes, ${p < 0.001 ? 'p < 0.001' : `p = ${p.toFixed(3)}`} (two-sided)` }),
    },
  ]
}

/** Mean over tasks of the score rescaled from guessing (0) to a perfect map (1). */
function aboveGuessingRow(rows: readonly SummaryRow[], blind: Readonly<Record<string, number>>): SummaryRow {
  const shares = rows.flatMap(({ key, value, chance, constant, ceiling }) => {
    if (value === null || !ceiling) return []
    const guessing = floorOf({ chance, constant, blind: blind[key] }) ?? 0
    return ceiling > guessing ? [aboveGuessing(value, guessing, ceiling)] : []
  })
  return {
    key: 'above',
    title: 'Above guessing',
    value: shares.length === 0 ? null : shares.reduce((sum, share) => sum + share, 0) / shares.length,
    n: Math.max(0, ...rows.map(({ n }) => n)),
    unit: 'percent',
    better: 'higher',
    note: '0: the best of chance, a constant answer and words alone; 100: expected score of a perfect map',
  }
}

/** Mean over rows, of the score and of its reference scores. */
function meanRow(rows: readonly SummaryRow[]): Omit<SummaryRow, 'key' | 'title'> {
  const mean = (of: (row: SummaryRow) => number | null | undefined): number | null => {
    const values = rows.map(of).filter((value) => typeof value === 'number')
    return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length
  }
  return {
    value: mean(({ value }) => value),
    n: Math.max(0, ...rows.map(({ n }) => n)),
    unit: 'percent',
    better: 'higher',
    chance: mean(({ chance }) => chance),
    constant: mean(({ constant }) => constant),
    ceiling: mean(({ ceiling }) => ceiling),
  }
}

/** The mean of the task means, with the mean reference scores. */
function accuracy(rows: readonly SummaryRow[]): SummaryRow {
  const complete = rows.length === TASK_NAMES.length
  return {
    ...meanRow(rows),
    key: 'accuracy',
    title: complete ? 'Accuracy' : 'Accuracy (some tasks)',
    note: complete
      ? 'mean of the nine task means'
      : `mean of ${rows.length} of nine task means; not comparable with the published average`,
  }
}
