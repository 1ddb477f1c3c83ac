import { expect, test } from 'vitest'
import type { Report } from '../report/report.ts'
import { EASI_SUITES, easiPayload, easiScores, easiTable } from './easi.ts'

type Row = Pick<Report['rows'][number], 'key' | 'title' | 'value' | 'n' | 'chance'>

function report(suite: string, headline: string, rows: readonly Row[]): Report {
  const shown = rows.map((row) => ({ unit: 'percent' as const, better: 'higher' as const, ...row }))
  // Only these parts are read.
  const read: Pick<Report, 'suite' | 'headline'> & { rows: readonly Row[] } = { suite, headline, rows: shown }
  return read as Report
}

const part = (label: string, title: string, value: number, n = 10, chance = 0.25): Row => ({
  key: `${label}.${title}`,
  title,
  value,
  n,
  chance,
})

/** All suites at 50%, but SITE: half of 30 image questions with two options, all of 10 videos with four. */
const reports = EASI_SUITES.map((suite) => {
  if (suite === 'site-image' || suite === 'site-video') {
    const [value, n, chance] = suite === 'site-image' ? [0.5, 30, 0.5] : [1, 10, 0.25]
    const category = part('category', 'multi-view & cross-image reasoning', value, n, chance)
    return report(suite, 'total', [
      { key: 'total', title: 'SITE', value: 0, n },
      { key: 'correct', title: 'Correct', value, n, chance },
      category,
    ])
  }
  const parts = suite === 'mmsi-bench' ? [part('type', 'Positional Relationship (Cam.–Cam.)', 0.5)] : []
  return report(suite, 'correct', [{ key: 'correct', title: 'Correct', value: 0.5, n: 10, chance: 0.25 }, ...parts])
})

test('the eight scores: chance-adjusted SITE over images and videos, and the mean', () => {
  const scores = easiScores('org/model', reports)
  const site = (100 * (10 * 0.75)) / (30 * 0.5 + 10 * 0.75)
  expect(scores.scores['site']).toBeCloseTo(site)
  expect(scores.mean).toBeCloseTo((7 * 50 + site) / 8)
  expect(scores.parts).toMatchObject({
    mmsi_bench: { pos_cam_cam_accuracy: 50 },
    site: { multiview_and_crossimage_reasoning_caa: 33.3333 },
  })
  expect(easiTable([scores])[1]).toEqual([
    'org/model',
    '50.0',
    '50.0',
    '50.0',
    '50.0',
    '33.3',
    ...Array(3).fill('50.0'),
    '47.9',
  ])
  expect(easiPayload(scores, '')).toMatchObject({ modelName: 'org/model', scores: { blink: 50, site: 33.3333 } })
})

test('there is no mean of fewer than eight, and no SITE without its videos', () => {
  const { scores, mean } = easiScores(
    'org/model',
    reports.filter(({ suite }) => suite !== 'site-video'),
  )
  expect([scores['site'], scores['blink'], mean]).toEqual([null, 50, null])
})
