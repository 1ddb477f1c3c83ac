import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { planRun } from '../../engine/plan.ts'
import { makeReport } from '../../engine/reporting.ts'
import { linesUnder } from '../../engine/rescore.ts'
import { startRun, type Surroundings } from '../../engine/run.ts'
import { surroundings } from '../../../test/support/engine.ts'
import { type Model, ModelError, NO_USAGE, textOf } from '../../models/types.ts'
import { tableOf } from '../../report/table.ts'
import type { EpisodeLine } from '../../store/records.ts'
import { DIMENSIONS } from './dimensions.ts'
import { vbench } from './index.ts'
import { meanColour } from '../../../test/support/suites/vbench/small-onnx.ts'
import type { Measured, VbenchOutcome } from './outcome.ts'
import { recordRun } from './record.ts'
import { proceduralGenerator } from './sample/procedural.ts'
import { sampleVideos, videoSeed } from './sample/sampling.ts'
import { scoreVideos } from './score/score.ts'
import { pictureMeasure } from './score/strips.ts'
import type { Tier } from './score/types.ts'
import { score, together } from './scores.ts'
import { matchFolder, planToScore } from './setup.ts'
import { metrics, summary } from './summary.ts'
import { publishedTotals } from './totals/totals.ts'
import { readManifest } from './videos/manifest.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vbench-suite-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const around = (openModel?: Surroundings['openModel']) => surroundings(join(folder, 'store'), openModel)

/** A model of words that answers every question with the same. */
function saying(text: string): Model {
  return {
    id: 'test/judge',
    local: true,
    connections: () => 4,
    close: () => Promise.resolve(),
    ask: ({ messages }) => {
      if (textOf(messages[0]!).includes('greenhouse')) throw new ModelError('server', 'the judge is away')
      return Promise.resolve({ text, finish: 'stop', usage: NO_USAGE, ms: 1, cached: false })
    },
  }
}

describe('a run of the suite', () => {
  test('goes from prompts to clips to scores; videos, frames and motion are kept and recorded', async () => {
    const here = await around()
    const request = { suite: vbench, models: { player: 'baseline/procedural' }, seed: 3 }
    const options = { dimension: 'scene,dynamic_degree', samples: 1 }
    const { id, progress } = await startRun(await planRun({ ...request, options }), here)
    expect(progress).toMatchObject({ finished: 7, byStatus: { answered: 7 } })
    const reader = await here.store.openRun(id)
    const lines = await reader.episodes()
    const fox = lines.find(({ cluster }) => cluster === 'a fox trotting along a stone wall')!
    expect(fox.labels).toEqual({ list: 'subject_consistency', dimensions: 'dynamic_degree' })
    expect(Object.keys(fox.scores)).toEqual(['dynamic_degree.proxy', 'long'])
    const video = (await reader.events(fox)).find(
      (event) => (event as { type: string }).type === 'vbench/video',
    ) as Record<string, { sha256: string } | undefined>
    expect(video).toMatchObject({
      prompt: 'a fox trotting along a stone wall',
      index: 0,
      seed: videoSeed(3, 'a fox trotting along a stone wall', 0),
      clip: { width: 256, height: 160, frames: 16, fps: 8 },
      dimensions: { dynamic_degree: { tier: 'proxy', by: 'optical flow at 256' } },
    })
    for (const part of ['media', 'frames', 'flow']) {
      expect(await here.store.media.has(video[part]!.sha256)).toBe(true)
    }
    const report = await makeReport(reader, vbench)
    const row = (key: string) => report.rows.find((each) => each.key === key)
    expect(row('dynamic_degree.proxy')).toMatchObject({ n: 4, section: 'Proxy: no network' })
    expect(row('scene')).toMatchObject({ value: null, n: 0, note: expect.stringContaining('needs a judge') })
    expect(row('total')).toMatchObject({ value: null, note: expect.stringContaining('all 16') })
  }, 60_000)

  test('asks a judge in its role; a judge that is away ends the episode, and nothing counts as 0', async () => {
    const here = await around(() => Promise.resolve(saying('{"frames": [1, 2]}')))
    const models = { player: 'baseline/still', judge: 'test/judge' }
    const options = { dimension: 'scene', samples: 1, pictures: false }
    const { id, progress } = await startRun(await planRun({ suite: vbench, models, options }), here)
    expect(progress.byStatus).toEqual({ answered: 2, model_error: 1 })
    const report = await makeReport(await here.store.openRun(id), vbench)
    expect(report.rows.find(({ key }) => key === 'scene.variant')).toMatchObject({ value: 0.25, n: 2 })
  }, 60_000)

  test('measures with networks from a folder: exact ones beside proxies, in rows of their own', async () => {
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
    expect(row('quality')).toMatchObject({ value: null, note: 'needs exact values of all 7 dimensions; there are 1' })
    // Another network is another ruler; one that is gone is found out before anything is made.
    await writeFile(join(models, 'dino.onnx'), meanColour('pixels', 'image_embeds'))
    const other = await planRun({ suite: vbench, models: { player: 'baseline/still' }, options, limit: '2' })
    expect(other.header.fingerprint.parts['prompts']).not.toBe(plan.header.fingerprint.parts['prompts'])
    const gone = { ...options, models: join(folder, 'nowhere') }
    await expect(
      startRun(await planRun({ suite: vbench, models: { player: 'baseline/still' }, options: gone }), here),
    ).rejects.toThrow('models.json cannot be read')
  }, 60_000)

  test('is refused to models of words before anything is asked', async () => {
    const plan = await planRun({ suite: vbench, models: { player: 'openai/gpt-5.2' } })
    await expect(startRun(plan, await around())).rejects.toThrow('is played by what makes videos')
  })
})

describe('a folder that was scored', () => {
  test('is a run with the same numbers, once, whatever is missing', async () => {
    const here = await around()
    const videos = join(folder, 'videos')
    const planned = await planToScore({
      suite: 'builtin',
      dimension: ['dynamic_degree', 'imaging_quality'],
      samples: 1,
    })
    const { plan, dimensions } = planned
    const signal = new AbortController().signal
    await sampleVideos({ folder: videos, plan, generator: proceduralGenerator('still'), seed: 3, signal })
    await rm(join(videos, 'a red kite climbing into the wind-0.mp4'))
    const { media } = here.store
    const scored = await scoreVideos({
      folder: videos,
      plan,
      matched: await matchFolder(plan, videos),
      dimensions,
      out: join(folder, 'results'),
      pictures: pictureMeasure({
        keep: (jpeg, size) => media.keep(jpeg, 'image/jpeg', size),
        has: ({ sha256 }) => media.has(sha256),
      }),
      signal,
    })
    const request = {
      folder: videos,
      models: { player: 'still-1' },
      source: 'builtin',
      options: { dimension: 'dynamic_degree,imaging_quality', samples: 1 },
      dimensions,
      scored,
      manifest: await readManifest(videos),
      seed: 0,
    }
    const { id, isNew } = await recordRun(request, here)
    expect(isNew).toBe(true)
    expect(await recordRun(request, here)).toEqual({ id, isNew: false })
    const reader = await here.store.openRun(id)
    const report = await makeReport(reader, vbench)
    expect(report).toMatchObject({ planned: 8, counted: 7, models: { player: 'still-1' } })
    for (const { dimension, value, interval } of scored.dimensions) {
      const row = report.rows.find(({ key }) => key === `${dimension}.proxy`)!
      expect([row.value, row.interval]).toEqual([value, interval])
    }
    const missing = (await reader.episodes()).find(({ status }) => status === 'missing_asset')
    expect(missing).toMatchObject({ cluster: 'a red kite climbing into the wind', error: 'the video is not there' })
    // Scored again from what is recorded, without videos and without a model.
    expect(await linesUnder(reader, vbench, 'several-processes')).toHaveLength(8)
  }, 60_000)
})

const measured = (value: number | null, tier: Tier, more: Partial<Measured> = {}): Measured => ({
  value,
  sum: value ?? 0,
  weight: 1,
  tier,
  by: 'test',
  ...more,
})
const outcome = (dimensions: VbenchOutcome['dimensions'], still?: number): VbenchOutcome => ({
  media: null,
  seed: null,
  filter: 'flow',
  clip: { width: 64, height: 48, frames: 16, fps: 8, seconds: 2, decoder: 'none' },
  dimensions,
  ...(still === undefined ? {} : { still: measured(still, 'proxy') }),
})
const published = { profile: 'published' }

function line(cluster: string, index: number, of: VbenchOutcome, profile = published): EpisodeLine {
  return {
    index,
    case: `${cluster}-${index}`,
    epoch: 1,
    cluster,
    labels: { list: 'x', dimensions: Object.keys(of.dimensions).join(' ') },
    status: 'answered',
    scores: score(null, of, profile),
    usage: NO_USAGE,
    ms: 0,
    events: [0, 0],
  }
}
const rowsOf = (lines: readonly EpisodeLine[]) => {
  const { rows } = summary(tableOf(together(lines), metrics))
  return (key: string) => rows.find((row) => row.key === key)
}

describe('scores', () => {
  test('tiers have rows of their own and are never mixed; only sixteen exact ones make a total', () => {
    const mixed = rowsOf([
      line('a', 0, outcome({ scene: measured(1, 'variant') })),
      line('b', 0, outcome({ scene: measured(0, 'exact'), color: measured(null, 'variant', { reason: 'no' }) })),
    ])
    expect([mixed('scene.exact')?.value, mixed('scene.variant')?.value]).toEqual([0, 1])
    expect(mixed('color')).toMatchObject({ value: null, note: expect.stringContaining('none of 1 videos') })
    expect(mixed('total')?.value).toBeNull()
    const half = Object.fromEntries(DIMENSIONS.map((name) => [name, measured(0.5, 'exact')]))
    const whole = rowsOf([line('a', 0, outcome(half))])
    const raw = Object.fromEntries(DIMENSIONS.map((name) => [name, 0.5]))
    expect(whole('total')?.value).toBeCloseTo(publishedTotals(raw).total, 12)
    const { scene: _, ...without } = half
    expect(rowsOf([line('a', 0, outcome({ ...without, scene: measured(0.5, 'variant') }))])('total')?.value).toBeNull()
  })

  test('long videos are named as such, others need no word', () => {
    const of = (seconds: number) => {
      const short = outcome({ imaging_quality: measured(0.5, 'proxy') })
      return line('a', 0, { ...short, clip: { ...short.clip!, seconds } })
    }
    expect(rowsOf([of(4.9)])('long')).toBeUndefined()
    expect(rowsOf([of(4.9), of(5)])('long')).toMatchObject({ value: 0.5, note: expect.stringContaining('VBench-Long') })
  })

  test('longer videos weigh more with one process, and not with several', () => {
    const videos = (profile: { profile: string }) =>
      rowsOf([
        line('a', 0, outcome({ subject_consistency: measured(1, 'exact', { sum: 30, weight: 30 }) }), profile),
        line('b', 0, outcome({ subject_consistency: measured(0, 'exact', { sum: 0, weight: 10 }) }), profile),
      ])('subject_consistency.exact')?.value
    expect(videos(published)).toBe(0.75)
    expect(videos({ profile: 'several-processes' })).toBe(0.5)
    const style = outcome({ appearance_style: measured(0.5, 'exact', { weight: 2, sum: 1, detail: { cur_sim: 0.9 } }) })
    expect(score(null, style, { profile: 'several-processes' })['appearance_style.exact']).toBe(0.9)
  })

  test('of flickering the first five of a prompt that stand still count, in the order of their names', () => {
    const lines = Array.from({ length: 25 }, (_, i) =>
      line('p', i, outcome({ temporal_flickering: measured(0.9, 'proxy') }, i === 1 ? 0 : 1)),
    )
    const counted = together(lines).filter(({ scores }) => scores['temporal_flickering.proxy'] !== undefined)
    expect(counted.map(({ index }) => index)).toEqual([0, 10, 11, 12, 13])
    const row = rowsOf(lines)('temporal_flickering.proxy')
    expect(row).toMatchObject({ n: 5, note: '24 of 25 videos stand still; at most five a prompt count' })
    const moving = rowsOf([line('p', 0, outcome({ temporal_flickering: measured(0.9, 'proxy') }, 0))])
    expect(moving('temporal_flickering')).toMatchObject({ value: null, note: 'no video stands still' })
  })
})
