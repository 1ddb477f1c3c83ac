import { describe, expect, it } from 'vitest'
import { exampleHeader, exampleRows, exampleSuite } from '../../../test/support/report.ts'
import { formatDifference, formatP, formatUsd, formatValue, formatWithInterval } from '../format.ts'
import { figuresOfPage } from '../figures/draw/page.ts'
import { renderReports, renderTables, REPORT_FORMATS } from './index.ts'
import { escapeLatex } from './latex.ts'
import { widthOf } from '../../base/display-width.ts'
import { buildReport, type Report } from '../report.ts'

function report(player: string, skill: number, id = 'run-1') {
  const rows = exampleRows({ clusters: 30, samplesPerCluster: 4, epochs: 2, skill, failures: 0.05, key: player })
  return buildReport({
    header: exampleHeader({ id, models: { player }, epochs: 2, planned: rows.length }),
    rows,
    suite: exampleSuite,
  })
}
const good = report('openai/gpt-5.2', 0.7)
const HOSTILE = '</style><script>alert("1")</script>|_{$\u001b[31m'

describe('formats', () => {
  it('prints a table', () => {
    expect(renderReports([good], 'table')).toMatchSnapshot()
  })

  it('says how much of the input the provider had in its cache', () => {
    const usage = { ...good.usage, inputTokens: 4000, cachedInputTokens: 3000 }
    expect(renderReports([{ ...good, usage }], 'table')).toContain(' · 75.0% of input cached · ')
    expect(renderReports([{ ...good, usage }], 'html')).toContain('4,000, 3,000 of them from the provider&#39;s cache')
    expect(renderReports([good], 'table')).not.toContain('cached')
  })

  it('prints runs of one suite side by side and others below', () => {
    const text = renderReports(
      [good, report('baseline/random', 0.25, 'run-2'), { ...good, profile: 'official' }],
      'table',
    )
    expect(text).toMatch(/openai\/gpt-5\.2 +baseline\/random +n +chance +constant\n/)
    expect(text.match(/^Example rooms$/gm)).toHaveLength(2)
  })

  it('distinguishes two runs of one model', () => {
    const runs = ['2026-11-16_rooms_k3', '2026-11-17_rooms_x7'].map((run) => ({ ...good, run }))
    const html = renderReports(runs, 'html', { figures: figuresOfPage })
    expect(html).toContain('<h2>openai/gpt-5.2 (x7)</h2>')
    expect(html).not.toContain('(2026')
    const alike = ['a_x7', 'b_x7'].map((run) => ({ ...good, run }))
    expect(renderReports(alike, 'table')).toMatch(/\(a_x7\) +openai\/gpt-5\.2 \(b_x7\)/)
  })

  it('aligns columns', () => {
    const lines = renderReports([good, report('模型/甲', 0.4, 'run-2')], 'table').split('\n')
    const rule = lines.find((line) => line.startsWith('──'))!
    const rows = lines.filter((line) => /^(?:▸| ) \S.*\]/.test(line))
    expect(rows.length).toBeGreaterThan(4)
    expect(new Set(rows.map((line) => line.indexOf('[')))).toHaveLength(1)
    for (const row of rows) expect(widthOf(row)).toBeLessThanOrEqual(widthOf(rule))
  })

  it('marks the best and the second best of several runs, not the first', () => {
    const weak = report('baseline/random', 0.25, 'run-2')
    const middle = { ...report('google/gemini-4', 0.5, 'run-3'), warnings: [] }
    const value = (of: Report): string => formatValue(of.rows[0]!.value, 'percent')
    const [best, second] = [value(good), value(middle)]
    const latex = renderReports([weak, middle, good, report('x/y', 0.3, 'run-4')], 'latex')
    expect(latex).toContain(`\\textbf{${best}}`)
    expect(latex).toContain(`\\underline{${second}}`)
    const several = [report('x/y', 0.3, 'run-4'), middle, { ...good, warnings: [] }]
    const markdown = renderReports(several, 'md', { intervals: 'none' })
    expect(markdown).toContain(`| openai/gpt-5.2 | **${best}** |`)
    expect(markdown).toContain(`| google/gemini-4 | <u>${second}</u> |`)
    const html = renderReports(several, 'html', { intervals: 'none' })
    expect(html).toContain(`<b>${best}</b>`)
    expect(html).toContain(`<u>${second}</u>`)
    expect(renderReports([good], 'latex').match(/\\textbf/g)).toHaveLength(1)
    expect(renderReports([good], 'latex')).not.toContain('underline')
  })

  it('ranks values that are printed alike the same, and models before baselines', () => {
    const value = (of: Report, value: number): Report => ({
      ...of,
      warnings: [],
      rows: of.rows.map((row) => (row.key === 'overall' ? { ...row, value } : row)),
    })
    const runs = [value(good, 0.70004), value(report('a/b', 0.5, 'run-2'), 0.70001)]
    const table = renderReports([...runs, value(report('baseline/oracle', 0.9, 'run-3'), 1)], 'md', {
      metrics: ['overall'],
      intervals: 'none',
    })
    expect(table).not.toMatch(/\*\*\d|<u>/)
    const other = value(report('c/d', 0.5, 'run-4'), 0.6)
    expect(
      renderReports([...runs, other], 'md', { metrics: ['overall'], intervals: 'none' }).match(/\*\*70\.0\*\*/g),
    ).toHaveLength(2)
  })

  it('shows the chosen metrics in every format, by key, title or section', () => {
    const other = report('google/gemini-4', 0.5, 'run-3')
    for (const format of REPORT_FORMATS) {
      const text = renderReports([good, other], format, { metrics: ['distance', 'Overall (macro)'] })
      expect(text).toMatch(/Overall(?: |\\\\)\(macro\)/)
      expect(text).not.toMatch(/Steps|direction/)
    }
    expect(renderReports([good], 'md', { metrics: ['by question'] })).toMatch(/direction[^]*distance/)
    expect(renderReports([good], 'latex')).not.toContain('Epochs')
    expect(renderReports([good], 'latex', { all: true })).toContain('Epochs')
    expect(() => renderReports([good], 'md', { metrics: ['overal'] })).toThrow('No metric is called "overal"')
    try {
      renderReports([good], 'md', { metrics: ['distanse,overall'] })
    } catch (error) {
      expect(error).toMatchObject({ hint: expect.stringContaining('Did you mean "distance"?') })
    }
  })

  it.each(['md', 'latex', 'csv'] as const)('prints %s', (format) => {
    expect(renderReports([good], format)).toMatchSnapshot()
  })

  it('prints the report as JSON', () => {
    expect(JSON.parse(renderReports([good], 'json'))).toEqual(good)
    expect(JSON.parse(renderReports([good, good], 'json'))).toEqual([good, good])
  })

  it('prints reference columns only when a suite has them', () => {
    expect(renderReports([good], 'table')).not.toContain('ceiling')
    const rows = good.rows.map((row) => ({ ...row, ceiling: 0.9 }))
    expect(renderReports([{ ...good, rows }], 'table')).toContain('ceiling')
  })

  it.each(REPORT_FORMATS)('escapes untrusted names in %s', (format) => {
    const text = renderReports(
      [{ ...good, title: HOSTILE, models: { player: HOSTILE, judge: HOSTILE }, notes: [HOSTILE] }],
      format,
    )
    if (format === 'html') expect(text).not.toContain('<script')
    if (format !== 'csv') expect(text).not.toContain('\u001b')
    if (format === 'md') expect(text).not.toMatch(/<script|[^\\]\|_/)
    if (format === 'latex') expect(text).toContain('\\textbar{}\\_\\{\\$')
  })

  it('prints a self-contained HTML page without scripts or URLs', () => {
    const html = renderReports([good, report('other/model', 0.3, 'run-2')], 'html', { figures: figuresOfPage })
    expect(html).not.toMatch(/<script|https?:|url\(|@import|<link|<img/)
    expect(html).toMatch(/<figure><figcaption>Scores of 2 runs<\/figcaption><svg [^>]*role="img"/)
    expect(html).toContain('--figure-ink:')
  })
})

describe('numbers', () => {
  it.each([
    [0.6214, 'percent', '62.1'],
    [1, 'percent', '100.0'],
    [-0.0004, 'percent', '0.0'],
    [-0.12, 'percent', '−12.0'],
    [7.284, 'number', '7.28'],
    [123.45, 'number', '123.5'],
    [12345.6, 'number', '12346'],
    [null, 'percent', '–'],
  ] as const)('%s as %s is %s', (value, unit, text) => {
    expect(formatValue(value, unit)).toBe(text)
  })

  it('formats intervals, differences, p-values and costs', () => {
    expect(formatWithInterval(0.621, [0.58, 0.663], 'percent')).toBe('62.1 [58.0, 66.3]')
    expect(formatDifference(0.032, [-0.004, 0.068], 'percent')).toBe('+3.2 [−0.4, +6.8]')
    expect(formatDifference(0, [-0.01, 0.01], 'percent')).toBe('0.0 [−1.0, +1.0]')
    expect([formatP(0.0004), formatP(0.0312), formatP(null)]).toEqual(['<0.001', '0.031', '–'])
    expect([formatUsd(null), formatUsd(0), formatUsd(0.001), formatUsd(1.5)]).toEqual([
      'price unknown',
      '$0',
      '<$0.01',
      '$1.50',
    ])
  })

  it('escapes LaTeX', () => {
    expect(escapeLatex('50% of a_b & c # ~^\\{x}')).toBe(
      '50\\% of a\\_b \\& c \\# \\textasciitilde{}\\textasciicircum{}\\textbackslash{}\\{x\\}',
    )
    expect(escapeLatex('m² ↓¹')).toBe('m$^2$ $\\downarrow$\\textsuperscript{1}')
    expect(escapeLatex('[1] *a* é 模\u0000\u202e`^^5c')).toBe(
      '{[}1] {*}a{*} é U+6A21  \\textasciigrave{}\\textasciicircum{}\\textasciicircum{}5c',
    )
  })
})

describe('a table on a terminal', () => {
  const fit = (width: number, all = false) => ({ width, all, more: 'Add --all or -o report.html.' })
  const names = [
    'openrouter/qwen/qwen3-vl-235b-a22b-instruct:free',
    '模型提供商/非常长的模型名称第二版',
    'baseline/random',
  ]
  const many = Array.from({ length: 8 }, (_, i) =>
    report(`${names[i % 3]!}${i}`, i / 10, `2026-11-16T12_long-run-id_${i}`),
  )

  it.each([40, 50, 80, 120, 200])('never has a line wider than %i columns', (width) => {
    for (const count of [1, 2, 4, 8]) {
      for (const all of [false, true]) {
        const text = renderTables(many.slice(0, count), fit(width, all))
        for (const line of text.split('\n')) expect(widthOf(line), line).toBeLessThanOrEqual(width)
        expect(text).toMatch(/▸ Overall/)
      }
    }
  })

  it('shows the headline and its parts, and says what is missing', () => {
    const text = renderTables([good], fit(80))
    expect(text).toMatchSnapshot()
    const complete = renderReports([good], 'table')
    expect(text.length).toBeLessThan(complete.length)
    expect(renderTables([good], fit(200, true))).not.toContain('Not shown')
  })

  it('has runs side by side where they fit, without intervals of parts where it must, and as rows otherwise', () => {
    expect(renderTables(many.slice(0, 2), fit(200))).toMatch(/free0 +\S+1 +n/)
    expect(renderTables(many.slice(0, 4), fit(80))).toMatch(/95% low .*\n.*95% high/)
    expect(renderTables(many, fit(80))).toMatch(/^openrouter.*free0 +[\d.]+ \[/m)
  })

  it.each([40, 80, 120, 200])('prints the warnings of every run with their marks at %i columns', (width) => {
    const warned = many.map((each, i) => ({ ...each, warnings: [`Warning ${i} of this run.`] }))
    for (const count of [1, 2, 4, 8]) {
      const text = renderTables(warned.slice(0, count), fit(width))
      const single = (all: string): string => all.replaceAll(/\s+/g, ' ')
      for (let i = 0; i < count; i++) expect(single(text)).toContain(`Warning ${i} of this run.`)
      const marks = [...text.matchAll(/^([¹²³⁴⁵⁶⁷⁸⁹⁰]+) .*(?:\n  \S.*)*Warning/gm)].map((match) => match[1]!)
      for (const mark of marks) expect(text.split(mark).length, `${mark} in ${text}`).toBeGreaterThan(2)
      const chosen = renderTables(warned.slice(0, count), fit(width), { metrics: ['distance'] })
      expect(single(chosen)).toContain('Warning 0 of this run.')
    }
  })

  it('has the same main rows as Markdown and LaTeX, with every problem of replies', () => {
    const section = (key: string, of: string): Report['rows'][number] => ({
      ...good.rows[0]!,
      key,
      title: key,
      section: of,
    })
    const totals = ['Part 1', 'Part 2', 'Part 3'].map((key) => ({ ...good.rows[0]!, key, title: key }))
    const details = [section('Detail', 'Details'), section('replies.empty', 'Replies')]
    for (const [parts, hasDetails] of [
      [totals, false],
      [totals.slice(0, 2), true],
    ] as const) {
      const runs = ['a/b', 'c/d'].map((player) => {
        return { ...good, passes: null, models: { player }, rows: [good.rows[0]!, ...parts, ...details] }
      })
      const texts = [renderTables(runs, fit(200)), renderReports(runs, 'md'), renderReports(runs, 'latex')]
      for (const text of texts) {
        expect(text).toMatch(/Part(?: |\\\\)2/)
        expect(text).toContain('replies.empty')
        expect(text.includes('Detail')).toBe(hasDetails)
      }
    }
  })

  it('never hides that replies were not answers', () => {
    const rows = [...good.rows, { ...good.rows[1]!, key: 'replies.cut_off', title: 'Cut off', section: 'Replies' }]
    expect(renderTables([{ ...good, rows }], fit(50))).toContain('Cut off')
  })
})
