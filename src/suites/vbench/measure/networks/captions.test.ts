import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { colorFrames, sceneFrames } from '../rules/semantic.ts'
import { beamSearch } from './beams.ts'
import { best, suppress } from './boxes.ts'
import { DESCRIPTION_TOKEN, look, NAME_TOKEN, namedBoxes } from './grit.ts'
import { sceneMeasure } from './measures/scenes.ts'
import type { Network, Tensor } from './runtime.ts'
import { readWordPieces, type WordPieces } from './wordpiece.ts'

const TOKENS = [
  '[PAD]',
  '[UNK]',
  '[CLS]',
  '[SEP]',
  '[MASK]',
  'a',
  'picture',
  'of',
  'red',
  'car',
  '##s',
  '|',
  "'",
  's',
  'un',
  '##able',
]
let folder: string
let vocabulary: WordPieces
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vbench-captions-'))
  await writeFile(join(folder, 'vocab.txt'), `${TOKENS.join('\n')}\n`)
  vocabulary = await readWordPieces(join(folder, 'vocab.txt'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const network = (run: (...inputs: Tensor[]) => Record<string, Tensor>): Network => ({
  run: (...inputs) => Promise.resolve(run(...inputs)),
})
const floats = (dims: readonly number[], values: readonly number[]): Tensor => ({
  dims,
  data: Float32Array.from(values),
})

describe('word pieces', () => {
  test.each([
    ['Red cars | UNABLE', [2, 8, 9, 10, 11, 14, 15, 3, 0, 0]],
    ['réd zebra', [2, 8, 1, 3, 0, 0, 0, 0, 0, 0]],
    ["car's a a a a a a a a", [2, 9, 12, 13, 5, 5, 5, 5, 5, 3]],
  ])('%s', (text, ids) => {
    expect(vocabulary.encode(text, 10).ids).toEqual(ids)
  })

  test('are joined, without special tokens and those that a network added', () => {
    expect(vocabulary.decode([2, 5, 8, 9, 10, 3, 3, 99])).toBe('a red cars')
    expect(vocabulary.decode([9, 12, 13])).toBe("car's")
  })
})

test('of overlapping boxes the surest stays', () => {
  const boxes = Float32Array.from([0, 0, 10, 10, 1, 1, 10, 10, 20, 20, 30, 30, 0, 0, 10, 5])
  const found = { boxes, scores: Float32Array.from([0.5, 0.9, 0.7, 0.6]) }
  expect(suppress(found, 0.5)).toEqual([1, 2, 3])
  expect(suppress(found, 0.9)).toEqual([1, 2, 3, 0])
  expect(best(found, 2, 0.55)).toEqual([1, 2])
  expect(best(found, 9, 0.55)).toEqual([1, 2, 3])
})

describe('beam search', () => {
  /** Tokens 0 (the end), 1 and 2; their probabilities after the last token. */
  const after: Readonly<Record<number, readonly number[]>> = {
    9: [0.1, 0.5, 0.4],
    1: [0.3, 0.35, 0.35],
    2: [0.9, 0.05, 0.05],
  }
  const next = (texts: readonly (readonly number[])[]) =>
    Promise.resolve(Float32Array.from(texts.flatMap((text) => after[text.at(-1)!]!.map(Math.log))))

  test('finds what the likeliest next token misses', async () => {
    expect(await beamSearch([9], next, { beams: 3, shortest: 0, longest: 4, end: 0 })).toEqual([9, 2])
  })

  test('does not end too early or too late', async () => {
    const early = await beamSearch([9], next, { beams: 3, shortest: 4, longest: 6, end: 0 })
    expect(early.length).toBeGreaterThanOrEqual(4)
    expect(await beamSearch([9], next, { beams: 3, shortest: 9, longest: 5, end: 0 })).toHaveLength(5)
  })
})

/** Finds two things and, more surely, the same thing as the first again; says "red red car" of each, and knows its name. */
function grit() {
  const levels = {
    boxes: floats([3, 4], [1, 1, 9, 9, 10, 2, 30, 12, 1, 1, 9, 10]),
    scores: floats([3], [0.81, 0.64, 0.9]),
  }
  const empty = { boxes: floats([0, 4], []), scores: floats([0], []) }
  const asked: number[][] = []
  return {
    asked,
    networks: {
      features: network(() => ({
        ...Object.fromEntries(['p3', 'p4', 'p5'].map((name) => [name, floats([1, 1, 1, 1], [0])])),
        ...Object.fromEntries(
          ['3', '4', '5', '6', '7'].flatMap((level) => {
            const { boxes, scores } = level === '3' ? levels : empty
            return [
              [`boxes${level}`, boxes],
              [`scores${level}`, scores],
            ]
          }),
        ),
      })),
      boxes: network((_, __, ___, boxes, scores) => ({ boxes, scores })),
      objects: network((_, __, ___, boxes) => {
        const memory = floats(
          [1, boxes.dims[0]!, 1, 1, 1],
          Array.from({ length: boxes.dims[0]! }, () => 0),
        )
        return { keys: memory, values: memory }
      }),
      words: network((tokens) => {
        const [count, length] = [tokens.dims[0]!, tokens.dims[1]!]
        asked.push([count, length])
        const names = Number(tokens.data[0]) === NAME_TOKEN
        const said = names ? [9, 3] : [8, 8, 9, 3]
        const row = TOKENS.map((_, i) => (i === said[length - 1] ? 9 : i === 13 ? 5 : 0))
        return { logits: floats([count, TOKENS.length], Array.from({ length: count }, () => row).flat()) }
      }),
      vocabulary,
    },
  }
}

describe('GRiT', () => {
  const picture = { width: 40, height: 20, data: new Float32Array(2400) }

  test('names what it finds once, the surest first, in whole pixels', async () => {
    expect(await namedBoxes(grit().networks, picture)).toEqual([
      { name: 'car', box: [1, 1, 9, 10] },
      { name: 'car', box: [10, 2, 30, 12] },
    ])
  })

  test('never says the same word twice in a row, and ends', async () => {
    const { networks, asked } = grit()
    const sight = await look(networks, picture)
    expect(await sight.describe(DESCRIPTION_TOKEN)).toEqual(['red s car', 'red s car'])
    expect(await sight.describe(NAME_TOKEN, 1)).toEqual(['car'])
    expect(asked).toEqual([...[1, 2, 3, 4].map((length) => [2, length]), [1, 1], [1, 2]])
  })
})

test('colors and scenes are found inside words, and a color only counts for the wanted object', () => {
  const frames = [
    { name: 'car', descriptions: ['a reddish car', 'the sky'] },
    { name: 'car', descriptions: ['a blue car'] },
    { name: 'car', descriptions: ['a car'] },
    { name: 'dog', descriptions: ['a red dog'] },
  ]
  expect(colorFrames('car', 'red', frames)).toEqual({ colored: 2, right: 1 })
  expect(sceneFrames('ice rink', ['a rink of ice', 'drinking an iced tea', 'ice'])).toEqual({ successes: 2, frames: 3 })
})

test('a scene is described by six of sixteen frames, as published', async () => {
  const shown: number[] = []
  const networks = {
    vision: network((pixels) => {
      shown.push(Math.abs(Math.round((Number(pixels.data[0]) * 0.229 + 0.485) * 255)))
      return { image: floats([1, 1, 1], [0]), tags: floats([1, 1], [0.9]) }
    }),
    tags: network(() => ({ encoded: floats([1, 1, 1], [0]) })),
    // After the prompt: "car" six times, then the end.
    words: network((tokens) => {
      const [count, length] = [tokens.dims[0]!, tokens.dims[1]!]
      const row = Array.from({ length: TOKENS.length + 2 }, (_, i) => (i === (length < 10 ? 9 : 3) ? 30 : 0))
      return { logits: floats([count, row.length], Array.from({ length: count }, () => row).flat()) }
    }),
    vocabulary,
    labels: ['red'],
  }
  const refuse = () => Promise.reject(new Error('asks and keeps nothing'))
  const info = { width: 384, height: 384, frames: 32, fps: 8, seconds: 4 }
  const prompt = { prompt: '', facts: { scene: 'car' } }
  const measure = sceneMeasure(networks, { title: '', tier: 'exact', version: '1' })
  const meter = measure.start(
    { path: '', info, prompt, episode: { ask: refuse, keep: refuse } },
    new Set(['scene' as const]),
  )
  for (let i = 0; i < 32; i++) {
    const data = new Uint8Array(384 * 384 * 3).fill(i)
    await meter.frame({ width: 384, height: 384, channels: 3, data }, i)
  }
  const { scene } = await meter.end()
  expect(shown).toEqual([0, 2, 4, 6, 8, 10])
  expect(scene).toMatchObject({
    value: 1,
    weight: 16,
    detail: { captions: Array.from({ length: 16 }, () => 'car car car car car car') },
  })
})
