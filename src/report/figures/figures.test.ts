import { describe, expect, it } from 'vitest'
import { DARK } from './draw/theme.ts'
import type { Figure } from './figure.ts'
import { costFigure, forestFigure, type ScoredRun } from './runs.ts'
import { figureSvg } from './svg.ts'

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
