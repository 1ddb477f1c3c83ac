import { expect, it } from 'vitest'
import { widthOf } from '../../base/display-width.ts'
import { type ListedRun, runTable, shortIds } from './run-table.ts'

const runs: ListedRun[] = ['vudb', 'z6z3', 'z7z3'].map((suffix, i) => ({
  id: `2026-11-16T12-02-51_space-text_qwen3-vl-235b-a22b-instruct_${suffix}`,
  suite: 'space/text',
  model:
    i === 1 ? '模型提供商/非常长的模型名称\u001b[31m第二版第三版第四版' : 'openrouter/qwen/qwen3-vl-235b-a22b-instruct',
  state: 'interrupted',
  episodes: '1200/1200',
  score: '14.5',
  cost: 'price unknown',
  reason: i === 1 ? 'stopped by Ctrl-C, and then a long explanation that goes on and on for more than a line' : null,
}))

it.each([50, 80, 120])('fits %i columns and says what is not shown', (width) => {
  const text = runTable(runs, width, { all: false, total: 40 })
  for (const line of text.split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(width)
  expect(text).toMatch(/^vudb /m)
  expect(text).toMatch(/Not shown: 37 older runs(,| and) whole ids/)
  expect(text).not.toContain('\u001b')
})

it('shows whole ids where they fit, or with --all', () => {
  expect(runTable(runs, Infinity, { all: true, total: 3 }).split('\n')).toHaveLength(5)
  expect(runTable(runs, 50, { all: true, total: 3 })).toContain(`${runs[0]!.id}\n    interrupted · 1200/1200`)
})

it('makes short ids long enough to be unique', () => {
  expect(shortIds(['a_12345', 'b_92345', 'c_2345_x'])).toEqual(['12345', '92345', '45_x'])
})
