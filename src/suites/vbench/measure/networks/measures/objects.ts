/** Objects and where they stand. */
import type { Bitmap } from '../../../../../suite.ts'
import { middleFrames } from '../../rules/frames.ts'
import {
  bothObjectsFrames,
  colorFrames,
  colourObject,
  type DescribedFrame,
  objectFrames,
} from '../../rules/semantic.ts'
import { gritSize } from '../../rules/sizes.ts'
import { frameScore, type NamedBox } from '../../rules/spatial.ts'
import { nothing, type Results, valued, type VideoResult, weighted } from '../../../domain/results.ts'
import type { Measure } from '../../types.ts'
import { type GritNetworks, look, NAME_TOKEN, DESCRIPTION_TOKEN, namedBoxes } from '../grit.ts'
import { forDetector } from '../preprocess.ts'
import { planesOf, resizeLikeOpenCv, resizePlanes } from '../resize.ts'
import { type Network, outputOf, type Tensor } from '../runtime.ts'
import { type About, picture } from './shared.ts'

const DETECTED_FRAMES = 16
/** As the published detector keeps boxes. */
const DETECTOR_CONFIDENCE = 0.5

/** The published detector: objects and where they stand. */
export function gritMeasure(networks: GritNetworks, about: About): Measure {
  return objectsMeasure(about, (bitmap) => {
    const size = gritSize(bitmap)
    return namedBoxes(networks, resizePlanes(planesOf(bitmap), size, 'antialias-bilinear', true))
  })
}

/** Objects and where they stand, with any detector of the DETR family that knows the COCO names. */
export function detectorMeasure(network: Network, labels: readonly string[], about: About): Measure {
  return objectsMeasure(about, (bitmap) => detect(network, labels, bitmap))
}

function objectsMeasure(about: About, find: (bitmap: Bitmap) => Promise<NamedBox[]>): Measure {
  return {
    ...about,
    outputs: ['object_class', 'multiple_objects', 'spatial_relationship'],
    start({ info, prompt }, wanted) {
      const found = new Map<number, NamedBox[]>()
      const places = middleFrames(DETECTED_FRAMES, info.frames)
      return {
        async frame(bitmap, index) {
          if (places.includes(index)) found.set(index, await find(bitmap))
        },
        end() {
          const frames = places.map((index) => found.get(index) ?? [])
          const names = frames.map((boxes) => boxes.map(({ name }) => name))
          const { object, relation } = prompt.facts
          const unknown = nothing('the suite says too little about the prompt')
          const tallied = ({ successes, frames: count }: { successes: number; frames: number }): VideoResult =>
            weighted(successes, count, { success_frame_count: successes, frame_count: count, found: frames })
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
            results.spatial_relationship = relation
              ? weighted(sum, scores.length, { frame_results: scores, found: frames })
              : unknown
          }
          return results
        },
      }
    },
  }
}

/** Of the frames whose first object is the wanted one and has a color in its words, how many say the wanted color. */
export function colorMeasure(networks: GritNetworks, about: About): Measure {
  return {
    ...about,
    outputs: ['color'],
    start({ info, prompt }) {
      const { color } = prompt.facts
      const places = middleFrames(DETECTED_FRAMES, info.frames)
      const found = new Map<number, DescribedFrame>()
      return {
        async frame(bitmap, index) {
          if (color === undefined || !places.includes(index)) return
          const size = gritSize(bitmap)
          const same = size.width === bitmap.width && size.height === bitmap.height
          const sight = await look(networks, planesOf(same ? bitmap : resizeLikeOpenCv(bitmap, size)))
          // The published code takes the name of the first box for that of all.
          const [name = ''] = await sight.describe(NAME_TOKEN, Math.min(1, sight.count))
          found.set(index, { name, descriptions: await sight.describe(DESCRIPTION_TOKEN) })
        },
        end() {
          if (color === undefined) return { color: nothing('the suite names no color for the prompt') }
          const frames = places.flatMap((index) => found.get(index) ?? [])
          const { colored, right } = colorFrames(colourObject(prompt.prompt, color), color, frames)
          if (colored === 0)
            return { color: { ...nothing('no frame shows the object with a color'), detail: { found: frames } } }
          return { color: valued(right / colored, { cur_success_frame_rate: right / colored, found: frames }) }
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
