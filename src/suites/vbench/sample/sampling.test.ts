import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sha256 } from '../../../base/hash.ts'
import type { Bitmap } from '../../../media/index.ts'
import { builtinSuite } from '../suite/builtin.ts'
import { planOf } from '../suite/plan.ts'
import { openClip } from '../videos/clip.ts'
import { readManifest } from '../videos/manifest.ts'
import type { Generator } from '../../../models/generators/generator.ts'
import { proceduralGenerator } from './procedural.ts'
import { sampleVideos, videoSeed } from './sampling.ts'

const plan = planOf(builtinSuite(), { dimensions: ['scene'], samples: 2 })
const signal = new AbortController().signal
let root: string
let film: Uint8Array
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'vbench-sample-'))
  film = await proceduralGenerator().make({ text: 'a red vase, pan left', seed: 1, prompt: '', index: 0, signal })
})
afterAll(() => rm(root, { recursive: true, force: true }))

/** A generator that is quick and counts. */
function counting(): Generator & { seeds: number[] } {
  const seeds: number[] = []
  return {
    name: 'test',
    model: null,
    atOnce: 3,
    seeds,
    make({ seed }) {
      seeds.push(seed)
      return Promise.resolve(film)
    },
  }
}

describe('sampling', () => {
  test('every video has its own seed, and the manifest says all of it', async () => {
    const folder = join(root, 'all')
    const generator = counting()
    const result = await sampleVideos({ folder, plan, generator, seed: 0, signal })
    expect(result).toMatchObject({ planned: 6, made: 6, kept: 0, failed: 0, seed: 0 })
    expect(new Set(generator.seeds).size).toBe(6)
    const { lines } = await readManifest(folder)
    expect(lines.get('harbour-1.mp4')).toMatchObject({
      prompt: 'harbour',
      text: 'harbour',
      index: 1,
      seed: videoSeed(0, 'harbour', 1),
      frames: 16,
      fps: 8,
      width: 256,
      height: 160,
      sha256: sha256(film),
    })
    expect((await readdir(folder)).filter((name) => name.startsWith('.'))).toEqual([])
  })

  test('goes on where it was interrupted; what is damaged or gone is made again', async () => {
    const folder = join(root, 'resumed')
    await sampleVideos({ folder, plan, generator: counting(), seed: 5, signal })
    await rm(join(folder, 'harbour-0.mp4'))
    await truncate(join(folder, 'greenhouse-1.mp4'), 100)
    await writeFile(
      join(folder, 'manifest.jsonl'),
      `${await readFile(join(folder, 'manifest.jsonl'), 'utf8')}{"file": "ha`,
    )
    const again = counting()
    const result = await sampleVideos({ folder, plan, generator: again, signal })
    expect(result).toMatchObject({ made: 2, kept: 4, seed: 5 })
    expect(new Set(again.seeds)).toEqual(new Set([videoSeed(5, 'harbour', 0), videoSeed(5, 'greenhouse', 1)]))
    expect((await readManifest(folder)).broken).toBe(0)
    await expect(sampleVideos({ folder, plan, generator: again, seed: 6, signal })).rejects.toThrow('seed 5, not 6')
  })

  test('what is no video is not kept, and ten failures in a row end it', async () => {
    const folder = join(root, 'broken')
    const generator = { ...counting(), make: () => Promise.resolve(Buffer.from('no film')) }
    const problems: string[] = []
    const result = await sampleVideos({
      folder,
      plan,
      generator,
      signal,
      onVideo: ({ problem }) => problems.push(problem ?? ''),
    })
    expect(result).toMatchObject({ made: 0, failed: 6 })
    expect(problems[0]).toContain('is no video')
    const large = planOf(builtinSuite())
    await expect(sampleVideos({ folder: join(root, 'hopeless'), plan: large, generator, signal })).rejects.toThrow(
      '10 videos in a row',
    )
  })

  const make = (text: string, seed: number) =>
    proceduralGenerator().make({ text, seed, prompt: text, index: 0, signal })

  test('the built-in generator draws the same clip for the same seed', async () => {
    const [one, same, other] = [await make('a fox', 1), await make('a fox', 1), await make('a fox', 2)]
    expect(sha256(one)).toBe(sha256(same))
    expect(sha256(one)).not.toBe(sha256(other))
  })

  test('the built-in generator hears a few words: colours, standing still, camera moves', async () => {
    const [red, blue, frozen, panned] = await Promise.all(
      ['a red vase', 'a blue vase', 'a vase, frozen', 'a vase, frozen, pan right'].map((text, i) => framesOf(text, i)),
    )
    const [r, b] = [0, 2]
    expect(shareOf(r, red!)).toBeGreaterThan(0.02)
    expect(shareOf(r, blue!)).toBeLessThan(0.01)
    expect(shareOf(b, blue!)).toBeGreaterThan(0.02)
    expect(shareOf(b, red!)).toBeLessThan(0.01)
    // What is left of a picture that does not move is the codec's.
    expect(change(frozen!)).toBeLessThan(1)
    expect(change(panned!)).toBeGreaterThan(5)
  })

  async function framesOf(text: string, name: number): Promise<Bitmap[]> {
    const path = join(root, `words-${name}.mp4`)
    await writeFile(path, await make(text, 1))
    const clip = await openClip(path)
    try {
      const frames: Bitmap[] = []
      for await (const frame of clip.frames()) frames.push(frame)
      return frames
    } finally {
      await clip.close()
    }
  }

  /** The share of pixels in the first frame in which one colour is far above both others. */
  function shareOf(channel: number, frames: Bitmap[]): number {
    const { data } = frames[0]!
    let count = 0
    for (let at = 0; at < data.length; at += 3) {
      const others = [0, 1, 2].filter((other) => other !== channel).map((other) => data[at + other]!)
      if (data[at + channel]! > 2 * Math.max(...others)) count += 1
    }
    return count / (data.length / 3)
  }

  /** Mean difference between the first and the last frame, in levels of 256. */
  function change(frames: Bitmap[]): number {
    const [first, last] = [frames[0]!.data, frames.at(-1)!.data]
    return first.reduce((sum, level, i) => sum + Math.abs(level - last[i]!), 0) / first.length
  }
})
