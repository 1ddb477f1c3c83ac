import { unzipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { DIMENSIONS } from '../domain/dimensions.ts'
import { exportResults, importResults, parseResults, publishedUpload, submissionZip } from './results.ts'
import { publishedTotals, strictTotals } from '../domain/totals.ts'

/** Per-dimension values of published models, and the totals that the leaderboard shows for them. */
const MODELS = {
  ModelScope: {
    values: [
      89.87, 95.29, 98.28, 95.79, 66.39, 52.06, 58.57, 82.25, 38.98, 92.4, 81.72, 33.68, 39.26, 25.37, 23.39, 25.67,
    ],
    totals: [78.06, 66.54, 75.75],
  },
  'Show-1': {
    values: [
      95.53, 98.02, 99.12, 98.24, 44.44, 57.35, 58.66, 93.07, 45.47, 95.6, 86.35, 53.5, 47.03, 25.28, 23.06, 27.46,
    ],
    totals: [80.42, 72.98, 78.93],
  },
}

test.each(Object.entries(MODELS))('%s gets its leaderboard totals', (_, { values, totals }) => {
  const raw = Object.fromEntries(DIMENSIONS.map((name, i) => [name, values[i]! / 100]))
  const { quality, semantic, total } = publishedTotals(raw)
  expect([quality, semantic, total].map((each) => Number((each * 100).toFixed(2)))).toEqual(totals)
  expect(strictTotals(raw)).toEqual({ quality, semantic, total })
})

describe('missing dimensions', () => {
  test('prevent a total, or count as 0 in the published mode', () => {
    const raw = { subject_consistency: 0.95, color: null }
    expect(strictTotals(raw)).toEqual({ quality: null, semantic: null, total: null })
    expect(publishedTotals({}).total * 100).toBeCloseTo(-57.17, 2)
  })
})

describe('result files', () => {
  test('reads NaN and Infinity from Python as missing values, and keeps them in strings', () => {
    const text = '{"color": [NaN, [{"video_path": "NaN -Infinity.mp4", "video_results": -Infinity}]]}'
    expect(parseResults(text, 'x')).toEqual({
      color: [null, [{ video_path: 'NaN -Infinity.mp4', video_results: null }]],
    })
    const { values, notes } = importResults([{ path: 'a_eval_results.json', text }])
    expect(values.color).toEqual({
      value: null,
      records: [{ video_path: 'NaN -Infinity.mp4', video_results: null }],
    })
    expect(notes).toHaveLength(1)
  })

  test('warns about a percentage in place of a fraction', () => {
    const { values, notes } = importResults([{ path: 'r.json', text: '{"scene": [48.65, []], "color": [1, []]}' }])
    expect([values.scene?.value, values.color?.value]).toEqual([48.65, 1])
    expect(notes).toEqual(['r.json: scene is 48.65, but scores lie within 0…1 (a percentage?)'])
  })

  test('says once per file which values replace others', () => {
    const text = '{"scene": [0.5, []], "color": [1, []]}'
    const { notes } = importResults(['a.json', 'b.json'].map((path) => ({ path, text })))
    expect(notes).toEqual(['b.json: given before, these are taken: scene, color'])
  })

  test('are found in nested folders, where the published script scores zeros', () => {
    const file = { path: 'a/b/r.json', text: '{"scene": [0.5, []], "my_metric": [1, []]}' }
    expect(publishedUpload([file])['scene']).toBe(0)
    const { values, unknown } = importResults([file, { path: '__MACOSX/r.json', text: 'junk' }])
    expect(values.scene?.value).toBe(0.5)
    expect(unknown).toEqual(['my_metric'])
    expect(() => importResults([{ path: 'r.json', text: '{' }])).toThrow('is not JSON')
    expect(() => publishedUpload([{ path: 'r.json', text: '{' }])).toThrow(/^JSONDecodeError/)
  })

  test('round-trip through the published format', () => {
    const records = [{ video_path: 'alley-0.mp4', video_results: 0.25 }]
    const text = exportResults({ scene: { value: 0.25, records } })
    const zip = submissionZip(text, '[]')
    const files = Object.entries(unzipSync(zip)).map(([path, bytes]) => ({
      path,
      text: new TextDecoder().decode(bytes),
    }))
    expect(publishedUpload(files)['scene']).toBe(0.25)
    expect(importResults(files).values.scene).toEqual({ value: 0.25, records })
  })
})
