import { describe, expect, it } from 'vitest'
import type { ScoredRow } from '../../report/means.ts'
import { Table } from '../../report/table.ts'
import { metrics, summary } from './summary.ts'

const clip = (id: number, scores: Record<string, number> | null): ScoredRow => ({
  case: `clip-${id}`,
  epoch: 1,
  cluster: `clip-${id}`,
  labels: { template: 'T2', slots: '1', windows: '1' },
  status: scores ? 'answered' : 'model_error',
  scores: scores ?? {},
})

describe('the table of a run', () => {
  const seed = { intent: 1, spatial: 1, 'spatial.object': 1, temporal: 1 }
  const letters = { 'eco.cls': 1, 'eco.spatial': 1, 'eco.temporal': 1, 'eco.joint': 1, 'eco.sequence': 1 }
  it.each([
    ['all clips failed', [null, null], 'overall', false],
    ['one clip failed', [seed, null], 'overall', false],
    ['a judge, one clip failed', [{ ...seed, 'intent.judge': 1, 'judge.silent': 0 }, null], 'overall', true],
    ['option letters, one clip failed', [letters, null], 'eco.joint', false],
  ] as const)('%s', (_, clips, headline, judged) => {
    const table = summary(
      new Table(
        clips.map((scores, i) => clip(i, scores)),
        metrics,
      ),
    )
    expect(table.headline).toBe(headline)
    const shown = table.rows.find(({ key }) => key === headline)
    expect(shown).toMatchObject({ n: 2, value: clips.every((scores) => scores === null) ? 0 : 0.5 })
    expect(table.rows.some(({ key }) => key === 'intent.judge')).toBe(judged)
  })
})
