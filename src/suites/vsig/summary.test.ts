import { describe, expect, it } from 'vitest'
import type { ScoredRow } from '../../report/means.ts'
import { Table } from '../../report/table.ts'
import type { Profile } from './domain/profiles.ts'
import { metrics, summary } from './summary.ts'

const clip = (id: number, scores: Record<string, number> | null): ScoredRow => ({
  sample: `clip-${id}`,
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
    ['seed', 'all clips failed', [null, null], 'overall', false],
    ['seed', 'one clip failed', [seed, null], 'overall', false],
    ['seed', 'a judge, one clip failed', [{ ...seed, 'intent.judge': 1, 'judge.silent': 0 }, null], 'overall', true],
    ['ecog-v4', 'one clip failed', [letters, null], 'eco.joint', false],
    ['ecog-v4', 'all clips failed', [null, null], 'eco.joint', false],
  ] as const)('%s: %s', (profile, _, clips, headline, judged) => {
    const table = summary(
      new Table(
        clips.map((scores, i) => clip(i, scores)),
        metrics,
      ),
      { profile },
    )
    expect(table.headline).toBe(headline)
    const shown = table.rows.find(({ key }) => key === headline)
    expect(shown).toMatchObject({ n: 2, value: clips.every((scores) => scores === null) ? 0 : 0.5 })
    expect(table.rows.some(({ key }) => key === 'intent.judge')).toBe(judged)
  })

  it('excludes failed clips before generation 4, and moments by the published rules', () => {
    const clips = [
      { 'v2.intent': 0.5, 'v2.match': 0, 'v2.spatial': 1 },
      { 'v2.intent': 1, 'v2.match': 1, 'v2.spatial': 1, 'v2.temporal': 0.25 },
      null,
    ].map((scores, i) => clip(i, scores))
    const shown = (profile: Profile, rows: ScoredRow[]) =>
      summary(new Table(rows, metrics), { profile }).rows.map(({ key, value, n }) => [key, value, n])
    expect(shown('upstream-v2', clips).slice(0, 4)).toEqual([
      ['overall', 2 / 3, 2],
      ['intent', 0.75, 2],
      ['spatial', 1, 2],
      ['temporal', 0.25, 2],
    ])
    const silent = clip(0, { 'v3.intent': 1, 'v3.spatial': 0.5 })
    const spoken = clip(1, { 'v3.intent': 0, 'v3.spatial': 0.5, 'v3.temporal': 0 })
    expect(shown('upstream-v3', [silent])[0]).toEqual(['overall', 0.75, 1])
    expect(shown('upstream-v3', [silent, spoken])[0]).toEqual(['overall', 1 / 3, 2])
    const letters4 = { 'v4.cls': 1, 'v4.spatial': 1, 'v4.temporal': 0, 'v4.joint': 0, 'v4.sequence': 0 }
    expect(shown('upstream-v4', [clip(0, letters4), clip(1, null)])[2]).toEqual(['v4.cls', 0.5, 2])
  })
})
