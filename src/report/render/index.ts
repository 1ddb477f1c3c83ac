/** Renders reports in every output format. */
import { renderCsv } from './csv.ts'
import { renderHtml } from './html.ts'
import { type LatexOptions, renderLatex } from './latex.ts'
import { type LaidOut, type Layout, layoutsOf, type TableView } from './layout.ts'
import { renderMarkdown } from './markdown.ts'
import { chosenKeys, metricNames } from './metrics.ts'
import { type Fit, renderTable } from './text-table.ts'
import type { PublishedResults } from '../published.ts'
import type { Report } from '../report.ts'
import { publishedJson, publishedLayout } from './published.ts'

export const REPORT_FORMATS = ['table', 'md', 'csv', 'latex', 'json', 'html'] as const
export type ReportFormat = (typeof REPORT_FORMATS)[number]

export interface RenderOptions extends Omit<TableView, 'metrics'>, LatexOptions {
  /** Keys, titles or section headings of the metrics to show, or lists of them with commas. Default: see `all`. */
  metrics?: readonly string[]
  /** Published results to show beside the runs, by suite. */
  published?: Readonly<Record<string, PublishedResults>>
  /** Show every metric and published result. Default: only the headline and its parts, in LaTeX and where models are rows. */
  all?: boolean
  /** Draws the figures of an HTML page; see `figures/draw/page.ts`. Default: none. */
  figures?: (reports: readonly Report[]) => string
}

/**
 * Renders all reports as one text. Runs of the same suite, version and profile are in one table; others have their own
 * tables. Runs are rows if there are several, except in the text table.
 */
export function renderReports(reports: readonly Report[], format: ReportFormat, options: RenderOptions = {}): string {
  return format === 'table' ? renderTables(reports, undefined, options) : RENDERERS[format](reports, options)
}

/** The same as text. @param fit the terminal to fit the tables to; without it they are complete and as wide as they are */
export function renderTables(reports: readonly Report[], fit?: Fit, options: RenderOptions = {}): string {
  // Metrics that were asked for are all shown, and the terminal decides how rows are made of models.
  const shown = fit && { ...fit, ...(options.metrics && { all: true }), ...(options.rows && { rows: options.rows }) }
  const { rows, ...others } = options
  return eachLayout('table', (layout) =>
    renderTable(layout, shown && { ...shown, all: shown.all || layout.rowsAre === 'models' }),
  )(reports, {
    ...others,
    ...(rows && !fit && { rows }),
  })
}

type Render = (reports: readonly Report[], options: RenderOptions) => string

const RENDERERS: Readonly<Record<Exclude<ReportFormat, 'table'>, Render>> = {
  md: eachLayout('md', renderMarkdown),
  latex: eachLayout('latex', renderLatex),
  csv: (reports, options) => renderCsv(filtered(reports, options)),
  json: (reports, options) => {
    const shown = filtered(reports, options).map((report) => {
      const published = options.published?.[report.suite]
      return published ? { ...report, published: publishedJson(published, report) } : report
    })
    return `${JSON.stringify(shown.length === 1 ? shown[0] : shown, null, 2)}\n`
  },
  html: (reports, options) =>
    renderHtml(layoutsFor(reports, 'html', options), (group) => options.figures?.(filtered(group, options)) ?? ''),
}

function eachLayout(format: ReportFormat, render: (layout: Layout, options: RenderOptions) => string): Render {
  return (reports, options) =>
    layoutsFor(reports, format, options)
      .flatMap(({ layout, published }) => [
        render(layout, options),
        ...(published ? [render(published, publishedOptions(options))] : []),
      ])
      .join('\n')
}

/** Caption and label belong to the table of the runs. */
function publishedOptions({ isWide, label }: RenderOptions): RenderOptions {
  return { ...(isWide && { isWide }), ...(label !== undefined && { label: `${label}-published` }) }
}

function layoutsFor(reports: readonly Report[], format: ReportFormat, options: RenderOptions): LaidOut[] {
  const metrics = options.metrics && metricNames(reports, options.metrics)
  const laidOut = layoutsOf(reports, ({ length }) => {
    const rows = options.rows ?? (length > 1 && format !== 'table' ? 'models' : 'metrics')
    const isBrief = (rows === 'models' || format === 'latex') && !options.all
    return {
      rows,
      metrics: metrics ?? (isBrief ? 'main' : undefined),
      intervals: options.intervals ?? (rows === 'models' && format === 'latex' ? 'headline' : 'all'),
    }
  })
  return laidOut.map((group) => {
    const published = options.published?.[group.reports[0]!.suite]
    if (!published) return group
    const view = { parts: format !== 'table', all: options.all ?? false }
    return { ...group, published: publishedLayout(published, group.reports, view) }
  })
}

/** The reports with only the chosen metrics, for formats that are read by programs. */
function filtered(reports: readonly Report[], { metrics }: RenderOptions): readonly Report[] {
  if (metrics === undefined) return reports
  const names = metricNames(reports, metrics)
  return reports.map((report) => {
    const keys = new Set(chosenKeys([report], names))
    return { ...report, rows: report.rows.filter(({ key }) => keys.has(key)) }
  })
}
