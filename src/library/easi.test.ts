import { expect, test } from 'vitest'
import { catalogNames, catalogSuite } from '../questions/catalog.ts'
import type { Report } from '../report/report.ts'
import { vsiVideo } from '../suites/vsi/suite.ts'
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
  const tasks = { key: 'total', title: 'BLINK', value: 0.1, n: 10 }
  const all = { key: 'correct', title: 'Correct', value: 0.5, n: 10, chance: 0.25 }
  if (suite === 'blink') return report(suite, 'total', [tasks, all])
  const parts = suite === 'mmsi-bench' ? [part('type', 'Positional Relationship (Cam.–Cam.)', 0.5)] : []
  return report(suite, 'correct', [all, ...parts])
})

test('the eight scores: chance-adjusted SITE over images and videos, BLINK over all questions, and the mean', () => {
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

/** The mean of the eight of each model in EASI-8's table. */
const MEANS: Readonly<Record<string, number>> = {
  'InternVL3-2B': 39.75,
  'Qwen3-VL-2B-Instruct': 44.62,
  'MindCube-3B-RawQA-SFT': 21.99,
  'SpatialLadder-3B': 40.91,
  'SpatialMLLM-4B': 35.64,
  'VST-3B-SFT': 49.31,
  'Cambrian-S-3B': 41.8,
  'InternVL3-8B': 45.69,
  'Qwen3-VL-8B-Instruct': 50.59,
  'BAGEL-7B-MoT': 45.3,
  'SpaceR-7B': 41.72,
  'ViLaSR-7B': 43.7,
  'VST-7B-SFT': 51.58,
  'Cambrian-S-7B': 46.54,
  'SenseNova-SI-1.2-InternVL3-8B': 64.53,
  'Gemini-2.5-pro-2025-06': 57.98,
  'Grok-4-2025-07-09': 53.3,
  'GPT-5-2025-08-07': 58.79,
}

test('the published results have all eight numbers of each model of EASI, and our mean of them', () => {
  const published = [...catalogNames().map(catalogSuite), vsiVideo].flatMap((suite) => {
    const rows = suite.published?.().rows ?? []
    return rows.flatMap(({ model, source, scores }) =>
      source === 'easi8' ? [{ suite: suite.name, model, scores }] : [],
    )
  })
  for (const [model, mean] of Object.entries(MEANS)) {
    const rows = published.filter((row) => row.model === model)
    const played = rows.flatMap(({ suite, scores }) => {
      const value = scores[0]! / 100
      // The published SITE is of images and videos together.
      const names = suite === 'site-image' ? ['site-image', 'site-video'] : [suite]
      const key = { key: 'correct', title: 'Correct', value, n: 10, chance: 0 }
      return names.map((name) => report(name, 'correct', [key]))
    })
    expect([model, rows.length, easiScores(model, played).mean]).toEqual([model, 8, expect.closeTo(mean, 1)])
  }
})
