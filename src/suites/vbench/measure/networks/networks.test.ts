import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Bitmap } from '../../../../media/index.ts'
import type { Output, Results } from '../../domain/results.ts'
import type { Measure, MeterContext } from '../types.ts'
import { musiqPatches, MUSIQ_FLOATS } from './musiq.ts'
import { openNetworks } from '../open-networks.ts'
import { forClip, forClipOfBytes, forDino } from './preprocess.ts'
import { planesOf, resizeLikeOpenCv, resizePlanes } from './resize.ts'
import { constant, INT64, meanColour, onnx, PICTURE } from '../../../../../test/support/suites/vbench/small-onnx.ts'
import { lazyNetwork, type Network, type Tensor } from './runtime.ts'
import { raftMeasure } from './measures/motion.ts'
import { FrameFeatures } from './measures/shared.ts'
import { readTokenizer } from './tokens.ts'

const fixedText = (length: number) =>
  onnx(
    [
      { name: 'input_ids', dims: [1, length], type: INT64 },
      { name: 'attention_mask', dims: [1, length], type: INT64 },
    ],
    [{ name: 'text_embeds', dims: [1, 3] }],
    [{ op: 'Identity', from: ['words'], to: 'text_embeds' }],
    [constant('words', [1, 3], Float32Array.of(1, 0, 0))],
  )

let folder: string
let measures: Measure[]
const log: string[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vbench-networks-'))
  const put = (name: string, content: Uint8Array | string) => writeFile(join(folder, name), content)
  await put('mean.onnx', meanColour('pixel_values', 'image_embeds'))
  await put('video.onnx', meanColour('video', 'video_embeds', [1, 3, 8, 224, 224]))
  await put('text.onnx', fixedText(77))
  await put('text32.onnx', fixedText(32))
  await put('head.json', JSON.stringify({ weight: [0, 0, 0], bias: 6.5 }))
  // How many patches are real: the sum of the last column.
  await put(
    'musiq.onnx',
    onnx(
      [{ name: 'patches', dims: [1, 'n', MUSIQ_FLOATS] }],
      [{ name: 'quality', dims: [1] }],
      [
        { op: 'Slice', from: ['patches', 'from', 'to', 'axis'], to: 'mask' },
        { op: 'ReduceSum', from: ['mask', 'all'], to: 'quality', attributes: { keepdims: 0 } },
      ],
      [
        constant('from', [1], BigInt64Array.of(-1n)),
        constant('to', [1], BigInt64Array.of(BigInt(MUSIQ_FLOATS))),
        constant('axis', [1], BigInt64Array.of(2n)),
        constant('all', [2], BigInt64Array.of(1n, 2n)),
      ],
    ),
  )
  // Flow is by how much red and green grow.
  await put(
    'raft.onnx',
    onnx(
      [
        { name: 'image1', dims: PICTURE },
        { name: 'image2', dims: PICTURE },
      ],
      [{ name: 'flow', dims: [1, 2, 'h', 'w'] }],
      [
        { op: 'Sub', from: ['image2', 'image1'], to: 'grown' },
        { op: 'Slice', from: ['grown', 'from', 'to', 'axis'], to: 'flow' },
      ],
      [
        constant('from', [1], BigInt64Array.of(0n)),
        constant('to', [1], BigInt64Array.of(2n)),
        constant('axis', [1], BigInt64Array.of(1n)),
      ],
    ),
  )
  await put(
    'amt.onnx',
    onnx(
      [
        { name: 'img0', dims: PICTURE },
        { name: 'img1', dims: PICTURE },
        { name: 'embt', dims: [1, 1, 1, 1] },
      ],
      [{ name: 'middle', dims: PICTURE }],
      [
        { op: 'Add', from: ['img0', 'img1'], to: 'sum' },
        { op: 'Mul', from: ['sum', 'embt'], to: 'middle' },
      ],
    ),
  )
  await put(
    'umt.onnx',
    onnx(
      [{ name: 'video', dims: [1, 3, 16, 224, 224] }],
      [{ name: 'logits', dims: [3] }],
      [{ op: 'Identity', from: ['fixed'], to: 'logits' }],
      [constant('fixed', [3], Float32Array.of(-4, 5, 1))],
    ),
  )
  // Two boxes side by side, one of each class, and one of nothing.
  await put(
    'detector.onnx',
    onnx(
      [
        { name: 'pixel_values', dims: PICTURE },
        { name: 'pixel_mask', dims: [1, 64, 64], type: INT64 },
      ],
      [
        { name: 'logits', dims: [1, 3, 3] },
        { name: 'pred_boxes', dims: [1, 3, 4] },
      ],
      [
        { op: 'Identity', from: ['classes'], to: 'logits' },
        { op: 'Identity', from: ['places'], to: 'pred_boxes' },
      ],
      [
        constant('classes', [1, 3, 3], Float32Array.of(9, 0, 0, 0, 9, 0, 0, 0, 9)),
        constant('places', [1, 3, 4], Float32Array.of(0.2, 0.5, 0.2, 0.4, 0.7, 0.5, 0.2, 0.4, 0.5, 0.5, 1, 1)),
      ],
    ),
  )
  await put('coco.txt', 'cup\nlaptop')
  await put('kinetics.txt', 'ironing\njuggling balls\ndrawing')
  const vocab = { '<|startoftext|>': 100, '<|endoftext|>': 101, a: 1, 'd</w>': 2, 'ad</w>': 3, 'a</w>': 4, ç: 5 }
  await put('tokenizer.json', JSON.stringify({ model: { vocab, merges: ['a d</w>'] } }))
  await put(
    'models.json',
    JSON.stringify({
      dino: { file: 'mean.onnx', network: 'dino-vitb16' },
      'clip-b32-vision': { file: 'mean.onnx', network: 'clip-vit-b32' },
      'clip-b32-text': { file: 'text.onnx', network: 'clip-vit-b32', tokenizer: 'tokenizer.json' },
      'clip-l14-vision': { file: 'mean.onnx', network: 'clip-vit-l14' },
      'aesthetic-head': { file: 'head.json', network: 'sa_0_4_vit_l_14_linear' },
      musiq: { file: 'musiq.onnx', network: 'musiq-spaq' },
      raft: { file: 'raft.onnx', network: 'raft-large-torchvision' },
      amt: { file: 'amt.onnx', network: 'amt-s' },
      'viclip-vision': { file: 'video.onnx', network: 'viclip-l14-internvid-10m-flt' },
      'viclip-text': { file: 'text32.onnx', network: 'viclip-l14-internvid-10m-flt', tokenizer: 'tokenizer.json' },
      umt: { file: 'umt.onnx', network: 'umt-vit-l16-k400', labels: 'kinetics.txt' },
      detector: { file: 'detector.onnx', network: 'detr-resnet-50', labels: 'coco.txt' },
    }),
  )
  measures = await openNetworks(folder, { log: (line) => void log.push(line) })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

function plain(width: number, height: number, colour: readonly [number, number, number]): Bitmap {
  const data = Uint8Array.from({ length: width * height * 3 }, (_, i) => colour[i % 3]!)
  return { width, height, channels: 3, data }
}

const refuse = () => Promise.reject(new Error('networks neither ask nor keep anything'))

async function measured(
  output: Exclude<Output, 'pictures'>,
  frames: readonly Bitmap[],
  prompt: Partial<MeterContext['prompt']> = {},
  fps = 8,
) {
  const measure = measures.find(({ outputs }) => outputs.includes(output))!
  const { width, height } = frames[0]!
  const info = { width, height, frames: frames.length, fps, seconds: frames.length / fps }
  const context = {
    path: 'a.mp4',
    info,
    prompt: { prompt: 'a cup', facts: {}, ...prompt },
    episode: { ask: refuse, keep: refuse },
  }
  const meter = measure.start(context, new Set([output]))
  for (const [i, frame] of frames.entries()) await meter.frame(frame, i)
  const results: Results = await meter.end()
  return results[output]!
}

test('a device that ONNX Runtime lacks on this system is refused, not replaced by the CPU', async () => {
  const absent = process.platform === 'darwin' ? 'dml' : 'coreml'
  await expect(openNetworks(folder, { device: absent })).rejects.toMatchObject({
    message: `ONNX Runtime cannot use ${absent} on this system.`,
    hint: expect.stringMatching(/^Devices: cpu\b/) as string,
  })
})

describe('networks from a folder', () => {
  test('are exact under the published name and variants under any other', () => {
    expect(log).toEqual([
      'raft: raft-large-torchvision is not the published network (raft-things): tier variant',
      'detector: detr-resnet-50 is not the published network (none): tier variant',
    ])
    const tiers = new Map(measures.flatMap(({ outputs, tier }) => outputs.map((output) => [output, tier])))
    expect(tiers.get('subject_consistency')).toBe('exact')
    expect(tiers.get('dynamic_degree')).toBe('variant')
    // All dimensions but flickering, color and scene; the static filter, and VBench-I2V's subject.
    expect(tiers.size).toBe(15)
  })

  test('no measure changes what the others are shown of a frame', async () => {
    // Neither MUSIQ nor AMT resizes frames of this size.
    const frames = [0, 1, 2].map((i) => plain(512, 224, [200, 10 + i, 10]))
    const before = frames.map((frame) => planesOf(frame).data.slice())
    for (const output of [
      'subject_consistency',
      'background_consistency',
      'imaging_quality',
      'motion_smoothness',
      'dynamic_degree',
    ] as const)
      await measured(output, frames)
    // Not toEqual: half a million numbers take minutes to print.
    const isAsBefore = frames.map((frame, i) => planesOf(frame).data.every((value, k) => value === before[i]![k]))
    expect(isAsBefore).toEqual([true, true, true])
  })

  test('consistency compares features with the previous and the first frame', async () => {
    const same = [plain(48, 32, [200, 10, 10]), plain(48, 32, [200, 10, 10]), plain(48, 32, [200, 10, 10])]
    expect((await measured('subject_consistency', same)).value).toBeCloseTo(1, 6)
    const feature = ([r, g, b]: readonly number[]) => [
      (r! / 255 - 0.485) / 0.229,
      (g! / 255 - 0.456) / 0.224,
      (b! / 255 - 0.406) / 0.225,
    ]
    const cos = (a: number[], b: number[]) => {
      const dot = (p: number[], q: number[]) => p.reduce((sum, each, i) => sum + each * q[i]!, 0)
      return Math.max(0, dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b)))
    }
    const colours = [[250, 30, 30] as const, [240, 90, 40] as const, [250, 30, 200] as const]
    const [a, b, c] = colours.map((each) => feature(each)) as [number[], number[], number[]]
    const expected = ((cos(a, b) + cos(a, b)) / 2 + (cos(b, c) + cos(a, c)) / 2) / 2
    const result = await measured(
      'subject_consistency',
      colours.map((each) => plain(48, 32, each)),
    )
    expect(result.value).toBeCloseTo(expected, 3)
    expect(result.weight).toBe(2)
    expect((await measured('background_consistency', same)).detail).toMatchObject({ cnt_per_video: 2 })
    expect((await measured('subject_consistency', same.slice(0, 1))).value).toBeNull()
  })

  test('motion by RAFT follows the published thresholds', async () => {
    const ramp = (step: number) => Array.from({ length: 8 }, (_, i) => plain(256, 256, [i * step, 0, 0]))
    expect((await measured('dynamic_degree', ramp(7))).value).toBe(1)
    expect((await measured('dynamic_degree', ramp(5))).value).toBe(0)
    expect((await measured('dynamic_degree', ramp(5), {}, 16)).value).toBe(1)
    expect((await measured('static_filter', ramp(4))).value).toBe(0)
    expect((await measured('static_filter', ramp(0))).value).toBe(1)
  })

  test.each([
    [8, 7 + 2],
    [16, 7 + 2 + 3],
  ])('RAFT sees a pair of frames once at %i frames per second', async (fps, expected) => {
    let runs = 0
    const network: Network = {
      run: ({ dims }, second) => {
        runs++
        const size = dims[2]! * dims[3]!
        const flow = Float32Array.from({ length: 2 * size }, (_, i) => Number(second.data[i % size]) * (i % 97))
        return Promise.resolve({ flow: { dims: [1, 2, dims[2]!, dims[3]!], data: flow } })
      },
    }
    const frames = Array.from({ length: 8 }, (_, i) => plain(160, 128, [i, 0, 0]))
    const found = async (...outputs: Output[]): Promise<Results> => {
      const info = { width: 160, height: 128, frames: 8, fps, seconds: 8 / fps }
      const context = { path: '', info, prompt: { prompt: '', facts: {} }, episode: { ask: refuse, keep: refuse } }
      const meter = raftMeasure(network, { title: '', tier: 'exact', version: '' }).start(context, new Set(outputs))
      for (const [i, frame] of frames.entries()) await meter.frame(frame, i)
      return meter.end()
    }
    const together = await found('dynamic_degree', 'static_filter')
    expect(runs).toBe(expected)
    const [{ dynamic_degree }, { static_filter }] = [await found('dynamic_degree'), await found('static_filter')]
    expect(together).toEqual({ dynamic_degree, static_filter })
    expect(dynamic_degree?.detail).not.toEqual({ pair_scores: [] })
  })

  test('smoothness compares real and predicted middle frames in whole gray values', async () => {
    const even = [10, 20, 30, 40, 50].map((value) => plain(168, 120, [value, value, value]))
    expect((await measured('motion_smoothness', even)).value).toBeGreaterThan(1 - 1.01 / 255)
    const jump = [10, 30, 30].map((value) => plain(168, 120, [value, value, value]))
    expect((await measured('motion_smoothness', jump)).value).toBeCloseTo(1 - 10 / 255, 2)
  })

  test.each([
    ['dynamic_degree', 120],
    ['static_filter', 120],
    ['motion_smoothness', 112],
  ] as const)('%s has no value where the published network divides by 0', async (dimension, side) => {
    const frames = (size: number) => Array.from({ length: 3 }, () => plain(200, size, [9, 9, 9]))
    expect(await measured(dimension, frames(side))).toMatchObject({
      value: null,
      reason: expect.stringContaining('128'),
    })
    expect((await measured(dimension, frames(side + 1))).value).not.toBeNull()
  })

  test('quality applies the head to unit features; MUSIQ sees patches at three scales', async () => {
    const frames = [plain(300, 200, [10, 200, 30])]
    expect((await measured('aesthetic_quality', frames)).value).toBeCloseTo(0.65, 6)
    // 224 × 149, 384 × 256 and 300 × 200: 7 × 5, 12 × 8 and 10 × 7 patches.
    expect((await measured('imaging_quality', frames)).value).toBeCloseTo((35 + 96 + 70) / 100, 6)
  })

  test('text: styles per frame, prompts with eight frames, actions by label', async () => {
    const red = [plain(64, 48, [255, 0, 0]), plain(64, 48, [255, 0, 0])]
    const style = await measured('appearance_style', red, { facts: { style: 'red' } })
    expect(style.value).toBeGreaterThan(0)
    expect(style.weight).toBe(2)
    expect((await measured('appearance_style', red)).reason).toContain('no style')
    expect((await measured('overall_consistency', red)).value).toBeCloseTo(style.value!, 2)
    expect((await measured('human_action', red, { prompt: 'A person is juggling balls' })).value).toBe(1)
    expect((await measured('human_action', red, { prompt: 'A person is ironing' })).value).toBe(0)
  })

  test('detector: names, pairs and positions', async () => {
    const frames = [plain(80, 60, [9, 9, 9])]
    expect((await measured('object_class', frames, { facts: { object: 'cup' } })).value).toBe(1)
    expect((await measured('object_class', frames, { facts: { object: 'dog' } })).value).toBe(0)
    expect((await measured('multiple_objects', frames, { facts: { object: 'cup and laptop' } })).value).toBe(1)
    const relation = (words: string) => ({ facts: { relation: { a: 'cup', b: 'laptop', relation: words } } })
    expect((await measured('spatial_relationship', frames, relation('on the left of'))).value).toBe(1)
    expect((await measured('spatial_relationship', frames, relation('on the top of'))).value).toBe(0)
  })

  test('a fixed-size network fails only its own dimension', async () => {
    const fixed = await mkdtemp(join(tmpdir(), 'vbench-fixed-'))
    await writeFile(join(fixed, 'dino.onnx'), meanColour('pixel_values', 'image_embeds', [1, 3, 224, 224]))
    await writeFile(join(fixed, 'models.json'), JSON.stringify({ dino: { file: 'dino.onnx', network: 'dino-vitb16' } }))
    const [dino] = await openNetworks(fixed)
    const info = { width: 64, height: 36, frames: 2, fps: 8, seconds: 1 }
    const prompt = { prompt: '', facts: {} }
    const context = { path: 'a.mp4', info, prompt, episode: { ask: refuse, keep: refuse } }
    const meter = dino!.start(context, new Set(['subject_consistency' as const]))
    await expect(meter.frame(plain(64, 36, [1, 2, 3]), 0)).rejects.toThrow('dino.onnx does not take 1 × 3 × 224 × 398')
    await meter.frame(plain(36, 36, [1, 2, 3]), 0)
    await rm(fixed, { recursive: true })
  })

  test('sees several frames at once where it takes them, in their order', async () => {
    const sizes: number[] = []
    const seen: number[] = []
    const network = {
      takesBatches: () => Promise.resolve(true),
      run({ dims, data }: Tensor) {
        sizes.push(dims[0]!)
        const first = Float32Array.from({ length: dims[0]! }, (_, i) => Number(data[i * 12]))
        return Promise.resolve({ image_embeds: { dims: [dims[0]!, 1], data: first } })
      },
    }
    const features = new FrameFeatures(network, ([each]) => seen.push(each!))
    for (let i = 0; i < 11; i++) await features.add({ width: 2, height: 2, data: new Float32Array(12).fill(i) })
    await features.end()
    expect([sizes, seen]).toEqual([
      [8, 3],
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    ])
    const path = join(folder, 'several.onnx')
    await writeFile(path, meanColour('pixels', 'image_embeds', ['n', 3, 'h', 'w']))
    expect(await lazyNetwork(path, 'cpu').takesBatches!()).toBe(true)
    expect(await lazyNetwork(join(folder, 'mean.onnx'), 'cpu').takesBatches!()).toBe(false)
  })

  test('is freed when it is not run for a while, and loaded again', async () => {
    const path = join(folder, 'other.onnx')
    const answer = (value: number) =>
      onnx(
        [{ name: 'pixels', dims: [1] }],
        [{ name: 'found', dims: [1] }],
        [{ op: 'Identity', from: ['fixed'], to: 'found' }],
        [constant('fixed', [1], Float32Array.of(value))],
      )
    await writeFile(path, answer(1))
    const kept = lazyNetwork(path, 'cpu', 600_000)
    const freed = lazyNetwork(path, 'cpu', 20)
    const run = async (network: Network) =>
      (await network.run({ dims: [1], data: Float32Array.of(0) }))['found']!.data[0]
    expect([await run(kept), await run(freed)]).toEqual([1, 1])
    await writeFile(path, answer(2))
    await expect.poll(() => run(freed), { interval: 100 }).toBe(2)
    expect(await run(kept)).toBe(1)
  })

  test('loads what measures the wanted dimensions; other labels are another version', async () => {
    const some = await mkdtemp(join(tmpdir(), 'vbench-some-'))
    await copyFile(join(folder, 'mean.onnx'), join(some, 'mean.onnx'))
    await writeFile(join(some, 'broken.onnx'), 'not a network')
    await writeFile(join(some, 'labels.txt'), 'ironing\nskiing\n')
    const umt = { file: 'mean.onnx', network: 'umt-vit-l16-k400', labels: 'labels.txt' }
    const dino = { file: 'broken.onnx', network: 'dino-vitb16' }
    await writeFile(join(some, 'models.json'), JSON.stringify({ dino, umt }))
    const outputs = new Set<Output>(['human_action'])
    const [before, ...others] = await openNetworks(some, { outputs })
    expect([before!.outputs, others]).toEqual([['human_action'], []])
    await writeFile(join(some, 'labels.txt'), 'ironing\nskating\n')
    expect((await openNetworks(some, { outputs }))[0]!.version).not.toBe(before!.version)
    await rm(some, { recursive: true })
  })

  test('rejects an invalid folder with a clear error', async () => {
    const bad = await mkdtemp(join(tmpdir(), 'vbench-bad-'))
    const describe = (value: unknown) => writeFile(join(bad, 'models.json'), JSON.stringify(value))
    await expect(openNetworks(bad)).rejects.toThrow('models.json cannot be read')
    await describe({ dyno: { file: 'x', network: 'y' } })
    await expect(openNetworks(bad)).rejects.toThrow('no role "dyno"')
    await describe({ dino: { file: '../../etc/passwd', network: 'y' } })
    await expect(openNetworks(bad)).rejects.toThrow('outside of')
    await writeFile(join(bad, 'x.onnx'), 'not a network')
    await describe({ dino: { file: 'x.onnx', network: 'dino-vitb16' } })
    await expect(openNetworks(bad)).rejects.toThrow('cannot be loaded as a network')
    await describe({ dino: { file: 'gone.onnx', network: 'dino-vitb16' } })
    await expect(openNetworks(bad)).rejects.toThrow('names gone.onnx, which cannot be read')
    await describe({ umt: { file: 'mean.onnx', network: 'umt-vit-l16-k400' } })
    await copyFile(join(folder, 'mean.onnx'), join(bad, 'mean.onnx'))
    await expect(openNetworks(bad)).rejects.toThrow('names no labels for umt')
    await writeFile(join(bad, 'head.json'), '{')
    const clip = { file: 'mean.onnx', network: 'clip-vit-l14' }
    await describe({ 'clip-l14-vision': clip, 'aesthetic-head': { file: 'head.json', network: 'x' } })
    await expect(openNetworks(bad)).rejects.toThrow('is not {"weight"')
    await describe({ 'clip-l14-vision': clip })
    const words: string[] = []
    expect(await openNetworks(bad, { log: (line) => void words.push(line) })).toEqual([])
    expect(words).toEqual(['clip-l14-vision is not used: it needs aesthetic-head beside it'])
    await rm(bad, { recursive: true })
  })
})

describe('preprocessing', () => {
  const ramp: Bitmap = {
    width: 4,
    height: 1,
    channels: 3,
    data: Uint8Array.from({ length: 12 }, (_, i) => Math.floor(i / 3) * 80),
  }

  // Values of torch.nn.functional.interpolate(align_corners=False, antialias=False) worked out by hand from its formula.
  test('bilinear and bicubic are those of PyTorch, without antialiasing', () => {
    const size = { width: 8, height: 1 }
    const linear = resizePlanes(planesOf(ramp), size, 'bilinear', false).data.slice(0, 8)
    expect([...linear]).toEqual([0, 20, 60, 100, 140, 180, 220, 240])
    const half = resizePlanes(planesOf(ramp), { width: 2, height: 1 }, 'bicubic', false).data.slice(0, 2)
    // Weights at the half: −0.09375, 0.59375, 0.59375, −0.09375, on 0, 0, 80, 160.
    expect(half[0]).toBeCloseTo(0.59375 * 80 - 0.09375 * 160, 3)
    const bytes = resizePlanes(planesOf(ramp), { width: 3, height: 1 }, 'bicubic', true).data
    expect([...bytes].every((value) => Number.isInteger(value) && value >= 0 && value <= 255)).toBe(true)
  })

  test("resizes bytes as OpenCV's INTER_LINEAR does", () => {
    const made = (width: number, height: number): Bitmap => {
      const data = Uint8Array.from({ length: width * height * 3 }, (_, i) => (i * 73) % 256)
      return { width, height, channels: 3, data }
    }
    const reds = ({ data }: Bitmap) => [...data].filter((_, i) => i % 3 === 0)
    // From cv2.resize of OpenCV 4.6: smaller, larger, and exactly half the size.
    const smaller = [134, 176, 112, 47, 236, 171, 107, 42, 231, 166, 102, 37]
    expect(reds(resizeLikeOpenCv(made(7, 5), { width: 4, height: 3 }))).toEqual(smaller)
    const larger = resizeLikeOpenCv(made(7, 5), { width: 9, height: 8 })
    expect(reds(larger).slice(0, 9)).toEqual([0, 146, 202, 174, 145, 116, 87, 58, 34])
    expect(larger.data.reduce((sum, each) => sum + each, 0)).toBe(29_301)
    const half = resizeLikeOpenCv(made(8, 4), { width: 4, height: 2 })
    expect(reds(half)).toEqual([154, 144, 70, 188, 138, 64, 182, 172])
  })

  test('Pillow’s bicubic keeps a flat image flat and averages when shrinking', () => {
    const flat = resizePlanes(planesOf(plain(50, 40, [77, 77, 77])), { width: 7, height: 5 }, 'pillow-bicubic', true)
    expect(new Set(flat.data)).toEqual(new Set([77]))
    const stripes: Bitmap = {
      ...plain(64, 1, [0, 0, 0]),
      data: Uint8Array.from({ length: 192 }, (_, i) => (Math.floor(i / 3) % 2) * 200),
    }
    const mean = resizePlanes(planesOf(stripes), { width: 4, height: 1 }, 'pillow-bicubic', true).data.slice(1, 3)
    for (const value of mean) expect(Math.abs(value - 100)).toBeLessThan(3)
  })

  test('DINO sees the whole image, CLIP the center crop', () => {
    const wide = plain(128, 72, [1, 2, 3])
    expect(forDino(wide)).toMatchObject({ width: 398, height: 224 })
    expect(forClip(wide)).toMatchObject({ width: 224, height: 224 })
  })

  // 297 − 224 leaves 36.5 on each side; Python's round takes 36, Math.round would take 37.
  test('the center crop starts where Python’s rounding puts it', () => {
    const ramp: Bitmap = {
      width: 297,
      height: 224,
      channels: 3,
      data: Uint8Array.from({ length: 297 * 224 * 3 }, (_, i) => Math.floor(i / 3) % 297),
    }
    const { data } = forClipOfBytes(ramp, 'bicubic')
    expect(data[0]! * 0.26862954 + 0.48145466).toBeCloseTo(36 / 255, 5)
  })

  test('bytes are rounded half to even as in PyTorch; floats for DINO and CLIP are not', () => {
    const pair = (a: number, b: number): Bitmap => ({
      width: 2,
      height: 1,
      channels: 3,
      data: Uint8Array.of(a, a, a, b, b, b),
    })
    const one = { width: 1, height: 1 }
    expect(resizePlanes(planesOf(pair(2, 3)), one, 'bilinear', true).data[0]).toBe(2)
    expect(resizePlanes(planesOf(pair(3, 4)), one, 'bilinear', true).data[0]).toBe(4)
    const tall: Bitmap = {
      width: 448,
      height: 448,
      channels: 3,
      data: Uint8Array.from({ length: 448 * 448 * 3 }, (_, i) => (Math.floor(i / 3) % 2) * 3),
    }
    expect(forDino(tall).data[0]! * 0.229 + 0.485).toBeCloseTo(1.5 / 255, 6)
    // Bicubic overshoots at an edge from 0 to 255, and nothing cuts it off.
    const edge: Bitmap = {
      width: 200,
      height: 200,
      channels: 3,
      data: Uint8Array.from({ length: 200 * 200 * 3 }, (_, i) => (Math.floor(i / 3) % 200 < 100 ? 0 : 255)),
    }
    const values = forClip(edge).data.subarray(0, 224)
    expect(Math.min(...values)).toBeLessThan(-0.48145466 / 0.26862954 - 0.01)
    const cut = forClipOfBytes(edge, 'bicubic').data.subarray(0, 224)
    expect(Math.min(...cut)).toBeCloseTo(-0.48145466 / 0.26862954, 5)
  })

  test('MUSIQ patches carry their positions', () => {
    const data = musiqPatches(plain(64, 64, [255, 255, 255]))
    const row = (n: number) => [...data.subarray((n + 1) * MUSIQ_FLOATS - 3, (n + 1) * MUSIQ_FLOATS)]
    expect(data.length / MUSIQ_FLOATS).toBe(49 + 144 + 4)
    expect(row(0)).toEqual([0, 0, 1])
    expect(row(49 + 143)).toEqual([99, 1, 1])
    expect(row(49 + 144 + 3)).toEqual([55, 2, 1])
    expect(data[(49 + 144) * MUSIQ_FLOATS]).toBe(1)
  })

  test('byte pairs: merged, truncated, terminated', async () => {
    const tokenizer = await readTokenizer(join(folder, 'tokenizer.json'))
    expect([...tokenizer.encode('Ad  a', 6)].map(Number)).toEqual([100, 3, 4, 101, 0, 0])
    expect([...tokenizer.encode('ad ad ad ad ad', 4)].map(Number)).toEqual([100, 3, 3, 101])
  })
})
