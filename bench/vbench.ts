/**
 * VBench: temporal flickering against bare decoding of the same clips, and dynamic degree by our flow against real time
 * and, where python3-opencv is installed, against OpenCV's dense flow on the same frames. `--models FOLDER` adds what sets of four
 * dimensions cost together: against the slowest of them alone, and how much of it is beside the networks, which share nothing.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { type Bitmap, videoBackend } from '../src/media/index.ts'
import { FlowKernel } from '../src/media/flow/index.ts'
import { flickerMeasure } from '../src/suites/vbench/measure/flicker.ts'
import { motionMeasure } from '../src/suites/vbench/measure/motion.ts'
import type { Output } from '../src/suites/vbench/domain/results.ts'
import type { Measure } from '../src/suites/vbench/measure/types.ts'
import {
  aestheticMeasure,
  consistencyMeasure,
  musiqMeasure,
} from '../src/suites/vbench/measure/networks/measures/looks.ts'
import { interpolationMeasure, raftMeasure } from '../src/suites/vbench/measure/networks/measures/motion.ts'
import type { Network } from '../src/suites/vbench/measure/networks/runtime.ts'
import { openClip } from '../src/suites/vbench/domain/clip.ts'
import { openNetworks } from '../src/suites/vbench/measure/open-networks.ts'
import { measureVideo } from '../src/suites/vbench/measure/watch.ts'
import { type BenchResult, cpuSeconds, median } from './harness.ts'

const ROUNDS = 9
const FLICKER = { width: 640, height: 480, frames: 48, fps: 24 }
const FLOW = { width: 512, height: 512, frames: 16, fps: 8 }
/**
 * Four dimensions that share frames; of each the slowest is named. RAFT is slower than all others by far. AMT and CLIP ViT-L/14
 * are not: DINO and CLIP ViT-B/32 need more than half of AMT's time, MUSIQ a quarter of CLIP's, so only what is beside the
 * networks has a bound there.
 */
const SHARED = {
  raft: ['dynamic_degree', 'subject_consistency', 'background_consistency', 'temporal_flickering'],
  amt: ['motion_smoothness', 'subject_consistency', 'background_consistency', 'temporal_flickering'],
  clip: ['aesthetic_quality', 'background_consistency', 'imaging_quality', 'temporal_flickering'],
} as const satisfies Record<string, readonly Output[]>
/** A batch of frames, so that every network sees all of them at once. */
const SHARED_CLIP = { width: 512, height: 512, frames: 8, fps: 8 }
/** Videos that go through one measure, to see whether memory follows their number. */
const MANY = 400

export default async function bench(args: readonly string[]): Promise<BenchResult> {
  const { values: given } = parseArgs({ args: [...args], options: { models: { type: 'string' } } })
  const folder = await mkdtemp(join(tmpdir(), 'sightline-vbench-'))
  try {
    const flicker = await film(folder, 'flicker.mp4', FLICKER)
    const flow = await film(folder, 'flow.mp4', FLOW)
    const bare: number[] = []
    const flickering: number[] = []
    const dynamic: number[] = []
    const [flickers, motion] = [flickerMeasure(), motionMeasure()]
    await decode(flicker, flickers, 'temporal_flickering')
    await decode(flow, motion, 'dynamic_degree')
    // Taking turns, so that a noisy neighbor hits both.
    for (let i = 0; i < ROUNDS; i++) {
      bare.push(await decode(flicker, null, 'temporal_flickering'))
      flickering.push(await decode(flicker, flickers, 'temporal_flickering'))
      dynamic.push(await decode(flow, motion, 'dynamic_degree'))
    }
    const realTime = FLOW.frames / FLOW.fps
    const ours = await flowMilliseconds()
    const peers = await opencv(folder)
    return {
      figures: {
        bareDecodeFramesPerSecond: FLICKER.frames / median(bare),
        flickeringFramesPerSecond: FLICKER.frames / median(flickering),
        flickeringShareOfDecodeSpeed: median(bare.map((seconds, i) => seconds / flickering[i]!)),
        dynamicDegreeTimesRealTime: realTime / median(dynamic),
        flowMilliseconds256: ours,
        ...peers,
        ...(await growth(flow, motion)),
        ...(given.models !== undefined && (await shared(await film(folder, 'shared.mp4', SHARED_CLIP), given.models))),
      },
      bars: {
        flickeringShareOfDecodeSpeed: { atLeast: 0.8 },
        dynamicDegreeTimesRealTime: { atLeast: 4 },
        memoryGrowthMegabytes: { atMost: 20 },
        ...(given.models !== undefined && {
          raftFourOverSlowest: { atMost: 1.2 },
          raftBesideNetworksShare: { atMost: 0.05 },
          amtBesideNetworksShare: { atMost: 0.05 },
          clipBesideNetworksShare: { atMost: 0.05 },
        }),
      },
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function texture(x: number, y: number): number {
  return (
    128 + 30 * Math.sin(x * 0.21 + y * 0.05) + 25 * Math.sin(x * 0.043 - y * 0.17) + 20 * Math.sin(y * 0.31 + x * 0.011)
  )
}

function* pictures({ width, height, frames }: { width: number; height: number; frames: number }): Iterable<Bitmap> {
  for (let t = 0; t < frames; t++) {
    const data = new Uint8Array(width * height * 3)
    for (let i = 0; i < width * height; i++) {
      const value = texture((i % width) - 5 * t, Math.floor(i / width))
      data.fill(value, i * 3, i * 3 + 3)
    }
    yield { width, height, channels: 3, data }
  }
}

async function film(folder: string, name: string, shape: typeof FLOW): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, (await (await videoBackend()).encode(pictures(shape), shape)).bytes)
  return path
}

const PROMPT = { prompt: '', facts: {} }
/** These measures neither ask nor keep anything. */
const refuse = () => Promise.reject(new Error('not in a benchmark'))
const NOBODY = { ask: refuse, keep: refuse }

/** CPU seconds, all threads included, to decode a clip and show it to a measure: what one core needs. */
function decode(path: string, measure: Measure | null, output: Output): Promise<number> {
  return cpuSeconds(() => watch(path, measure, output))
}

async function watch(path: string, measure: Measure | null, output: Output): Promise<void> {
  const clip = await openClip(path)
  const context = { path, info: clip.info, prompt: PROMPT, episode: NOBODY }
  const meter = measure?.start(context, new Set([output]))
  let index = 0
  for await (const { opencv } of clip.frames()) await meter?.frame(opencv, index++)
  await meter?.end()
  await clip.close()
}

/** CPU seconds of sets of four dimensions: together, each alone, and all that is beside their networks. */
async function shared(path: string, models: string): Promise<Record<string, number>> {
  const outputs = new Set<Output>(Object.values(SHARED).flat())
  const measures = [...(await openNetworks(models, { outputs })), flickerMeasure()]
  const seconds = new Map<Output, number>()
  const figures: Record<string, number> = {}
  for (const [name, dimensions] of Object.entries(SHARED)) {
    await measured(path, measures, dimensions)
    // The least of two rounds, taking turns: neighbors only add.
    let together = Infinity
    for (let round = 0; round < 2; round++) {
      together = Math.min(together, await measured(path, measures, dimensions))
      for (const each of dimensions)
        seconds.set(each, Math.min(seconds.get(each) ?? Infinity, await measured(path, measures, [each])))
    }
    await measured(path, IDLE, dimensions)
    const beside = await measured(path, IDLE, dimensions, ROUNDS)
    const alone = dimensions.map((each) => seconds.get(each)!)
    const slowest = Math.max(...alone)
    Object.assign(figures, {
      [`${name}FourSeconds`]: together,
      [`${name}SlowestSeconds`]: slowest,
      [`${name}BesideNetworksSeconds`]: beside,
      [`${name}BesideNetworksShare`]: beside / together,
      [`${name}FourOverSlowest`]: together / slowest,
      [`${name}FourOverSum`]: together / alone.reduce((sum, each) => sum + each, 0),
      [`${name}NetworksOverSlowest`]: (together - beside) / slowest,
    })
  }
  return figures
}

/** CPU seconds in which dimensions are measured on a clip. */
async function measured(
  path: string,
  given: readonly Measure[],
  dimensions: readonly Output[],
  rounds = 1,
): Promise<number> {
  const wanted = new Map(
    dimensions.map((dimension) => {
      const measure = given.find(({ outputs }) => outputs.includes(dimension))
      if (!measure) throw new Error(`There is no network for ${dimension}.`)
      return [dimension, measure]
    }),
  )
  const video = { path, signal: new AbortController().signal, prompt: PROMPT, episode: NOBODY }
  const seconds = await cpuSeconds(async () => {
    for (let i = 0; i < rounds; i++) await measureVideo(video, wanted)
  })
  return seconds / rounds
}

/** The same dimensions with networks that answer at once. */
const ABOUT = { title: '', tier: 'variant', version: '' } as const
const FEATURES = 768
const features = answering(([count = 1]) => [count, FEATURES])
const IDLE: readonly Measure[] = [
  flickerMeasure(),
  consistencyMeasure('subject_consistency', features, ABOUT),
  consistencyMeasure('background_consistency', features, ABOUT),
  aestheticMeasure(features, { weight: new Float32Array(FEATURES), bias: 0 }, ABOUT),
  musiqMeasure(
    answering(() => [1, 1]),
    ABOUT,
  ),
  raftMeasure(
    answering(([, , height = 1, width = 1]) => [1, 2, height, width]),
    ABOUT,
  ),
  interpolationMeasure(
    answering((dims) => dims),
    ABOUT,
  ),
]

function answering(shape: (dims: readonly number[]) => readonly number[]): Network {
  return {
    takesBatches: () => Promise.resolve(true),
    run: ({ dims }) => {
      const found = shape(dims)
      const size = found.reduce((product, each) => product * each, 1)
      return Promise.resolve({ found: { dims: found, data: new Float32Array(size).fill(0.5) } })
    },
  }
}

const SIDE = 256

/** One dense flow of 256 × 256, pyramids included, as it is needed for every frame of a clip. */
async function flowMilliseconds(): Promise<number> {
  const kernel = new FlowKernel({ width: SIDE, height: SIDE }, 2)
  const grey = (shift: number) =>
    Float32Array.from({ length: SIDE * SIDE }, (_, i) => texture((i % SIDE) - shift, Math.floor(i / SIDE)))
  const [a, b] = [grey(0), grey(5)]
  kernel.loadGrey(0, a)
  const RUNS = 60
  const seconds = await cpuSeconds(() => {
    for (let i = 0; i < RUNS; i++) {
      kernel.loadGrey(1, b)
      kernel.flow(0, 1)
    }
  })
  return (seconds / RUNS) * 1000
}

const OPENCV = `
import cv2, numpy as np, time, json, sys
cv2.setNumThreads(1)
y, x = np.mgrid[0:256, 0:256].astype(np.float64)
def t(s):
    u = x - s
    v = 128 + 30*np.sin(u*0.21 + y*0.05) + 25*np.sin(u*0.043 - y*0.17) + 20*np.sin(y*0.31 + u*0.011)
    return np.clip(np.floor(v + 0.5), 0, 255).astype(np.uint8)
a, b = t(0), t(5)
def med(f):
    f()
    r = []
    for _ in range(15):
        s = time.process_time(); f(); r.append((time.process_time() - s) * 1000)
    return sorted(r)[7]
dis = cv2.DISOpticalFlow_create(cv2.DISOPTICAL_FLOW_PRESET_MEDIUM)
print(json.dumps({
    'opencvFarnebackMilliseconds256': med(lambda: cv2.calcOpticalFlowFarneback(a, b, None, 0.5, 5, 15, 3, 5, 1.2, 0)),
    'opencvDisMediumMilliseconds256': med(lambda: dis.calc(a, b, None)),
}))
`

/** OpenCV's flow of the same pictures on one thread; nothing where it is not installed. */
async function opencv(folder: string): Promise<Record<string, number>> {
  const script = join(folder, 'peer.py')
  await writeFile(script, OPENCV)
  // Debian's package belongs to Debian's Python, which need not be the first in the path.
  for (const python of ['python3', '/usr/bin/python3']) {
    try {
      const { stdout } = await promisify(execFile)(python, [script], { timeout: 60_000 })
      return JSON.parse(stdout) as Record<string, number>
    } catch {
      continue
    }
  }
  console.log('  (OpenCV is not installed for python3: its flow is not measured)')
  return {}
}

/** What many videos add to memory once the first are through. */
async function growth(path: string, measure: Measure): Promise<{ memoryGrowthMegabytes: number }> {
  const held = () => {
    const { heapUsed, arrayBuffers, external } = process.memoryUsage()
    return heapUsed + arrayBuffers + external
  }
  const lowest = async (videos: number): Promise<number> => {
    let least = Infinity
    for (let i = 0; i < videos; i++) {
      const clip = await openClip(path)
      const context = { path, info: clip.info, prompt: PROMPT, episode: NOBODY }
      const meter = measure.start(context, new Set<Output>(['motion_smoothness']))
      let index = 0
      for await (const { opencv } of clip.frames()) {
        if (index < 1) await meter.frame(opencv, index++)
        else break
      }
      await meter.end()
      await clip.close()
      if (i > videos / 2) least = Math.min(least, held())
    }
    return least
  }
  const few = await lowest(MANY / 8)
  return { memoryGrowthMegabytes: ((await lowest(MANY)) - few) / 1e6 }
}
