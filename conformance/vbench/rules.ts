/** Frames, sizes, labels and the rules of single dimensions. */
import { z } from 'zod'
import { clipsOf, fused } from '../../src/suites/vbench/measure/long/clips.ts'
import { frameInterval, middleFrames } from '../../src/suites/vbench/measure/rules/frames.ts'
import {
  dynamicRule,
  isDynamic,
  isStatic,
  meanOfLargest,
  staticRule,
  topCount,
} from '../../src/suites/vbench/measure/rules/motion.ts'
import {
  bothObjectsFrames,
  colorFrames,
  colourObject,
  objectFrames,
  sceneFrames,
} from '../../src/suites/vbench/measure/rules/semantic.ts'
import {
  ACTION_RESIZE,
  actionCropOrigin,
  centredPadding,
  gritSize,
  imagingSize,
  type Padding,
  shorterSideTo,
  type Size,
} from '../../src/suites/vbench/measure/rules/sizes.ts'
import { type Check, eachCase, firstDifference, listed, type Verdict, verdict } from '../agreement/check.ts'

const sizePair = z.tuple([z.int(), z.int()])
const padding = z.tuple([z.int(), z.int(), z.int(), z.int()])
const tally = { success_frames: z.int(), frames: z.int() }
const middleCase = z.object({ num_frames: z.int(), video_len: z.int(), indices: z.array(z.int()) })
const dynamicCase = z.object({
  id: z.string(),
  height: z.int(),
  width: z.int(),
  frames_after_subsampling: z.int(),
  thres: z.number(),
  count_num: z.int(),
  pair_scores: z.array(z.number()),
  dynamic: z.boolean(),
})
const intervalCase = z.object({ fps: z.number(), interval: z.int() })
const largestCase = z.object({
  height: z.int(),
  width: z.int(),
  fraction: z.number(),
  k: z.int(),
  score: z.number().nullable(),
  sorted_desc_top: z.array(z.number()),
})
const staticCase = z.object({
  id: z.string(),
  height: z.int(),
  width: z.int(),
  frames: z.int(),
  thres: z.number(),
  count_num: z.int(),
  scores_adjacent_then_first_last_then_last_first: z.array(z.number()),
  static: z.boolean(),
})
const colourKeyCase = z.object({ prompt: z.string(), color: z.string(), object_key: z.string() })
const colourCase = z.object({
  id: z.string(),
  color: z.string(),
  object: z.string(),
  frames: z.array(z.array(z.tuple([z.string(), z.string()]))),
  frames_with_object_and_some_colour_word: z.int(),
  frames_with_target_colour: z.int(),
})
const sceneCase = z.object({ scene: z.string(), captions: z.array(z.string()), ...tally })
const detectedCase = z.object({
  object: z.string(),
  detections_per_frame: z.array(z.array(z.string())),
  ...tally,
})
const sizesCase = z.object({
  height: z.int(),
  width: z.int(),
  dino_resize_224: sizePair,
  imaging_longer: sizePair,
  grit: sizePair,
  umt_resize_256: sizePair,
  umt_crop_origin_y_x: sizePair,
  raft_pad_l_r_t_b: padding,
  amt_pad_l_r_t_b: padding,
})
const splitCase = z.object({
  frames: z.int(),
  fps_int: z.int(),
  duration_s: z.int(),
  clips: z.array(z.object({ start: z.int(), end: z.int() })),
})
const fusionCase = z.object({
  dimension: z.enum(['subject_consistency', 'background_consistency']),
  inclip: z.number(),
  clip2clip: z.number(),
  mapped: z.number(),
  fused: z.number(),
})
const rulesFile = z.object({
  long_split: listed,
  long_fusion: listed,
  frame_indices_middle: listed,
  dynamic_degree: z.object({ cases: listed, frame_interval_from_fps: listed }),
  flow_topk: z.object({ cases: listed }),
  static_filter: listed,
  color: z.object({
    object_key_from_prompt: listed,
    extra_object_key_edge: listed,
    cases: listed,
  }),
  scene: z.object({ cases: listed }),
  object_class: listed,
  multiple_objects: listed,
  preprocess_sizes: z.object({ cases: listed }),
})

const heightWidth = ({ height, width }: Size): number[] => [height, width]
const sides = ({ left, right, top, bottom }: Padding): number[] => [left, right, top, bottom]

export const rules: Check = function* (file) {
  const parsed = rulesFile.parse(file)
  yield* eachCase('frame_indices_middle', parsed.frame_indices_middle, middleCase, function* (sample) {
    const { num_frames, video_len, indices } = sample
    const where = `frame_indices_middle.${num_frames}of${video_len}`
    yield verdict(where, firstDifference(middleFrames(num_frames, video_len), indices))
  })
  yield* eachCase('dynamic_degree', parsed.dynamic_degree.cases, dynamicCase, function* (given) {
    const rule = dynamicRule(given.height, given.width, given.frames_after_subsampling)
    const ours = { thres: rule.threshold, count: rule.needed, dynamic: isDynamic(given.pair_scores, rule) }
    const theirs = { thres: given.thres, count: given.count_num, dynamic: given.dynamic }
    yield verdict(`dynamic_degree.${given.id}`, firstDifference(ours, theirs))
  })
  const intervals = 'frame_interval_from_fps'
  yield* eachCase(
    intervals,
    parsed.dynamic_degree.frame_interval_from_fps,
    intervalCase,
    function* ({ fps, interval }) {
      yield verdict(`${intervals}.${fps}`, firstDifference(frameInterval(fps), interval))
    },
  )
  yield* eachCase('flow_topk', parsed.flow_topk.cases, largestCase, function* (sample) {
    const { height, width, fraction, k, score, sorted_desc_top } = sample
    const count = topCount(height, width, fraction)
    const ours = { k: count, score: meanOfLargest(Float64Array.from(sorted_desc_top), count) }
    yield verdict(`flow_topk.${height}x${width}@${fraction}`, firstDifference(ours, { k, score }))
  })
  yield* eachCase('static_filter', parsed.static_filter, staticCase, function* (given) {
    const rule = staticRule(given.height, given.width, given.frames)
    const scores = given.scores_adjacent_then_first_last_then_last_first
    const ours = {
      thres: rule.threshold,
      count: rule.allowed,
      static: isStatic(scores.slice(0, -2), scores.slice(-2), rule),
    }
    const theirs = { thres: given.thres, count: given.count_num, static: given.static }
    yield verdict(`static_filter.${given.id}`, firstDifference(ours, theirs))
  })
  yield* semanticRules(parsed)
  yield* longRules(parsed)
  yield* eachCase('preprocess_sizes', parsed.preprocess_sizes.cases, sizesCase, function* (given) {
    const size = { height: given.height, width: given.width }
    const action = shorterSideTo(ACTION_RESIZE, size)
    const origin = actionCropOrigin(action)
    const ours = {
      ...size,
      dino_resize_224: heightWidth(shorterSideTo(224, size)),
      imaging_longer: heightWidth(imagingSize(size)),
      grit: heightWidth(gritSize(size)),
      umt_resize_256: heightWidth(action),
      umt_crop_origin_y_x: [origin.y, origin.x],
      raft_pad_l_r_t_b: sides(centredPadding(8, size)),
      amt_pad_l_r_t_b: sides(centredPadding(16, size)),
    }
    yield verdict(`preprocess_sizes.${given.height}x${given.width}`, firstDifference(ours, given))
  })
}

/** VBench-Long. */
function* longRules({ long_split, long_fusion }: z.infer<typeof rulesFile>): Generator<Verdict> {
  yield* eachCase('long_split', long_split, splitCase, function* ({ frames, fps_int, duration_s, clips }) {
    const ours = clipsOf({ start: 0, end: frames }, fps_int * duration_s)
    yield verdict(`long_split.${frames}@${fps_int}`, firstDifference(ours, clips))
  })
  yield* eachCase('long_fusion', long_fusion, fusionCase, function* (given) {
    const ours = fused(given.inclip, given.clip2clip, [[given.clip2clip, given.mapped]])
    yield verdict(`long_fusion.${given.dimension}@${given.clip2clip}`, firstDifference(ours, given.fused))
  })
}

function* semanticRules(parsed: z.infer<typeof rulesFile>): Generator<Verdict> {
  const { color, scene, object_class, multiple_objects } = parsed
  yield* eachCase('color', color.cases, colourCase, function* (sample) {
    const described = sample.frames.map((boxes) => ({
      name: boxes[0]?.[1] ?? '',
      descriptions: boxes.map(([text]) => text),
    }))
    const theirs = { colored: sample.frames_with_object_and_some_colour_word, right: sample.frames_with_target_colour }
    const ours = colorFrames(sample.object, sample.color, described)
    yield verdict(`color.${sample.id}`, firstDifference(ours, theirs))
  })
  yield* eachCase('scene', scene.cases, sceneCase, function* ({ scene: name, captions, success_frames, frames }) {
    const theirs = { successes: success_frames, frames }
    yield verdict(`scene.${name}`, firstDifference(sceneFrames(name, captions), theirs))
  })
  const keys = [...color.object_key_from_prompt, ...color.extra_object_key_edge]
  yield* eachCase('color.object_key', keys, colourKeyCase, function* ({ prompt, color: colour, object_key }) {
    yield verdict(`color.object_key.${prompt}`, firstDifference(colourObject(prompt, colour), object_key))
  })
  yield* eachCase('object_class', object_class, detectedCase, function* (sample) {
    const { object, detections_per_frame, success_frames, frames } = sample
    const theirs = { successes: success_frames, frames }
    yield verdict(`object_class.${object}`, firstDifference(objectFrames(object, detections_per_frame), theirs))
  })
  yield* eachCase('multiple_objects', multiple_objects, detectedCase, function* (sample) {
    const { object, detections_per_frame, success_frames, frames } = sample
    const theirs = { successes: success_frames, frames }
    yield verdict(
      `multiple_objects.${object}`,
      firstDifference(bothObjectsFrames(object, detections_per_frame), theirs),
    )
  })
}
