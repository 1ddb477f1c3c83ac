/** The tables that people expect. */
import type { Means, Metric, Summary, SummaryRow } from '../../suite.ts'
import type { Task } from './cases/sample.ts'
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

export function loopSummary(task: Task) {
  return (means: Means): Summary => {
    const row = (key: string, measure: Measure, section?: string): SummaryRow[] => {
      const n = means.count(key)
      if (n === 0) return []
      const { title, unit, better } = metric(measure)
      const note = measure[3]
      return [
        {
          key,
          title,
          value: means.mean(key),
          n,
          unit,
          better,
          ...(section ? { section } : {}),
          ...(note ? { note } : {}),
        },
      ]
    }
    return {
      headline: 'success',
      success: 'success',
      rows: [
        ...row('success', ['success', 'Success', {}, PUBLISHED[task]]),
        byLabel(means, 'success', 'category', 'macro', 'Success, mean over categories'),
        ...MEASURES[task].flatMap((measure) => row(measure[0], measure, 'Parts of it')),
        ...(task === 'joint' ? labelRows(means, 'type', 'By type of joint') : []),
        ...(task === 'joint'
          ? FINDINGS.flatMap((name) =>
              row(`fail.${name}`, [`fail.${name}`, words(name), { better: 'lower' }], 'Why it failed'),
            )
          : []),
        ...LOOP.flatMap((measure) => row(measure[0], measure, 'Loop')),
        ...labelRows(means, 'category', 'By category'),
      ],
    }
  }
}

function words(name: string): string {
  return name.replaceAll('_', ' ')
}

function byLabel(means: Means, key: string, label: string, row: string, title: string): SummaryRow {
  const found = means.values(label).flatMap((value) => means.mean(key, { [label]: value }) ?? [])
  return {
    key: row,
    title,
    value: found.length === 0 ? null : found.reduce((sum, mean) => sum + mean, 0) / found.length,
    n: means.count(key),
    unit: 'percent',
    better: 'higher',
  }
}

function labelRows(means: Means, label: string, section: string): SummaryRow[] {
  return means.values(label).flatMap((value): SummaryRow[] => {
    const n = means.count('success', { [label]: value })
    const mean = means.mean('success', { [label]: value })
    if (n === 0) return []
    return [
      { key: `${label}.${value}`, title: words(value), value: mean, n, unit: 'percent', better: 'higher', section },
    ]
  })
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
  const value = (
    key: string,
    title: string,
    where: Record<string, string>,
    row: string,
    extra: Partial<SummaryRow>,
  ): SummaryRow[] => {
    const n = means.count(key, where)
    return n === 0
      ? []
      : [{ key: row, title, value: means.mean(key, where), n, unit: 'percent', better: 'higher', ...extra }]
  }
  return {
    headline: 'verdict',
    success: 'right',
    rows: [
      ...value('verdict', 'Right about right or wrong', {}, 'verdict', {
        note: 'mean over faulty and correct objects; subtle faults left out',
      }),
      ...value('right', 'Names the right reason', {}, 'right', {}),
      ...critics.flatMap((critic) => [
        ...value('caught', 'Specificity: faulty objects that it does not accept', { critic }, `${critic}.specificity`, {
          section: `The ${critic} critic`,
          note: `positive is a correct object, as published; published critic: ${ANCHORS[critic]}`,
        }),
        ...value('accepted', 'Sensitivity: correct objects that it accepts', { critic }, `${critic}.sensitivity`, {
          section: `The ${critic} critic`,
        }),
        kappaRow(means, critic),
        ...confusionRows(means, critic),
      ]),
      ...means
        .values('size')
        .filter((name) => name !== 'none')
        .flatMap((size) =>
          value('flagged', size, { size }, `size.${size}`, { section: 'Faults found, by kind and size' }),
        ),
      ...value('inconsistent', 'Rating does not fit the reason', {}, 'inconsistent', {
        better: 'lower',
        section: 'Form',
      }),
      ...value('readable', 'Answers that can be read', {}, 'readable', { section: 'Form' }),
    ],
  }
}

/** Cohen's kappa of accepting against being right. */
function kappaRow(means: Means, critic: 'joint' | 'link'): SummaryRow {
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
    section: `The ${critic} critic`,
    note: `published critic: ${KAPPAS[critic]}`,
  }
}

/** What it says, by what is true. */
function confusionRows(means: Means, critic: 'joint' | 'link'): SummaryRow[] {
  const said =
    critic === 'joint' ? SAID.filter((reason) => reason !== 'placement') : (['success', 'placement'] as const)
  return said.flatMap((truth) =>
    said.flatMap((reason): SummaryRow[] => {
      const where = { critic, truth }
      const n = means.count(`says.${reason}`, where)
      if (n === 0) return []
      return [
        {
          key: `${critic}.${truth}.${reason}`,
          title: `${words(truth)}, says ${words(reason)}`,
          value: means.mean(`says.${reason}`, where),
          n,
          unit: 'percent',
          better: truth === reason ? 'higher' : 'lower',
          section: `Confusion of the ${critic} critic`,
        },
      ]
    }),
  )
}
