/** The table of a run. Rows pooled over slots state their counts in a note. */
import { mean, type Means, type Metric, type ScoringContext, type Summary, type SummaryRow } from '../../suite.ts'
import { CONVENTIONS } from './domain/coords.ts'
import {
  numberMetric,
  type Labels,
  metricRow,
  publishedOverall,
  type Ratio,
  ratio,
  percentMetric,
  countText,
} from './domain/figures.ts'
import type { Profile } from './domain/profiles.ts'
import { shortName, type SlotKind, slotKinds, type Template, TEMPLATES } from './domain/templates.ts'
import { LEVEL_NAMES } from './samples/clips/levels.ts'
import { publishedMetrics, publishedSummary } from './published/summary.ts'

const TEMPLATE_OF = new Map<string, Template>(TEMPLATES.map((template) => [shortName(template), template]))

const hasWindows = (labels: Labels): boolean => Number(labels['windows'] ?? 0) > 0
const hasKind =
  (kind: 'object' | 'area') =>
  (labels: Labels): boolean => {
    const template = TEMPLATE_OF.get(labels['template'] ?? '')
    return template !== undefined && slotKinds(template).includes(kind)
  }

const CONVENTION_METRICS = Object.fromEntries(
  CONVENTIONS.map((name) => [`coords.${name}`, percentMetric(`Spatial, if points were ${name}`)]),
)

export const metrics: Readonly<Record<string, Metric>> = {
  intent: percentMetric('Intent, by text match'),
  'intent.judge': percentMetric('Intent, by judge'),
  'judge.silent': percentMetric('No score from the judge', { failed: 'leave-out', better: 'lower' }),
  spatial: percentMetric('Spatial'),
  'spatial.object': percentMetric('Spatial, objects', { appliesTo: hasKind('object') }),
  'spatial.area': percentMetric('Spatial, areas', { appliesTo: hasKind('area') }),
  temporal: percentMetric('Temporal', { appliesTo: hasWindows }),
  joint: percentMetric('Place and moment correct', { appliesTo: hasWindows }),
  'joint.clip': percentMetric('Whole clip correct', { appliesTo: hasWindows }),
  'temporal.unresolved': numberMetric('Slots without a time window'),
  'temporal.distance': { ...numberMetric('Moments: error, ms'), better: 'lower' },
  'temporal.overlap': percentMetric('Moments: overlap of time ranges', { failed: 'leave-out' }),
  'area.near': percentMetric('Areas: within 50 units, as published', { appliesTo: hasKind('area') }),
  'area.pixels': numberMetric('Areas: error, pixels'),
  'area.diagonal': percentMetric('Areas: error, % of diagonal', { failed: 'leave-out', better: 'lower' }),
  'area.within100': percentMetric('Areas: within 100 pixels', { failed: 'leave-out' }),
  'area.hull': numberMetric('Areas: hull error, pixels'),
  ...CONVENTION_METRICS,
  pairing: percentMetric('Spatial, with the best pairing'),
  leftOut: numberMetric('Clips left out: not answerable from these frames'),
  'heard.hits': numberMetric('Moments in the words of the transcriber', 'higher'),
  'heard.windows': numberMetric('Windows from the words of the transcriber', 'higher'),
  'heard.error': percentMetric('Transcriber: characters wrong', { failed: 'leave-out', better: 'lower' }),
  'heard.none': percentMetric('Transcriber: nothing heard', { failed: 'leave-out', better: 'lower' }),
  repaired: percentMetric('Replies with repaired JSON', { failed: 'leave-out', better: 'lower' }),
  ...publishedMetrics,
}

/** Pools a per-clip share over slots, from the means of clips with the same number of slots. */
function pooled(means: Means, metric: string, label: 'slots' | 'windows', where: Labels = {}): Ratio {
  let hits = 0
  let of = 0
  for (const value of means.values(label)) {
    const size = Number(value)
    if (!(size > 0)) continue
    const filter = { ...where, [label]: value }
    const clips = means.count(metric, filter)
    hits += (means.mean(metric, filter) ?? 0) * clips * size
    of += clips * size
  }
  return { hits, of }
}

/** A pooled share as a row, with its counts as a note. */
function pooledRow(
  means: Means,
  metric: string,
  label: 'slots' | 'windows',
  more: Partial<SummaryRow> = {},
  where: Labels = {},
): SummaryRow {
  const own = pooled(means, metric, label, where)
  return {
    key: metric,
    title: metrics[metric]!.title,
    value: ratio(own),
    n: means.count(metric, where),
    unit: 'percent',
    better: 'higher',
    note: countText(own, label === 'slots' ? 'slots' : 'slots with a window'),
    ...more,
  }
}

/** Pools one kind of slot over clips; the template determines how many a clip has. */
function ofKind(means: Means, kind: SlotKind): Ratio {
  let hits = 0
  let of = 0
  for (const [template, full] of TEMPLATE_OF) {
    const slots = slotKinds(full).filter((each) => each === kind).length
    const clips = means.count(`spatial.${kind}`, { template })
    hits += (means.mean(`spatial.${kind}`, { template }) ?? 0) * clips * slots
    of += clips * slots
  }
  return { hits, of }
}

export function summary(means: Means, { profile }: Pick<ScoringContext<unknown, Profile>, 'profile'>): Summary {
  return profile === 'seed' ? seedSummary(means) : publishedSummary(means, profile)
}

function row(means: Means, key: string, more: Partial<SummaryRow> = {}): SummaryRow[] {
  return metricRow(means, key, metrics[key]!, more)
}

/** The sum and count behind a mean over clips, as text. */
function clipSum(means: Means, metric: string, where: Labels = {}): string {
  const of = means.count(metric, where)
  return countText({ hits: (means.mean(metric, where) ?? 0) * of, of }, 'clips')
}

interface Dimensions {
  intent: number | null
  spatial: Ratio
  temporal: Ratio
}

/** The mean of three dimensions, or of two if time was not measured or is 0. */
function overallOf({ intent, spatial, temporal }: Dimensions): number | null {
  const where = ratio(spatial)
  return intent === null || where === null ? null : publishedOverall(intent, where, ratio(temporal) ?? 0)
}

/** The mean of all measured dimensions, including those that are 0. */
function strictOverall({ intent, spatial, temporal }: Dimensions): number | null {
  const measured = [intent, ratio(spatial), ratio(temporal)].filter((value) => value !== null)
  return mean(measured, null)
}

function seedSummary(means: Means): Summary {
  const judged = means.metrics().includes('intent.judge')
  const intentKey = judged ? 'intent.judge' : 'intent'
  const dimensions = (where: Labels = {}): Dimensions => ({
    intent: means.mean(intentKey, where),
    spatial: pooled(means, 'spatial', 'slots', where),
    temporal: pooled(means, 'temporal', 'windows', where),
  })
  const all = dimensions()
  const n = means.count('spatial')
  const percent = { unit: 'percent', better: 'higher' } as const
  const by = judged ? 'intent by judge' : 'intent by text match'
  const rows: SummaryRow[] = [
    {
      key: 'overall',
      title: 'Overall',
      value: overallOf(all),
      n,
      ...percent,
      note: `${by}; as published, a temporal score of 0 is excluded from the mean`,
    },
    {
      key: 'overall.strict',
      title: 'Overall, all measured',
      value: strictOverall(all),
      n,
      ...percent,
      note: by,
    },
    ...row(means, 'intent', {
      note: `${clipSum(means, 'intent')}; slot names found in the answer, without a model`,
    }),
    ...(judged ? row(means, 'intent.judge', { note: clipSum(means, 'intent.judge') }) : []),
    ...(means.mean('judge.silent') ? row(means, 'judge.silent', { note: clipSum(means, 'judge.silent') }) : []),
    pooledRow(means, 'spatial', 'slots'),
    pooledRow(means, 'temporal', 'windows'),
    pooledRow(means, 'joint', 'windows'),
    ...row(means, 'joint.clip', { note: clipSum(means, 'joint.clip') }),
  ]
  const templates = means.values('template').toSorted()
  const overalls = templates.flatMap((template) => overallOf(dimensions({ template })) ?? [])
  if (overalls.length > 1) {
    rows.push({ key: 'overall.macro', title: 'Overall, mean of templates', value: mean(overalls), n, ...percent })
  }
  for (const template of templates) rows.push(...templateRows(means, template, dimensions({ template })))
  for (const dataset of means.values('dataset').length > 1 ? means.values('dataset') : []) {
    const titles = { key: `dataset.${dataset}`, title: `${dataset}: spatial`, section: 'Datasets' }
    rows.push(pooledRow(means, 'spatial', 'slots', titles, { dataset }))
  }
  for (const kind of ['object', 'area'] as const) {
    const own = ofKind(means, kind)
    if (own.of > 0)
      rows.push(
        ...row(means, `spatial.${kind}`, { value: ratio(own), section: 'Details', note: countText(own, 'slots') }),
      )
  }
  const details = ['area.near', 'area.pixels', 'area.diagonal', 'area.within100', 'area.hull']
  for (const key of [...details, 'temporal.distance', 'temporal.overlap', 'temporal.unresolved'])
    rows.push(...row(means, key, { section: 'Details' }))
  for (const key of [...CONVENTIONS.map((name) => `coords.${name}`), 'pairing'])
    rows.push(pooledRow(means, key, 'slots', { section: 'What if' }))
  rows.push(...row(means, 'repaired', { section: 'What if' }))
  rows.push(...heardRows(means), ...levelRows(means), ...leftOutRow(means))
  return { headline: 'overall', rows, success: 'spatial' }
}

/** What follows from the words of a transcriber, pooled over slots: not part of the headline, as they are not checked. */
function heardRows(means: Means): SummaryRow[] {
  const n = means.count('heard.windows')
  if (n === 0) return []
  const section = 'Transcriber'
  const total = (key: string): number => Math.round((means.mean(key) ?? 0) * means.count(key))
  const moments = { hits: total('heard.hits'), of: total('heard.windows') }
  return [
    {
      key: 'heard.temporal',
      title: 'Temporal, by the words of the transcriber',
      value: moments.of === 0 ? null : moments.hits / moments.of,
      n,
      unit: 'percent',
      better: 'higher',
      note: countText(moments, 'slots with a window'),
      section,
    },
    ...row(means, 'heard.error', { section }),
    ...row(means, 'heard.none', { section }),
  ]
}

/** The curve over difficulty, if the run has several levels. */
function levelRows(means: Means): SummaryRow[] {
  const levels = LEVEL_NAMES.filter((level) => means.count('spatial', { level }) > 0)
  if (levels.length < 2) return []
  return levels.flatMap((level) =>
    (
      [
        ['spatial', 'slots'],
        ['temporal', 'windows'],
      ] as const
    ).map(([metric, label]) => {
      const title = `${metrics[metric]!.title} at level ${level}`
      const titles = { key: `level.${metric}.${level}`, title, section: 'Levels' }
      return pooledRow(means, metric, label, titles, { level })
    }),
  )
}

/** How many clips were left out of the run. */
function leftOutRow(means: Means): SummaryRow[] {
  const n = means.count('leftOut')
  const value = (means.mean('leftOut') ?? 0) * n
  return metricRow(means, 'leftOut', metrics['leftOut']!, { value, section: 'Details' })
}

function templateRows(means: Means, template: string, dimensions: Dimensions): SummaryRow[] {
  const where = { template }
  const titles = (name: string) => ({
    key: `${template}.${name}`,
    title: `${template}: ${name}`,
    section: 'Templates',
    cell: { row: template, column: name },
  })
  const clips = { n: means.count('spatial', where), unit: 'percent', better: 'higher' } as const
  return [
    { ...titles('overall'), value: overallOf(dimensions), ...clips },
    { ...titles('intent'), value: dimensions.intent, ...clips },
    pooledRow(means, 'spatial', 'slots', titles('spatial'), where),
    ...(dimensions.temporal.of === 0 ? [] : [pooledRow(means, 'temporal', 'windows', titles('temporal'), where)]),
  ]
}
