/** The tables that people expect. */
import { mean, type Means, type Metric, type Summary, type SummaryRow } from '../../suite.ts'
import type { Task } from './samples/sample.ts'
import { ENDLESS, FAILURES, FINDINGS } from './domain/states.ts'

type Measure = readonly [key: string, title: string, metric?: Partial<Omit<Metric, 'title'>>, note?: string]

const COST = { unit: 'number', better: 'lower', failed: 'leave-out' } as const
const LIMITED: Pick<Metric, 'appliesTo'> = { appliesTo: ({ type }) => type !== ENDLESS }

const MEASURES: Readonly<Record<Task, readonly Measure[]>> = {
  place: [
    ['links', 'Parts in place'],
    ['distance', 'Distance from their place, m', COST],
    ['executable', 'Runs'],
  ],
  joint: [
    ['type', 'Type right (M)'],
    ['axis', 'Type and axis right (MA)'],
    ['origin', 'Type, axis and place right (MAO)'],
    ['type.strict', 'Type right to the letter', {}, 'a hinge of 350° or more is not taken for one without end'],
    ['angle', 'Angle between the axes, degrees', COST],
    ['offset', 'Distance of the axis of a hinge, m', COST],
    ['direction', 'Moves the right way', LIMITED],
    ['limits', 'Shared part of the range (IoU)', LIMITED],
    ['sweep', 'Sweep error, share of the diagonal', COST],
    ['executable', 'Runs'],
  ],
  build: [
    ['placed', 'Every part in place'],
    ['links', 'Parts in place'],
    ['distance', 'Distance from their place, m', COST],
    ['joints', 'Joints right'],
    ['type', 'F1 of joints, type (M)'],
    ['axis', 'F1 of joints, type and axis (MA)'],
    ['origin', 'F1 of joints, type, axis and place (MAO)'],
    ['executable', 'Runs'],
  ],
}

const LOOP: readonly Measure[] = [
  ['first', 'Success of the first answer'],
  ['iterations', 'Answers given', COST],
]

const PUBLISHED: Readonly<Record<Task, string>> = {
  place: 'published on PartNet-Mobility: 86.0 (80.2 with one iteration)',
  joint: 'published on PartNet-Mobility: 75.0 over all joints, 39.3 as the mean over categories',
  build: 'not published as one number',
}

const metric = ([, title, given = {}]: Measure): Metric => ({
  title,
  better: 'higher',
  unit: 'percent',
  failed: 'zero',
  ...given,
})

export function loopMetrics(task: Task): Readonly<Record<string, Metric>> {
  const all: readonly Measure[] = [['success', 'Success'], ...MEASURES[task], ...LOOP]
  return Object.fromEntries([
    ...all.map((measure): [string, Metric] => [measure[0], metric(measure)]),
    ...(task === 'joint' ? FINDINGS : []).map((name): [string, Metric] => [
      `fail.${name}`,
      { title: `Failed by ${words(name)}`, better: 'lower', unit: 'percent', failed: 'leave-out' },
    ]),
  ])
}

/** A mean as a row, in percent unless told otherwise; none where nothing was measured. */
function meanRow(
  means: Means,
  metricKey: string,
  row: Pick<SummaryRow, 'key' | 'title'> & Partial<SummaryRow>,
  where: Readonly<Record<string, string>> = {},
): SummaryRow[] {
  const { key, title, ...more } = row
  const n = means.count(metricKey, where)
  const value = means.mean(metricKey, where)
  return n === 0 ? [] : [{ key, title, value, n, unit: 'percent', better: 'higher', ...more }]
}

export function loopSummary(task: Task) {
  return (means: Means): Summary => {
    const row = (measure: Measure, section?: string): SummaryRow[] => {
      const [key, , , note] = measure
      const { title, unit, better } = metric(measure)
      const more = { ...(section ? { section } : {}), ...(note ? { note } : {}) }
      return meanRow(means, key, { key, title, unit, better, ...more })
    }
    const byCategory = means.values('category').flatMap((category) => means.mean('success', { category }) ?? [])
    return {
      headline: 'success',
      success: 'success',
      rows: [
        ...row(['success', 'Success', {}, PUBLISHED[task]]),
        {
          key: 'macro',
          title: 'Success, mean over categories',
          value: mean(byCategory, null),
          n: means.count('success'),
          unit: 'percent',
          better: 'higher',
        },
        ...MEASURES[task].flatMap((measure) => row(measure, 'Parts of it')),
        ...(task === 'joint' ? labelRows(means, 'type', 'By type of joint') : []),
        ...(task === 'joint' ? FINDINGS : []).flatMap((name) =>
          row([`fail.${name}`, words(name), { better: 'lower' }], 'Why it failed'),
        ),
        ...LOOP.flatMap((measure) => row(measure, 'Loop')),
        ...labelRows(means, 'category', 'By category'),
      ],
    }
  }
}

function words(name: string): string {
  return name.replaceAll('_', ' ')
}

function labelRows(means: Means, label: string, section: string): SummaryRow[] {
  return means
    .values(label)
    .flatMap((value) =>
      meanRow(means, 'success', { key: `${label}.${value}`, title: words(value), section }, { [label]: value }),
    )
}

const SAID = ['success', ...FAILURES, 'placement'] as const

export const criticMetrics: Readonly<Record<string, Metric>> = Object.fromEntries([
  ['right', metric(['right', 'Names the right reason'])],
  ['verdict', metric(['verdict', 'Right about right or wrong'])],
  ['accepted', metric(['accepted', 'Sensitivity: correct objects accepted'])],
  ['flagged', metric(['flagged', 'Finds fault where there is one'])],
  ['caught', metric(['caught', 'Specificity: faulty objects not accepted'])],
  ['inconsistent', { title: 'Rating does not fit the reason', better: 'lower', unit: 'percent', failed: 'leave-out' }],
  ['readable', metric(['readable', 'Answers that can be read'])],
  ...SAID.map((reason): [string, Metric] => [
    `says.${reason}`,
    { title: `Says ${words(reason)}`, better: 'higher', unit: 'percent', failed: 'leave-out' },
  ]),
])

/**
 * Specificity of the published critics, worked out from their published confusion, in which a correct object is the
 * positive case: TN / (TN + FP), the share of faulty objects that the critic did not accept.
 */
const ANCHORS = { joint: 81.7, link: 59.4 } as const
const KAPPAS = { joint: 0.82, link: 0.66 } as const

export function criticSummary(means: Means): Summary {
  const critics = means.values('critic').filter((name) => name === 'joint' || name === 'link')
  const own = (key: string, more: Partial<SummaryRow> = {}): SummaryRow[] => {
    const { title, better } = criticMetrics[key]!
    return meanRow(means, key, { key, title, better, ...more })
  }
  return {
    headline: 'verdict',
    success: 'right',
    rows: [
      ...own('verdict', { note: 'mean over faulty and correct objects; subtle faults left out' }),
      ...own('right'),
      ...critics.flatMap((critic) => criticRows(means, critic)),
      ...means
        .values('size')
        .filter((name) => name !== 'none')
        .flatMap((size) => {
          const row = { key: `size.${size}`, title: size, section: 'Faults found, by kind and size' }
          return meanRow(means, 'flagged', row, { size })
        }),
      ...own('inconsistent', { section: 'Form' }),
      ...own('readable', { section: 'Form' }),
    ],
  }
}

function criticRows(means: Means, critic: 'joint' | 'link'): SummaryRow[] {
  const section = `The ${critic} critic`
  const specificity = {
    key: `${critic}.specificity`,
    title: 'Specificity: faulty objects that it does not accept',
    section,
    note: `positive is a correct object, as published; published critic: ${ANCHORS[critic]}`,
  }
  const sensitivity = {
    key: `${critic}.sensitivity`,
    title: 'Sensitivity: correct objects that it accepts',
    section,
  }
  return [
    ...meanRow(means, 'caught', specificity, { critic }),
    ...meanRow(means, 'accepted', sensitivity, { critic }),
    kappaRow(means, critic, section),
    ...confusionRows(means, critic),
  ]
}

/** Cohen's kappa of accepting against being right. */
function kappaRow(means: Means, critic: 'joint' | 'link', section: string): SummaryRow {
  const clean = means.count('accepted', { critic })
  const faulty = means.count('caught', { critic })
  const total = clean + faulty
  const accepted = (means.mean('accepted', { critic }) ?? 0) * clean
  const caught = (means.mean('caught', { critic }) ?? 0) * faulty
  const observed = (accepted + caught) / total
  const says = (accepted + (faulty - caught)) / total
  const expected = says * (clean / total) + (1 - says) * (faulty / total)
  return {
    key: `${critic}.kappa`,
    title: 'Kappa',
    value: total === 0 || expected === 1 ? null : (observed - expected) / (1 - expected),
    n: total,
    unit: 'number',
    better: 'higher',
    section,
    note: `published critic: ${KAPPAS[critic]}`,
  }
}

/** What it says, by what is true. */
function confusionRows(means: Means, critic: 'joint' | 'link'): SummaryRow[] {
  const said =
    critic === 'joint' ? SAID.filter((reason) => reason !== 'placement') : (['success', 'placement'] as const)
  return said.flatMap((truth) =>
    said.flatMap((reason) =>
      meanRow(
        means,
        `says.${reason}`,
        {
          key: `${critic}.${truth}.${reason}`,
          title: `${words(truth)}, says ${words(reason)}`,
          better: truth === reason ? 'higher' : 'lower',
          section: `Confusion of the ${critic} critic`,
        },
        { critic, truth },
      ),
    ),
  )
}
