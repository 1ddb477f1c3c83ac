/** The table of a run: nine tasks, what exploring cost and found, what the maps were worth, what was revised. */
import type { Means, Metric, Summary, SummaryRow } from '../../suite.ts'
import { aboveGuessing } from './domain/answers/reference.ts'
import { TASK_NAMES } from './domain/answers/question.ts'
import { CURVE_COSTS } from './score.ts'
import { TASK_TITLES } from './domain/answers/titles.ts'

interface Measure {
  key: string
  title: string
  unit: 'percent' | 'number'
  better: 'higher' | 'lower'
  failed?: Metric['failed']
  note?: string
}

const share = (key: string, title: string, note?: string): Measure => ({
  key,
  title,
  unit: 'percent',
  better: 'higher',
  ...(note === undefined ? {} : { note }),
})
const amount = (key: string, title: string, note?: string): Measure => ({
  key,
  title,
  unit: 'number',
  better: 'lower',
  failed: 'leave-out',
  ...(note === undefined ? {} : { note }),
})

const EXPLORATION: readonly Measure[] = [
  amount('cost', 'Cost', 'an Observe costs 1, a Query 2'),
  amount('steps', 'Turns'),
  share('coverage.nodes', 'Objects and doors seen'),
  share('coverage.edges', 'Pairs seen'),
  share('information', 'Information', 'how far the views narrow down where things are: 100 is one place for each'),
  { ...share('failed', 'Turns with a failed action'), better: 'lower', failed: 'leave-out' },
  { ...share('invalid', 'Replies that were not understood'), better: 'lower', failed: 'leave-out' },
]

const ANSWERING: readonly Measure[] = [
  share('exact', 'Exactly right'),
  { ...share('format', 'Not in the asked form'), better: 'lower', failed: 'leave-out' },
]

const BELIEF: readonly Measure[] = [
  share('map.correctness.facing', 'Correctness, facing', 'the last map, against the whole scene'),
  share('map.correctness.position', 'Correctness, position'),
  share('map.correctness.overall', 'Correctness, overall'),
  share('map.perception.facing', 'Perception, facing', 'local maps, what came into view for the first time'),
  share('map.perception.position', 'Perception, position'),
  share('map.consistency.facing', 'Local and global agree, facing'),
  share('map.consistency.position', 'Local and global agree, position'),
  share('map.stability.facing', 'Stability, facing'),
  share('map.stability.position', 'Stability, position'),
  share('map.selfTracking.facing', 'Self-tracking, facing'),
  share('map.selfTracking.position', 'Self-tracking, position'),
  share('map.rooms.overall', 'Rooms map, overall'),
  share('map.uncertainty.f1', 'Uncertainty, F1', 'naming every candidate as unexplored scores about 67'),
  share('map.uncertainty.balancedAccuracy', 'Uncertainty, balanced accuracy', '50 is guessing'),
  { ...share('map.formatError', 'Replies without a map'), better: 'lower', failed: 'leave-out' },
]

const REVISION: readonly Measure[] = [
  amount('revision.cost', 'Cost'),
  amount('revision.redundantCost', 'Cost after all changes were seen'),
  share('revision.identification.f1', 'Changes identified, F1'),
  share('revision.identification.position', 'Moved objects identified, F1'),
  share('revision.identification.facing', 'Turned objects identified, F1'),
  share('revision.belief.position', 'Belief about moved objects'),
  share('revision.belief.facing', 'Belief about turned objects'),
  share('revision.final.overall', 'Last map, overall'),
  { ...share('revision.inertia.position', 'Inertia, position'), better: 'lower', failed: 'leave-out' },
  { ...share('revision.inertia.facing', 'Inertia, facing'), better: 'lower', failed: 'leave-out' },
]

const CURVES: readonly Measure[] = [
  ...CURVE_COSTS.map((cost) => share(`curve.information.${cost}`, `Information at cost ${cost}`)),
  ...CURVE_COSTS.map((cost) => share(`curve.nodes.${cost}`, `Objects and doors seen at cost ${cost}`)),
]

const SECTIONS: readonly (readonly [string, readonly Measure[]])[] = [
  ['Answers', ANSWERING],
  ['Exploration', EXPLORATION],
  ['Cost curves', CURVES],
  ['Belief', BELIEF],
  ['Revision', REVISION],
]

const MOMENTS = ['map', 'accuracy', 'map2', 'accuracy2', 'both'] as const

const LINES = ['chance', 'constant', 'ceiling'] as const

export const metrics: Readonly<Record<string, Metric>> = Object.fromEntries([
  ...TASK_NAMES.flatMap((task): [string, Metric][] => [
    [task, { title: TASK_TITLES[task], better: 'higher', unit: 'percent', failed: 'zero' }],
    ...LINES.map((line): [string, Metric] => [
      `${task}.${line}`,
      { title: `${TASK_TITLES[task]}, ${line}`, better: 'higher', unit: 'percent', failed: 'leave-out' },
    ]),
  ]),
  ...MOMENTS.map((name): [string, Metric] => [
    `moment.${name}`,
    { title: name, better: 'higher', unit: 'number', failed: 'leave-out' },
  ]),
  ...SECTIONS.flatMap(([, measures]) =>
    measures.map(({ key, title, unit, better, failed = 'zero' }): [string, Metric] => [
      key,
      { title, unit, better, failed },
    ]),
  ),
])

export function summary(means: Means): Summary {
  const tasks = TASK_NAMES.filter((task) => means.count(task) > 0)
  const taskRows = tasks.map((task): SummaryRow => ({
    key: task,
    title: TASK_TITLES[task],
    value: means.mean(task),
    n: means.count(task),
    unit: 'percent',
    better: 'higher',
    section: 'Tasks',
    ...Object.fromEntries(LINES.map((line) => [line, means.mean(`${task}.${line}`)])),
  }))
  const measured = SECTIONS.flatMap(([section, measures]) =>
    measures.flatMap(({ key, title, unit, better, note }): SummaryRow[] => {
      const n = means.count(key)
      if (n === 0) return []
      return [{ key, title, value: means.mean(key), n, unit, better, section, ...(note === undefined ? {} : { note }) }]
    }),
  )
  return {
    headline: 'accuracy',
    success: 'exact',
    rows: [accuracy(taskRows), aboveGuessingRow(taskRows), ...taskRows, ...measured, ...correlation(means)],
  }
}

/** Do scenes with a better last map get better answers? Pearson's r over scenes, from means. */
function correlation(means: Means): SummaryRow[] {
  const [map, accuracy, map2, accuracy2, both] = MOMENTS.map((name) => means.mean(`moment.${name}`))
  if (map == null || accuracy == null || map2 == null || accuracy2 == null || both == null) return []
  const spread = Math.sqrt((map2 - map * map) * (accuracy2 - accuracy * accuracy))
  return [
    {
      key: 'map.correlation',
      title: 'Correlation of the last map with accuracy',
      // Below this the spread is rounding: every scene scored the same.
      value: spread > 1e-9 ? (both - map * accuracy) / spread : null,
      n: means.count('moment.map'),
      unit: 'number',
      better: 'higher',
      section: 'Belief',
    },
  ]
}

/** The mean over tasks of how far a score is from guessing to a perfect map. */
function aboveGuessingRow(rows: readonly SummaryRow[]): SummaryRow {
  const shares = rows.flatMap(({ value, chance, constant, ceiling }) => {
    if (value === null || !ceiling) return []
    const lines = { chance: chance ?? 0, constant: constant ?? 0, ceiling }
    return ceiling > Math.max(lines.chance, lines.constant) ? [aboveGuessing(value, lines)] : []
  })
  return {
    key: 'above',
    title: 'Above guessing',
    value: shares.length === 0 ? null : shares.reduce((sum, share) => sum + share, 0) / shares.length,
    n: Math.max(0, ...rows.map(({ n }) => n)),
    unit: 'percent',
    better: 'higher',
    note: '0 is the better of chance and the best constant answer, 100 is what a perfect map can expect',
  }
}

/** The mean of the task means, lines included. */
function accuracy(rows: readonly SummaryRow[]): SummaryRow {
  const mean = (of: (row: SummaryRow) => number | null | undefined): number | null => {
    const values = rows.map(of).filter((value) => typeof value === 'number')
    return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length
  }
  const complete = rows.length === TASK_NAMES.length
  return {
    key: 'accuracy',
    title: complete ? 'Accuracy' : 'Accuracy (some tasks)',
    value: mean(({ value }) => value),
    n: Math.max(0, ...rows.map(({ n }) => n)),
    unit: 'percent',
    better: 'higher',
    chance: mean(({ chance }) => chance),
    constant: mean(({ constant }) => constant),
    ceiling: mean(({ ceiling }) => ceiling),
    note: complete
      ? 'mean of the nine task means'
      : `mean of ${rows.length} of nine task means: not comparable with the published average`,
  }
}
