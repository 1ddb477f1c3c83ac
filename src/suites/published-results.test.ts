import { expect, it } from 'vitest'
import { exampleHeader, exampleRows, exampleSuite } from '../../test/support/report.ts'
import { judgedRows, notableRows, type PublishedResults } from '../report/published.ts'
import { buildReport, type Report } from '../report/report.ts'
import { renderReports } from '../report/render/index.ts'
import { builtinSuite } from './index.ts'
import { sisterResults } from './vbench/published/leaderboard.ts'

async function publishedOf(name: string): Promise<PublishedResults> {
  return (await builtinSuite(name)).published!()
}

function run(changes: Partial<Report>, options: Record<string, string> = {}): Report {
  const rows = exampleRows({ clusters: 4, samplesPerCluster: 2, epochs: 1, skill: 0.3, failures: 0, key: 'a' })
  const report = buildReport({
    header: exampleHeader({ planned: rows.length, models: { player: 'lab/model' } }),
    rows,
    suite: exampleSuite,
    resamples: 20,
  })
  const parts = Object.fromEntries(Object.entries(options).map(([name, value]) => [`option.${name}`, value]))
  return { ...report, fingerprint: { hash: 'x', parts: { samples: 'all', ...parts } }, ...changes }
}

const onData = (changes: Partial<Report> = {}, options: Record<string, string> = {}): Report =>
  run(
    { suite: 'vsi/video', source: 'vsi-bench:/data', profile: 'official', ...changes },
    { frames: '16', prompts: '"leaderboard"', ...options },
  )

it('has a source, a known metric and the right number of scores for every row of every suite', async () => {
  const boards = await Promise.all(['vsi/video', 'space/text', 'space/vision', 'vbench'].map(publishedOf))
  for (const { rows, sources, metrics } of [...boards, ...sisterResults()]) {
    expect(rows.length).toBeGreaterThan(10)
    for (const { source, scores, model } of rows) {
      expect(sources[source], model).toBeDefined()
      expect(scores, model).toHaveLength(metrics.length)
    }
  }
})

it.each([
  ['vsi/video', 6],
  ['space/text', 2],
  ['space/vision', 1],
  ['vbench', 0],
])('recomputes the totals of %s: %i do not add up', async (name, count) => {
  const off = judgedRows(await publishedOf(name), []).filter(({ recomputed }) => recomputed !== null)
  expect(off.filter(({ note }) => note === undefined && name.startsWith('vsi'))).toEqual([])
  expect(off.map(({ model, scores, recomputed }) => `${model} ${scores[0]} ${recomputed}`)).toHaveLength(count)
})

it('recomputes the totals of VBench-I2V and VBench-2.0', () => {
  const off = sisterResults().map((board) => judgedRows(board, []).filter(({ recomputed }) => recomputed !== null))
  expect(off.map((rows) => rows.map(({ model }) => model))).toEqual([[], []])
})

it('says whether a row is like for like, and why not', async () => {
  const published = await publishedOf('vsi/video')
  const gpt4o = (report: Report) =>
    judgedRows(published, [report]).find(({ model, facts }) => model === 'GPT-4o' && facts['frames'] === '16')!
  expect(gpt4o(onData())).toMatchObject({ likeForLike: true, reasons: [] })
  expect(gpt4o(onData({ source: 'builtin:seed=7' }))).toMatchObject({
    likeForLike: false,
    reasons: ['data: VSI-Bench, here generated samples'],
  })
  expect(
    gpt4o(onData({ source: 'vsi-bench:path=/data,set=tiny', profile: 'lmms-eval' }, { frames: '8' })),
  ).toMatchObject({
    likeForLike: false,
    reasons: ['set: full, here tiny', 'scoring: official, here lmms-eval', 'frames: 16, here 8'],
  })
  expect(gpt4o(onData({ coverage: 0.5, counted: 4 })).reasons).toEqual(['samples: all, here 4 of the set'])
  const unlike = (changes: Partial<Report>, options: Record<string, string> = {}) =>
    gpt4o(onData(changes, options)).reasons
  expect(unlike({ headline: 'overall_partial' })).toEqual(['score: overall, here overall_partial'])
  expect(unlike({ source: 'vsi-bench:path=/data,exclude=/ids.txt' })).toEqual(['excluded questions: none, here a list'])
  expect(unlike({}, { types: '"mcq"' })).toEqual(['question types: all, here mcq'])
  expect(unlike({}, { types: '"numerical,mcq"', doubtful: '"ask"', map: 'false', input: '"frames"' })).toEqual([])
  expect(unlike({}, { doubtful: '"leave-out"', map: 'true', input: '"video"', order: '"text-first"' })).toEqual([
    'doubtful questions: ask, here leave-out',
    'map: false, here true',
    'frames: 16, here the whole video',
    'order: pictures-first, here text-first',
  ])
  const unstated = judgedRows(published, [onData()]).find(({ model }) => model === 'VST-7B-RL')!
  expect(unstated).toMatchObject({ likeForLike: null, reasons: ['not stated: scoring, frames'] })
})

it('shows the best rows and those nearest to the run, and all on demand', async () => {
  const published = { 'vsi/video': await publishedOf('vsi/video') }
  const report = onData()
  const headline = report.rows.find(({ key }) => key === report.headline)!
  headline.value = 0.37
  const shown = notableRows(judgedRows(published['vsi/video'], [report]), [report]).map(({ model }) => model)
  expect(shown.length).toBeLessThan(16)
  expect(shown).toContain('InternVL2-40B')
  for (const format of ['table', 'md', 'latex', 'html'] as const) {
    const brief = renderReports([report], format, { published })
    expect(brief).toMatch(/printed 58\.8, its parts give 60\.9/)
    expect(brief).not.toContain('SmoVLM2-256M')
    expect(renderReports([report], format, { published, all: true })).toContain(
      format === 'latex' ? 'SmoVLM2-' : 'SmoVLM2-256M',
    )
  }
  const { published: json } = JSON.parse(renderReports([report], 'json', { published })) as {
    published: { rows: { model: string; likeForLike: boolean | null; source: { url: string | null } }[] }
  }
  expect(json.rows).toHaveLength(published['vsi/video'].rows.length)
  expect(json.rows.find(({ model }) => model === 'VLM-3R (7B)')).toMatchObject({
    likeForLike: false,
    recomputed: expect.closeTo(60.9, 1),
    source: { url: expect.stringContaining('https://') },
  })
})
