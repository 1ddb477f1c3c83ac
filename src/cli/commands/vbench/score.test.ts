import { copyFile, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { planRun } from '../../../engine/plan.ts'
import { makeReport } from '../../../engine/reporting.ts'
import { linesForProfile } from '../../../engine/rescore.ts'
import { startRun } from '../../../engine/run.ts'
import type { AnySuite } from '../../../engine/suite.ts'
import { testEnvironment } from '../../../../test/support/engine.ts'
import { Store } from '../../../store/store.ts'
import { DIMENSIONS } from '../../../suites/vbench/domain/dimensions.ts'
import { makeFilm } from '../../../suites/vbench/baselines/films/film.ts'
import { valued } from '../../../suites/vbench/domain/results.ts'
import { publishedTotals } from '../../../suites/vbench/domain/totals.ts'
import { meanColour } from '../../../../test/support/suites/vbench/small-onnx.ts'
import { measure, openedWith } from '../../../suites/vbench/measure.ts'
import { builtinPromptSuite } from '../../../suites/vbench/samples/builtin.ts'
import { planOf } from '../../../suites/vbench/samples/plan.ts'
import { vbench } from '../../../suites/vbench/suite.ts'
import { EXIT } from '../../terminal/exit.ts'
import { matchedFrom } from './options.ts'
import { type DimensionScore, scoredRun, writeResults } from './results.ts'
import { sample } from './sample.ts'
import { score, type ScoreOptions } from './score.ts'
import { folderModel, folderVideos } from './video-folder.ts'

const some = { prompts: 'builtin', dimension: ['temporal_flickering,dynamic_degree,scene'], samples: 1 }
const GONE = 'a ball rolling across the living room floor-0.mp4'
const BROKEN = 'a toy car crossing a kitchen table-0.mp4'
let root: string
let videos: string
let printed = ''

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'vbench-score-'))
  videos = join(root, 'videos')
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const clip = join(root, 'clip.mp4')
  await writeFile(clip, await makeFilm('a stool in a bathroom, nothing moves', 1))
  const logDir = join(root, 'sampled')
  await sample({ ...some, generator: `cmd:cp ${clip} {out}`, model: 'copied', output: videos, seed: 3, logDir })
}, 60_000)
afterAll(() => rm(root, { recursive: true, force: true }))
beforeEach(() => {
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

interface Printed {
  run: string | null
  official: boolean
  totals: { value: number | null }[]
  dimensions: DimensionScore[]
}

async function scored(name: string, more: Partial<ScoreOptions> = {}): Promise<Printed> {
  printed = ''
  const [out, logDir] = [join(root, name), join(root, `${name}-log`)]
  await score({ ...some, videos, output: out, logDir, json: true, ...more })
  return JSON.parse(printed) as Printed
}

const of = ({ dimensions }: Printed, name: string) => dimensions.find(({ dimension }) => dimension === name)!

test('scores dimensions with tiers and intervals; gives a reason where there is no value', async () => {
  const found = await scored('first')
  expect(of(found, 'temporal_flickering')).toMatchObject({ tier: 'proxy', videos: 4, expected: 4 })
  expect(of(found, 'temporal_flickering').value).toBeGreaterThan(0.99)
  expect(of(found, 'temporal_flickering').interval).toHaveLength(2)
  expect(of(found, 'dynamic_degree')).toMatchObject({ tier: 'proxy', by: 'optical flow at 256', videos: 4 })
  expect(of(found, 'scene')).toMatchObject({ value: null, tier: null, videos: 0 })
  expect(of(found, 'scene').note).toContain('needs Tag2Text')
  expect(found.official).toBe(false)
  expect(found.totals.map(({ value }) => value)).toEqual([null, null, null])
  expect(await readFile(join(root, 'first', 'results.json'), 'utf8')).not.toContain('NaN')
}, 60_000)

test('keeps one run per folder; networks added later measure only what is missing', async () => {
  const only = { dimension: ['dynamic_degree,subject_consistency'] }
  const found = await scored('again', only)
  expect(of(found, 'subject_consistency')).toMatchObject({ value: null, tier: null })
  const store = await Store.open(join(root, 'again-log'))
  const report = await makeReport(await store.openRun(found.run!), vbench)
  const { value, interval } = of(found, 'dynamic_degree')
  expect(report.rows.find(({ key }) => key === 'dynamic_degree.proxy')).toMatchObject({ value, interval })
  expect(report.models).toEqual({ player: 'copied' })

  const models = join(root, 'networks')
  await mkdir(models)
  await writeFile(join(models, 'dino.onnx'), meanColour('pixel_values', 'image_embeds'))
  await writeFile(join(models, 'models.json'), JSON.stringify({ dino: { file: 'dino.onnx', network: 'dino-vitb16' } }))
  const later = await scored('again', { ...only, models })
  expect(later.run).toBe(found.run)
  expect(of(later, 'dynamic_degree')).toEqual(of(found, 'dynamic_degree'))
  expect(of(later, 'subject_consistency')).toMatchObject({ tier: 'exact', by: 'dino-vitb16', videos: 4 })
  const exact = await readFile(join(root, 'again', 'sightline_eval_results.json'), 'utf8')
  expect(Object.keys(JSON.parse(exact) as object)).toEqual(['subject_consistency'])
  expect(await store.runIds()).toHaveLength(1)

  const renamed = { dino: { file: 'dino.onnx', network: 'dino-fine-tuned' } }
  await writeFile(join(models, 'models.json'), JSON.stringify(renamed))
  const corrected = await scored('again', { ...only, models })
  expect(corrected.run).toBe(found.run)
  expect(of(corrected, 'subject_consistency')).toMatchObject({ tier: 'variant', by: 'dino-fine-tuned', videos: 4 })

  expect((await scored('again', { ...only, run: false })).run).toBeNull()
  expect(await store.runIds()).toHaveLength(1)
}, 60_000)

test('ends with another exit code where a network fails on videos', async () => {
  const models = join(root, 'failing')
  await mkdir(models)
  // Takes pictures of eight pixels alone.
  await writeFile(join(models, 'dino.onnx'), meanColour('pixel_values', 'image_embeds', [1, 3, 8, 8]))
  await writeFile(join(models, 'models.json'), JSON.stringify({ dino: { file: 'dino.onnx', network: 'dino-vitb16' } }))
  const found = await scored('failed', { dimension: ['subject_consistency'], models })
  expect(of(found, 'subject_consistency')).toMatchObject({
    value: null,
    videos: 0,
    note: expect.stringContaining('dino.onnx does not take 1 × 3'),
  })
  expect(process.exitCode).toBe(EXIT.episodeErrors)
}, 60_000)

test('reports missing and unreadable videos and scores the others', async () => {
  const [gone, broken] = [join(videos, GONE), join(videos, BROKEN)]
  await copyFile(gone, join(root, 'gone.mp4'))
  await copyFile(broken, join(root, 'broken.mp4'))
  await rm(gone)
  await writeFile(broken, (await readFile(broken)).subarray(0, 3000))
  const found = await scored('holes', { dimension: ['dynamic_degree,subject_consistency'] })
  await copyFile(join(root, 'gone.mp4'), gone)
  await copyFile(join(root, 'broken.mp4'), broken)
  expect(of(found, 'dynamic_degree')).toMatchObject({ videos: 2, expected: 4 })
  // What can be read lacks a network; that others cannot be read is no reason.
  expect(of(found, 'subject_consistency').note).toContain('needs DINO')
  expect(process.exitCode).toBe(EXIT.episodeErrors)
  process.exitCode = undefined
  const reader = await (await Store.open(join(root, 'holes-log'))).openRun(found.run!)
  const missing = (await reader.episodes()).filter(({ status }) => status === 'missing_asset')
  expect(new Map(missing.map(({ cluster, error }) => [cluster, error]))).toEqual(
    new Map([
      ['a toy car crossing a kitchen table', expect.stringContaining('truncated')],
      ['a ball rolling across the living room floor', 'the video is missing'],
    ]),
  )
  // Rescoring needs neither the videos nor a model.
  expect(await linesForProfile(reader, vbench, 'several-processes')).toHaveLength(4)
}, 60_000)

test('refuses a judge that is a baseline', async () => {
  const hint = 'Use --judge provider/name.'
  await expect(scored('judged', { judge: 'baseline/still' })).rejects.toMatchObject({ hint })
})

test('names damaged videos that are scored on their readable frames', async () => {
  const damaged = join(root, 'damaged')
  await cp(videos, damaged, { recursive: true })
  const whole = await readFile(join(damaged, BROKEN))
  await writeFile(join(damaged, BROKEN), whole.subarray(0, Math.floor(whole.length * 0.9)))
  let said = ''
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    said += String(text)
    return true
  })
  const found = await scored('in-part', { videos: damaged, dimension: ['dynamic_degree'] })
  expect(found.dimensions[0]).toMatchObject({ videos: 4, expected: 4 })
  expect(said).toMatch(/a toy car crossing a kitchen table-0\.mp4: only the first \d+ of 16 frames can be decoded/)
  expect(said).toContain('1 video damaged, scored on the frames that can be decoded.')
  // All were copied from one clip.
  expect(said).toContain('2 videos with the content of another; `sightline vbench check` lists them.')
  expect(process.exitCode).toBeUndefined()
}, 60_000)

test('gives an official total only if all sixteen dimensions are exact', async () => {
  const all = DIMENSIONS.map((dimension) => ({
    title: 'half',
    tier: 'exact' as const,
    outputs: [dimension],
    version: 'half-1',
    start: () => ({ frame: () => {}, end: () => ({ [dimension]: valued(0.5) }) }),
  }))
  const suite: AnySuite = {
    ...vbench,
    measure: { ...measure, open: (options) => Promise.resolve(openedWith(options, all)) },
  }
  const folder = join(root, 'every')
  const every = { prompts: 'builtin', samples: 1 }
  await mkdir(folder)
  for (const { file } of planOf(builtinPromptSuite(), { samples: 1, flickeringSamples: 1 }).videos) {
    await copyFile(join(videos, BROKEN), join(folder, file))
  }
  const planned = await matchedFrom({ ...every, videos: folder })
  const own = await folderVideos(folder, planned.matched.videos, () => {})
  const env = await testEnvironment(join(root, 'official-log'))
  const { store } = env
  const options = { samples: 1, staticFilter: 'none', pictures: false }
  const { id } = await startRun(await planRun({ suite, models: { player: 'half' }, options }), {
    ...env,
    openModel: (model) => Promise.resolve(folderModel({ id: model, videos: own, store, atOnce: 4 })),
  })
  const whole = await scoredRun(await store.openRun(id), planned, 'none')
  expect(whole.official).toBe(true)
  const half = Object.fromEntries(DIMENSIONS.map((name) => [name, 0.5]))
  expect(whole.totals[2]!.value).toBeCloseTo(publishedTotals(half).total, 9)
  const out = join(root, 'official')
  await mkdir(out)
  expect((await writeResults(out, planned.plan, whole)).at(-1)).toMatch(/submission\.zip$/)
}, 120_000)
