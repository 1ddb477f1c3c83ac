/** VBench-Long: cutting, merging, comparing first frames. */
import { describe, expect, test } from 'vitest'
import type { Bitmap } from '../../../../suite.ts'
import type { Clip, ClipFrame } from '../../domain/clip.ts'
import { valued } from '../../domain/results.ts'
import type { Measure, MeterContext } from '../types.ts'
import { clipSeconds, clipsOf, fused, mapped } from './clips.ts'
import { inClips } from './in-clips.ts'
import { sceneCuts } from './scene-cuts.ts'

const info = { width: 4, height: 2, frames: 45, fps: 8.9, seconds: 5 }
const context: MeterContext = {
  path: '',
  info,
  prompt: { prompt: 'p', facts: {} },
  episode: { ask: () => Promise.reject(new Error('none')), keep: () => Promise.reject(new Error('none')) },
}
const gray = (level: number): Bitmap => ({ width: 4, height: 2, channels: 3, data: new Uint8Array(24).fill(level) })

/** The value of a clip is the number of its first frame; odd ones have none. */
const firstFrame: Measure = {
  title: 'first',
  tier: 'exact',
  outputs: ['subject_consistency'],
  reader: 'opencv',
  version: '1',
  start({ info: { frames, fps } }) {
    let first = -1
    let seen = 0
    return {
      frame({ data }, index) {
        expect(index).toBe(seen++)
        if (index === 0) first = data[0]!
      },
      end() {
        expect({ frames: seen, fps }).toEqual({ frames, fps: 8 })
        return first % 2 === 1 ? {} : { subject_consistency: valued(first) }
      },
    }
  },
}

async function measured(measure: Measure, cuts: readonly number[] = []) {
  const meter = measure.start({ ...context, cuts }, new Set(['subject_consistency']))
  for (let i = 0; i < info.frames; i++) await meter.frame(gray(i), i)
  return (await meter.end()).subject_consistency!
}

describe('VBench-Long', () => {
  test('prompts of lists with longer clips have them in all dimensions', () => {
    expect(clipSeconds('overall_consistency', ['aesthetic_quality'])).toBe(10)
    expect(clipSeconds('appearance_style', ['appearance_style', 'overall_consistency'])).toBe(10)
    expect(clipSeconds('scene', ['background_consistency'])).toBe(2)
    expect(clipSeconds('custom', ['human_action'])).toBe(2)
  })

  test('the last clip is as long as the others; a short scene is one clip', () => {
    expect(clipsOf({ start: 10, end: 50 }, 16).map(({ start, end }) => [start, end])).toEqual([
      [10, 26],
      [26, 42],
      [34, 50],
    ])
    expect(clipsOf({ start: 3, end: 9 }, 16)).toEqual([{ start: 3, end: 9 }])
  })

  test('clips of a scene and scenes of a video weigh the same; what has no value is left out', async () => {
    // Clips of 16 frames, because rates are whole: 0, 16 and 29, of which the last has no value.
    const whole = await measured(inClips(firstFrame, () => 2))
    expect(whole).toMatchObject({ value: 8, sum: 8, weight: 1 })
    expect(whole.detail?.['clips']).toHaveLength(3)
    // Scenes of 20 and 25 frames: clips from 0 and 4, from 20 and 29.
    expect(
      await measured(
        inClips(firstFrame, () => 2),
        [20],
      ),
    ).toMatchObject({ value: 11, sum: 22, weight: 2 })
  })

  test('consistency is exact only if first frames are compared, too', async () => {
    const within = inClips(firstFrame, () => 2)
    expect(within.tier).toBe('variant')
    expect(within.reader).toBeUndefined()
    const directions = [Float32Array.of(1, 0), Float32Array.of(0, 1)]
    const between = {
      title: 'b',
      version: 'b-1',
      mapping: [[0, 0] as const, [0.5, 4] as const, [1, 6] as const],
      // First and second like each other, the third unlike both: (1 + 0) / 2.
      feature: ({ data }: Bitmap) => Promise.resolve(directions[data[0] === 29 ? 1 : 0]!),
    }
    const both = inClips({ ...firstFrame, between }, () => 2)
    expect(both).toMatchObject({ tier: 'exact', version: '1/long-1/b-1' })
    expect((await measured(both)).value).toBe(8 * 0.5 + 4 * 0.5)
    // A single clip is compared with nothing.
    expect((await measured(inClips({ ...firstFrame, between }, () => 10))).value).toBe(0)
  })

  test('likeness of first frames is read from the table, linear between its steps', () => {
    const table = [
      [0, 0],
      [0.01, 0.8],
      [0.02, 0.9],
    ] as const
    expect(mapped(0.005, table)).toBeCloseTo(0.4, 12)
    expect(mapped(0.02, table)).toBe(0.9)
    expect(mapped(0.7, table)).toBe(0.9)
    expect(fused(0.95, 0, table)).toBe(0.95)
  })

  test('scenes change where colors jump, but not within fifteen frames', async () => {
    const levels = [...Array<number>(20).fill(0), ...Array<number>(5).fill(255), ...Array<number>(30).fill(0)]
    const clip: Pick<Clip, 'frames'> = {
      async *frames() {
        for (const level of levels) yield { opencv: gray(level) } as ClipFrame
      },
    }
    // The second jump is within fifteen frames of the first; nothing follows it that would end the merging.
    expect(await sceneCuts(clip as Clip, levels.length)).toEqual([20])
    expect(await sceneCuts(clip as Clip, 20)).toEqual([])
  })
})
