import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { measurementsIn } from '../../engine/measure.ts'
import { planRun } from '../../engine/plan.ts'
import { isEvent } from '../../engine/recorder.ts'
import { makeReport } from '../../engine/reporting.ts'
import { measureRun, startRun, type RunEnvironment } from '../../engine/run.ts'
import { testEnvironment } from '../../../test/support/engine.ts'
import { type Model, ModelError, NO_USAGE, textOf } from '../../models/types.ts'
import { Table } from '../../report/table.ts'
import type { EpisodeLine } from '../../store/records.ts'
import { DIMENSIONS } from './domain/dimensions.ts'
import type { VbenchOutcome } from './domain/outcome.ts'
import type { ClipPictures, Measured, Tier } from './domain/results.ts'
import { videoSeed } from './domain/seeds.ts'
import { publishedTotals } from './domain/totals.ts'
import { meanColour } from '../../../test/support/suites/vbench/small-onnx.ts'
import { vbenchOptions, type VbenchProfile } from './options.ts'
import { combine, type MeasuredOutputs, score } from './score.ts'
import { vbench } from './suite.ts'
import { metrics, summary } from './summary.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vbench-suite-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const around = (openModel?: RunEnvironment['openModel']) => testEnvironment(join(folder, 'store'), openModel)

/** A model of words that answers every question with the same. */
function saying(
  text: string,
  isAway: (question: string) => boolean = (question) => question.includes('bathroom'),
): Model {
  return {
    id: 'test/judge',
    local: true,
    connections: () => 4,
    close: () => Promise.resolve(),
    ask: ({ messages }) => {
      if (isAway(textOf(messages[0]!))) throw new ModelError('server', 'the judge is away')
      return Promise.resolve({ text, finish: 'stop', usage: { ...NO_USAGE, calls: 1 }, ms: 1, cached: false })
    },
  }
}

describe('a run of the suite', () => {
  test('goes from prompts to videos to scores and records videos, frames and motion', async () => {
    const here = await around()
    const request = { suite: vbench, models: { player: 'baseline/films' }, seed: 3 }
    const options = { dimension: 'dynamic_degree,subject_consistency', samples: 1 }
    const { id, progress } = await startRun(await planRun({ ...request, options, limit: '2' }), here)
    expect(progress).toMatchObject({ finished: 2, byStatus: { answered: 2 } })
    const reader = await here.store.openRun(id)
    const lines = await reader.episodes()
    const car = lines.find(({ cluster }) => cluster === 'a toy car crossing a kitchen table')!
    expect(car.labels).toEqual({ list: 'subject_consistency', dimensions: 'subject_consistency dynamic_degree' })
    expect(Object.keys(car.scores)).toEqual(['dynamic_degree.proxy', 'long'])
    const events = await reader.events(car)
    const measurements = measurementsIn(events)
    const { outcome } = events.find((event) => isEvent(event, 'outcome')) as { outcome: VbenchOutcome }
    expect(events[0]).toMatchObject({ sample: { prompt: 'a toy car crossing a kitchen table', index: 0 } })
    expect(outcome).toMatchObject({
      seed: videoSeed(3, 'a toy car crossing a kitchen table', 0),
      clip: { width: 320, height: 192, frames: 16, fps: 8 },
    })
    expect(measurements.get('dynamic_degree')).toMatchObject({
      version: 'flow-2',
      value: { tier: 'proxy', by: 'optical flow at 256' },
    })
    const { frames, flow } = measurements.get('pictures')!.value as ClipPictures
    for (const { sha256 } of [outcome.media!, frames, flow]) expect(await here.store.media.has(sha256)).toBe(true)
    const report = await makeReport(reader, vbench)
    const row = (key: string) => report.rows.find((each) => each.key === key)
    expect(row('dynamic_degree.proxy')).toMatchObject({ n: 2, section: 'Proxy: no network' })
    expect(row('subject_consistency')).toMatchObject({ value: null, n: 0, note: expect.stringContaining('needs DINO') })
    expect(row('total')).toMatchObject({ value: null, note: expect.stringContaining('all 16') })
  }, 60_000)

  test('asks the judge; an unreachable judge ends the episode without scoring 0', async () => {
    const here = await around(() => Promise.resolve(saying('{"frames": [1, 2]}')))
    const models = { player: 'baseline/still', judge: 'test/judge' }
    const options = { dimension: 'scene', samples: 1, pictures: false }
    const { id, progress } = await startRun(await planRun({ suite: vbench, models, options }), here)
    expect(progress.byStatus).toEqual({ answered: 2, model_error: 1 })
    const report = await makeReport(await here.store.openRun(id), vbench)
    expect(report.rows.find(({ key }) => key === 'scene.variant')).toMatchObject({ value: 0.25, n: 2 })
    // When the judge is back, only what it has not seen is judged.
    const back = await around(() => Promise.resolve(saying('Let me see… {"frames": [1, 2, 3, 4]}', () => false)))
    const again = await measureRun(
      await planRun({ suite: vbench, models, options }),
      await here.store.openRun(id),
      back,
    )
    expect(again.progress).toMatchObject({ byStatus: { answered: 3 }, calls: 1 })
    const { rows } = await makeReport(await here.store.openRun(id), vbench)
    expect(rows.find(({ key }) => key === 'scene.variant')?.value).toBeCloseTo((0.25 + 0.25 + 0.5) / 3, 12)
  }, 60_000)

  test('measures with networks from a folder, exact and proxy values in separate rows', async () => {
    const models = join(folder, 'networks')
    await mkdir(models)
    await writeFile(join(models, 'dino.onnx'), meanColour('pixel_values', 'image_embeds'))
    await writeFile(
      join(models, 'models.json'),
      JSON.stringify({ dino: { file: 'dino.onnx', network: 'dino-vitb16' } }),
    )
    const here = await around()
    const options = { dimension: 'subject_consistency,dynamic_degree', samples: 1, models, pictures: false }
    const plan = await planRun({ suite: vbench, models: { player: 'baseline/still' }, options, limit: '2' })
    const { id } = await startRun(plan, here)
    const report = await makeReport(await here.store.openRun(id), vbench)
    const row = (key: string) => report.rows.find((each) => each.key === key)
    expect(row('subject_consistency.exact')?.value).toBeCloseTo(1, 5)
    expect(row('dynamic_degree.proxy')).toMatchObject({ value: 0, n: 2 })
    expect(row('quality')).toMatchObject({ value: null, note: 'needs exact values of all 7 dimensions; has 1' })
    // Another network is another ruler; one that is gone is found out before anything is made.
    await writeFile(join(models, 'dino.onnx'), meanColour('pixels', 'image_embeds'))
    const reader = await here.store.openRun(id)
    await measureRun(plan, reader, here)
    const { header } = await here.store.openRun(id)
    expect(header.fingerprint.parts['instruments']).not.toBe(reader.header.fingerprint.parts['instruments'])
    const gone = { ...options, models: join(folder, 'nowhere') }
    await expect(
      startRun(await planRun({ suite: vbench, models: { player: 'baseline/still' }, options: gone }), here),
    ).rejects.toThrow('models.json cannot be read')
  }, 60_000)

  test('rejects text models before any request', async () => {
    const plan = await planRun({ suite: vbench, models: { player: 'openai/gpt-5.2' } })
    const words = await around(() => Promise.resolve(saying('no video')))
    await expect(startRun(plan, words)).rejects.toThrow('needs a video generator')
  })
})

const measured = (value: number | null, tier: Tier, more: Partial<Measured> = {}): Measured => ({
  value,
  sum: value ?? 0,
  weight: 1,
  tier,
  by: 'test',
  ...more,
})
const clip = { width: 64, height: 48, frames: 16, fps: 8, seconds: 2, decoder: 'none' }
const outcome: VbenchOutcome = { media: null, seed: null, clip }
const video = (dimensions: MeasuredOutputs, still?: number): MeasuredOutputs => ({
  ...dimensions,
  ...(still === undefined ? {} : { static_filter: measured(still, 'proxy') }),
})
const options = vbenchOptions.parse({})
const scoresOf = (measurements: MeasuredOutputs, profile: VbenchProfile = 'published') =>
  score(null, outcome, { profile, options, measurements })

function line(cluster: string, index: number, of: MeasuredOutputs, profile: VbenchProfile = 'published'): EpisodeLine {
  return {
    index,
    sample: `${cluster}-${index}`,
    epoch: 1,
    cluster,
    labels: { list: 'x', dimensions: Object.keys(of).join(' ') },
    status: 'answered',
    scores: scoresOf(of, profile),
    usage: NO_USAGE,
    ms: 0,
    events: [0, 0],
  }
}
const SHORT = { options: { long: false } }
const rowsOf = (lines: readonly EpisodeLine[]) => {
  const { rows } = summary(new Table(combine(lines, SHORT), metrics), SHORT)
  return (key: string) => rows.find((row) => row.key === key)
}

describe('scores', () => {
  test('keeps tiers in separate rows; only sixteen exact values give a total', () => {
    const mixed = rowsOf([
      line('a', 0, video({ scene: measured(1, 'variant') })),
      line('b', 0, video({ scene: measured(0, 'exact'), color: measured(null, 'variant', { reason: 'no' }) })),
    ])
    expect([mixed('scene.exact')?.value, mixed('scene.variant')?.value]).toEqual([0, 1])
    expect(mixed('color')).toMatchObject({ value: null, note: expect.stringContaining('none of 1 videos') })
    expect(mixed('total')?.value).toBeNull()
    const half = Object.fromEntries(DIMENSIONS.map((name) => [name, measured(0.5, 'exact')]))
    const whole = rowsOf([line('a', 0, video(half))])
    const raw = Object.fromEntries(DIMENSIONS.map((name) => [name, 0.5]))
    expect(whole('total')?.value).toBeCloseTo(publishedTotals(raw).total, 12)
    const { scene: _, ...without } = half
    expect(rowsOf([line('a', 0, video({ ...without, scene: measured(0.5, 'variant') }))])('total')?.value).toBeNull()
  })

  test('reports long videos in a row of their own', () => {
    const measurements = video({ imaging_quality: measured(0.5, 'proxy') })
    const of = (seconds: number) => {
      const long = score(
        null,
        { ...outcome, clip: { ...clip, seconds } },
        { profile: 'published', options, measurements },
      )
      return { ...line('a', 0, measurements), scores: long }
    }
    expect(rowsOf([of(4.9)])('long')).toBeUndefined()
    expect(rowsOf([of(4.9), of(5)])('long')).toMatchObject({ value: 0.5, note: expect.stringContaining('VBench-Long') })
  })

  test('weights longer videos more in profile published, not in several-processes', () => {
    const videos = (profile: VbenchProfile) =>
      rowsOf([
        line('a', 0, video({ subject_consistency: measured(1, 'exact', { sum: 30, weight: 30 }) }), profile),
        line('b', 0, video({ subject_consistency: measured(0, 'exact', { sum: 0, weight: 10 }) }), profile),
      ])('subject_consistency.exact')?.value
    expect(videos('published')).toBe(0.75)
    expect(videos('several-processes')).toBe(0.5)
    const style = video({ appearance_style: measured(0.5, 'exact', { weight: 2, sum: 1, detail: { cur_sim: 0.9 } }) })
    expect(scoresOf(style, 'several-processes')['appearance_style.exact']).toBe(0.9)
  })

  test('counts the first five static videos per prompt for flickering, in order of their names', () => {
    const lines = Array.from({ length: 25 }, (_, i) =>
      line('p', i, video({ temporal_flickering: measured(0.9, 'proxy') }, i === 1 ? 0 : 1)),
    )
    const counted = combine(lines, SHORT).filter(({ scores }) => scores['temporal_flickering.proxy'] !== undefined)
    expect(counted.map(({ index }) => index)).toEqual([0, 10, 11, 12, 13])
    const row = rowsOf(lines)('temporal_flickering.proxy')
    expect(row).toMatchObject({ n: 5, note: '24 of 25 videos are static; at most five per prompt count' })
    const moving = rowsOf([line('p', 0, video({ temporal_flickering: measured(0.9, 'proxy') }, 0))])
    expect(moving('temporal_flickering')).toMatchObject({ value: null, note: 'no video is static' })
  })

  test('scores runs recorded before the measure stage from their outcomes', () => {
    const dimensions = video({ temporal_flickering: measured(0.9, 'proxy'), scene: measured(null, 'variant') })
    const old = { ...outcome, filter: 'flow', dimensions, still: measured(1, 'proxy') }
    const context = { profile: 'published', options, measurements: {} } as const
    expect(score(null, old, context)).toEqual({
      'temporal_flickering.proxy': 0.9,
      'scene.none': 1,
      still: 1,
      long: 0,
    })
  })

  test('keeps values of other tiers on record without counting them', () => {
    const measurements = video({ scene: measured(1, 'variant'), imaging_quality: measured(0.5, 'proxy') })
    const exact = { profile: 'published', options: { ...options, tier: 'variant' }, measurements } as const
    expect(score(null, outcome, exact)).toEqual({
      'scene.variant': 1,
      'scene.variant.sum': 1,
      'scene.variant.weight': 1,
      long: 0,
    })
  })
})
