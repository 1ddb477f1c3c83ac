import { describe, expect, it } from 'vitest'
import { exampleHeader, exampleRows, exampleSuite } from '../../../test/support/report.ts'
import { buildReport, type Report, type ReportRow } from '../report.ts'
import { DARK } from './draw/theme.ts'
import type { Figure } from './figure.ts'
import { type AnsweredEpisode, confusionFigure, numberFigure } from './answers.ts'
import { curveFigure, passFigure } from './curves.ts'
import { costFigure, forestFigure, type ScoredRun } from './runs.ts'
import { figureFile, figureSvg } from './draw/svg.ts'
import { matrixFigure, typeFigure } from './types.ts'

const HOSTILE = '</text><script>alert("1")</script>\u0000\u202e&amp;'

function run(name: string, value: number | null, usd: number | null = 1): ScoredRun {
  const interval = value === null ? null : ([value - 0.05, value + 0.05] as const)
  const score = { title: 'Accuracy', unit: 'percent', better: 'higher', value, interval, chance: 0.25 } as const
  return { name, suite: 'Suite', score, usd }
}

const runs = [run('a', 0.3, 0.02), run('b', 0.7, 4), run(HOSTILE, 0.5, null), run('none', null), run('free', 0.6, 0)]
const many = Array.from({ length: 20 }, (_, i) =>
  run(`provider/some-model-with-a-long-name-${i}`, i / 25 + 0.1, 10 ** (i / 6 - 2)),
)

const built = buildReport({
  header: exampleHeader({}),
  rows: exampleRows({ clusters: 3, samplesPerCluster: 2, skill: 0.5, key: 'figures' }),
  suite: exampleSuite,
})

function row(key: string, title: string, value: number, more: Partial<ReportRow> = {}): ReportRow {
  return { key, title, value, n: 3, unit: 'percent', better: 'higher', interval: [value / 2, value], ...more }
}

function report(player: string, value: number): Report {
  const cells = ['T1', 'T2'].flatMap((template) =>
    ['intent', 'place'].map((column) =>
      row(`${template}.${column}`, column, value, { section: 'Templates', cell: { row: template, column } }),
    ),
  )
  const points = [1, 2, 5].map((cost) => row(`curve.seen.${cost}`, `Seen at cost ${cost}`, (value * cost) / 5))
  const rows = [
    row('overall', 'Overall', value),
    row('near', 'Near', value / 2, { section: 'Parts' }),
    ...cells,
    ...points,
  ]
  return { ...built, headline: 'overall', models: { player }, run: `run_${player.length}`, rows }
}

const reports = [report('one', 0.4), report(HOSTILE, 0.8)]

function episode(
  run: number,
  answer: string | number | null,
  truth: string | number,
  choices?: string[],
): AnsweredEpisode {
  return { run, labels: { type: 'size' }, answer, truth, unit: 'm', ...(choices && { choices }) }
}

const answered = {
  unreadable: 0,
  runs: ['one', HOSTILE],
  titles: new Map([['size', 'Size']]),
  episodes: [
    ...[0.1, 1, 10].map((truth, i) => episode(i % 2, truth * 2, truth)),
    episode(0, 'many', 3),
    episode(0, 'left', 'left', ['left', 'right']),
    episode(0, 'left', 'right', ['left', 'right']),
    episode(1, null, 'right', ['left', 'right']),
  ],
}

/** Dots by the start of their tooltips. */
function dots(svg: string): Map<string, { x: number; y: number }> {
  const found = new Map<string, { x: number; y: number }>()
  for (const [, x, y, title] of svg.matchAll(
    /<path d="[^"]*" transform="translate\(([\d.]+),([\d.]+)\)"><title>(.*?):/g,
  )) {
    found.set(title!, { x: Number(x), y: Number(y) })
  }
  for (const [tag, title] of svg.matchAll(/<circle [^>]*><title>(.*?):/g)) {
    const at = (name: string): number => Number(new RegExp(` ${name}="([\\d.]+)"`).exec(tag)![1])
    found.set(title!, { x: at('cx'), y: at('cy') })
  }
  return found
}

describe.each<[string, Figure]>([
  ['forest', forestFigure(runs)],
  ['forest of many runs', forestFigure(many)],
  ['cost', costFigure(runs)],
  ['cost of many runs', costFigure(many)],
  ['steps', costFigure(runs.map((each, i) => ({ ...each, spent: { title: 'Steps', value: i === 0 ? null : i * 7 } })))],
  ['types', typeFigure(reports)!],
  ['curves', curveFigure(reports)!],
  ['heat map', matrixFigure(reports)!],
  ['numbers', numberFigure(answered)!],
  ['confusion', confusionFigure(answered)!],
])('%s', (_, figure) => {
  it.each([240, 640])('is a complete, self-contained SVG, %i pixels wide', (width) => {
    const svg = figureSvg(figure, { width })
    expect(svg).toMatch(
      /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" [^>]*role="img"[^>]*><title>.+?<\/title><desc>.+?<\/desc>/,
    )
    expect(svg).not.toMatch(/NaN|undefined|Infinity|currentColor|<style|class=|href|url\(|<script|\p{Cc}|\u202e/u)
    expect(svg).toContain(`width="${width}"`)
    expect(figureSvg(figure, { width })).toBe(svg)
    expect(figureSvg(figure, { width, theme: DARK })).toContain(`fill="${DARK.paper}"`)
  })
})

it('draws better scores further right, one row per run, the best on top', () => {
  const at = dots(figureSvg(forestFigure(runs)))
  expect(at.size).toBe(4)
  expect(at.get('a')!.x).toBeLessThan(at.get('free')!.x)
  expect(at.get('free')!.x).toBeLessThan(at.get('b')!.x)
  expect(at.get('b')!.y).toBeLessThan(at.get('free')!.y)
  expect(at.get('free')!.y).toBeLessThan(at.get('a')!.y)
})

it('draws dearer runs further right, and unknown costs apart', () => {
  const svg = figureSvg(costFigure(runs))
  const at = dots(svg)
  const unknown = [...at].find(([name]) => name.includes('script'))![1]
  expect(at.get('free')!.x).toBeLessThan(at.get('a')!.x)
  expect(at.get('a')!.x).toBeLessThan(at.get('b')!.x)
  expect(at.get('b')!.x).toBeLessThan(unknown.x)
  expect(at.get('b')!.y).toBeLessThan(at.get('a')!.y)
  expect(svg).toContain('>unknown</text>')
})

it('writes hostile names as text', () => {
  expect(figureSvg(forestFigure(runs))).toContain('&lt;script&gt;')
})

it('takes the rows of a report apart: types, points of curves and cells of matrices', () => {
  const types = typeFigure(reports)!
  expect(types.panels.map(({ rows }) => rows.map(({ name }) => name))).toEqual([['Overall'], ['Near']])
  expect(typeFigure(reports, ['nothing'])).toBeNull()
  expect(curveFigure(reports)).toMatchObject({ panels: [{ title: 'Seen', xTitle: 'cost' }] })
  expect(matrixFigure([reports[0]!])).toMatchObject({ panels: [{ rows: ['T1', 'T2'], columns: ['intent', 'place'] }] })
  expect([curveFigure([built]), matrixFigure([built]), passFigure(built)]).toEqual([null, null, null])
})

it('compares answers with the truth, and says how many are not numbers', () => {
  const { panels } = numberFigure(answered)!
  expect(numberFigure({ ...answered, unreadable: 2 })!.title).toBe(
    'Answers against the truth, without 2 unreadable logs',
  )
  expect(panels).toMatchObject([{ title: 'Size (n = 3, 1 without a number)', isLogarithmic: true }])
  const [first, second] = confusionFigure(answered)!.panels
  expect(first!.cells.map((line) => line.map((cell) => cell?.text))).toEqual([
    ['1', '0'],
    ['1', '0'],
  ])
  expect(second!.columns).toEqual(['left', 'right', 'no answer'])
  expect(confusionFigure({ ...answered, episodes: [] })).toBeNull()
})

it('compares letters where every question has choices of its own', () => {
  const episodes = Array.from({ length: 10 }, (_, i) => episode(0, `a${i}`, `b${i}`, [`a${i}`, `b${i}`]))
  expect(confusionFigure({ ...answered, runs: ['one'], episodes })!.panels).toMatchObject([
    { title: 'Size', rows: ['A', 'B'], columns: ['A', 'B'] },
  ])
})

it('writes PDF with embedded fonts, the same every time, and PNG', async () => {
  const write = async () => Buffer.from((await figureFile(forestFigure(runs), 'pdf', { width: 240 })) as Uint8Array)
  const pdf = await write()
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
  expect(pdf.toString('latin1')).toMatch(/\/FontFile2 [^]*\/MediaBox \[0 0 240 |\/MediaBox \[0 0 240 [^]*\/FontFile2 /)
  expect(pdf.toString('latin1')).not.toContain('/BaseFont /Helvetica')
  expect((await write()).equals(pdf)).toBe(true)
  expect(String((await figureFile(forestFigure(runs), 'png')).slice(1, 4))).toMatch(/80,78,71|PNG/)
})
