/** Frames, sizes, labels and the rules of single dimensions. */
import { z } from 'zod'
import { frameInterval, middleFrames } from '../../src/suites/vbench/rules/frames.ts'
import { fusedConsistency, longClips, mappedSimilarity } from '../../src/suites/vbench/rules/long.ts'
import {
  dynamicRule,
  isDynamic,
  isStatic,
  meanOfLargest,
  staticRule,
  topCount,
} from '../../src/suites/vbench/rules/motion.ts'
import {
  bothObjectsFrames,
  COLOUR_WORDS,
  colourObject,
  colourTally,
  objectFrames,
  sceneFrames,
} from '../../src/suites/vbench/rules/semantic.ts'
import {
  ACTION_RESIZE,
  actionCropOrigin,
  centredPadding,
  detectorSize,
  imagingSize,
  type Padding,
  shorterSideTo,
  type Size,
} from '../../src/suites/vbench/rules/sizes.ts'
import { promptOfLongClip } from '../../src/suites/vbench/videos/names.ts'
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
const colourCase = z.object({
  id: z.string(),
  color: z.string(),
  object: z.string(),
  frames: z.array(z.array(z.tuple([z.string(), z.string()]))),
  frames_with_object_and_some_colour_word: z.int(),
  frames_with_target_colour: z.int(),
  video_score: z.number().nullable(),
  counted: z.boolean(),
})
const colourKeyCase = z.object({ prompt: z.string(), color: z.string(), object_key: z.string() })
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
  imaging_shorter: sizePair,
  grit: sizePair,
  umt_resize_256: sizePair,
  umt_crop_origin_y_x: sizePair,
  raft_pad_l_r_t_b: padding,
  amt_pad_l_r_t_b: padding,
})
const splitCase = z.object({
  frames: z.int(),
  fps_int: z.int(),
  duration_s: z.number(),
  clips: z.array(z.object({ file: z.string(), start: z.int(), end: z.int() })),
})
const clipPromptCase = z.object({ path: z.string(), prompt: z.string() })
const fusionCase = z.object({
  dimension: z.enum(['subject_consistency', 'background_consistency']),
  inclip: z.number(),
  clip2clip: z.number(),
  mapped: z.number(),
  fused: z.number(),
})
const rulesFile = z.object({
  frame_indices_middle: listed,
  dynamic_degree: z.object({ cases: listed, frame_interval_from_fps: listed }),
  flow_topk: z.object({ cases: listed }),
  static_filter: listed,
  color: z.object({
    colour_words: z.array(z.string()),
    cases: listed,
    object_key_from_prompt: listed,
    extra_object_key_edge: listed,
  }),
  scene: z.object({ cases: listed }),
  object_class: listed,
  multiple_objects: listed,
  preprocess_sizes: z.object({ cases: listed }),
  long_split: listed,
  long_prompt_from_filename: listed,
  long_fusion: listed,
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
  yield* eachCase('preprocess_sizes', parsed.preprocess_sizes.cases, sizesCase, function* (given) {
    const size = { height: given.height, width: given.width }
    const action = shorterSideTo(ACTION_RESIZE, size)
    const origin = actionCropOrigin(action)
    const ours = {
      ...size,
      dino_resize_224: heightWidth(shorterSideTo(224, size)),
      imaging_longer: heightWidth(imagingSize('longer', size)),
      imaging_shorter: heightWidth(imagingSize('shorter', size)),
      grit: heightWidth(detectorSize(size)),
      umt_resize_256: heightWidth(action),
      umt_crop_origin_y_x: [origin.y, origin.x],
      raft_pad_l_r_t_b: sides(centredPadding(8, size)),
      amt_pad_l_r_t_b: sides(centredPadding(16, size)),
    }
    yield verdict(`preprocess_sizes.${given.height}x${given.width}`, firstDifference(ours, given))
  })
  yield* eachCase('long_split', parsed.long_split, splitCase, function* ({ frames, fps_int, duration_s, clips }) {
    const where = `long_split.${frames}@${fps_int}x${duration_s}`
    const stem = clips[0]?.file.replace(/_(?:\d+|full)\.mp4$/, '') ?? 'clip-0'
    yield verdict(where, firstDifference(longClips(stem, frames, fps_int, duration_s), clips))
  })
  const clipPrompts = 'long_prompt_from_filename'
  yield* eachCase(clipPrompts, parsed.long_prompt_from_filename, clipPromptCase, function* ({ path, prompt }) {
    yield verdict(`${clipPrompts}.${path}`, firstDifference(promptOfLongClip(path), prompt))
  })
  yield* eachCase('long_fusion', parsed.long_fusion, fusionCase, function* (sample) {
    const { dimension, inclip, clip2clip, mapped, fused } = sample
    const ourMapped = mappedSimilarity(dimension, clip2clip)
    const ours = { mapped: ourMapped, fused: fusedConsistency(inclip, ourMapped) }
    yield verdict(`long_fusion.${dimension}.${clip2clip}`, firstDifference(ours, { mapped, fused }))
  })
}

function* semanticRules(parsed: z.infer<typeof rulesFile>): Generator<Verdict> {
  const { color, scene, object_class, multiple_objects } = parsed
  yield verdict('color.colour_words', firstDifference(COLOUR_WORDS.toSorted(), color.colour_words.toSorted()))
  yield* eachCase('color', color.cases, colourCase, function* (given) {
    const frames = given.frames.map((boxes) => boxes.map(([caption, name]) => ({ caption, name })))
    const tally = colourTally(given.color, given.object, frames)
    const ours = {
      object: tally.objectFrames,
      colour: tally.colourFrames,
      score: tally.score,
      counted: tally.score !== null,
    }
    const theirs = {
      object: given.frames_with_object_and_some_colour_word,
      colour: given.frames_with_target_colour,
      score: given.video_score,
      counted: given.counted,
    }
    yield verdict(`color.${given.id}`, firstDifference(ours, theirs))
  })
  const keys = [...color.object_key_from_prompt, ...color.extra_object_key_edge]
  yield* eachCase('color.object_key', keys, colourKeyCase, function* ({ prompt, color: colour, object_key }) {
    yield verdict(`color.object_key.${prompt}`, firstDifference(colourObject(prompt, colour), object_key))
  })
  yield* eachCase('scene', scene.cases, sceneCase, function* ({ scene: name, captions, success_frames, frames }, i) {
    const theirs = { successes: success_frames, frames }
    yield verdict(`scene[${i}].${name}`, firstDifference(sceneFrames(name, captions), theirs))
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
