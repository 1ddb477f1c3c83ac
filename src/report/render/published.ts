/** Published results as a layout, with the runs in the first rows. */
import { formatCount, formatValue, formatWithInterval, NONE } from '../format.ts'
import { judgedRows, notableRows, type PublishedResults, remarksOn, sourcesUsed } from '../published.ts'
import type { Report } from '../report.ts'
import { runNames } from '../figures/runs.ts'
import { joinMarks, type Layout, type Line, superscript } from './layout.ts'

export interface PublishedView {
  /** With the parts of the headline; a terminal has no room for them. */
  parts: boolean
  /** Every row; default: the best, those nearest to the runs, people and baselines. */
  all: boolean
}

/** A name longer than this is cut where there is no room. */
const MAX_NAME = 22
const VERDICTS = { true: 'yes', false: 'no', null: '?' } as const

export function publishedLayout(published: PublishedResults, runs: readonly Report[], view: PublishedView): Layout {
  const judged = judgedRows(published, runs)
  const rows = view.all ? judged : notableRows(judged, runs)
  const notes: string[] = []
  const footnote = (text: string): string => {
    const known = notes.indexOf(text)
    return superscript(known >= 0 ? known + 1 : notes.push(text))
  }
  const metrics = view.parts ? published.metrics : published.metrics.slice(0, 1)
  const known = [...new Set(judged.flatMap((row) => Object.keys(row.facts)))]
  const valuesOf = (name: string): (string | null)[] => [...new Set(judged.map((row) => row.facts[name] ?? null))]
  const facts = known.filter((name) => valuesOf(name).length > 1)
  const shared = known
    .filter((name) => valuesOf(name).length === 1)
    .map((name) => `${name} ${valuesOf(name)[0] ?? NONE}`)
  const sources = new Map(sourcesUsed(published, rows))
  const line = (title: string, cells: string[], isHeadline: boolean): Line => ({
    key: title,
    section: null,
    title,
    cells,
    isHeadline,
    best: new Set(),
    second: new Set(),
    scores: [],
  })
  const names = runNames(runs)
  const ours = runs.map((run, at) => {
    const scores = metrics.map((key, i) => run.rows.find((row) => row.key === (i === 0 ? run.headline : key)))
    const cells = scores.map((row, i) =>
      row === undefined
        ? NONE
        : i === 0 && view.parts
          ? formatWithInterval(row.value, row.interval, row.unit)
          : formatValue(row.value, row.unit),
    )
    return line(
      named(names[at]!, view),
      [cells[0]!, ...facts.map(() => ''), dated(run.created, view), '', ...cells.slice(1)],
      true,
    )
  })
  const theirs = rows.map((row) => {
    const source = sources.get(row.source)!
    const marks = [footnote(`Source: ${source.title}${source.url === null ? '' : `, ${source.url}`}`)]
    const cells = metrics.map((_, i) => {
      const score = row.scores[i]
      return score === null || score === undefined ? NONE : formatValue(score / 100, 'percent')
    })
    cells[0] += joinMarks(remarksOn(row).map(footnote))
    const verdict = VERDICTS[`${row.likeForLike}`] + joinMarks(row.reasons.map((reason) => footnote(sentence(reason))))
    const measured = facts.map((name) => row.facts[name] ?? NONE)
    return line(
      named(row.model, view) + joinMarks(marks),
      [cells[0]!, ...measured, dated(row.date, view), verdict, ...cells.slice(1)],
      false,
    )
  })
  const hidden = judged.length - rows.length
  return {
    title: `${published.title}: published results`,
    subtitle: [`${runs[0]!.suite}, beside ${runs.length === 1 ? 'this run' : 'these runs'}`, ...shared].join(', '),
    runs: [],
    runColumns: 0,
    droppable: ['date', ...facts],
    columns: [
      titleOf(metrics[0]!, runs),
      ...facts,
      'date',
      'alike',
      ...metrics.slice(1).map((key) => titleOf(key, runs)),
    ],
    sections: [
      { heading: runs.length === 1 ? 'This run' : 'These runs', rows: ours },
      { heading: 'Published', rows: theirs },
    ],
    notes,
    warnings: [],
    runNotes: [
      'alike: like for like. yes: same data, samples, scoring and settings as far as the source says; ?: the source does not say enough.',
      ...(hidden > 0 ? [`${formatCount(hidden)} more published rows: use --all.`] : []),
    ],
    rowsAre: 'models',
  }
}

function dated(date: string | null, { parts }: PublishedView): string {
  return date === null ? NONE : date.slice(0, parts ? 'YYYY-MM-DD'.length : 'YYYY-MM'.length)
}

function named(name: string, { parts }: PublishedView): string {
  return parts || name.length <= MAX_NAME ? name : `${name.slice(0, MAX_NAME - 1)}…`
}

/** The title that the suite gives a metric; its key in words if no run has it. */
function titleOf(key: string, runs: readonly Report[]): string {
  const row = runs.flatMap(({ rows }) => rows).find((each) => each.key === key)
  return row?.title ?? key.replace(/\.exact$/, '').replaceAll('_', ' ')
}

function sentence(reason: string): string {
  return `${reason[0]!.toUpperCase()}${reason.slice(1)}.`
}

/** The same for programs. */
export function publishedJson(published: PublishedResults, run: Report): object {
  const rows = judgedRows(published, [run]).map(({ source, scores, ...row }) => ({
    ...row,
    source: published.sources[source],
    scores: Object.fromEntries(published.metrics.map((key, i) => [key, scores[i] ?? null])),
  }))
  return { title: published.title, rows }
}
