/** docs/reference/published.md: every published result that ships with the suites, with its source. */
import { formatValue, NONE } from '../../src/report/format.ts'
import { judgedRows, type PublishedResults, remarksOn } from '../../src/report/published.ts'
import { cell, GENERATED, page, table } from './markdown.ts'

/** A board, and the titles of its metrics where a suite has them. */
export interface Board {
  published: PublishedResults
  metrics: Readonly<Record<string, { title: string }>>
}

export function publishedPage(boards: readonly Board[]): string {
  return page(
    GENERATED,
    '# Published results',
    'What others published for the benchmarks that Sightline plays, as `sightline report RUN --published` shows it beside a run. All numbers are percentages as printed by their sources. A mark after the first number says that the other numbers of the row do not add up to it; Sightline recomputes every total. The numbers of VBench, VBench-I2V and VBench-2.0 belong to the VBench leaderboard: cite VBench when you show them.',
    ...boards.flatMap(board),
  )
}

function board({ published, metrics }: Board): string[] {
  const rows = judgedRows(published, [])
  const facts = [...new Set(rows.flatMap((row) => Object.keys(row.facts)))]
  const sources = Object.keys(published.sources)
  const remarks = rows.flatMap((row) => {
    // The note of a row that does not add up says why: the sum is not reported twice.
    const [text] = remarksOn(row).slice(-1)
    const mark = row.recomputed === null ? '' : '† '
    return text === undefined ? [] : [`- ${mark}${cell(`${row.model}: ${text}`)}`]
  })
  const lines = rows.map((row) => [
    cell(row.model),
    ...facts.map((name) => cell(row.facts[name] ?? '')),
    row.date ?? '',
    String(sources.indexOf(row.source) + 1),
    ...row.scores.map((score, i) => {
      const text = score === null ? NONE : formatValue(score / 100, 'percent')
      return i === 0 && row.recomputed !== null ? `${text} †` : text
    }),
  ])
  const titles = published.metrics.map((key) => cell(metrics[key]?.title ?? key.replaceAll('_', ' ')))
  return [
    `## ${published.title}`,
    table(['model', ...facts, 'date', 'source', ...titles], lines),
    remarks.join('\n'),
    `Sources:\n\n${Object.values(published.sources)
      .map(({ title, url }, i) => `${i + 1}. ${cell(title)}${url === null ? '' : `: <${url}>`}`)
      .join('\n')}`,
  ]
}
