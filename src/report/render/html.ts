/** A self-contained page: no scripts, no network, light and dark mode, accessible and printable. */
import { withoutAddresses } from '../addresses.ts'
import { runNames } from '../figures/runs.ts'
import { formatCount, formatUsd, formatValue } from '../format.ts'
import type { Report } from '../report.ts'
import { escapeHtml } from './html-escape.ts'
import { STYLE } from './html-style.ts'
import { type LaidOut, type Layout, numberedNotes } from './layout.ts'

/** @param figures draws the figures of the runs of one suite, as HTML */
export function renderHtml(groups: readonly LaidOut[], figures: (reports: readonly Report[]) => string): string {
  const title = groups.length === 1 ? groups[0]!.layout.title : 'Reports'
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} – Sightline</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${groups.map((group) => suiteSection(group, figures(group.reports))).join('\n')}
</main>
</body>
</html>
`
}

function suiteSection({ layout, reports, published }: LaidOut, figures: string): string {
  return `<section class="suite">
<header>
<h1>${escapeHtml(layout.title)}</h1>
<p class="subtitle">${escapeHtml(layout.subtitle)}</p>
</header>
<div class="cards">
${runNames(reports)
  .map((name, i) => card(reports[i]!, name))
  .join('\n')}
</div>
${scoreTable(layout, reports)}
${figures === '' ? '' : `<div class="figures">${figures}</div>`}
${notesOf(layout)}
${published ? `<h2>${escapeHtml(published.title)}</h2>\n${scoreTable(published, [])}\n${notesOf(published)}` : ''}
${details(reports)}
</section>`
}

function notesOf(layout: Layout): string {
  const notes = numberedNotes(layout).map(
    ({ mark, text }) => `<li>${mark === '' ? '' : `<span class="mark">${mark}</span> `}${escapeHtml(text)}</li>`,
  )
  return `<ol class="notes" aria-label="Notes">\n${notes.join('\n')}\n</ol>`
}

function card(report: Report, name: string): string {
  const headline = report.rows.find(({ key }) => key === report.headline)
  const [low, high] = headline?.interval ?? [null, null]
  const unit = headline?.unit ?? 'percent'
  const range =
    low === null ? '' : `<span class="range">95% CI ${formatValue(low, unit)} – ${formatValue(high, unit)}</span>`
  return `<article class="card">
<h2>${escapeHtml(name)}</h2>
<p class="score"><span class="value">${formatValue(headline?.value, unit)}</span>${range}</p>
<p class="what">${escapeHtml(headline?.title ?? report.headline)}</p>
<dl>
<div><dt>Episodes</dt><dd>${formatCount(report.counted)} of ${formatCount(report.planned)}</dd></div>
<div><dt>Clusters</dt><dd>${formatCount(report.clusters)}</dd></div>
<div><dt>Cost</dt><dd>${escapeHtml(formatUsd(report.usage.usd))}</dd></div>
</dl>
</article>`
}

function scoreTable(layout: Layout, reports: readonly Report[]): string {
  const names = layout.columns.map((column) => `<th scope="col">${escapeHtml(column)}</th>`).join('')
  const body = layout.sections.map(({ heading, rows }) => {
    const head =
      heading === null
        ? ''
        : `<tr class="section"><th scope="colgroup" colspan="${layout.columns.length + 1}">${escapeHtml(heading)}</th></tr>`
    const trs = rows.map(({ title, cells, isHeadline, best, second, scores }) => {
      const tds = cells.map((cell, i) => {
        const tag = best.has(i) ? 'b' : second.has(i) ? 'u' : null
        const text = tag === null ? escapeHtml(cell) : `<${tag}>${escapeHtml(cell)}</${tag}>`
        return `<td${scores[i] === undefined ? '' : ' class="score"'}>${text}</td>`
      })
      return `<tr${isHeadline ? ' class="headline"' : ''}><th scope="row">${escapeHtml(title)}</th>${tds.join('')}</tr>`
    })
    return `<tbody>${head}${trs.join('\n')}</tbody>`
  })
  const corner = layout.rowsAre === 'models' ? 'Model' : 'Metric'
  return `<div class="scroll" tabindex="0" role="region" aria-label="Scores"><table class="${layout.rowsAre}">
<caption class="hidden">${escapeHtml(layout.title)}: scores${reports.length > 1 ? ' of several runs' : ''} with 95% confidence intervals</caption>
<thead><tr><th scope="col"><span class="hidden">${corner}</span></th>${names}</tr></thead>
${body.join('\n')}
</table></div>`
}

function details(reports: readonly Report[]): string {
  const names = runNames(reports)
  return reports
    .map((report, at) => {
      const pairs: [string, string][] = [
        ['Run', report.run],
        ['Started', report.created],
        ['Source', report.source],
        ...Object.entries(report.models).map(([role, model]): [string, string] => [`Model: ${role}`, model]),
        ['Epochs', String(report.epochs)],
        ['Episodes by status', statusLine(report)],
        ['Calls', formatCount(report.usage.calls)],
        ['Input tokens', withCached(report.usage)],
        ['Output tokens', withReasoning(report.usage)],
        ['Cost', formatUsd(report.usage.usd)],
        [
          'Confidence intervals',
          `${report.intervals.method}, ${formatCount(report.intervals.resamples)} resamples, seed ${report.intervals.seed}`,
        ],
        ['Fingerprint', report.fingerprint.hash],
        ...Object.entries(withoutAddresses(report.fingerprint.parts)).map(([name, value]): [string, string] => [
          `· ${name}`,
          value,
        ]),
      ]
      const rows = pairs.map(([name, value]) => `<div><dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd></div>`)
      return `<details><summary>Run details: ${escapeHtml(names[at]!)}</summary><dl>${rows.join('\n')}</dl></details>`
    })
    .join('\n')
}

function withCached({ inputTokens, cachedInputTokens }: Report['usage']): string {
  const cached = cachedInputTokens === 0 ? '' : `, ${formatCount(cachedInputTokens)} of them from the provider's cache`
  return formatCount(inputTokens) + cached
}

function withReasoning({ outputTokens, reasoningTokens }: Report['usage']): string {
  const reasoning = reasoningTokens === 0 ? '' : `, ${formatCount(reasoningTokens)} of them for reasoning`
  return formatCount(outputTokens) + reasoning
}

function statusLine(report: Report): string {
  return Object.entries(report.byStatus)
    .filter(([, count]) => count > 0)
    .map(([status, count]) => `${formatCount(count)} ${status}`)
    .join(', ')
}
