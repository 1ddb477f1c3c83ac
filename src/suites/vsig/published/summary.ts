/** The tables of the published generations. Failed clips are excluded everywhere, as in the originals. */
import type { Means, Metric, Summary, SummaryRow } from '../../../suite.ts'
import { numberMetric, type Labels, metricRow, publishedOverall, percentMetric, countText } from '../domain/figures.ts'
import type { JudgedGeneration } from './scorer-v1.ts'
import type { PublishedProfile } from './scores.ts'

const LEFT_OUT = { failed: 'leave-out' } as const

export const publishedMetrics: Readonly<Record<string, Metric>> = {
  ...judgedMetrics('v0'),
  ...judgedMetrics('v1'),
  'v2.intent': percentMetric('Intent', LEFT_OUT),
  'v2.match': percentMetric('All options correct', LEFT_OUT),
  'v2.spatial': percentMetric('Spatial', LEFT_OUT),
  'v2.temporal': percentMetric('Temporal', LEFT_OUT),
  'v3.intent': percentMetric('Intent', LEFT_OUT),
  'v3.spatial': percentMetric('Spatial', LEFT_OUT),
  'v3.temporal': percentMetric('Temporal', LEFT_OUT),
  ...optionMetrics('v4'),
  ...optionMetrics('eco'),
}

function judgedMetrics(generation: JudgedGeneration): Record<string, Metric> {
  return {
    [`${generation}.intent`]: percentMetric('Intent', LEFT_OUT),
    [`${generation}.hits`]: numberMetric('Slots hit', 'higher'),
    [`${generation}.slots`]: numberMetric('Slots', 'higher'),
    [`${generation}.moments`]: numberMetric('Sum of temporal scores', 'higher'),
    [`${generation}.windows`]: numberMetric('Temporal scores', 'higher'),
    [`${generation}.text`]: numberMetric('Scores that cannot be added'),
  }
}

/** Failed clips count as 0, in the original as in ours. */
function optionMetrics(prefix: 'v4' | 'eco'): Record<string, Metric> {
  return {
    [`${prefix}.cls`]: percentMetric('Options'),
    [`${prefix}.spatial`]: percentMetric('Spatial'),
    [`${prefix}.temporal`]: percentMetric('Temporal'),
    [`${prefix}.joint`]: percentMetric('Option, place and moment correct'),
    [`${prefix}.sequence`]: percentMetric('Whole clip correct'),
  }
}

export function publishedSummary(means: Means, profile: PublishedProfile): Summary {
  switch (profile) {
    case 'upstream-v0':
      return figureTable(means, 'v0.intent', (all, where) => judgedFigures(all, where, 'v0'))
    case 'upstream-v1':
      return figureTable(means, 'v1.intent', (all, where) => judgedFigures(all, where, 'v1'))
    case 'upstream-v2':
      return figureTable(means, 'v2.match', figuresV2)
    case 'upstream-v3':
      return figureTable(means, 'v3.intent', figuresV3)
    case 'upstream-v4':
      return optionTable(means, 'v4')
    case 'ecog-v4':
      return optionTable(means, 'eco')
  }
}

function optionTable(means: Means, prefix: 'v4' | 'eco'): Summary {
  const keys = ['joint', 'sequence', 'cls', 'spatial', 'temporal'].map((name) => `${prefix}.${name}`)
  return {
    headline: `${prefix}.joint`,
    rows: [
      ...keys.flatMap((key) => metricRow(means, key, publishedMetrics[key]!)),
      ...levelRows(means, keys),
      ...means
        .values('template')
        .toSorted()
        .flatMap((template) =>
          keys.map((key): SummaryRow => {
            const { title, unit, better } = publishedMetrics[key]!
            const [value, n] = [means.mean(key, { template }), means.count(key, { template })]
            const name = `${template}: ${title}`
            return { key: `${template}.${key}`, title: name, value, n, unit, better, section: 'Templates' }
          }),
        ),
    ],
    success: `${prefix}.sequence`,
  }
}

/** The levels that the paper of the last generation reports: silent, one object, one placement, several steps. */
const LEVELS: Readonly<Record<string, readonly string[]>> = {
  L1: ['T1'],
  L2: ['T2'],
  L3: ['T3', 'T4'],
  L4: ['T5', 'T6'],
}

function levelRows(means: Means, keys: readonly string[]): SummaryRow[] {
  return Object.entries(LEVELS).flatMap(([level, templates]) =>
    keys.flatMap((key): SummaryRow[] => {
      const parts = templates.map((template) => ({
        n: means.count(key, { template }),
        mean: means.mean(key, { template }) ?? 0,
      }))
      const n = parts.reduce((sum, part) => sum + part.n, 0)
      if (n === 0) return []
      const { title, unit, better } = publishedMetrics[key]!
      const value = parts.reduce((sum, part) => sum + part.n * part.mean, 0) / n
      return [{ key: `${level}.${key}`, title: `${level}: ${title}`, value, n, unit, better, section: 'Levels' }]
    }),
  )
}

/** The value is null if it could not be computed. */
interface Figure {
  value: number | null
  note?: string
}

type Figures = Record<'overall' | 'intent' | 'spatial' | 'temporal', Figure> & { n: number }

/** The four figures over all clips, then per template. */
function figureTable(means: Means, success: string, figuresOf: (means: Means, where: Labels) => Figures): Summary {
  const rowsOf = (where: Labels, prefix: string, title: string, more: Partial<SummaryRow>): SummaryRow[] => {
    const figures = figuresOf(means, where)
    const { n } = figures
    const percent = { n, unit: 'percent', better: 'higher', ...more } as const
    // The originals give 0 for what was never measured; a resample that has no such clip at all says nothing.
    const row = (name: 'overall' | 'intent' | 'spatial' | 'temporal', heading: string): SummaryRow => ({
      key: `${prefix}${name}`,
      title: `${title}${heading}`,
      ...figures[name],
      ...(n === 0 ? { value: null } : {}),
      ...percent,
    })
    return [row('overall', 'Overall'), row('intent', 'Intent'), row('spatial', 'Spatial'), row('temporal', 'Temporal')]
  }
  const templates = means.values('template').toSorted()
  return {
    headline: 'overall',
    rows: [
      ...rowsOf({}, '', '', {}),
      ...templates.flatMap((template) =>
        rowsOf({ template }, `${template}.`, `${template}: `, { section: 'Templates' }),
      ),
    ],
    success,
  }
}

/** Pooled over slots and over the judge's scores. A single score that is no number makes the original's sums fail. */
function judgedFigures(means: Means, where: Labels, generation: JudgedGeneration): Figures {
  const total = (metric: string): number => (means.mean(metric, where) ?? 0) * means.count(metric, where)
  const slots = { hits: total(`${generation}.hits`), of: Math.round(total(`${generation}.slots`)) }
  const moments = { hits: total(`${generation}.moments`), of: Math.round(total(`${generation}.windows`)) }
  const spatial = slots.of === 0 ? 0 : slots.hits / slots.of
  const temporal = moments.of === 0 ? 0 : moments.hits / moments.of
  const intent = means.mean(`${generation}.intent`, where)
  const n = means.count(`${generation}.intent`, where)
  if (means.count(`${generation}.text`) > 0) {
    const failed = { value: null, note: 'the published code fails: the judge gave a score that is not a number' }
    return { overall: failed, intent: failed, spatial: failed, temporal: failed, n }
  }
  return {
    overall: { value: intent === null ? null : publishedOverall(intent, spatial, temporal) },
    intent: { value: intent },
    spatial: { value: spatial, note: countText(slots, 'slots of parsed clips') },
    temporal: { value: temporal, note: moments.of === 0 ? 'not measured' : countText(moments, 'scores') },
    n,
  }
}

/** Means over clips; the temporal mean only over clips that score above 0. */
function figuresV2(means: Means, where: Labels): Figures {
  const intent = means.mean('v2.intent', where)
  const spatial = means.mean('v2.spatial', where) ?? 0
  const temporal = means.mean('v2.temporal', where) ?? 0
  return {
    overall: { value: intent === null ? null : publishedOverall(intent, spatial, temporal) },
    intent: { value: intent },
    spatial: { value: spatial },
    temporal: { value: temporal, note: `clips above 0: ${means.count('v2.temporal', where)}` },
    n: means.count('v2.intent', where),
  }
}

/** Means over clips. Time counts for all templates but the silent one. */
function figuresV3(means: Means, where: Labels): Figures {
  const intent = means.mean('v3.intent', where)
  const spatial = means.mean('v3.spatial', where) ?? 0
  const temporal = means.mean('v3.temporal', where)
  const overall = temporal === null ? ((intent ?? 0) + spatial) / 2 : ((intent ?? 0) + spatial + temporal) / 3
  return {
    overall: { value: intent === null ? null : overall },
    intent: { value: intent },
    spatial: { value: spatial },
    temporal: { value: temporal ?? 0, note: `clips with speech: ${means.count('v3.temporal', where)}` },
    n: means.count('v3.intent', where),
  }
}
