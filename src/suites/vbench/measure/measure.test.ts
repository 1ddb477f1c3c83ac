import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Random } from '../../../base/random.ts'
import { planRun } from '../../../engine/plan.ts'
import { makeReport } from '../../../engine/reporting.ts'
import { measureRun, startRun } from '../../../engine/run.ts'
import { testEnvironment } from '../../../../test/support/engine.ts'
import type { AnySuite } from '../../../engine/suite.ts'
import { builtinPromptSuite } from '../samples/builtin.ts'
import { planOf } from '../samples/plan.ts'
import type { Dimension } from '../domain/dimensions.ts'
import { TIERS, valued } from '../domain/results.ts'
import { makeFilm } from '../baselines/films/film.ts'
import { openClip } from '../domain/clip.ts'
import { measure, openedWith } from '../measure.ts'
import { vbenchOptions } from '../options.ts'
import { score } from '../score.ts'
import { vbench } from '../suite.ts'
import { imageStatistics, imagingScore } from './imaging.ts'
import { chooseInstruments, outputsOf, tiersNamed } from './instruments.ts'
import { questionFor } from './judge.ts'
import type { Measure, MeterContext } from './types.ts'
import { measureVideo } from './watch.ts'

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'vbench-measure-'))
})
afterAll(() => rm(root, { recursive: true, force: true }))

const NOBODY: MeterContext['episode'] = {
  ask: () => Promise.reject(new Error('nobody is asked')),
  keep: () => Promise.reject(new Error('nothing is kept')),
}

/** Watches frames, gives a constant, and counts. */
function counting(dimension: Dimension, { fails = false, version = 'counting-1' } = {}): Measure & { started: number } {
  const counted: Measure & { started: number } = {
    title: 'counting',
    tier: 'exact',
    outputs: [dimension],
    version,
    started: 0,
    start() {
      counted.started++
      return {
        frame: () => {},
        end: () => {
          if (fails) throw new Error('the last network crashed')
          return { [dimension]: valued(0.5) }
        },
      }
    },
  }
  return counted
}

function measuredWith(...networks: Measure[]): AnySuite {
  return { ...vbench, measure: { ...measure, open: (options) => Promise.resolve(openedWith(options, networks)) } }
}

describe('measuring', () => {
  test('scores a truncated video on the frames that can be decoded, and says so', async () => {
    const path = join(root, 'cut.mp4')
    const whole = await makeFilm('a ball rolling across the living room floor', 1)
    await writeFile(path, whole.subarray(0, Math.floor(whole.length * 0.6)))
    const lengths: number[] = []
    const watching: Measure = {
      ...counting('scene'),
      start: ({ info }) => ({
        frame: (_, index) => void (lengths[index] = info.frames),
        end: () => ({ scene: valued(0.5) }),
      }),
    }
    const video = { path, signal: new AbortController().signal, prompt: { prompt: '', facts: {} }, episode: NOBODY }
    const { scene } = await measureVideo(video, new Map([['scene', watching]]))
    const { frames } = (await openClip(path)).info
    expect(lengths.length).toBeGreaterThan(0)
    expect(lengths.length).toBeLessThan(frames)
    expect(new Set(lengths)).toEqual(new Set([lengths.length]))
    const note = `only the first ${lengths.length} of ${frames} frames can be decoded`
    expect(scene).toMatchObject({ value: 0.5, note })
    const outcome = { media: null, seed: null, clip: null }
    const rules = { profile: 'published', options: vbenchOptions.parse({}), measurements: { scene } } as const
    expect(score(null, outcome, rules)).toMatchObject({ 'scene.exact': 0.5, partial: 1 })
  })

  test('measures nothing twice; a crash of one network keeps the values of the others', async () => {
    const here = await testEnvironment(join(root, 'twice'))
    const [scene, crashing] = [counting('scene'), counting('dynamic_degree', { fails: true })]
    const request = {
      models: { player: 'baseline/noise' },
      options: { dimension: 'scene,dynamic_degree', samples: 1, pictures: false },
    }
    const { id } = await startRun(await planRun({ ...request, suite: measuredWith(scene, crashing) }), here)
    expect([scene.started, crashing.started]).toEqual([3, 4])
    const rows = async () => (await makeReport(await here.store.openRun(id), vbench)).rows
    const row = async (key: string) => (await rows()).find((each) => each.key === key)
    expect(await row('scene.exact')).toMatchObject({ value: 0.5, n: 3 })
    expect(await row('dynamic_degree')).toMatchObject({
      value: null,
      note: expect.stringContaining('none of 4 videos'),
    })

    const fixed = counting('dynamic_degree')
    const again = await planRun({ ...request, suite: measuredWith(scene, fixed) })
    await measureRun(again, await here.store.openRun(id), here)
    expect([scene.started, fixed.started]).toEqual([3, 4])
    expect(await row('dynamic_degree.exact')).toMatchObject({ value: 0.5, n: 4 })

    // Another version is another ruler: it measures all of them again, and nothing is played.
    const newer = counting('scene', { version: 'counting-2' })
    const { progress } = await measureRun(
      await planRun({ ...request, suite: measuredWith(newer, fixed) }),
      await here.store.openRun(id),
      here,
    )
    expect([newer.started, fixed.started, progress.calls]).toEqual([3, 4, 0])
  }, 60_000)

  test('generates without measuring with tier none, and measures later', async () => {
    const here = await testEnvironment(join(root, 'later'))
    const request = { suite: vbench, models: { player: 'baseline/still' } }
    const options = { dimension: 'dynamic_degree', samples: 1 }
    const { id } = await startRun(await planRun({ ...request, options: { ...options, tier: 'none' } }), here)
    const types = async () => {
      const reader = await here.store.openRun(id)
      return (await reader.events((await reader.episodes())[0]!)).map((event) => (event as { type: string }).type)
    }
    expect(await types()).not.toContain('measurement')
    const { progress } = await measureRun(await planRun({ ...request, options }), await here.store.openRun(id), here)
    expect(progress).toMatchObject({ finished: 4, calls: 0 })
    expect((await types()).filter((type) => type === 'measurement')).toHaveLength(2)
    const { rows } = await makeReport(await here.store.openRun(id), vbench)
    expect(rows.find(({ key }) => key === 'dynamic_degree.proxy')).toMatchObject({ value: 0, n: 4 })
  }, 60_000)
})

describe('instruments', () => {
  const flickering = { dimensions: ['temporal_flickering'] as const, given: [] }

  test('rejects a filter that the tiers exclude or whose network is missing', () => {
    expect(() => chooseInstruments({ ...flickering, tiers: ['exact'] })).toThrow('would be a proxy')
    expect(() => chooseInstruments({ ...flickering, tiers: TIERS, filter: 'raft' })).toThrow('needs RAFT')
    expect(chooseInstruments({ ...flickering, tiers: ['exact'], filter: 'none' }).filter).toBe('none')
    expect(() => tiersNamed('precise')).toThrow('no tier "precise"')
  })

  test('measures videos beyond the fifth for temporal flickering only', () => {
    const instruments = chooseInstruments({ ...flickering, tiers: TIERS })
    const dimensions = ['temporal_flickering', 'dynamic_degree', 'scene'] as const
    expect(outputsOf({ index: 4, dimensions }, instruments)).toEqual([
      'temporal_flickering',
      'dynamic_degree',
      'static_filter',
    ])
    expect(outputsOf({ index: 5, dimensions }, instruments)).toEqual(['temporal_flickering', 'static_filter'])
  })

  test('include a judge only when it has a model', () => {
    const opened = openedWith(vbenchOptions.parse({ pictures: false }), [])
    const clip = { width: 64, height: 48, frames: 16, fps: 8, seconds: 2, decoder: 'none' }
    const media = { sha256: '0'.repeat(64), type: 'video/mp4', bytes: 1 } as const
    const sample = {
      id: 'x',
      cluster: 'x',
      labels: { list: 'scene', dimensions: 'scene' },
      prompt: 'x',
      text: 'x',
      index: 0,
      seed: 0,
      dimensions: ['scene'] as const,
      categories: [],
      facts: {},
    }
    const wanted = (has: boolean) => opened.wanted(sample, { media, seed: 0, clip }, () => has).map(({ name }) => name)
    expect([wanted(true), wanted(false)]).toEqual([['scene'], []])
    expect(opened.wanted(sample, { media, seed: 0, clip: null }, () => true)).toEqual([])
  })
})

describe('image statistics', () => {
  test.each([
    ['a checkerboard', (x: number, y: number) => (((x >> 3) + (y >> 4)) % 2 === 0 ? 70 : 190)],
    ['a soft picture', (x: number, y: number) => 130 + 60 * Math.sin(x / 5) * Math.sin(y / 9)],
    ['blocks', (x: number, y: number) => 100 + 9 * ((x >> 3) % 3) + 7 * ((y >> 3) % 2)],
    ['black and white', (x: number) => (x < 32 ? 0 : 255)],
    ['texture', (x: number, y: number) => 120 + 40 * Math.sin(x * 1.3) * Math.cos(y * 0.9)],
    ['nothing', () => 128],
  ])('never score %s higher for its noise', (_, of) => {
    const random = new Random('vbench/noise')
    const side = 64
    const scores = [0, 2, 5, 10, 15, 25].map((sigma) => {
      const data = new Uint8ClampedArray(side * side * 3)
      for (let i = 0; i < side * side; i++)
        data.fill(of(i % side, Math.floor(i / side)) + sigma * random.normal(), i * 3, i * 3 + 3)
      return imagingScore(
        imageStatistics({ width: side, height: side, channels: 3, data: new Uint8Array(data.buffer) }),
      )
    })
    for (let i = 1; i < scores.length; i++) expect(scores[i]).toBeLessThanOrEqual(scores[0]!)
  })

  test('rank a sharp image above blurred, noisy and flat ones', () => {
    const side = 64
    const draw = (of: (x: number, y: number) => number) => {
      const data = Uint8Array.from({ length: side * side * 3 }, (_, i) => {
        const at = Math.floor(i / 3)
        return Math.min(255, Math.max(0, of(at % side, Math.floor(at / side))))
      })
      return imagingScore(imageStatistics({ width: side, height: side, channels: 3, data }))
    }
    const sharp = draw((x, y) => (((x >> 3) + (y >> 4)) % 2 === 0 ? 70 : 190))
    const blurred = draw((x, y) => 130 + 60 * Math.sin(x / 5) * Math.sin(y / 9))
    const noisy = draw((x, y) => (((x >> 3) + (y >> 4)) % 2 === 0 ? 70 : 190 + ((x * 7919 + y * 104_729) % 97) - 48))
    const flat = draw(() => 128)
    expect(sharp).toBeGreaterThan(blurred)
    expect(blurred).toBeGreaterThan(flat)
    expect(sharp).toBeGreaterThan(noisy)
    for (const value of [sharp, blurred, noisy, flat]) expect(value >= 0 && value <= 1).toBe(true)
  })
})

describe('a judge', () => {
  test.each([
    ['color', 'a green bicycle', { object: [1, 2], color: [2, 3] }, 0.5],
    ['color', 'a green bicycle', { object: [], color: [] }, null],
    ['human_action', 'A person is ironing', { shows: true }, 1],
    ['spatial_relationship', 'a cup on the left of a laptop, front view', { frames: [] }, 0],
    ['appearance_style', 'A bicycle in a workshop, watercolor painting', { match: 70 }, 0.7],
    ['multiple_objects', 'a cup and a laptop', { frames: [8] }, 0.125],
  ] as const)('%s of "%s": %j is %j', (dimension, prompt, answer, value) => {
    const { prompts } = planOf(builtinPromptSuite())
    const question = questionFor(
      dimension,
      prompts.find((each) => each.prompt === prompt)!,
      8,
    )!
    expect(question.text).not.toMatch(/\{[a-z]+\}/)
    expect(question.read({ ...answer })?.value).toEqual(value)
  })
})
