/** The dimensions that networks measure. Frames go through one at a time; only features are kept. */
import type { Bitmap } from '../../../media/index.ts'
import type { Dimension } from '../dimensions.ts'
import { actionOfFile, showsAction } from '../rules/action.ts'
import { ConsistencySum, cosine } from '../rules/consistency.ts'
import { frameInterval, middleFrames } from '../rules/frames.ts'
import {
  DYNAMIC_TOP_SHARE,
  dynamicRule,
  isDynamic,
  isStatic,
  meanOfLargest,
  STATIC_TOP_SHARE,
  staticRule,
  topCount,
} from '../rules/motion.ts'
import { bothObjectsFrames, objectFrames } from '../rules/semantic.ts'
import { centredPadding } from '../rules/sizes.ts'
import { frameScore, type NamedBox } from '../rules/spatial.ts'
import { type Measure, type Meter, nothing, type Results, valued, type VideoResult, weighted } from '../score/types.ts'
import { MUSIQ_FLOATS, musiqPatches } from './musiq.ts'
import { forAction, forClip, forDetector, forDino } from './preprocess.ts'
import { cropPlanes, padPlanes, type Planes, planesOf } from './resize.ts'
import { featureOf, type Network, outputOf, type Tensor } from './runtime.ts'
import type { Tokenizer } from './tokens.ts'

export type About = Pick<Measure, 'title' | 'tier' | 'version'>

function picture({ width, height, data }: Planes): Tensor {
  return { dims: [1, 3, height, width], data }
}

async function feature(network: Network, planes: Planes): Promise<Float32Array> {
  const outputs = await network.run(picture(planes))
  return featureOf(outputOf(outputs, 'image_embeds', 'pooler_output', 'last_hidden_state'))
}

/** Subject consistency with DINO, background consistency with CLIP: the same rule on other features. */
export function consistencyMeasure(
  dimension: 'subject_consistency' | 'background_consistency',
  network: Network,
  about: About,
): Measure {
  const shown = (bitmap: Bitmap) =>
    dimension === 'subject_consistency' ? forDino(bitmap) : forClip(bitmap, 'bicubic', false)
  return {
    ...about,
    outputs: [dimension],
    usesPrompt: false,
    start() {
      const sum = new ConsistencySum()
      return {
        frame: async (bitmap) => sum.add(await feature(network, shown(bitmap))),
        end: () => ({
          [dimension]:
            sum.pairs === 0
              ? nothing('a single frame cannot be consistent with another')
              : weighted(
                  sum.sum,
                  sum.pairs,
                  dimension === 'background_consistency' ? { video_sim: sum.sum, cnt_per_video: sum.pairs } : undefined,
                ),
        }),
      }
    },
  }
}

export interface AestheticHead {
  weight: Float32Array
  bias: number
}

/** Aesthetic quality: CLIP ViT-L/14, unit length, a linear head, a tenth of it; all frames. */
export function aestheticMeasure(network: Network, head: AestheticHead, about: About): Measure {
  return {
    ...about,
    outputs: ['aesthetic_quality'],
    usesPrompt: false,
    start: () =>
      meanOverFrames('aesthetic_quality', async (bitmap) => {
        const vector = await feature(network, forClip(bitmap, 'bicubic', false))
        if (vector.length !== head.weight.length) {
          throw new Error(`the head is for ${head.weight.length} features, the network gives ${vector.length}`)
        }
        let dot = 0
        let norm = 0
        for (let i = 0; i < vector.length; i++) {
          dot += vector[i]! * head.weight[i]!
          norm += vector[i]! * vector[i]!
        }
        return (dot / Math.max(Math.sqrt(norm), 1e-12) + head.bias) / 10
      }),
  }
}

/** Imaging quality: MUSIQ gives 0…100 a frame. */
export function musiqMeasure(network: Network, about: About): Measure {
  return {
    ...about,
    outputs: ['imaging_quality'],
    usesPrompt: false,
    start: () =>
      meanOverFrames('imaging_quality', async (bitmap) => {
        const data = musiqPatches(bitmap)
        const outputs = await network.run({ dims: [1, data.length / MUSIQ_FLOATS, MUSIQ_FLOATS], data })
        return outputOf(outputs).data[0]! / 100
      }),
  }
}

function meanOverFrames(dimension: Dimension, scoreOf: (bitmap: Bitmap) => Promise<number>): Meter {
  let sum = 0
  let frames = 0
  return {
    async frame(bitmap) {
      sum += await scoreOf(bitmap)
      frames++
    },
    end: () => ({ [dimension]: frames === 0 ? nothing('no frame') : valued(sum / frames) }),
  }
}

/** Dynamic degree and the static filter with RAFT. */
export function raftMeasure(network: Network, about: About): Measure {
  const fastest = async (a: Planes, b: Planes, share: number): Promise<number> => {
    // Two results may be given: a coarse flow and the one of full size, which is the last.
    const { dims, data } = outputOf(await network.run(picture(a), picture(b)), network.outputs.at(-1)!)
    const [height, width] = [dims.at(-2)!, dims.at(-1)!]
    const size = height * width
    const speeds = new Float32Array(size)
    for (let i = 0; i < size; i++) speeds[i] = Math.hypot(data[i]!, data[size + i]!)
    return meanOfLargest(speeds, topCount(height, width, share)) ?? 0
  }
  return {
    ...about,
    outputs: ['dynamic_degree', 'static_filter'],
    usesPrompt: false,
    start({ info }, wanted) {
      const interval = frameInterval(info.fps)
      const dynamic: number[] = []
      const adjacent: number[] = []
      let first: Planes | null = null
      let last: Planes | null = null
      let kept: Planes | null = null
      let keptCount = 0
      let frames = 0
      return {
        async frame(bitmap, index) {
          const planes = planesOf(bitmap)
          const padded = padPlanes(planes, centredPadding(8, planes))
          first ??= padded
          if (wanted.has('static_filter') && last) adjacent.push(await fastest(last, padded, STATIC_TOP_SHARE))
          if (wanted.has('dynamic_degree') && index % interval === 0) {
            if (kept) dynamic.push(await fastest(kept, padded, DYNAMIC_TOP_SHARE))
            kept = padded
            keptCount++
          }
          last = padded
          frames++
        },
        async end() {
          if (frames < 2 || !first || !last) {
            const none = nothing('a single frame has no motion')
            return { dynamic_degree: none, static_filter: none }
          }
          const results: Results = {}
          if (wanted.has('dynamic_degree')) {
            const rule = dynamicRule(info.height, info.width, keptCount)
            results.dynamic_degree = valued(isDynamic(dynamic, rule) ? 1 : 0)
          }
          if (wanted.has('static_filter')) {
            const ends = [await fastest(first, last, STATIC_TOP_SHARE), await fastest(last, first, STATIC_TOP_SHARE)]
            const rule = staticRule(info.height, info.width, frames)
            results.static_filter = valued(isStatic(adjacent, ends, rule) ? 1 : 0)
          }
          return results
        },
      }
    },
  }
}

/** Smoothness of motion: a frame-interpolation network predicts every odd frame from its even neighbours. */
export function interpolationMeasure(network: Network, about: About): Measure {
  return {
    ...about,
    outputs: ['motion_smoothness'],
    usesPrompt: false,
    start() {
      let before: Planes | null = null
      let middle: Bitmap | null = null
      const errors: number[] = []
      return {
        async frame(bitmap, index) {
          if (index % 2 === 1) {
            middle = { ...bitmap, data: bitmap.data.slice() }
            return
          }
          const planes = planesOf(bitmap)
          for (let i = 0; i < planes.data.length; i++) planes.data[i]! /= 255
          const padding = centredPadding(16, planes)
          const padded = padPlanes(planes, padding)
          if (before && middle) {
            const half: Tensor = { dims: [1, 1, 1, 1], data: Float32Array.of(0.5) }
            const { data } = outputOf(await network.run(picture(before), picture(padded), half))
            const whole = { width: padded.width, height: padded.height, data }
            errors.push(truncatedError(cropPlanes(whole, padding.top, padding.left, planes), middle))
          }
          before = padded
          middle = null
        },
        end: () => ({
          motion_smoothness:
            errors.length === 0
              ? nothing('fewer than three frames have no middle to predict')
              : valued((255 - errors.reduce((sum, each) => sum + each, 0) / errors.length) / 255),
        }),
      }
    },
  }
}

/** Mean difference of a predicted frame (0…1, cut off to whole grey values as published) from the real one. */
function truncatedError(predicted: Planes, { data, channels, width, height }: Bitmap): number {
  const size = width * height
  let sum = 0
  for (let c = 0; c < 3; c++) {
    for (let i = 0; i < size; i++) {
      const value = Math.trunc(Math.min(1, Math.max(0, predicted.data[c * size + i]!)) * 255)
      sum += Math.abs(value - data[i * channels + c]!)
    }
  }
  return sum / (size * 3)
}

const CLIP_TOKENS = 77
const VICLIP_TOKENS = 32
const VICLIP_FRAMES = 8

/** Appearance style: how like every frame is to the words of its style. */
export function styleMeasure(vision: Network, text: Network, tokenizer: Tokenizer, about: About): Measure {
  return {
    ...about,
    outputs: ['appearance_style'],
    usesPrompt: true,
    start({ prompt }) {
      const words = prompt.facts.style
      const similarities: number[] = []
      let wanted: Promise<Float32Array> | null = null
      return {
        async frame(bitmap) {
          if (words === undefined) return
          wanted ??= textFeature(text, tokenizer, words, CLIP_TOKENS)
          similarities.push(cosine(await feature(vision, forClip(bitmap, 'pillow-bicubic', true)), await wanted))
        },
        end: () => ({
          appearance_style:
            words === undefined
              ? nothing('the suite names no style for the prompt')
              : weighted(
                  similarities.reduce((sum, each) => sum + each, 0),
                  similarities.length,
                  { frame_results: similarities, cur_sim: similarities.at(-1) },
                ),
        }),
      }
    },
  }
}

async function textFeature(
  network: Network,
  tokenizer: Tokenizer,
  words: string,
  length: number,
): Promise<Float32Array> {
  const data = tokenizer.encode(words, length)
  const used = data.findIndex((id, i) => i > 0 && id === 0n)
  const mask = BigInt64Array.from(data, (_, i) => (used < 0 || i < used ? 1n : 0n))
  const outputs = await network.run({ dims: [1, length], data }, { dims: [1, length], data: mask })
  return featureOf(outputOf(outputs, 'text_embeds'))
}

/** Temporal style and overall consistency: eight frames as a video against the whole prompt. */
export function videoTextMeasure(vision: Network, text: Network, tokenizer: Tokenizer, about: About): Measure {
  return {
    ...about,
    outputs: ['temporal_style', 'overall_consistency'],
    usesPrompt: true,
    start({ info, prompt }, wanted) {
      const clip = new ClipTensor(info.frames, VICLIP_FRAMES)
      return {
        frame: (bitmap, index) => clip.add(index, () => forClip(bitmap, 'bicubic', true)),
        async end() {
          const video = featureOf(outputOf(await vision.run(clip.tensor())))
          const value = valued(cosine(video, await textFeature(text, tokenizer, prompt.prompt, VICLIP_TOKENS)))
          return Object.fromEntries([...wanted].map((output) => [output, value]))
        },
      }
    },
  }
}

/** Middle frames of a clip, one after the other in each channel: 1 × 3 × frames × height × width. */
class ClipTensor {
  readonly #places: readonly number[]
  readonly #count: number
  #data: Float32Array | null = null
  #size = { width: 0, height: 0 }

  constructor(length: number, count: number) {
    this.#places = middleFrames(count, length)
    this.#count = count
  }

  add(index: number, make: () => Planes): void {
    const places = [...this.#places.keys()].filter((place) => this.#places[place] === index)
    if (places.length === 0) return
    const { width, height, data } = make()
    this.#data ??= new Float32Array(3 * this.#count * width * height)
    this.#size = { width, height }
    const pixels = width * height
    for (const place of places) {
      for (let c = 0; c < 3; c++) {
        this.#data.set(data.subarray(c * pixels, (c + 1) * pixels), (c * this.#count + place) * pixels)
      }
    }
  }

  tensor(): Tensor {
    if (!this.#data) throw new Error('the video has no frames')
    return { dims: [1, 3, this.#count, this.#size.height, this.#size.width], data: this.#data }
  }
}

const ACTION_FRAMES = 16

/** Human action: whether the network is sure of the action that the file is named after. */
export function actionMeasure(network: Network, labels: readonly string[], about: About): Measure {
  return {
    ...about,
    outputs: ['human_action'],
    usesPrompt: true,
    start({ info, prompt }) {
      const clip = new ClipTensor(info.frames, ACTION_FRAMES)
      return {
        frame: (bitmap, index) => clip.add(index, () => forAction(bitmap)),
        async end() {
          const { data } = outputOf(await network.run(clip.tensor()))
          // The published rule reads the name of the file; a safe name would say nothing, the prompt says the same.
          const shows = showsAction(data, labels, actionOfFile(`${prompt.prompt}-0.mp4`))
          return { human_action: valued(shows ? 1 : 0, { cor_num_per_video: shows ? 1 : 0 }) }
        },
      }
    },
  }
}

const DETECTED_FRAMES = 16
/** As the published detector keeps boxes. */
const DETECTOR_CONFIDENCE = 0.5

/** Objects and where they stand, with any detector of the DETR family that knows the COCO names. */
export function detectorMeasure(network: Network, labels: readonly string[], about: About): Measure {
  return {
    ...about,
    outputs: ['object_class', 'multiple_objects', 'spatial_relationship'],
    usesPrompt: true,
    start({ info, prompt }, wanted) {
      const places = middleFrames(DETECTED_FRAMES, info.frames)
      const found = new Map<number, NamedBox[]>()
      return {
        async frame(bitmap, index) {
          if (places.includes(index)) found.set(index, await detect(network, labels, bitmap))
        },
        end() {
          const frames = places.map((index) => found.get(index) ?? [])
          const names = frames.map((boxes) => boxes.map(({ name }) => name))
          const { object, relation } = prompt.facts
          const unknown = nothing('the suite says too little about the prompt')
          const tallied = ({ successes, frames: count }: { successes: number; frames: number }): VideoResult =>
            weighted(successes, count, { success_frame_count: successes, frame_count: count })
          const results: Results = {}
          if (wanted.has('object_class')) {
            results.object_class = object === undefined ? unknown : tallied(objectFrames(object, names))
          }
          if (wanted.has('multiple_objects')) {
            results.multiple_objects = object === undefined ? unknown : tallied(bothObjectsFrames(object, names))
          }
          if (wanted.has('spatial_relationship')) {
            const scores = relation ? frames.map((boxes) => frameScore(relation, boxes) ?? 0) : []
            const sum = scores.reduce((total, each) => total + each, 0)
            results.spatial_relationship = relation ? weighted(sum, scores.length, { frame_results: scores }) : unknown
          }
          return results
        },
      }
    },
  }
}

async function detect(network: Network, labels: readonly string[], bitmap: Bitmap): Promise<NamedBox[]> {
  const planes = forDetector(bitmap)
  const mask: Tensor = { dims: [1, 64, 64], data: new BigInt64Array(64 * 64).fill(1n) }
  const outputs = await network.run(picture(planes), mask)
  const logits = outputOf(outputs, 'logits')
  const boxes = outputOf(outputs, 'pred_boxes')
  const classes = logits.dims.at(-1)!
  const found: NamedBox[] = []
  for (let q = 0; q < logits.data.length / classes; q++) {
    const scores = logits.data.subarray(q * classes, (q + 1) * classes)
    const highest = scores.reduce((most, each) => Math.max(most, each), -Infinity)
    const total = scores.reduce((sum, each) => sum + Math.exp(each - highest), 0)
    // The last class stands for nothing.
    const best = scores.subarray(0, -1).reduce((at, each, i) => (each > scores[at]! ? i : at), 0)
    if (Math.exp(scores[best]! - highest) / total <= DETECTOR_CONFIDENCE) continue
    const [x = 0, y = 0, w = 0, h = 0] = boxes.data.subarray(q * 4, q * 4 + 4)
    const { width, height } = bitmap
    const box = [(x - w / 2) * width, (y - h / 2) * height, (x + w / 2) * width, (y + h / 2) * height] as const
    const [left, top, right, bottom] = box.map(Math.trunc)
    found.push({ name: labels[best] ?? '', box: [left!, top!, right!, bottom!] })
  }
  return found
}
