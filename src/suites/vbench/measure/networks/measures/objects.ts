/** Objects and where they stand. */
import type { Bitmap } from '../../../../../suite.ts'
import { middleFrames } from '../../rules/frames.ts'
import { bothObjectsFrames, objectFrames } from '../../rules/semantic.ts'
import { frameScore, type NamedBox } from '../../rules/spatial.ts'
import { nothing, type Results, type VideoResult, weighted } from '../../../domain/results.ts'
import type { Measure } from '../../types.ts'
import { forDetector } from '../preprocess.ts'
import { type Network, outputOf, type Tensor } from '../runtime.ts'
import { type About, picture } from './shared.ts'

const DETECTED_FRAMES = 16
/** As the published detector keeps boxes. */
const DETECTOR_CONFIDENCE = 0.5

/** Objects and where they stand, with any detector of the DETR family that knows the COCO names. */
export function detectorMeasure(network: Network, labels: readonly string[], about: About): Measure {
  return {
    ...about,
    outputs: ['object_class', 'multiple_objects', 'spatial_relationship'],
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
