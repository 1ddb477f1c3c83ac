/** Reports of one suite as rows and columns of text, shared by all output formats. */
import { plural } from '../../base/plural.ts'
import { groupBy } from '../../base/group.ts'
import { formatCount, formatUsd, formatValue, formatWithInterval, NONE } from '../format.ts'
import { passRows, type Report, type ReportRow } from '../report.ts'

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
  /** Cells with the best score of several runs. */
  best: ReadonlySet<number>
}

/** One layout per suite, version and profile, in order of first appearance. */
export function layoutsOf(reports: readonly Report[]): { layout: Layout; reports: Report[] }[] {
  const groups = groupBy(reports, ({ suite, suiteVersion, profile }) => `${suite}\u0000${suiteVersion}\u0000${profile}`)
  return [...groups.values()].map((group) => ({ layout: layoutOf(group), reports: group }))
}

function layoutOf(reports: readonly Report[]): Layout {
  const first = reports[0]!
  const isSingle = reports.length === 1
  const notes: string[] = []
  const footnote = (text: string): string => {
    const known = notes.indexOf(text)
    return superscript(known >= 0 ? known + 1 : notes.push(text))
  }

  const named = (report: Report, text: string): string => (isSingle ? text : `${nameOf(report, reports)}: ${text}`)
  const keys = rowKeys(reports)
  const references = REFERENCE_COLUMNS.filter(({ field }) =>
    reports.some(({ rows }) => rows.some((row) => isPresent(row[field]))),
  )
  const lines = keys.map((key): Line => {
    const rows = reports.map((report) => report.rows.find((row) => row.key === key))
    const sample = rows.find((row) => row !== undefined)!
    const isHeadline = key === first.headline
    const remarks = [
      ...rows.flatMap((row) => row?.note ?? []),
      ...(isHeadline ? reports.flatMap((report) => report.warnings.map((text) => named(report, text))) : []),
    ]
    const marks = [...new Set(remarks.map(footnote))]
    const cells = rows.map((row) => scoreCell(row, footnote))
    cells.push(countCell(rows))
    for (const { field, title } of references) {
      const values = rows.map((row) => row?.[field]).filter(isPresent)
      const differ = new Set(values).size > 1
      const mark = differ ? footnote(`${title}: value for the first run; the runs have different samples.`) : ''
      cells.push(values.length === 0 ? NONE : formatValue(values[0], sample.unit) + mark)
    }
    return {
      key,
      section: sample.section ?? null,
      title: `${sample.title}${sample.better === 'lower' ? ' ↓' : ''}${marks.join('')}`,
      cells,
      isHeadline,
      best: bestOf(rows),
    }
  })
  if (reports.some(({ rows }) => rows.some(({ better }) => better === 'lower'))) notes.push('↓: lower is better.')
  const { level, resamples } = first.intervals
  if (reports.some(({ rows }) => rows.some((row) => row.interval !== null))) {
    notes.push(
      `[low, high]: ${Math.round(level * 100)}% confidence interval, cluster bootstrap, ${formatCount(resamples)} resamples.`,
    )
  }
  for (const report of reports) {
    for (const note of report.notes) notes.push(named(report, note))
  }
  return {
    title: first.title,
    subtitle: `${first.suite}, version ${first.suiteVersion}, profile ${first.profile}`,
    runs: reports.map((report) => runLine(report)),
    shortRuns: reports.map((report) => shortRunLine(report)),
    runColumns: isSingle ? 0 : reports.length,
    droppable: ['ceiling', 'constant', 'blind', 'n', 'chance'],
    columns: [
      ...(isSingle ? ['score'] : reports.map((report) => nameOf(report, reports))),
      'n',
      ...references.map(({ title }) => title),
    ],
    sections: sectionsOf([...lines, ...passLines(reports, references.length)]),
    notes,
  }
}

/** Groups lines by section; those without a section come first. */
export function sectionsOf(lines: readonly Line[]): Section[] {
  return [...groupBy(lines, ({ section }) => section)]
    .sort(([a], [b]) => Number(a !== null) - Number(b !== null))
    .map(([heading, rows]) => ({ heading, rows }))
}

/** Number of episodes in a row; one number per run if they differ. */
function countCell(rows: readonly (ReportRow | undefined)[]): string {
  const counts = rows.map((row) => (row === undefined ? NONE : formatCount(row.n)))
  return new Set(counts).size === 1 ? counts[0]! : counts.join(' / ')
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

/** Keys of all rows; a key that only a later report has goes after the row that precedes it there. */
function rowKeys(reports: readonly Report[]): string[] {
  const keys: string[] = []
  for (const { rows } of reports) {
    let after = -1
    for (const { key } of rows) {
      const at = keys.indexOf(key)
      if (at >= 0) after = at
      else keys.splice(++after, 0, key)
    }
  }
  return keys
}

function scoreCell(row: ReportRow | undefined, footnote: (text: string) => string): string {
  if (row === undefined) return NONE
  const reason = row.noInterval === undefined ? '' : footnote(`No confidence interval: ${row.noInterval}.`)
  return formatWithInterval(row.value, row.interval, row.unit) + reason
}

/** @param padding number of trailing columns without values */
function passLines(reports: readonly Report[], padding: number): Line[] {
  const ks = [...new Set(reports.flatMap(({ passes }) => passes?.rows.map(({ k }) => k) ?? []))].sort((a, b) => a - b)
  const known = reports.map((report) => new Map(passRows(report).map((row) => [row.key, row])))
  return [...ks.map((k) => `pass@${k}`), ...ks.filter((k) => k > 1).map((k) => `pass^${k}`)].map((key) => {
    const rows = known.map((byKey) => byKey.get(key))
    const cells = rows.map((row) => (row ? formatWithInterval(row.value, row.interval, row.unit) : NONE))
    return {
      key,
      section: `Epochs (success: ${reports[0]!.passes!.metric} = 1)`,
      title: key,
      cells: [...cells, formatCount(rows[0]?.n ?? 0), ...Array.from({ length: padding }, () => NONE)],
      isHeadline: false,
      best: bestOf(rows),
    }
  })
}

/** Where the best value is; nowhere if there is nothing to choose from. */
function bestOf(rows: readonly (ReportRow | undefined)[]): ReadonlySet<number> {
  const values = rows.map((row) => row?.value ?? null)
  const known = values.filter((value) => value !== null)
  if (new Set(known).size < 2) return new Set()
  const isLower = rows.some((row) => row?.better === 'lower')
  const best = isLower ? Math.min(...known) : Math.max(...known)
  return new Set(values.flatMap((value, i) => (value === best ? [i] : [])))
}

/** The player's name; with the run id if several runs have the same player. */
export function nameOf(report: Report, among: readonly Report[]): string {
  const player = report.models['player'] ?? report.run
  const sameName = among.filter((other) => (other.models['player'] ?? other.run) === player)
  return sameName.length > 1 ? `${player} (${report.run})` : player
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
    `fingerprint ${report.fingerprint.hash}`,
  ].join(' · ')
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

/** Notes with their footnote marks; notes without a mark apply to the whole table. */
export function numberedNotes(layout: Layout): { mark: string; text: string }[] {
  const used = layout.sections.flatMap(({ rows }) => rows.flatMap(({ title, cells }) => [title, ...cells])).join(' ')
  return layout.notes.map((text, i) => ({ mark: used.includes(superscript(i + 1)) ? superscript(i + 1) : '', text }))
}
