import { describe, expect, it } from 'vitest'
import { widthOf } from '../../base/display-width.ts'
import type { Progress } from '../../engine/progress.ts'
import { endLine, liveLines, type ShownRun, unstyled } from './live-lines.ts'

function progress(more: Partial<Progress> = {}): Progress {
  return {
    planned: 1200,
    finished: 37,
    before: 0,
    byStatus: { answered: 30, model_error: 4, parse_failed: 3 },
    usd: null,
    tokens: 1_234_567,
    calls: 4321,
    cachedCalls: 12,
    score: { title: 'Mean over all question types', value: 0.4321, unit: 'percent' },
    connections: 32,
    waitSeconds: 0,
    lastError: 'openrouter/x at openrouter.ai: HTTP 500: something \u001b[31mlong and red. '.repeat(3),
    ...more,
  }
}

function run(title: string, now: Progress | null = progress()): ShownRun {
  return { title, progress: () => now, seconds: () => 75 }
}

const NAMES = [
  'space/vision  openrouter/qwen/qwen3-vl-235b-a22b-instruct-with-a-very-long-name:free',
  'vsi/video  模型提供商/非常长的模型名称第二版第三版第四版',
  'space/text  baseline/random',
]

describe('the live lines', () => {
  it.each([20, 50, 80, 120, 200])('fit %i columns', (width) => {
    for (const count of [1, 2, 9]) {
      const runs = Array.from({ length: count }, (_, i) => run(NAMES[i % 3]!, i === 1 ? null : progress()))
      const lines = liveLines(runs, { width, height: 6 }).map(unstyled)
      expect(lines.length).toBeLessThanOrEqual(6)
      for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width)
      expect(lines.join('')).not.toContain('\u001b')
      if (count === 9) expect(lines.at(-1)).toBe('+4 more')
      if (width >= 50) expect(lines.join('\n')).toContain('4,321 calls')
    }
  })

  it('fit every size of terminal, and show a run on the shortest', () => {
    const runs = NAMES.map((name) => run(name))
    for (let width = 1; width <= 90; width += 1) {
      for (const height of [1, 2, 3]) {
        const lines = liveLines(runs, { width, height }).map(unstyled)
        expect(lines.length).toBeLessThanOrEqual(height)
        if (width >= 20) for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width)
      }
    }
    expect(unstyled(liveLines(runs, { width: 80, height: 1 })[0]!)).toMatch(
      /^openrouter.*:free .* 37\/1200 .* {2}\+2 more$/,
    )
  })

  it('keep the end of a long model name', () => {
    expect(unstyled(liveLines([run(NAMES[0]!)], { width: 49, height: 9 })[0]!)).toMatch(/^space\/vision .*….*:free$/)
  })

  it('show a rate limit instead of a pace, and calls before the first episode', () => {
    const text = (more: Partial<Progress>) =>
      liveLines([run('a', progress(more))], { width: 80, height: 9 })
        .map(unstyled)
        .join('\n')
    expect(text({ waitSeconds: 19.2 })).toContain('4,321 calls  rate limited, waiting 20 s')
    expect(text({ finished: 0, calls: 150 })).toContain('0/1200  150 calls  2.0 calls/s')
    expect(text({ score: null })).toContain('price unknown')
  })
})

it('never counts sixty seconds', () => {
  expect(endLine('a', progress(), 119.7)).toContain(', 2 min 00 s')
  expect(endLine('a', progress(), 0.01)).toContain(', 1 s')
})

it('a finished run leaves one line that fits', () => {
  const line = endLine(NAMES[0]!, progress({ finished: 1200 }), 75, 80)
  expect(widthOf(line)).toBeLessThanOrEqual(80)
  expect(line).toContain(': 1200/1200, 4,321 calls, 1 min 15 s')
})
