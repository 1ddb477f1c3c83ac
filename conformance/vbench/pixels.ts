/** What is computed from boxes and pixels: spatial relations, flicker. */
import { runInNewContext } from 'node:vm'
import { z } from 'zod'
import { DifferenceKernel } from '../../src/media/flow/index.ts'
import { likeness } from '../../src/suites/vbench/measure/rules/frames.ts'
import { type Box, frameScore, OVERLAP_LIMIT, relationScore } from '../../src/suites/vbench/measure/rules/spatial.ts'
import { type Check, close, eachCase, firstDifference, listed, verdict } from '../agreement/check.ts'

const box = z.tuple([z.number(), z.number(), z.number(), z.number()])
const spatialFile = z.object({
  iou_threshold: z.number(),
  pairs: listed,
  frames: listed,
})
const pairCase = z.object({
  id: z.string(),
  relationship: z.string(),
  box_a: box,
  box_b: box,
  // Null, or not there, where the published code divides by zero.
  score: z.number().nullish().default(null),
})
const framesCase = z.object({
  id: z.string(),
  key_info: z.object({ object_a: z.string(), object_b: z.string(), relationship: z.string() }),
  predictions: z.array(z.array(z.tuple([z.string(), box]))),
  frame_scores: z.array(z.number()),
  video_score: z.number(),
})

export const spatialRelationship: Check = function* (file) {
  const { iou_threshold, pairs, frames } = spatialFile.parse(file)
  yield verdict('iou_threshold', firstDifference(OVERLAP_LIMIT, iou_threshold))
  yield* eachCase('pairs', pairs, pairCase, function* ({ id, relationship, box_a, box_b, score }) {
    yield verdict(`pairs.${id}`, firstDifference(relationScore(relationship, box_a, box_b), score))
  })
  yield* eachCase('frames', frames, framesCase, function* (sample) {
    const { id, key_info, predictions, frame_scores, video_score } = sample
    const relation = { a: key_info.object_a, b: key_info.object_b, relation: key_info.relationship }
    const scores = predictions.map((boxes) =>
      frameScore(
        relation,
        boxes.map(([name, at]): { name: string; box: Box } => ({ name, box: at })),
      ),
    )
    const mean = scores.reduce<number>((sum, score) => sum + (score ?? Number.NaN), 0) / scores.length
    yield verdict(`frames.${id}`, firstDifference({ scores, mean }, { scores: frame_scores, mean: video_score }))
  })
}

const flickerFile = z.object({
  tolerance_abs: z.number(),
  cases: listed,
  aggregation: listed,
})
const flickerCase = z.object({
  id: z.string(),
  frames: z.int(),
  width: z.int(),
  height: z.int(),
  expr_js: z.string(),
  checksum_sum_of_all_samples: z.number(),
  per_pair_mae_f64: z.array(z.number()),
  score: z.number().nullable(),
  score_is_nan: z.boolean(),
  score_f64: z.number().nullable(),
})
const flickerMean = z.object({ videos: z.array(z.string()), dimension_score: z.number().nullable() })

type Pixel = (t: number, x: number, y: number, c: number) => number

/** The frames are given as a formula. It runs apart from everything else, with numbers only. */
function formula(expression: string): Pixel {
  const plain = expression.replaceAll(/\bMath\.(?:abs|floor|max|min|round|trunc)\b/g, '')
  if (!/^[\s\d()txyc,+\-*/%<>=!&|^~?:.]*$/.test(plain)) throw new Error(`not a formula: ${expression}`)
  return runInNewContext(`(t, x, y, c) => (${expression})`, {}) as Pixel
}

export const temporalFlickering: Check = function* (file) {
  const { tolerance_abs, cases, aggregation } = flickerFile.parse(file)
  const scores = new Map<string, number | null>()
  yield* eachCase('cases', cases, flickerCase, function* (given) {
    const pixel = formula(given.expr_js)
    const differences: number[] = []
    let checksum = 0
    const kernel = new DifferenceKernel()
    for (let t = 0; t < given.frames; t++) {
      const frame = new Uint8Array(given.width * given.height * 3)
      for (let i = 0; i < frame.length; i++) {
        const at = Math.floor(i / 3)
        frame[i] = pixel(t, at % given.width, Math.floor(at / given.width), i % 3)
        checksum += frame[i]!
      }
      const difference = kernel.next(frame)
      if (difference !== null) differences.push(difference)
    }
    const score = likeness(differences)
    scores.set(given.id, score)
    const exact = firstDifference(
      { checksum, pairs: differences, score },
      {
        checksum: given.checksum_sum_of_all_samples,
        pairs: given.per_pair_mae_f64,
        score: given.score_is_nan ? null : given.score_f64,
      },
    )
    yield verdict(`${given.id}.exact`, exact)
    // The published value was computed with 32 bits.
    const near = score === given.score || close(score ?? Number.NaN, given.score ?? Number.NaN, tolerance_abs)
    yield verdict(given.id, near ? null : `ours ${score}, theirs ${given.score}`)
  })
  yield* eachCase('aggregation', aggregation, flickerMean, function* ({ videos, dimension_score }, i) {
    const read = videos.map((id) => scores.get(id) ?? null).filter((score) => score !== null)
    const mean = read.length === 0 ? null : read.reduce((sum, score) => sum + score, 0) / read.length
    const near = mean === dimension_score || close(mean ?? Number.NaN, dimension_score ?? Number.NaN, tolerance_abs)
    yield verdict(`aggregation[${i}]`, near ? null : `ours ${mean}, theirs ${dimension_score}`)
  })
}
