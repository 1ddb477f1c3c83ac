import { expect, test } from 'vitest'
import type { Means } from '../../report/means.ts'
import type { Profile } from './domain/protocol.ts'
import { vsiSummary } from './summary.ts'

const summaryOf = (means: Means, profile: Profile = 'official') => vsiSummary(means, { profile })

const meansOf = (scores: Readonly<Record<string, number>>): Means => ({
  mean: (metric, where) =>
    metric === 'score' && where?.['type'] !== undefined ? (scores[where['type']] ?? null) : null,
  count: (metric, where) =>
    metric !== 'score' ? 0 : where?.['type'] === undefined ? 10 : where['type'] in scores ? 1 : 0,
  values: (label) => (label === 'type' ? Object.keys(scores) : []),
  labels: () => ['type'],
  whole: () => ({ value: null, n: 0 }),
  metrics: () => ['score'],
})
const complete = {
  object_counting: 0.75,
  object_abs_distance: 0.3,
  object_size_estimation: 0.5,
  room_size_estimation: 0.9,
  object_rel_distance: 1 / 3,
  object_rel_direction_easy: 1,
  object_rel_direction_medium: 0.25,
  object_rel_direction_hard: 0,
  route_planning: 1,
  obj_appearance_order: 0.5,
}

test('averages eight types, and is called overall only if all are present', () => {
  const whole = summaryOf(meansOf(complete))
  expect(whole.headline).toBe('overall')
  expect(whole.rows[0]!.value).toBeCloseTo(0.5875, 12)
  const { obj_appearance_order: _, ...rest } = complete
  const partial = summaryOf(meansOf(rest))
  expect(partial.headline).toBe('overall_partial')
  expect(partial.rows[0]!.note).toContain('missing: Appearance order.')
})

test('is partial without a level of direction, where the published evaluators fail', () => {
  const { object_rel_direction_hard: _, ...rest } = complete
  const { headline, rows } = summaryOf(meansOf(rest))
  expect(headline).toBe('overall_partial')
  expect(rows[0]!.note).toContain('missing: Relative direction, hard.')
})

test('follows the rule of each published evaluator', () => {
  const { object_rel_direction_easy: _, ...rest } = complete
  const overall = (profile: Profile, scores: Readonly<Record<string, number>>) =>
    summaryOf(meansOf(scores), profile).rows[0]!.value
  // The official code merges levels only if the easy one is present; otherwise each is its own term.
  const others = 0.75 + 0.3 + 0.5 + 0.9 + 1 / 3 + 1 + 0.5
  expect(overall('official', rest)).toBeCloseTo((others + 0.25 + 0) / 9, 12)
  expect(overall('vlmevalkit', rest)).toBeCloseTo((others + 0.25 + 0) / 9, 12)
  // VLMEvalKit merges them only if all are present.
  const { object_rel_direction_hard: __, ...easier } = complete
  expect(overall('vlmevalkit', easier)).toBeCloseTo((others + 1 + 0.25) / 9, 12)
  expect(overall('lmms-eval', { ...complete, object_counting: 1 / 3 })).toBe(0.535417)
})

test('shows the debiased mean if the data marks pruned questions', () => {
  const means = meansOf(complete)
  const both = summaryOf({
    ...means,
    mean: (metric, where) => {
      const value = means.mean(metric, where)
      return value !== null && where?.['pruned'] === 'no' ? value / 2 : value
    },
    values: (label) => (label === 'pruned' ? ['no', 'yes'] : means.values(label)),
  })
  expect(both.rows.find(({ key }) => key === 'debiased')).toMatchObject({ title: 'Overall, debiased' })
  expect(both.rows.find(({ key }) => key === 'debiased')!.value).toBeCloseTo(0.5875 / 2, 12)
  expect(summaryOf(means).rows.map(({ key }) => key)).not.toContain('debiased')
})

test('reports the cognitive map by true distance, with equal weight per pair', () => {
  // Two episodes: one pair that agrees, then three that do not, all up to 2.1 cells apart.
  const means: Readonly<Record<string, number>> = { 'map.pairs.1': 2, 'map.agreeing.1': 0.5, 'map.pairs.2': 0 }
  const { rows } = summaryOf({
    mean: (metric) => means[metric] ?? null,
    count: (metric) => (metric in means ? 2 : 0),
    values: () => [],
    labels: () => [],
    whole: () => ({ value: null, n: 0 }),
    metrics: () => Object.keys(means),
  })
  expect(rows.filter(({ key }) => key.startsWith('map.'))).toMatchObject([
    { key: 'map.1', title: 'Pairs 1.0 to 2.1 cells apart', value: 0.25, n: 4 },
  ])
})
