/** Reports of one suite as rows and columns of text, shared by all output formats. */
import { isBaseline } from '../../base/baseline.ts'
import { groupBy } from '../../base/group.ts'
import { plural } from '../../base/plural.ts'
import { runNames } from '../figures/runs.ts'
import { formatCount, formatUsd, formatValue, formatWithInterval, NONE } from '../format.ts'
import { passRows, type Report, type ReportRow } from '../report.ts'
import { chosenKeys, type MetricChoice } from './metrics.ts'

/** Which part of the reports to show, and how. */
export interface TableView {
  /** Default: all. */
  metrics?: MetricChoice | undefined
  /** Default: metrics. */
  rows?: 'models' | 'metrics'
  /** Default: all. */
  intervals?: 'all' | 'headline' | 'none'
}

export interface Layout {
  title: string
  /** Suite, version and profile, to be quoted with a score. */
  subtitle: string
  /** One line per run: model, episodes, clusters, cost. */
  runs: string[]
  /** The same for a narrow terminal: run, episodes, cost. */
  shortRuns?: string[]
  /** How many of the columns are runs that are shown side by side; they come first. */
  runColumns: number
  /** Headings of columns that a narrow table can do without, the first to go first. */
  droppable: readonly string[]
  /** Column headings after the first column. */
  columns: string[]
  sections: Section[]
  notes: string[]
  /** Those of the notes that no table leaves out. */
  warnings: readonly string[]
  /** Notes on single runs. */
  runNotes: string[]
  rowsAre: 'models' | 'metrics'
}

export interface Section {
  heading: string | null
  rows: Line[]
}

export interface Line {
  key: string
  section: string | null
  title: string
  cells: string[]
  isHeadline: boolean
  /** Cells with the best score of several runs, and with the second best of three or more. */
  best: ReadonlySet<number>
  second: ReadonlySet<number>
  /** The scores behind the cells; undefined for other columns. */
  scores: readonly (ReportRow | undefined)[]
}

export interface LaidOut {
  layout: Layout
  /** Published results of the same benchmark, if asked for. */
  published?: Layout
  reports: Report[]
}

/** One layout per suite, version and profile, in order of first appearance. */
export function layoutsOf(
  reports: readonly Report[],
  viewOf: (group: readonly Report[]) => TableView = () => ({}),
): LaidOut[] {
  const groups = groupBy(reports, ({ suite, suiteVersion, profile }) => `${suite}\u0000${suiteVersion}\u0000${profile}`)
  return [...groups.values()].map((group) => {
    const view = viewOf(group)
    const layout = layoutOf(group, view)
    return { layout: view.rows === 'models' ? transposed(layout) : layout, reports: group }
  })
}

function layoutOf(reports: readonly Report[], view: TableView): Layout {
  const first = reports[0]!
  const isSingle = reports.length === 1
  const notes: string[] = []
  const runNotes: string[] = []
  const footnote = (text: string): string => {
    const known = notes.indexOf(text)
    return superscript(known >= 0 ? known + 1 : notes.push(text))
  }

  const names = runNames(reports)
  const named = (report: Report, text: string): string =>
    isSingle ? text : `${names[reports.indexOf(report)]}: ${text}`
  const rowsOf = reports.map((report) => new Map([...report.rows, ...passRows(report)].map((row) => [row.key, row])))
  const keys = chosenKeys(reports, view.metrics)
  const references = REFERENCE_COLUMNS.filter(({ field }) =>
    rowsOf.some((rows) => keys.some((key) => isPresent(rows.get(key)?.[field]))),
  )
  const players = reports.map((report) => report.models['player'] ?? report.run)
  const warnings = reports.map((report) => report.warnings.map((text) => named(report, text)))
  let hasIntervals = false
  const lines = keys.map((key): Line => {
    const rows = rowsOf.map((byKey) => byKey.get(key))
    const sample = rows.find((row) => row !== undefined)!
    const isHeadline = key === first.headline
    const remarks = [...new Set(rows.flatMap((row) => row?.note ?? []))]
    const isShared = isSingle || (remarks.length === 1 && rows.every((row) => row?.note !== undefined))
    // A remark that differs between the runs would only clutter the table.
    if (!isShared) {
      for (const [i, row] of rows.entries())
        if (row?.note !== undefined) runNotes.push(named(reports[i]!, `${row.title}: ${row.note}`))
    }
    const marks = (isShared ? remarks : []).map(footnote)
    const warned = isHeadline ? warnings.map((texts) => texts.map(footnote)) : []
    if (isSingle) marks.push(...(warned[0] ?? []))
    const showsInterval = view.intervals === 'headline' ? isHeadline : view.intervals !== 'none'
    const cells = rows.map((row, i) => {
      hasIntervals ||= showsInterval && isPresent(row?.interval?.[0])
      return scoreCell(row, showsInterval, footnote) + (isSingle ? '' : joinMarks(warned[i] ?? []))
    })
    cells.push(countCell(rows))
    for (const { field, title } of references) {
      const values = rows.map((row) => row?.[field]).filter(isPresent)
      const differ = new Set(values).size > 1
      const mark = differ ? footnote(`${title}: value for the first run; the runs have different samples.`) : ''
      cells.push(values.length === 0 ? NONE : formatValue(values[0], sample.unit) + mark)
    }
    return {
      key,
      section: sectionOf(sample, reports),
      title: `${sample.title}${sample.better === 'lower' ? ' ↓' : ''}${joinMarks(marks)}`,
      cells,
      isHeadline,
      ...ranksOf(rows, players),
      scores: rows,
    }
  })
  // Also where the headline is not among the chosen rows.
  for (const text of warnings.flat()) footnote(text)
  if (lines.some(({ title }) => title.includes(' ↓'))) notes.push('↓: lower is better.')
  const { level, resamples } = first.intervals
  if (hasIntervals) {
    notes.push(
      `[low, high]: ${Math.round(level * 100)}% confidence interval, cluster bootstrap, ${formatCount(resamples)} resamples.`,
    )
  }
  for (const report of reports) {
    for (const note of report.notes) runNotes.push(named(report, note))
  }
  return {
    title: first.title,
    subtitle: `${first.suite}, version ${first.suiteVersion}, profile ${first.profile}`,
    runs: reports.map((report) => runLine(report)),
    shortRuns: reports.map((report) => shortRunLine(report)),
    runColumns: isSingle ? 0 : reports.length,
    droppable: ['ceiling', 'constant', 'blind', 'n', 'chance'],
    columns: [
      ...(isSingle && view.rows !== 'models' ? ['score'] : names),
      'n',
      ...references.map(({ title }) => title),
    ],
    // As columns, metrics keep their order across sections.
    sections: view.rows === 'models' ? [{ heading: null, rows: lines }] : sectionsOf(lines),
    notes,
    warnings: warnings.flat(),
    runNotes,
    rowsAre: 'metrics',
  }
}

/** pass@k and pass^k are explained where they are shown. */
function sectionOf({ key, section }: ReportRow, reports: readonly Report[]): string | null {
  const passes = reports.find((report) => report.passes !== null)?.passes
  return passes && /^pass[@^]\d+$/.test(key) ? `Epochs (success: ${passes.metric} = 1)` : (section ?? null)
}

/** Models as rows, metrics as columns; reference values are the last rows. */
function transposed(layout: Layout): Layout {
  const metrics = layout.sections.flatMap(({ rows }) => rows)
  const isAmbiguous = (title: string): boolean => metrics.filter((line) => line.title === title).length > 1
  const lines = layout.columns.map((title, i): Line => {
    const at = (has: (line: Line) => boolean): ReadonlySet<number> =>
      new Set(metrics.flatMap((line, column) => (has(line) ? [column] : [])))
    const scores = metrics.map((line) => line.scores[i])
    return {
      key: title,
      section: null,
      title,
      cells: metrics.map(({ cells }) => cells[i]!),
      isHeadline: false,
      best: at(({ best }) => best.has(i)),
      second: at(({ second }) => second.has(i)),
      scores,
    }
  })
  const isModel = ({ scores }: Line): boolean => scores.some((score) => score !== undefined)
  return {
    ...layout,
    columns: metrics.map(({ title, section }) =>
      section !== null && isAmbiguous(title) ? `${section}: ${title}` : title,
    ),
    sections: [
      { heading: null, rows: lines.filter(isModel) },
      { heading: 'For reference', rows: lines.filter((line) => !isModel(line)) },
    ],
    rowsAre: 'models',
  }
}

/** Groups lines by section; those without a section come first. */
export function sectionsOf(lines: readonly Line[]): Section[] {
  return [...groupBy(lines, ({ section }) => section)]
    .sort(([a], [b]) => Number(a !== null) - Number(b !== null))
    .map(([heading, rows]) => ({ heading, rows }))
}

/** Number of episodes in a row; for several runs both numbers or their range, if they differ. */
function countCell(rows: readonly (ReportRow | undefined)[]): string {
  const counts = rows.map((row) => (row === undefined ? NONE : formatCount(row.n)))
  if (new Set(counts).size === 1) return counts[0]!
  if (counts.length === 2) return counts.join(' / ')
  const known = rows.flatMap((row) => row?.n ?? [])
  return [...new Set([Math.min(...known), Math.max(...known)])].map(formatCount).join('–')
}

const REFERENCE_COLUMNS = [
  { field: 'chance', title: 'chance' },
  { field: 'constant', title: 'constant' },
  { field: 'blind', title: 'blind' },
  { field: 'ceiling', title: 'ceiling' },
] as const

function isPresent(value: number | null | undefined): value is number {
  return value !== null && value !== undefined
}

function scoreCell(row: ReportRow | undefined, showsInterval: boolean, footnote: (text: string) => string): string {
  if (row === undefined) return NONE
  if (!showsInterval) return formatValue(row.value, row.unit)
  const reason = row.noInterval === undefined ? '' : footnote(`No confidence interval: ${row.noInterval}.`)
  return formatWithInterval(row.value, row.interval, row.unit) + reason
}

/**
 * Where the best and the second best values are, as printed: values that look the same rank the same. Baselines are
 * ranked only if there are not two models to choose from.
 */
function ranksOf(rows: readonly (ReportRow | undefined)[], players: readonly string[]): Pick<Line, 'best' | 'second'> {
  const models = rows.map((row, i) => ({ row, i }))
  const own = models.filter(({ i }) => !isBaseline(players[i]!))
  const ranked = (own.length > 1 ? own : models).filter(({ row }) => isPresent(row?.value))
  const sign = ranked[0]?.row?.better === 'lower' ? 1 : -1
  const groups = [...groupBy(ranked, ({ row }) => formatValue(row!.value, row!.unit)).values()].sort(
    ([a], [b]) => sign * (a!.row!.value! - b!.row!.value!),
  )
  const places = (group: typeof ranked = []): ReadonlySet<number> => new Set(group.map(({ i }) => i))
  return {
    best: places(groups.length > 1 ? groups[0] : []),
    second: places(groups.length > 2 ? groups[1] : []),
  }
}

function runLine(report: Report): string {
  const others = Object.entries(report.models).filter(([role]) => role !== 'player')
  return [
    report.models['player'] ?? 'unknown model',
    ...others.map(([role, model]) => `${role} ${model}`),
    `run ${report.run}`,
    `${formatCount(report.counted)} of ${plural(report.planned, 'episode')} (${formatValue(report.coverage, 'percent')}%)`,
    plural(report.clusters, 'cluster'),
    formatUsd(report.usage.usd),
    ...cachedShare(report.usage),
    `fingerprint ${report.fingerprint.hash}`,
  ].join(' · ')
}

/** Of the input, what the provider had in its prompt cache and charged less for. */
function cachedShare({ inputTokens, cachedInputTokens }: Report['usage']): string[] {
  return cachedInputTokens === 0 ? [] : [`${formatValue(cachedInputTokens / inputTokens, 'percent')}% of input cached`]
}

/** The id names suite and model. */
function shortRunLine({ run, counted, planned, usage }: Report): string {
  return `${run} · ${formatCount(counted)} of ${plural(planned, 'episode')} · ${formatUsd(usage.usd)}`
}

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹'

/** ¹²: a footnote mark that cannot be mistaken for part of a number. */
export function superscript(number: number): string {
  return String(number).replace(/\d/g, (digit) => SUPERSCRIPTS[Number(digit)]!)
}

/** Several marks in a row, with commas: ¹² is the twelfth note. */
export function joinMarks(marks: readonly string[]): string {
  return [...new Set(marks)].join(',')
}

/** Notes with their footnote marks; notes without a mark apply to the whole table. */
export function numberedNotes(layout: Layout): { mark: string; text: string }[] {
  const cells = layout.sections.flatMap(({ rows }) => rows.flatMap((row) => [row.title, ...row.cells]))
  const used = new Set([...layout.columns, ...cells].flatMap((text) => text.match(/[⁰¹²³⁴⁵⁶⁷⁸⁹]+/g) ?? []))
  return [
    ...layout.notes.map((text, i) => ({ mark: used.has(superscript(i + 1)) ? superscript(i + 1) : '', text })),
    ...layout.runNotes.map((text) => ({ mark: '', text })),
  ]
}
