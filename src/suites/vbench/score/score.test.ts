import { appendFile, copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Model } from '../../../models/types.ts'
import { NO_USAGE } from '../../../models/types.ts'
import { type Dimension, DIMENSIONS } from '../dimensions.ts'
import { proceduralGenerator } from '../sample/procedural.ts'
import { sampleVideos } from '../sample/sampling.ts'
import { builtinSuite } from '../suite/builtin.ts'
import { type Plan, planOf } from '../suite/plan.ts'
import { publishedTotals } from '../totals/totals.ts'
import { listFolder } from '../videos/check.ts'
import { readManifest } from '../videos/manifest.ts'
import { matchVideos } from '../videos/match.ts'
import { chooseInstruments } from '../instruments.ts'
import { countedVideos, rowsOf } from './aggregate.ts'
import { imageStatistics, imagingScore } from './imaging.ts'
import { judgeMeasure, judgeOf, questionFor } from './judge.ts'
import { scoreVideos } from './score.ts'
import { type Measure, TIERS, valued } from './types.ts'

const signal = new AbortController().signal
let root: string
let videos: string
let plan: Plan
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'vbench-score-'))
  videos = join(root, 'videos')
  plan = planOf(builtinSuite(), {
    dimensions: ['temporal_flickering', 'dynamic_degree', 'scene'],
    samples: 1,
    flickeringSamples: 1,
  })
  await sampleVideos({ folder: videos, plan, generator: proceduralGenerator(), seed: 3, signal })
}, 60_000)
afterAll(() => rm(root, { recursive: true, force: true }))

async function score(out: string, dimensions: readonly Dimension[], measures: readonly Measure[] = []) {
  const matched = matchVideos(plan, await listFolder(videos), await readManifest(videos))
  return scoreVideos({ folder: videos, plan, matched, dimensions, measures, out: join(root, out), atOnce: 2, signal })
}

/** Watches frames, gives a constant, and counts. */
function counting(dimension: Dimension, fails = false): Measure & { started: number } {
  const measure = {
    title: 'counting',
    tier: 'exact' as const,
    outputs: [dimension],
    version: 'counting-1',
    usesPrompt: false,
    started: 0,
    start() {
      measure.started++
      return {
        frame: () => {},
        end: () => {
          if (fails) throw new Error('the last network crashed')
          return { [dimension]: valued(0.5) }
        },
      }
    },
  }
  return measure
}

describe('scoring a folder', () => {
  test('gives values with tiers and intervals; what cannot be measured is null with a reason', async () => {
    const scored = await score('first', DIMENSIONS)
    const of = (name: Dimension) => scored.dimensions.find(({ dimension }) => dimension === name)!
    expect(of('temporal_flickering')).toMatchObject({ tier: 'proxy', videos: 4, expected: 4 })
    expect(of('temporal_flickering').value).toBeGreaterThan(0.99)
    expect(of('temporal_flickering').interval).toHaveLength(2)
    expect(of('dynamic_degree')).toMatchObject({ tier: 'proxy', videos: 4 })
    expect(of('scene')).toMatchObject({ value: null, tier: null, videos: 0 })
    expect(of('scene').note).toContain('needs a judge')
    expect(scored.official).toBe(false)
    expect(scored.totals.map(({ value }) => value)).toEqual([null, null, null])
    expect(await readFile(join(root, 'first', 'results.json'), 'utf8')).not.toContain('NaN')
  })

  test('measures nothing twice, and a crash of one measure loses nothing of the others', async () => {
    const one = counting('scene')
    const crashing = counting('dynamic_degree', true)
    const first = await score('twice', ['scene', 'dynamic_degree'], [one, crashing])
    expect([one.started, crashing.started]).toEqual([3, 4])
    const of = (name: Dimension, scored = first) => scored.dimensions.find(({ dimension }) => dimension === name)!
    expect(of('scene').value).toBe(0.5)
    expect(of('dynamic_degree')).toMatchObject({ value: null, note: 'the last network crashed' })
    // Half a line at the end, as a kill in the middle of a write leaves it.
    await appendFile(join(root, 'twice', 'measured.jsonl'), '{"key": "abc')
    const mended = counting('dynamic_degree')
    const again = await score('twice', ['scene', 'dynamic_degree'], [one, mended])
    expect([one.started, mended.started]).toEqual([3, 4])
    expect(of('dynamic_degree', again).value).toBe(0.5)
  })

  test('an unreadable video is named and leaves the others alone', async () => {
    const broken = join(videos, 'harbour-0.mp4')
    await copyFile(broken, join(root, 'kept.mp4'))
    await writeFile(broken, (await readFile(broken)).subarray(0, 3000))
    const scored = await score('broken', ['scene'], [counting('scene')])
    await copyFile(join(root, 'kept.mp4'), broken)
    expect(scored.dimensions[0]).toMatchObject({ value: 0.5, videos: 2, expected: 3 })
    expect(scored.videos.find(({ path }) => path === 'harbour-0.mp4')?.results.scene?.reason).toContain('cut off')
  })

  test('exact values go out in the published form, others do not', async () => {
    const { files } = await score('export', ['scene', 'dynamic_degree'], [counting('scene')])
    const published = JSON.parse(
      await readFile(
        files.find((file) => file.endsWith('_eval_results.json'))!,
        'utf8',
      ),
    ) as object
    expect(Object.keys(published)).toEqual(['scene'])
    expect(files.some((file) => file.endsWith('.zip'))).toBe(false)
  })

  test('the official total needs all sixteen, exact', async () => {
    const all = DIMENSIONS.map((dimension) => counting(dimension))
    const matched = matchVideos(plan, await listFolder(videos), await readManifest(videos))
    const every = matched.videos.map((each) => ({
      ...each,
      video: { ...each.video, prompt: { ...each.video.prompt, dimensions: DIMENSIONS } },
    }))
    const scored = await scoreVideos({
      folder: videos,
      plan,
      matched: { videos: every, issues: [] },
      dimensions: DIMENSIONS,
      measures: all,
      filter: 'none',
      out: join(root, 'official'),
      signal,
    })
    expect(scored.official).toBe(true)
    const half = Object.fromEntries(DIMENSIONS.map((name) => [name, 0.5]))
    expect(scored.totals[2]!.value).toBeCloseTo(publishedTotals(half).total, 9)
    expect(scored.files.at(-1)).toMatch(/submission\.zip$/)
  })
})

describe('the static filter', () => {
  test('takes the first five still videos of a prompt in the order of their names', () => {
    const prompt = {
      prompt: 'p',
      text: 'p',
      dimensions: ['temporal_flickering' as const],
      categories: [],
      facts: {},
      samples: 25,
    }
    const measured = Array.from({ length: 25 }, (_, index) => ({
      video: { prompt, index, file: `p-${index}.mp4` },
      path: `p-${index}.mp4`,
      results: { temporal_flickering: valued(0.9), static_filter: valued(index === 1 ? 0 : 1) },
    }))
    const counted = (filter: 'flow' | 'none') => {
      const instruments = chooseInstruments({ dimensions: prompt.dimensions, given: [], tiers: TIERS, filter })
      const rows = rowsOf(measured, { suite: 'builtin', dimensions: prompt.dimensions, instruments })
      return countedVideos('temporal_flickering', rows, filter === 'none' ? 'exact' : 'proxy')
    }
    expect(counted('flow').map(({ video }) => video.video.index)).toEqual([0, 10, 11, 12, 13])
    expect(counted('none')).toHaveLength(25)
  })
})

describe('image statistics', () => {
  test('rank a sharp picture above a blurred, a noisy and a flat one', () => {
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
  function answering(reply: (text: string) => string): Model {
    return {
      id: 'test/judge',
      local: true,
      ask: ({ messages }) => {
        const content = messages[0]!.content
        const text =
          typeof content === 'string'
            ? content
            : content.map((part) => (part.type === 'text' ? part.text : '')).join('')
        return Promise.resolve({ text: reply(text), finish: 'stop', usage: NO_USAGE, ms: 1, cached: false })
      },
      connections: () => 1,
      close: () => Promise.resolve(),
    }
  }
  const keep = (bytes: Uint8Array) =>
    Promise.resolve({ sha256: '0'.repeat(64), type: 'image/jpeg' as const, bytes: bytes.length })

  test('scores a scene by the frames that it sees it in, as a variant', async () => {
    const judge = judgeMeasure(judgeOf(answering(() => 'Let me see… {"frames": [1, 2, 3, 4]}')), keep)
    const { dimensions } = await score('judged', ['scene'], [judge])
    expect(dimensions[0]).toMatchObject({ value: 0.5, tier: 'variant', by: 'test/judge' })
  })

  test('that talks nonsense gives no value', async () => {
    const judge = judgeMeasure(judgeOf(answering(() => '{"frames": [1, 99]}')), keep)
    const { dimensions } = await score('nonsense', ['scene'], [judge])
    expect(dimensions[0]).toMatchObject({ value: null, note: 'the answer of the judge cannot be read' })
  })

  test.each([
    ['color', 'a green bicycle', { object: [1, 2], color: [2, 3] }, 0.5],
    ['color', 'a green bicycle', { object: [], color: [] }, null],
    ['human_action', 'A person is ironing', { shows: true }, 1],
    ['spatial_relationship', 'a cup on the left of a laptop, front view', { frames: [] }, 0],
    ['appearance_style', 'A lighthouse above a calm bay, watercolor painting', { match: 70 }, 0.7],
    ['multiple_objects', 'a cup and a banana', { frames: [8] }, 0.125],
  ] as const)('%s of "%s": %j is %j', (dimension, prompt, answer, value) => {
    const { prompts } = planOf(builtinSuite())
    const question = questionFor(
      dimension,
      prompts.find((each) => each.prompt === prompt)!,
      8,
    )!
    expect(question.text).not.toMatch(/\{[a-z]+\}/)
    expect(question.read({ ...answer })?.value).toEqual(value)
  })
})
