import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { DIMENSIONS } from '../../../suites/vbench/domain/dimensions.ts'
import { publishedTotals } from '../../../suites/vbench/domain/totals.ts'
import { i2vTotals } from '../../../suites/vbench/domain/totals.ts'
import { vbench2Totals } from '../../../suites/vbench/published/vbench2-totals.ts'
import { check } from './check.ts'
import { plan } from './plan.ts'
import { sample } from './sample.ts'
import { score } from './score.ts'
import { total } from './total.ts'

let folder: string
let printed = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vbench-cli-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))
beforeEach(() => {
  printed = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text)
    return true
  })
  vi.spyOn(process.stderr, 'write').mockImplementation(() => true)
})
afterEach(() => {
  vi.restoreAllMocks()
  process.exitCode = undefined
})

const some = { prompts: 'builtin', dimension: ['dynamic_degree'], samples: 1 }

test('plans, samples, checks, scores and totals', async () => {
  const videos = join(folder, 'videos')
  const out = join(folder, 'results')
  await plan({ ...some, names: true })
  const names = printed.trim().split('\n')
  expect(names).toHaveLength(4)

  await sample({ ...some, generator: 'built-in', output: videos, seed: 4, logDir: join(folder, 'log') })
  printed = ''
  await check({ ...some, videos, json: true })
  expect(JSON.parse(printed)).toMatchObject({ planned: 4, found: 4, issues: [] })
  expect(process.exitCode).toBeUndefined()

  printed = ''
  await score({ ...some, videos, output: out, logDir: join(folder, 'log'), pictures: true })
  expect(printed).toMatch(/dynamic_degree +\d+\.\d .*proxy +4\/4/)
  expect(printed).toContain('No VBench total: 0 of 16')

  printed = ''
  await total([out], { missing: 'refuse', json: true })
  expect(JSON.parse(printed)).toMatchObject({
    total: null,
    dimensions: { dynamic_degree: null, scene: null },
    missing: {
      dynamic_degree: 'measured, but tier proxy (optical flow at 256): not part of a total',
      scene: 'not in the files',
    },
  })

  await rm(join(videos, names[0]!))
  await check({ ...some, videos })
  expect(process.exitCode).toBe(1)
  expect(printed).toContain(`${names[0]}: is not there`)
}, 60_000)

test.each([
  ['i2v', { camera_motion: [0.5, []], i2v_subject: 0.9 }, { camera_motion: 0.5, i2v_subject: 0.9 }],
  ['vbench2', { Composition: [0.5, []], 'Human Identity': [0.25, []] }, { Composition: 0.5, 'Human Identity': 0.25 }],
] as const)('totals %s results by its own rule', async (benchmark, results, dimensions) => {
  const file = join(folder, `${benchmark}_eval_results.json`)
  await writeFile(file, JSON.stringify(results))
  await total([file], { missing: 'refuse', benchmark, json: true })
  expect(JSON.parse(printed)).toMatchObject({ total: null, dimensions })
  printed = ''
  await total([file], { missing: 'zero', benchmark, json: true })
  const expected = benchmark === 'i2v' ? i2vTotals(dimensions).total : vbench2Totals(dimensions)['total']
  expect((JSON.parse(printed) as { total: number }).total).toBeCloseTo(expected!, 12)
})

test.each([
  ['i2v', { camera_motion: [0.5, []], subject_consistency: [0.9, []] }, 'camera_motion'],
  ['vbench2', { Camera_Motion: [0.5, []], Human_Identity: [0.25, []] }, 'Human Identity'],
  ['vbench', { scene: [0.4, []], camera_motion: [0.5, []] }, 'scene'],
] as const)('tells results of %s by their dimensions', async (name, results, dimension) => {
  const file = join(folder, `told-${name}.json`)
  await writeFile(file, JSON.stringify(results))
  await total([file], { missing: 'refuse', json: true })
  const { dimensions } = JSON.parse(printed) as { dimensions: Record<string, number | null> }
  expect(dimensions[dimension]).not.toBeNull()
  expect(Object.keys(dimensions)).toHaveLength({ vbench: 16, i2v: 9, vbench2: 18 }[name])
})

test('says why values of our own are not part of a total of VBench-I2V, and writes no submission of it', async () => {
  const file = join(folder, 'own-i2v.json')
  const own = { dimension: 'i2v_subject', value: null, tier: null, by: null, note: 'needs DINO' }
  await writeFile(file, JSON.stringify({ dimensions: [own] }))
  await total([file], { missing: 'refuse', json: true })
  expect(JSON.parse(printed)).toMatchObject({
    total: null,
    missing: { i2v_subject: 'needs DINO', camera_motion: 'not in the files' },
  })
  const zip = join(folder, 'i2v.zip')
  await expect(total([file], { missing: 'refuse', zip })).rejects.toThrow('--zip writes submissions of VBench')
})

test('follows the published script with --missing zero', async () => {
  const file = join(folder, 'refused.json')
  await writeFile(file, '{"scene": 0.4}')
  await expect(total([file], { missing: 'zero' })).rejects.toThrow('The published script would fail with TypeError')
})

test('totals results of the published tool and lists missing dimensions', async () => {
  const file = join(folder, 'a_eval_results.json')
  await writeFile(file, '{"scene": [0.4111, []], "color": [NaN, []]}')
  await total([file], { missing: 'refuse' })
  expect(printed).toMatch(/scene +41\.11 +50\.00/)
  expect(printed).toMatch(/Total +–/)
  printed = ''
  await total([file], { missing: 'zero', json: true })
  expect(JSON.parse(printed)).toMatchObject({ dimensions: { scene: 0.4111, color: null } })
})

test('reads names that end in json without a full stop at the top of a folder and of a zip, as the published script does', async () => {
  const results = join(folder, 'odd-names')
  await mkdir(join(results, 'inside'), { recursive: true })
  await writeFile(join(results, 'eval_resultsjson'), '{"scene": [0.4111, []]}')
  await writeFile(join(results, 'inside', 'morejson'), '{"color": [0.5, []]}')
  const zip = join(folder, 'odd-names.zip')
  const entries = { eval_resultsjson: '{"scene": [0.4111, []]}', 'inside/morejson': '{"color": [0.5, []]}' }
  await writeFile(
    zip,
    zipSync(Object.fromEntries(Object.entries(entries).map(([name, text]) => [name, strToU8(text)]))),
  )
  for (const given of [results, zip, join(results, 'eval_resultsjson')]) {
    printed = ''
    await total([given], { missing: 'refuse', json: true })
    expect(JSON.parse(printed)).toMatchObject({ dimensions: { scene: 0.4111 }, missing: { color: 'not in the files' } })
  }
})

test('writes one submission from several files, but only a complete one', async () => {
  const [one, two, zip] = ['b_eval_results.json', 'c_eval_results.json', 'submission.zip'].map((name) =>
    join(folder, name),
  ) as [string, string, string]
  const half = (names: readonly string[]) =>
    JSON.stringify(Object.fromEntries(names.map((name) => [name, [0.5, [{ video_path: 'x', video_results: 0.5 }]]])))
  await writeFile(one, half(DIMENSIONS.slice(0, 9)))
  await writeFile(two, half(DIMENSIONS.slice(9)))
  await expect(total([one], { missing: 'refuse', zip })).rejects.toThrow('would count as 0')
  await total([one, two], { missing: 'refuse', zip })
  printed = ''
  await total([zip], { missing: 'refuse', json: true })
  const { total: whole, missing } = JSON.parse(printed) as { total: number; missing: object }
  const raw = Object.fromEntries(DIMENSIONS.map((name) => [name, 0.5]))
  expect(whole).toBeCloseTo(publishedTotals(raw).total, 12)
  expect(missing).toEqual({})
  const damaged = join(folder, 'damaged.zip')
  await writeFile(damaged, 'half a download')
  await expect(total([damaged], { missing: 'refuse' })).rejects.toThrow('not a valid zip archive')
})

test.each([
  ['an unknown dimension', () => plan({ prompts: 'builtin', dimension: ['colour'] }), 'no dimension "colour"'],
  ['an invalid number', () => plan({ prompts: 'builtin', samples: Number.NaN }), '--samples must be'],
  [
    'an unknown generator',
    () => sample({ prompts: 'builtin', generator: 'magic', output: folder, logDir: folder }),
    'Unknown generator',
  ],
  [
    'a folder without videos',
    () => score({ ...some, videos: folder, output: folder, logDir: folder }),
    'None of the planned videos',
  ],
])('rejects %s', async (_, run, message) => {
  await expect(run()).rejects.toThrow(message)
})
