/** EASI's eight benchmarks: the suites that play them, the table that papers print, and what its leaderboard takes. */
import { UserError } from '../base/errors.ts'
import { datasetFolder, datasetsFolder, fetchedFolder } from '../datasets/folder.ts'
import { parseSource } from '../engine/source.ts'
import type { Report } from '../report/report.ts'
import type { RunHeader } from '../store/records.ts'

export const EASI_8 = 'easi-8'

interface Play {
  suite: string
  /** The profile that reads and scores as EASI's lmms-eval backend does. */
  profile: string
  /** Folder among the datasets; default: the name of the suite. */
  data?: string
  source?: string
  task?: Readonly<Record<string, string>>
}

interface Benchmark {
  /** As in EASI's payload (EvolvingLMMs-Lab/EASI@0c1a41e scripts/submissions/postprocess.py). */
  key: string
  title: string
  plays: readonly Play[]
  /** The row of the report that EASI prints. Default: the headline. */
  row?: string
  /** The label whose values are its parts, and what their names end with. */
  parts: { label: string; suffix: string }
}

const BENCHMARKS: readonly Benchmark[] = [
  {
    key: 'vsi_bench',
    title: 'VSI',
    plays: [
      {
        suite: 'vsi/video',
        profile: 'lmms-eval',
        data: 'vsi-bench',
        source: 'vsi-bench',
        task: { frames: '32', prompts: 'leaderboard' },
      },
    ],
    parts: { label: '', suffix: '' },
  },
  {
    key: 'mmsi_bench',
    title: 'MMSI',
    plays: [{ suite: 'mmsi-bench', profile: 'lmms-eval' }],
    parts: { label: 'type', suffix: '_accuracy' },
  },
  {
    key: 'mindcube_tiny',
    title: 'MindCube',
    plays: [{ suite: 'mindcube-tiny', profile: 'official' }],
    parts: { label: 'setting', suffix: '_accuracy' },
  },
  {
    key: 'viewspatial',
    title: 'ViewSp.',
    plays: [{ suite: 'viewspatial-bench', profile: 'lmms-eval' }],
    parts: { label: 'type', suffix: '_accuracy' },
  },
  {
    key: 'site',
    title: 'SITE',
    plays: [
      { suite: 'site-image', profile: 'official', data: 'site-bench' },
      { suite: 'site-video', profile: 'official', data: 'site-bench' },
    ],
    parts: { label: 'category', suffix: '_caa' },
  },
  {
    key: 'blink',
    title: 'BLINK',
    plays: [{ suite: 'blink', profile: 'lmms-eval' }],
    // Its table and postprocess.py have the share of all questions; its lmms-eval backend, the mean of the tasks.
    row: 'correct',
    parts: { label: 'task', suffix: '' },
  },
  {
    key: '3dsrbench',
    title: '3DSR',
    plays: [{ suite: '3dsrbench', profile: 'lmms-eval' }],
    parts: { label: 'category', suffix: '' },
  },
  {
    key: 'embspatial',
    title: 'EmbSp.',
    plays: [{ suite: 'embspatial-bench', profile: 'lmms-eval' }],
    parts: { label: 'source', suffix: '_accuracy' },
  },
]

const PLAYS = BENCHMARKS.flatMap(({ plays }) => plays)

export const EASI_SUITES: readonly string[] = PLAYS.map(({ suite }) => suite)

export interface PlannedSuite {
  suite: string
  profile: string
  source: string
  task: Readonly<Record<string, string>>
}

/** The suites of the eight, with the data in the folder of datasets. */
export function easiRuns(): PlannedSuite[] {
  const names = [...new Set(PLAYS.map(({ suite, data = suite }) => data))]
  const missing = names.filter((name) => fetchedFolder(name) === null)
  if (missing.length > 0) {
    throw new UserError(`${EASI_8} lacks the data of ${missing.join(', ')} in ${datasetsFolder()}.`, {
      hint: 'Fetch them with "sightline data get NAME", or put them into folders with these names (docs/questions.md, SIGHTLINE_DATA).',
    })
  }
  return PLAYS.map(({ suite, profile, data = suite, source = 'data', task = {} }) => ({
    suite,
    profile,
    source: `${source}:${datasetFolder(data)}`,
    task,
  }))
}

/** Whether a run played one of the eight as EASI does: its profile and its data, all of them. */
export function isEasiRun({ suite, profile, source, limit, sample, sampleIds }: RunHeader): boolean {
  const play = PLAYS.find((each) => each.suite === suite)
  const isWhole = limit === null && sample === undefined && sampleIds === null
  return play?.profile === profile && parseSource(source).name === (play.source ?? 'data') && isWhole
}

/** A model's scores in percent, by benchmark; null where there is no run. */
export interface EasiScores {
  model: string
  scores: Record<string, number | null>
  /** Of each benchmark, by the names of EASI's payload. */
  parts: Record<string, Record<string, number>>
  /** Mean of the eight; null if one is missing. */
  mean: number | null
}

/** @param reports of one model, the newest first */
export function easiScores(model: string, reports: readonly Report[]): EasiScores {
  const scores: EasiScores['scores'] = {}
  const parts: EasiScores['parts'] = {}
  for (const benchmark of BENCHMARKS) {
    const played = benchmark.plays.flatMap(({ suite }) => reports.find((report) => report.suite === suite) ?? [])
    const isWhole = played.length === benchmark.plays.length
    scores[benchmark.key] = isWhole ? totalOf(played, benchmark.row) : null
    parts[benchmark.key] = isWhole ? partsOf(benchmark, played) : {}
  }
  const all = Object.values(scores)
  const isComplete = all.every((score) => score !== null)
  return {
    model,
    scores,
    parts,
    mean: isComplete ? all.reduce<number>((sum, each) => sum + each, 0) / all.length : null,
  }
}

type Row = Report['rows'][number]

function totalOf(reports: readonly Report[], row?: string): number | null {
  const [only, second] = reports
  if (second !== undefined)
    return pooled(reports.flatMap(({ rows }) => rows.find(({ key }) => key === 'correct') ?? []))
  const value = only!.rows.find(({ key }) => key === (row ?? only!.headline))?.value
  return typeof value === 'number' ? value * 100 : null
}

/** Accuracy above chance as a share of what can be, over all questions. */
function pooled(rows: readonly Row[]): number | null {
  let above = 0
  let possible = 0
  for (const { value, chance, n } of rows) {
    if (typeof value !== 'number' || typeof chance !== 'number') return null
    above += n * (value - chance)
    possible += n * (1 - chance)
  }
  return possible === 0 ? null : (100 * above) / possible
}

function partsOf(
  { key, plays, parts: { label, suffix } }: Benchmark,
  reports: readonly Report[],
): Record<string, number> {
  const found = new Map<string, Row[]>()
  for (const { rows } of reports) {
    for (const row of rows) {
      // VSI's types are rows without a section.
      const isPart = label === '' ? row.section === undefined && row.key.includes('_') : row.key.startsWith(`${label}.`)
      if (!isPart || typeof row.value !== 'number' || row.key.startsWith('overall')) continue
      const name = label === '' ? row.key + suffixOf(row.key) : slug(row.title, key) + suffix
      found.set(name, [...(found.get(name) ?? []), row])
    }
  }
  const value = (rows: readonly Row[]): number | null => (plays.length > 1 ? pooled(rows) : rows[0]!.value! * 100)
  // EASI lists the settings of 3DSRBench beside its parts.
  const settings: Readonly<Record<string, string>> =
    key === '3dsrbench' ? { Vanilla: 'overall', Circular: 'circ_eval_overall' } : {}
  for (const row of reports[0]!.rows)
    if (settings[row.title] && row.value !== null) found.set(settings[row.title]!, [row])
  return Object.fromEntries(
    [...found].flatMap(([name, rows]) => {
      const score = value(rows)
      return score === null ? [] : [[name, rounded(score)]]
    }),
  )
}

/** VSI's choices are named so; its numbers are not. */
function suffixOf(type: string): string {
  return /order|direction|rel_distance|route/.test(type) ? '_accuracy' : ''
}

/** The name of a part in EASI's payload. */
function slug(title: string, benchmark: string): string {
  const plain = title
    .toLowerCase()
    .replaceAll('&', 'and')
    .replace('positional relationship', 'pos')
    .replace('attribute', 'attr')
  return (benchmark === 'site' ? plain.replaceAll('-', '') : plain)
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
}

function rounded(score: number): number {
  return Number(score.toFixed(4))
}

/** The table that papers print: a row per model. */
export function easiTable(rows: readonly EasiScores[]): string[][] {
  const cell = (score: number | null): string => (score === null ? '-' : score.toFixed(1))
  return [
    ['', ...BENCHMARKS.map(({ title }) => title), 'Mean'],
    ...rows.map(({ model, scores, mean }) => [
      model,
      ...BENCHMARKS.map(({ key }) => cell(scores[key] ?? null)),
      cell(mean),
    ]),
  ]
}

/** The payload of EASI's leaderboard. What Sightline does not know is empty, and has to be filled in. */
export function easiPayload({ model, scores, parts }: EasiScores, remarks: string): object {
  return {
    modelName: model,
    modelType: '',
    precision: '',
    revision: 'main',
    weightType: '',
    baseModel: '',
    backend: 'sightline',
    remarks,
    scores: Object.fromEntries(
      Object.entries(scores).map(([key, score]) => [key, score === null ? null : rounded(score)]),
    ),
    subScores: parts,
  }
}
