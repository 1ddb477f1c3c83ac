/** Report tables of the Articulate suites. */
import { mean, type Means, type Metric, type Summary, type SummaryRow } from '../../suite.ts'
import type { Critic, Task } from './samples/sample.ts'
import { ENDLESS, FAILURES, FINDINGS } from './domain/states.ts'

type Measure = readonly [key: string, title: string, metric?: Partial<Omit<Metric, 'title'>>, note?: string]

const COST = { unit: 'number', better: 'lower', failed: 'leave-out' } as const
const AGREEMENT = { unit: 'number', better: 'higher', failed: 'leave-out' } as const
const LIMITED: Pick<Metric, 'appliesTo'> = { appliesTo: ({ type }) => type !== ENDLESS }

const MEASURES: Readonly<Record<Task, readonly Measure[]>> = {
  place: [
    ['links', 'Parts placed correctly'],
    ['parts', 'Parts placed correctly, without the root'],
    ['distance', 'Placement error, m', COST],
    ['giou', 'gIoU of the boxes', AGREEMENT],
    ['chamfer', 'Chamfer distance, m', COST],
    ['executable', 'Programs that run'],
  ],
  joint: [
    ['type', 'Correct type (M)'],
    ['axis', 'Correct type and axis (MA)'],
    ['origin', 'Correct type, axis and origin (MAO)'],
    ['type.strict', 'Exact type', {}, 'a hinge with a range of 350° or more does not count as continuous'],
    ['angle', 'Axis angle error, degrees', COST],
    ['offset', 'Hinge axis distance, m', COST],
    ['direction', 'Correct direction', LIMITED],
    ['limits', 'Range overlap (IoU)', LIMITED],
    ['sweep', 'Sweep error, relative to the diagonal', COST],
    ['executable', 'Programs that run'],
    [
      'physics.executable',
      'Executable with collisions (physics)',
      {},
      'of true built-in objects about nine in ten are: bodies are known as boxes',
    ],
    ['physics.moves', 'Joints that reach both ends (physics)'],
    ['physics.rest', 'Deepest overlap at rest, m', COST],
    ['physics.moving', 'Deepest overlap in motion, m', COST],
  ],
  build: [
    ['placed', 'All parts placed correctly'],
    ['links', 'Parts placed correctly'],
    ['parts', 'Parts placed correctly, without the root'],
    ['distance', 'Placement error, m', COST],
    ['giou', 'gIoU of the boxes at rest', AGREEMENT],
    ['giou.moving', 'gIoU of the boxes over five states (AS-gIoU)', AGREEMENT],
    ['chamfer', 'Chamfer distance at rest, m', COST],
    ['chamfer.moving', 'Chamfer distance over five states, m', COST],
    ['overlap', 'Overlap of siblings over five states (AOR)', { better: 'lower', failed: 'leave-out' }],
    ['joints', 'Correct joints'],
    ['type', 'Joint F1, type (M)'],
    ['axis', 'Joint F1, type and axis (MA)'],
    ['origin', 'Joint F1, type, axis and origin (MAO)'],
    ['geometry.type', 'Joint F1 by geometry, type (M)'],
    ['geometry.axis', 'Joint F1 by geometry, type and axis (MA)'],
    ['geometry.origin', 'Joint F1 by geometry, type, axis and origin (MAO)'],
    ['executable', 'Programs that run'],
    [
      'physics.executable',
      'Executable with collisions (physics)',
      {},
      'of true built-in objects about nine in ten are: bodies are known as boxes',
    ],
    ['physics.moves', 'Joints that reach both ends (physics)'],
    ['physics.rest', 'Deepest overlap at rest, m', COST],
    ['physics.moving', 'Deepest overlap in motion, m', COST],
  ],
}

const LOOP: readonly Measure[] = [
  ['first', 'Success of the first answer'],
  ['iterations', 'Answers per sample', COST],
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
    ['leftOut', LEFT_OUT],
    ...(task === 'joint' ? FINDINGS : []).map((name): [string, Metric] => [
      `fail.${name}`,
      { title: `Failed on ${words(name)}`, better: 'lower', unit: 'percent', failed: 'leave-out' },
    ]),
  ])
}

/** Questions that no picture answers. */
const LEFT_OUT: Metric = { title: 'Left out: cannot be seen', better: 'lower', unit: 'number', failed: 'leave-out' }

/** How many questions the source left out, as far as samples were played. */
function leftOutRow(means: Means): SummaryRow[] {
  const n = means.count('leftOut')
  const value = (means.mean('leftOut') ?? 0) * n
  const { title, unit, better } = LEFT_OUT
  return n === 0 ? [] : [{ key: 'leftOut', title, value, n, unit, better, section: 'Loop' }]
}

/** A mean as a row, in percent by default; no row where nothing was measured. */
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
        ...MEASURES[task].flatMap((measure) => row(measure, 'Details')),
        ...labelRows(means, 'prior', 'By expectation'),
        ...(task === 'joint' ? labelRows(means, 'type', 'By joint type') : []),
        ...(task === 'joint' ? FINDINGS : []).flatMap((name) =>
          row([`fail.${name}`, words(name), { better: 'lower' }], 'Failure reasons'),
        ),
        ...LOOP.flatMap((measure) => row(measure, 'Loop')),
        ...leftOutRow(means),
        ...labelRows(means, 'category', 'By category'),
      ],
    }
  }
}

export function words(name: string): string {
  return name.replaceAll('_', ' ')
}

function labelRows(means: Means, label: string, section: string): SummaryRow[] {
  return means
    .values(label)
    .flatMap((value) =>
      meanRow(means, 'success', { key: `${label}.${value}`, title: words(value), section }, { [label]: value }),
    )
}

export const SAID = ['success', ...FAILURES, 'placement', 'joint'] as const

/** What each critic can say. */
export const SAID_BY: Readonly<Record<Critic, readonly (typeof SAID)[number][]>> = {
  joint: ['success', ...FAILURES],
  link: ['success', 'placement'],
  urdf: ['success', 'placement', 'joint'],
}

export const criticMetrics: Readonly<Record<string, Metric>> = Object.fromEntries([
  ['right', metric(['right', 'Correct reason'])],
  ['verdict', metric(['verdict', 'Verdict accuracy'])],
  ['accepted', metric(['accepted', 'Sensitivity: correct objects accepted'])],
  ['flagged', metric(['flagged', 'Deviations rejected'])],
  ['leftOut', LEFT_OUT],
  ['caught', metric(['caught', 'Specificity: faulty objects rejected'])],
  ['inconsistent', { title: 'Rating contradicts the reason', better: 'lower', unit: 'percent', failed: 'leave-out' }],
  ['readable', metric(['readable', 'Readable answers'])],
  ['accepts', { title: 'Objects accepted', better: 'higher', unit: 'percent', failed: 'leave-out' }],
  ['consistent', metric(['consistent', 'Same verdict on a repeat', { failed: 'leave-out' }])],
  ...SAID.map((reason): [string, Metric] => [
    `says.${reason}`,
    { title: `Predicted ${words(reason)}`, better: 'higher', unit: 'percent', failed: 'leave-out' },
  ]),
])

/**
 * Specificity of the published critics, worked out from their published confusion, in which a correct object is the
 * positive case: TN / (TN + FP), the share of faulty objects that the critic did not accept.
 */
const ANCHORS: Readonly<Partial<Record<Critic, number>>> = { joint: 81.7, link: 59.4 }
const KAPPAS: Readonly<Partial<Record<Critic, number>>> = { joint: 0.82, link: 0.66 }
const CRITICS: Readonly<Record<Critic, string>> = { joint: 'Joint', link: 'Link', urdf: 'URDF' }

export function criticSummary(means: Means): Summary {
  const critics = (['joint', 'link', 'urdf'] as const).filter((name) => means.values('critic').includes(name))
  const own = (key: string, more: Partial<SummaryRow> = {}): SummaryRow[] => {
    const { title, better } = criticMetrics[key]!
    return meanRow(means, key, { key, title, better, ...more })
  }
  return {
    headline: 'verdict',
    success: 'right',
    rows: [
      ...own('verdict', { note: 'mean over faulty and correct objects; subtle faults excluded' }),
      ...own('right'),
      ...critics.flatMap((critic) => criticRows(means, critic)),
      ...means
        .values('size')
        .filter((name) => name !== 'none')
        .sort(byKindAndSize)
        .flatMap((size) => {
          const isRight = means.count('flagged', { size, truth: 'success' }) > 0
          const title = isRight ? `${size}, within tolerance` : size
          const row = { key: `size.${size}`, title, section: 'Rejected, by kind and size of the deviation' }
          return meanRow(means, 'flagged', { ...row, better: isRight ? 'lower' : 'higher' }, { size })
        }),
      ...leftOutRow(means),
      ...own('inconsistent', { section: 'Format' }),
      ...own('readable', { section: 'Format' }),
      ...own('consistent', {
        section: 'Repeats',
        note: 'two episodes of a sample with the same verdict; needs --epochs',
      }),
    ],
  }
}

/** `axis-tilt 3°` before `axis-tilt 20°`. */
function byKindAndSize(a: string, b: string): number {
  const parts = (name: string): [string, number] => {
    const [, kind = name, size = '0'] = /^(\D+?) ([\d.]+)/.exec(name) ?? []
    return [kind, Number(size)]
  }
  const [[kind, size], [otherKind, otherSize]] = [parts(a), parts(b)]
  return kind === otherKind ? size - otherSize : kind < otherKind ? -1 : 1
}

function criticRows(means: Means, critic: Critic): SummaryRow[] {
  const section = `${CRITICS[critic]} critic`
  const published = ANCHORS[critic]
  const specificity = {
    key: `${critic}.specificity`,
    title: 'Specificity: faulty objects rejected',
    section,
    note: `a correct object is the positive class, as published${published === undefined ? '' : `; published critic: ${published}`}`,
  }
  const sensitivity = {
    key: `${critic}.sensitivity`,
    title: 'Sensitivity: correct objects accepted',
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
function kappaRow(means: Means, critic: Critic, section: string): SummaryRow {
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
    ...(KAPPAS[critic] === undefined ? {} : { note: `published critic: ${KAPPAS[critic]}` }),
  }
}

/** Rows are true classes, columns predictions. */
function confusionRows(means: Means, critic: Critic): SummaryRow[] {
  const said = SAID_BY[critic]
  return said.flatMap((truth) =>
    said.flatMap((reason) =>
      meanRow(
        means,
        `says.${reason}`,
        {
          key: `${critic}.${truth}.${reason}`,
          title: `${words(truth)}, predicted ${words(reason)}`,
          better: truth === reason ? 'higher' : 'lower',
          section: `Confusion matrix of the ${critic} critic`,
          cell: { row: words(truth), column: words(reason) },
        },
        { critic, truth },
      ),
    ),
  )
}
