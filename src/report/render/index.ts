/** Renders reports in every output format. */
import { renderCsv } from './csv.ts'
import { renderHtml } from './html.ts'
import { renderLatex } from './latex.ts'
import { type Layout, layoutsOf } from './layout.ts'
import { renderMarkdown } from './markdown.ts'
import { type Fit, renderTable } from './text-table.ts'
import type { Report } from '../report.ts'

export const REPORT_FORMATS = ['table', 'md', 'csv', 'latex', 'json', 'html'] as const
export type ReportFormat = (typeof REPORT_FORMATS)[number]

/**
 * Renders all reports as one text. Runs of the same suite, version and profile are columns of one table; others have
 * their own tables.
 */
export function renderReports(reports: readonly Report[], format: ReportFormat): string {
  return format === 'table' ? renderTables(reports) : RENDERERS[format](reports)
}

/** The same as text. @param fit the terminal to fit the tables to; without it they are complete and as wide as they are */
export function renderTables(reports: readonly Report[], fit?: Fit): string {
  return eachLayout((layout) => renderTable(layout, fit))(reports)
}

const RENDERERS: Readonly<Record<Exclude<ReportFormat, 'table'>, (reports: readonly Report[]) => string>> = {
  md: eachLayout(renderMarkdown),
  latex: eachLayout(renderLatex),
  csv: renderCsv,
  json: (reports) => `${JSON.stringify(reports.length === 1 ? reports[0] : reports, null, 2)}\n`,
  html: renderHtml,
}

function eachLayout(render: (layout: Layout) => string): (reports: readonly Report[]) => string {
  return (reports) =>
    layoutsOf(reports)
      .map(({ layout }) => render(layout))
      .join('\n')
}
