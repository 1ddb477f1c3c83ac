/** VBench's prompts, file names, rules and totals against the published evaluator. */
import { runInNewContext } from 'node:vm'
import { z } from 'zod'
import {
  CATEGORIES,
  type Dimension,
  DIMENSION_FACTS,
  DIMENSIONS,
  isDimension,
  QUALITY,
  SAMPLES,
  SEMANTIC,
  spacedName,
} from '../src/suites/vbench/dimensions.ts'
import { actionOfFile } from '../src/suites/vbench/rules/action.ts'
import { absoluteDifference, flickerScore } from '../src/suites/vbench/rules/flicker.ts'
import { frameInterval, middleFrames } from '../src/suites/vbench/rules/frames.ts'
import { fusedConsistency, longClips, mappedSimilarity } from '../src/suites/vbench/rules/long.ts'
import {
  dynamicRule,
  isDynamic,
  isStatic,
  meanOfLargest,
  staticRule,
  topCount,
} from '../src/suites/vbench/rules/motion.ts'
import {
  bothObjectsFrames,
  COLOUR_WORDS,
  colourObject,
  colourTally,
  objectFrames,
  sceneFrames,
} from '../src/suites/vbench/rules/semantic.ts'
import {
  ACTION_RESIZE,
  actionCropOrigin,
  centredPadding,
  detectorSize,
  imagingSize,
  type Padding,
  shorterSideTo,
  type Size,
} from '../src/suites/vbench/rules/sizes.ts'
import { type Box, frameScore, OVERLAP_LIMIT, relationScore } from '../src/suites/vbench/rules/spatial.ts'
import { publishedUpload, SubmissionRefusal } from '../src/suites/vbench/totals/published-results.ts'
import { i2vTotals, vbench2Totals } from '../src/suites/vbench/totals/relatives.ts'
import { publishedTotals, QUALITY_WEIGHT, SEMANTIC_WEIGHT } from '../src/suites/vbench/totals/totals.ts'
import { officialName, promptOfFile, promptOfLongClip } from '../src/suites/vbench/videos/names.ts'
import {
  matchCategory,
  matchCustomFile,
  matchCustomFolder,
  matchStandard,
  type PublishedMatch,
  PublishedRefusal,
} from '../src/suites/vbench/videos/published-match.ts'
import { type Check, close, firstDifference, type Verdict } from './check.ts'

function verdict(where: string, detail: string | null): Verdict {
  return detail === null ? { where, agrees: true } : { where, agrees: false, detail }
}

/** Where the published code raises, we must refuse with the same kind of error; its words are not compared. */
function refused(where: string, theirs: string, ours: () => unknown): Verdict {
  const kind = theirs.split(':')[0]!
  try {
    return verdict(where, `ours ${JSON.stringify(ours())}, theirs raises ${theirs}`)
  } catch (error) {
    if (!(error instanceof PublishedRefusal || error instanceof SubmissionRefusal)) throw error
    const our = error.message.split(':')[0]!
    return verdict(where, our === kind ? null : `ours raises ${our}, theirs ${kind}`)
  }
}

const numbers = z.record(z.string(), z.number())
const raises = z.object({ upstream_raises: z.string() })
const totals = z.object({
  normalized_unweighted: numbers.optional(),
  normalized_weighted: numbers.optional(),
  quality: z.number().nullable(),
  semantic: z.number().nullable(),
  total: z.number().nullable(),
})

const aggregateFile = z.object({
  constants: z.object({
    normalize: z.record(z.string(), z.object({ Min: z.number(), Max: z.number() })),
    dim_weight: numbers,
    quality_list: z.array(z.string()),
    semantic_list: z.array(z.string()),
    quality_weight: z.number(),
    semantic_weight: z.number(),
  }),
  cases: z.array(z.object({ id: z.string(), raw: z.record(z.string(), z.number().nullable()), expected: totals })),
  submission_cases: z.array(
    z.object({
      id: z.string(),
      files: z.array(z.object({ path: z.string(), json: z.unknown().optional(), text: z.string().optional() })),
      upload: z.record(z.string(), z.number().nullable()).nullish(),
      expected: z.union([raises, totals]),
    }),
  ),
  i2v_cases: z.array(
    z.object({
      id: z.string(),
      raw: numbers,
      expected: z.object({
        quality: z.number(),
        i2v: z.number(),
        total: z.number(),
        normalized_weighted: numbers.optional(),
      }),
    }),
  ),
  vbench2_cases: z.array(z.object({ id: z.string(), raw: numbers, expected: numbers })),
})

function spaced(values: Readonly<Record<Dimension, number>>): Record<string, number> {
  return Object.fromEntries(DIMENSIONS.map((name) => [spacedName(name), values[name]]))
}

/** NaN went into the file as null. */
function withoutNaN(value: number): number | null {
  return Number.isNaN(value) ? null : value
}

function compareTotals(where: string, raw: Readonly<Record<string, unknown>>, theirs: z.infer<typeof totals>): Verdict {
  const values: Partial<Record<Dimension, number>> = {}
  for (const [key, value] of Object.entries(raw)) {
    const name = key.replaceAll(' ', '_')
    if (isDimension(name)) values[name] = typeof value === 'number' ? value : Number.NaN
  }
  const ours = publishedTotals(values)
  const all = {
    normalized_unweighted: spaced(ours.normalised),
    normalized_weighted: spaced(ours.weighted),
    quality: withoutNaN(ours.quality),
    semantic: withoutNaN(ours.semantic),
    total: withoutNaN(ours.total),
  }
  return verdict(where, firstDifference(onlyKeysOf(all, theirs), theirs))
}

/** Files may say less than we compute. */
function onlyKeysOf(ours: Readonly<Record<string, unknown>>, theirs: object): Record<string, unknown> {
  return Object.fromEntries(Object.keys(theirs).map((key) => [key, ours[key]]))
}

export const aggregate: Check = function* (file) {
  const { constants, cases, submission_cases, i2v_cases, vbench2_cases } = aggregateFile.parse(file)
  const ours = {
    normalize: Object.fromEntries(
      DIMENSIONS.map((name) => [spacedName(name), { Min: DIMENSION_FACTS[name].min, Max: DIMENSION_FACTS[name].max }]),
    ),
    dim_weight: Object.fromEntries(DIMENSIONS.map((name) => [spacedName(name), DIMENSION_FACTS[name].weight])),
    quality_list: QUALITY.map(spacedName).toSorted(),
    semantic_list: SEMANTIC.map(spacedName).toSorted(),
    quality_weight: QUALITY_WEIGHT,
    semantic_weight: SEMANTIC_WEIGHT,
  }
  const theirs = {
    ...constants,
    quality_list: constants.quality_list.toSorted(),
    semantic_list: constants.semantic_list.toSorted(),
  }
  yield verdict('constants', firstDifference(ours, theirs))
  for (const { id, raw, expected } of cases) yield compareTotals(id, raw, expected)
  for (const { id, files, upload, expected } of submission_cases) {
    const given = files.map(({ path, json, text }) => ({ path, text: text ?? JSON.stringify(json) }))
    if ('upstream_raises' in expected) {
      yield refused(id, expected.upstream_raises, () => publishedUpload(given))
      continue
    }
    const read = publishedUpload(given)
    if (upload) yield verdict(`${id}.upload`, firstDifference(read, upload))
    yield compareTotals(id, read, expected)
  }
  for (const { id, raw, expected } of i2v_cases) {
    const { weighted, ...rest } = i2vTotals(raw)
    yield verdict(id, firstDifference(onlyKeysOf({ ...rest, normalized_weighted: weighted }, expected), expected))
  }
  for (const { id, raw, expected } of vbench2_cases) yield verdict(id, firstDifference(vbench2Totals(raw), expected))
}

const infoEntry = z.object({ prompt_en: z.string(), dimension: z.array(z.string()) })
const matchCase = z.object({
  id: z.string(),
  mode: z.enum(['vbench_standard', 'custom_input', 'vbench_category']),
  dimension_list: z.array(z.string()),
  listing_in_os_order: z.array(z.string()),
  special_str: z.string().optional(),
  prompt_list: z.union([z.array(z.string()), z.record(z.string(), z.string())]).optional(),
  videos_path_is_file: z.string().optional(),
  category: z.string().optional(),
  expected: z.union([
    raises,
    z.object({
      entries: z.array(z.object({ prompt_en: z.string(), matched: z.array(z.string()) })),
      missing: z.array(z.string()),
    }),
  ]),
})
const counted = z.object({ prompts: z.int(), files: z.int() })
const filematchFile = z.object({
  expected_names: z.array(
    z.object({
      prompt_en: z.string(),
      utf8_bytes: z.int(),
      expected_files: z.array(z.string()),
      max_filename_bytes: z.int(),
    }),
  ),
  suite: z.object({ full_info_entries: z.int(), per_dimension: z.record(z.string(), counted) }),
  mini_suite_full_info: z.array(infoEntry),
  cases: z.array(matchCase),
  prompt_from_filename: z.array(z.object({ path: z.string(), prompt: z.string() })),
  human_action_label_from_path: z.array(z.object({ file: z.string(), label: z.string() })),
})

function matched(suite: z.infer<typeof infoEntry>[], given: z.infer<typeof matchCase>): PublishedMatch {
  const { mode, dimension_list: dimensions, listing_in_os_order: listing, prompt_list: prompts } = given
  if (mode === 'vbench_category') return matchCategory(dimensions, given.category ?? CATEGORIES.join())
  if (mode === 'vbench_standard') {
    const entries = suite.map((entry) => ({ prompt: entry.prompt_en, dimensions: entry.dimension }))
    return matchStandard(entries, dimensions, listing, given.special_str)
  }
  if (given.videos_path_is_file !== undefined) {
    return matchCustomFile(dimensions, given.videos_path_is_file, Array.isArray(prompts) ? prompts : [])
  }
  return matchCustomFolder(dimensions, listing, prompts === undefined || Array.isArray(prompts) ? null : prompts)
}

export const filematch: Check = function* (file) {
  const parsed = filematchFile.parse(file)
  for (const { prompt_en, utf8_bytes, expected_files, max_filename_bytes } of parsed.expected_names) {
    const names = Array.from({ length: SAMPLES }, (_, index) => officialName(prompt_en, index))
    const ours = {
      bytes: Buffer.byteLength(prompt_en),
      names,
      longest: Math.max(...names.map((name) => Buffer.byteLength(name))),
    }
    const theirs = { bytes: utf8_bytes, names: expected_files, longest: max_filename_bytes }
    yield verdict(`expected_names.${prompt_en}`, firstDifference(ours, theirs))
  }
  // The prompts themselves are not part of this repository; src/suites/vbench/suite/suite.test.ts checks them.
  for (const [name, { prompts, files }] of Object.entries(parsed.suite.per_dimension)) {
    const known = isDimension(name) ? DIMENSION_FACTS[name].prompts : null
    yield verdict(
      `suite.${name}`,
      firstDifference({ prompts: known, files: (known ?? 0) * SAMPLES }, { prompts, files }),
    )
  }
  for (const given of parsed.cases) {
    const { id, expected } = given
    if ('upstream_raises' in expected) {
      yield refused(id, expected.upstream_raises, () => matched(parsed.mini_suite_full_info, given))
      continue
    }
    const { entries, missing } = matched(parsed.mini_suite_full_info, given)
    const ours = { entries: entries.map(({ prompt, matched }) => ({ prompt_en: prompt, matched })), missing }
    yield verdict(id, firstDifference(ours, expected))
  }
  for (const { path, prompt } of parsed.prompt_from_filename) {
    yield verdict(`prompt_from_filename.${path}`, firstDifference(promptOfFile(path), prompt))
  }
  for (const { file: path, label } of parsed.human_action_label_from_path) {
    yield verdict(`human_action_label_from_path.${path}`, firstDifference(actionOfFile(path), label))
  }
}

const sizePair = z.tuple([z.int(), z.int()])
const padding = z.tuple([z.int(), z.int(), z.int(), z.int()])
const tally = { success_frames: z.int(), frames: z.int() }
const detected = z.array(z.object({ object: z.string(), detections_per_frame: z.array(z.array(z.string())), ...tally }))
const rulesFile = z.object({
  frame_indices_middle: z.array(z.object({ num_frames: z.int(), video_len: z.int(), indices: z.array(z.int()) })),
  dynamic_degree: z.object({
    cases: z.array(
      z.object({
        id: z.string(),
        height: z.int(),
        width: z.int(),
        frames_after_subsampling: z.int(),
        thres: z.number(),
        count_num: z.int(),
        pair_scores: z.array(z.number()),
        dynamic: z.boolean(),
      }),
    ),
    frame_interval_from_fps: z.array(z.object({ fps: z.number(), interval: z.int() })),
  }),
  flow_topk: z.object({
    cases: z.array(
      z.object({
        height: z.int(),
        width: z.int(),
        fraction: z.number(),
        k: z.int(),
        score: z.number().nullable(),
        sorted_desc_top: z.array(z.number()),
      }),
    ),
  }),
  static_filter: z.array(
    z.object({
      id: z.string(),
      height: z.int(),
      width: z.int(),
      frames: z.int(),
      thres: z.number(),
      count_num: z.int(),
      scores_adjacent_then_first_last_then_last_first: z.array(z.number()),
      static: z.boolean(),
    }),
  ),
  color: z.object({
    colour_words: z.array(z.string()),
    cases: z.array(
      z.object({
        id: z.string(),
        color: z.string(),
        object: z.string(),
        frames: z.array(z.array(z.tuple([z.string(), z.string()]))),
        frames_with_object_and_some_colour_word: z.int(),
        frames_with_target_colour: z.int(),
        video_score: z.number().nullable(),
        counted: z.boolean(),
      }),
    ),
    object_key_from_prompt: z.array(z.object({ prompt: z.string(), color: z.string(), object_key: z.string() })),
    extra_object_key_edge: z.array(z.object({ prompt: z.string(), color: z.string(), object_key: z.string() })),
  }),
  scene: z.object({
    cases: z.array(z.object({ scene: z.string(), captions: z.array(z.string()), ...tally })),
  }),
  object_class: detected,
  multiple_objects: detected,
  preprocess_sizes: z.object({
    cases: z.array(
      z.object({
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
      }),
    ),
  }),
  long_split: z.array(
    z.object({
      frames: z.int(),
      fps_int: z.int(),
      duration_s: z.number(),
      clips: z.array(z.object({ file: z.string(), start: z.int(), end: z.int() })),
    }),
  ),
  long_prompt_from_filename: z.array(z.object({ path: z.string(), prompt: z.string() })),
  long_fusion: z.array(
    z.object({
      dimension: z.enum(['subject_consistency', 'background_consistency']),
      inclip: z.number(),
      clip2clip: z.number(),
      mapped: z.number(),
      fused: z.number(),
    }),
  ),
})

const listed = ({ height, width }: Size): number[] => [height, width]
const sides = ({ left, right, top, bottom }: Padding): number[] => [left, right, top, bottom]

export const rules: Check = function* (file) {
  const parsed = rulesFile.parse(file)
  for (const { num_frames, video_len, indices } of parsed.frame_indices_middle) {
    const where = `frame_indices_middle.${num_frames}of${video_len}`
    yield verdict(where, firstDifference(middleFrames(num_frames, video_len), indices))
  }
  for (const given of parsed.dynamic_degree.cases) {
    const rule = dynamicRule(given.height, given.width, given.frames_after_subsampling)
    const ours = { thres: rule.threshold, count: rule.needed, dynamic: isDynamic(given.pair_scores, rule) }
    const theirs = { thres: given.thres, count: given.count_num, dynamic: given.dynamic }
    yield verdict(`dynamic_degree.${given.id}`, firstDifference(ours, theirs))
  }
  for (const { fps, interval } of parsed.dynamic_degree.frame_interval_from_fps) {
    yield verdict(`frame_interval_from_fps.${fps}`, firstDifference(frameInterval(fps), interval))
  }
  for (const { height, width, fraction, k, score, sorted_desc_top } of parsed.flow_topk.cases) {
    const count = topCount(height, width, fraction)
    const ours = { k: count, score: meanOfLargest(Float64Array.from(sorted_desc_top), count) }
    yield verdict(`flow_topk.${height}x${width}@${fraction}`, firstDifference(ours, { k, score }))
  }
  for (const given of parsed.static_filter) {
    const rule = staticRule(given.height, given.width, given.frames)
    const scores = given.scores_adjacent_then_first_last_then_last_first
    const ours = {
      thres: rule.threshold,
      count: rule.allowed,
      static: isStatic(scores.slice(0, -2), scores.slice(-2), rule),
    }
    const theirs = { thres: given.thres, count: given.count_num, static: given.static }
    yield verdict(`static_filter.${given.id}`, firstDifference(ours, theirs))
  }
  yield* semanticRules(parsed)
  for (const given of parsed.preprocess_sizes.cases) {
    const size = { height: given.height, width: given.width }
    const action = shorterSideTo(ACTION_RESIZE, size)
    const origin = actionCropOrigin(action)
    const ours = {
      ...size,
      dino_resize_224: listed(shorterSideTo(224, size)),
      imaging_longer: listed(imagingSize('longer', size)),
      imaging_shorter: listed(imagingSize('shorter', size)),
      grit: listed(detectorSize(size)),
      umt_resize_256: listed(action),
      umt_crop_origin_y_x: [origin.y, origin.x],
      raft_pad_l_r_t_b: sides(centredPadding(8, size)),
      amt_pad_l_r_t_b: sides(centredPadding(16, size)),
    }
    yield verdict(`preprocess_sizes.${given.height}x${given.width}`, firstDifference(ours, given))
  }
  for (const { frames, fps_int, duration_s, clips } of parsed.long_split) {
    const where = `long_split.${frames}@${fps_int}x${duration_s}`
    const stem = clips[0]?.file.replace(/_(?:\d+|full)\.mp4$/, '') ?? 'clip-0'
    yield verdict(where, firstDifference(longClips(stem, frames, fps_int, duration_s), clips))
  }
  for (const { path, prompt } of parsed.long_prompt_from_filename) {
    yield verdict(`long_prompt_from_filename.${path}`, firstDifference(promptOfLongClip(path), prompt))
  }
  for (const { dimension, inclip, clip2clip, mapped, fused } of parsed.long_fusion) {
    const ourMapped = mappedSimilarity(dimension, clip2clip)
    const ours = { mapped: ourMapped, fused: fusedConsistency(inclip, ourMapped) }
    yield verdict(`long_fusion.${dimension}.${clip2clip}`, firstDifference(ours, { mapped, fused }))
  }
}

function* semanticRules(parsed: z.infer<typeof rulesFile>): Generator<Verdict> {
  const { color, scene, object_class, multiple_objects } = parsed
  yield verdict('color.colour_words', firstDifference(COLOUR_WORDS.toSorted(), color.colour_words.toSorted()))
  for (const given of color.cases) {
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
  }
  for (const { prompt, color: colour, object_key } of [
    ...color.object_key_from_prompt,
    ...color.extra_object_key_edge,
  ]) {
    yield verdict(`color.object_key.${prompt}`, firstDifference(colourObject(prompt, colour), object_key))
  }
  for (const [i, { scene: name, captions, success_frames, frames }] of scene.cases.entries()) {
    const theirs = { successes: success_frames, frames }
    yield verdict(`scene[${i}].${name}`, firstDifference(sceneFrames(name, captions), theirs))
  }
  for (const { object, detections_per_frame, success_frames, frames } of object_class) {
    const theirs = { successes: success_frames, frames }
    yield verdict(`object_class.${object}`, firstDifference(objectFrames(object, detections_per_frame), theirs))
  }
  for (const { object, detections_per_frame, success_frames, frames } of multiple_objects) {
    const theirs = { successes: success_frames, frames }
    yield verdict(
      `multiple_objects.${object}`,
      firstDifference(bothObjectsFrames(object, detections_per_frame), theirs),
    )
  }
}

const box = z.tuple([z.number(), z.number(), z.number(), z.number()])
const spatialFile = z.object({
  iou_threshold: z.number(),
  pairs: z.array(
    z.object({ id: z.string(), relationship: z.string(), box_a: box, box_b: box, score: z.number().nullable() }),
  ),
  frames: z.array(
    z.object({
      id: z.string(),
      key_info: z.object({ object_a: z.string(), object_b: z.string(), relationship: z.string() }),
      predictions: z.array(z.array(z.tuple([z.string(), box]))),
      frame_scores: z.array(z.number()),
      video_score: z.number(),
    }),
  ),
})

export const spatialRelationship: Check = function* (file) {
  const { iou_threshold, pairs, frames } = spatialFile.parse(file)
  yield verdict('iou_threshold', firstDifference(OVERLAP_LIMIT, iou_threshold))
  for (const { id, relationship, box_a, box_b, score } of pairs) {
    yield verdict(`pairs.${id}`, firstDifference(relationScore(relationship, box_a, box_b), score))
  }
  for (const { id, key_info, predictions, frame_scores, video_score } of frames) {
    const relation = { a: key_info.object_a, b: key_info.object_b, relation: key_info.relationship }
    const scores = predictions.map((boxes) =>
      frameScore(
        relation,
        boxes.map(([name, at]): { name: string; box: Box } => ({ name, box: at })),
      ),
    )
    const mean = scores.reduce<number>((sum, score) => sum + (score ?? Number.NaN), 0) / scores.length
    yield verdict(`frames.${id}`, firstDifference({ scores, mean }, { scores: frame_scores, mean: video_score }))
  }
}

const flickerFile = z.object({
  tolerance_abs: z.number(),
  cases: z.array(
    z.object({
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
    }),
  ),
  aggregation: z.array(z.object({ videos: z.array(z.string()), dimension_score: z.number().nullable() })),
})

type Pixel = (t: number, x: number, y: number, c: number) => number

/** The frames are given as a formula. It runs apart from everything else, with numbers only. */
function formula(expression: string): Pixel {
  if (!/^[\s\d()txyc+\-*/%<>=!&|?:.]*$/.test(expression)) throw new Error(`not a formula: ${expression}`)
  return runInNewContext(`(t, x, y, c) => (${expression})`, {}) as Pixel
}

export const temporalFlickering: Check = function* (file) {
  const { tolerance_abs, cases, aggregation } = flickerFile.parse(file)
  const scores = new Map<string, number | null>()
  for (const given of cases) {
    const pixel = formula(given.expr_js)
    const differences: number[] = []
    let checksum = 0
    let before: Uint8Array | null = null
    for (let t = 0; t < given.frames; t++) {
      const frame = new Uint8Array(given.width * given.height * 3)
      for (let i = 0; i < frame.length; i++) {
        const at = Math.floor(i / 3)
        frame[i] = pixel(t, at % given.width, Math.floor(at / given.width), i % 3)
        checksum += frame[i]!
      }
      if (before) differences.push(absoluteDifference(before, frame) / frame.length)
      before = frame
    }
    const score = flickerScore(differences)
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
  }
  for (const [i, { videos, dimension_score }] of aggregation.entries()) {
    const read = videos.map((id) => scores.get(id) ?? null).filter((score) => score !== null)
    const mean = read.length === 0 ? null : read.reduce((sum, score) => sum + score, 0) / read.length
    const near = mean === dimension_score || close(mean ?? Number.NaN, dimension_score ?? Number.NaN, tolerance_abs)
    yield verdict(`aggregation[${i}]`, near ? null : `ours ${mean}, theirs ${dimension_score}`)
  }
}
