/** The VSIG suite against the four published generations of its scorer, and our rule for the words' windows. */
import { z } from 'zod'
import { annotationSchema, evalTruthSchema } from '../src/suites/vsig/annotation.ts'
import { distanceToMean, pairOf } from '../src/suites/vsig/points.ts'
import { table1, table2, table3, table4 } from '../src/suites/vsig/scoring/aggregate.ts'
import {
  laterSlots,
  overlap,
  predictedOptions,
  score2,
  score3,
  score4,
  type Score2,
  type Score3,
  type Score4,
} from '../src/suites/vsig/scoring/later.ts'
import {
  publishedJson1,
  publishedJson4,
  publishedOrder,
  publishedPrediction1,
  sampledFrames,
} from '../src/suites/vsig/scoring/published-reply.ts'
import { ASSUMED_FRAME, type JudgeReplies, scoreUpstream1 } from '../src/suites/vsig/scoring/upstream-v1.ts'
import { isTemplate, mergeSlots, publishedPlaceName } from '../src/suites/vsig/templates.ts'
import { spokenWindows } from '../src/suites/vsig/windows.ts'
import { type Check, eachCase, firstDifference, listed, type Verdict, verdict } from './agreement/check.ts'

const frame = z.object({ width: z.number(), height: z.number() }).nullish()
const record = z.record(z.string(), z.unknown())
const numbers = z.array(z.number())

const sample1 = z.object({
  id: z.string(),
  frame,
  annotation: annotationSchema,
  model_output: z.unknown(),
  judge_stub: z.object({ intent: z.unknown(), temporal: z.unknown() }).nullable(),
  prediction_yx: z.unknown(),
  expected: z.object({
    outcome: z.string(),
    intent_accuracy: z.number().optional(),
    spatial_grounding: numbers.optional(),
    temporal_grounding: z.array(z.unknown()).nullish(),
    gt_slots: z.array(z.object({ name: z.string(), type: z.string() })).optional(),
  }),
})

const aggregate1 = z.object({
  id: z.string(),
  samples: z.array(
    z.object({
      task_template: z.string(),
      intent_accuracy: z.number(),
      spatial_grounding: numbers,
      temporal_grounding: z.array(z.unknown()).nullable(),
    }),
  ),
  expected: record.nullable(),
  raises: z.unknown(),
})

const later = z.object({
  id: z.string(),
  frame,
  annotation: annotationSchema,
  answers: z.array(z.string()),
  eval_gt: evalTruthSchema.nullable(),
  prediction_xy: record,
  temporal_judge_stub: z.unknown(),
  expected: z.object({ v2: record, v3: record, v4: record }),
})

const time = z.number().nullish().catch(null)
const word = z.object({ text: z.string().catch(''), begin_time: time, end_time: time })

const aggregateLater = z.object({
  id: z.string(),
  from_cases: z.array(z.string()),
  expected: z.object({ v2: record, v3: record, v4: record }),
})
const parsedReply = z.object({ text: z.string(), v1: record, v4: record })
const frameIndices = z.object({
  total_frames: z.number(),
  fps: z.number(),
  num_frames: z.number(),
  end_timestamp_sec: z.number().nullable(),
  expected: numbers,
})
const frameDivergence = z.object({ total_frames: z.number(), num_frames: z.number(), expected: numbers })
const convertedPoint = z.object({ coord_order: z.string(), in: z.unknown(), out_xy: z.unknown() })
const temporalOverlap = z.object({ pred: z.unknown(), target: z.string(), expected: z.number() })
const mergedSlots = z.object({
  task_template: z.string().nullable(),
  object_space: z.array(z.object({ name: z.string(), type: z.string(), points: z.unknown(), has_mask: z.boolean() })),
  expected_slots: z.array(record),
})
const distance1 = z.object({ pred_yx: z.unknown(), gt_yx: z.unknown(), expected: z.number() })

const file = z.object({
  sample_cases_v1: listed,
  aggregate_cases_v1: listed,
  sample_cases_later: listed,
  aggregate_cases_later: listed,
  unit: z.object({
    json_parse: listed,
    frame_indices: listed,
    frame_indices_float_divergence: z.object({ examples: listed }).prefault({}),
    coord_convert: listed,
    temporal_iou_v1_dead_code: listed,
    merge: listed,
    distance_v1: listed,
  }),
})
type OracleFile = z.output<typeof file>

export const scoring: Check = function* (json) {
  const oracle = file.parse(json)
  yield* eachCase('sample_cases_v1', oracle.sample_cases_v1, sample1, function* (entry) {
    yield verdict(`sample_cases_v1.${entry.id}`, sampleDifference(entry))
  })
  yield* eachCase('aggregate_cases_v1', oracle.aggregate_cases_v1, aggregate1, function* (entry) {
    yield verdict(`aggregate_cases_v1.${entry.id}`, aggregateDifference(entry))
  })
  yield* laterVerdicts(oracle)
  yield* unitVerdicts(oracle.unit, oracle)
}

function isFailure(reply: unknown): boolean {
  return typeof reply === 'object' && reply !== null && '__raise__' in reply
}

function repliesOf(stub: z.output<typeof sample1>['judge_stub']): JudgeReplies | null {
  if (stub === null) return null
  const { intent, temporal } = stub
  return { intent, temporal, intentFailed: isFailure(intent), temporalFailed: isFailure(temporal) }
}

function sampleDifference({
  annotation,
  model_output,
  judge_stub,
  frame,
  expected,
}: z.output<typeof sample1>): string | null {
  const prediction = publishedPrediction1(model_output)
  if (!prediction) return firstDifference('inference_dropped', expected.outcome, 'outcome')
  const score = scoreUpstream1(annotation, prediction, repliesOf(judge_stub), frame ?? ASSUMED_FRAME)
  const slots = mergeSlots(annotation.task_template, annotation.object_space, publishedPlaceName)
  return firstDifference(
    {
      outcome: score.outcome,
      intent_accuracy: score.intent,
      spatial_grounding: score.spatial,
      temporal_grounding: score.temporal,
      gt_slots: slots.map(({ name, type }) => ({ name, type })),
    },
    {
      outcome: expected.outcome,
      intent_accuracy: expected.intent_accuracy,
      spatial_grounding: expected.spatial_grounding,
      temporal_grounding: expected.temporal_grounding,
      gt_slots: expected.gt_slots,
    },
  )
}

function aggregateDifference({ samples, expected, raises }: z.output<typeof aggregate1>): string | null {
  const table = table1(
    samples.map((sample) => ({
      template: sample.task_template,
      intent: sample.intent_accuracy,
      spatial: sample.spatial_grounding,
      temporal: sample.temporal_grounding,
    })),
  )
  if (!table || raises) return firstDifference(table === null, Boolean(raises), 'raises')
  const breakdown = Object.entries(table.byTemplate).map(([template, figures]) => [
    template,
    {
      intent_accuracy: figures.intent,
      spatial_grounding: figures.spatial,
      temporal_grounding: figures.temporal,
      overall: figures.overall,
      count: figures.count,
    },
  ])
  return firstDifference(
    {
      intent_grounding_accuracy: table.intent,
      spatial_grounding_accuracy: table.spatial,
      temporal_grounding_accuracy: table.temporal,
      overall_score: table.overall,
      instruction_breakdown: Object.fromEntries(breakdown),
    },
    expected,
  )
}

/** What a case of the later generations scores; null where the ground truth is refused. */
interface LaterScores {
  v2: Score2
  v3: (Score3 & { template: string }) | null
  v4: Score4 | null
}

function laterScores(entry: z.output<typeof later>): LaterScores {
  const list = entry.prediction_xy['point_list']
  const prediction = {
    options: predictedOptions(entry.prediction_xy['selected_options']),
    points: Array.isArray(list) ? list.map((item) => record.parse(item)) : [],
  }
  const stub = entry.temporal_judge_stub
  const judge = stub === null || stub === undefined ? null : { reply: stub }
  const size = entry.frame ?? ASSUMED_FRAME
  const slots = laterSlots(entry.eval_gt)
  const template = entry.annotation.task_template ?? ''
  return {
    v2: score2(entry.annotation, entry.answers, prediction, judge, size),
    v3: slots && { ...score3(slots, prediction, size), template },
    v4: slots && score4(slots, prediction, size),
  }
}

function* laterVerdicts({ sample_cases_later, aggregate_cases_later }: OracleFile): Generator<Verdict> {
  const scored = new Map<string, LaterScores>()
  yield* eachCase('sample_cases_later', sample_cases_later, later, function* (entry) {
    const scores = laterScores(entry)
    scored.set(entry.id, scores)
    const options = { pred_options: predictedOptions(entry.prediction_xy['selected_options']) }
    const where = `sample_cases_later.${entry.id}`
    const { v2, v3, v4 } = scores
    const ours2 = {
      outcome: 'scored',
      intent_accuracy: v2.intent,
      spatial_grounding: v2.spatial,
      temporal_grounding: v2.temporal,
      match: v2.match,
      ...options,
      gt_options: entry.answers,
    }
    yield verdict(`${where}.v2`, firstDifference(ours2, entry.expected.v2))
    const choices = { ...options, gt_options: entry.eval_gt?.answer?.map(({ choice }) => choice.trim()) ?? [] }
    const ours3 = v3
      ? {
          outcome: 'scored',
          intent_accuracy: v3.intent,
          spatial_grounding: v3.spatial,
          speech_temporal_grounding: v3.temporal,
          match: v3.match,
          ...choices,
        }
      : { outcome: 'format_error' }
    yield verdict(`${where}.v3`, firstDifference(ours3, withoutWhy(entry.expected.v3)))
    const ours4 = v4
      ? {
          outcome: 'scored',
          acc_cls: v4.cls,
          acc_s: v4.spatial,
          acc_t: v4.temporal,
          acc_eco: v4.eco,
          acc_seq: v4.seq,
          ...choices,
        }
      : { outcome: 'format_error' }
    yield verdict(`${where}.v4`, firstDifference(ours4, withoutWhy(entry.expected.v4)))
  })
  yield* eachCase('aggregate_cases_later', aggregate_cases_later, aggregateLater, function* (entry) {
    const { id, from_cases, expected } = entry
    const samples = from_cases.flatMap((name) => scored.get(name) ?? [])
    // A file may hold only part of the cases that a table was made from; then there is nothing to compare.
    if (samples.length < from_cases.length) return
    const two = table2(samples.map(({ v2 }) => v2))
    const three = table3(samples.flatMap(({ v3 }) => v3 ?? []))
    const four = table4(samples.flatMap(({ v4 }) => v4 ?? []))
    const ours = {
      v2: {
        intent_grounding_accuracy: two.intent,
        spatial_grounding_accuracy: two.spatial,
        temporal_grounding_accuracy: two.temporal,
        overall_score: two.overall,
      },
      v3: {
        intent_grounding_accuracy: three.intent,
        spatial_grounding_accuracy: three.spatial,
        speech_temporal_grounding_accuracy: three.temporal,
        overall_score: three.overall,
      },
      v4: { acc_cls: four.cls, acc_s: four.spatial, acc_t: four.temporal, acc_eco: four.eco, acc_seq: four.seq },
    }
    yield verdict(`aggregate_cases_later.${id}`, firstDifference(ours, expected))
  })
}

function withoutWhy(expected: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(expected).filter(([key]) => key !== 'why'))
}

function* unitVerdicts(unit: OracleFile['unit'], oracle: OracleFile): Generator<Verdict> {
  yield* eachCase('unit.json_parse', unit.json_parse, parsedReply, function* ({ text, v1, v4 }, i) {
    const one = publishedJson1(text)
    yield verdict(`unit.json_parse[${i}].v1`, jsonDifference('raises' in one ? undefined : one.value, v1))
    yield verdict(`unit.json_parse[${i}].v4`, jsonDifference(publishedJson4(text), v4))
  })
  yield* eachCase('unit.frame_indices', unit.frame_indices, frameIndices, function* (entry, i) {
    const ours = sampledFrames(entry.total_frames, entry.num_frames, entry.fps, entry.end_timestamp_sec)
    yield verdict(`unit.frame_indices[${i}]`, firstDifference(ours, entry.expected))
  })
  const divergence = 'unit.frame_indices_float_divergence'
  yield* eachCase(divergence, unit.frame_indices_float_divergence.examples, frameDivergence, function* (entry, i) {
    const ours = sampledFrames(entry.total_frames, entry.num_frames)
    yield verdict(`${divergence}[${i}]`, firstDifference(ours, entry.expected))
  })
  yield* eachCase('unit.coord_convert', unit.coord_convert, convertedPoint, function* (entry, i) {
    const ours = publishedOrder(entry.coord_order, entry.in)
    yield verdict(`unit.coord_convert[${i}]`, firstDifference(ours, entry.out_xy))
  })
  const words = longestTranscript(oracle)
  const overlaps = 'unit.temporal_iou_v1_dead_code'
  yield* eachCase(overlaps, unit.temporal_iou_v1_dead_code, temporalOverlap, function* ({ pred, target, expected }, i) {
    const said = words.find(({ text }) => text.includes(target))
    const range = pairOf(pred)
    const ours = said && range ? overlap(range, [said.begin_time ?? 0, said.end_time ?? 0]) : 0
    yield verdict(`${overlaps}[${i}]`, firstDifference(ours, expected))
  })
  yield* eachCase(
    'unit.merge',
    unit.merge,
    mergedSlots,
    function* ({ task_template, object_space, expected_slots }, i) {
      const entries = object_space.map(({ has_mask, ...entry }) => ({ ...entry, ...(has_mask ? { mask: {} } : {}) }))
      const ours = mergeSlots(task_template, entries, publishedPlaceName).map(({ name, type, points, mask }) => ({
        name,
        type,
        points_yx: points,
        has_mask: mask !== undefined,
      }))
      yield verdict(`unit.merge[${i}]`, firstDifference(ours, expected_slots))
    },
  )
  yield* eachCase('unit.distance_v1', unit.distance_v1, distance1, function* ({ pred_yx, gt_yx, expected }, i) {
    const point = pairOf(pred_yx)
    const ours = point ? distanceToMean(point, gt_yx) : null
    yield verdict(`unit.distance_v1[${i}]`, firstDifference(ours, expected))
  })
}

/** The words that the dead code was tried on: those of the only six-part example. */
function longestTranscript({ sample_cases_v1 }: OracleFile): z.output<typeof word>[] {
  const lists = sample_cases_v1.map((given) => {
    const read = z.object({ annotation: annotationSchema }).safeParse(given)
    return read.success ? (read.data.annotation.asr_result?.words ?? []) : []
  })
  return lists.reduce<z.output<typeof word>[]>((longest, list) => (list.length > longest.length ? list : longest), [])
}

function jsonDifference(ours: unknown, expected: Record<string, unknown>): string | null {
  if ('raises' in expected) return ours === undefined ? null : 'theirs raises, ours does not'
  if ('value_note' in expected) {
    const holdsNaN = typeof ours === 'object' && ours !== null && Object.values(ours).some(Number.isNaN)
    return holdsNaN ? null : `ours ${JSON.stringify(ours)}, theirs ${String(expected['value_note'])}`
  }
  return firstDifference(ours, expected['value'])
}

const windowsCase = z.object({
  title: z.string(),
  task_template: z.string(),
  words: z.array(word),
  expected_windows_ms: z.array(numbers).nullable(),
})

export const asrWindows: Check = function* (json) {
  const { cases } = z.object({ cases: listed }).parse(json)
  yield* eachCase('cases', cases, windowsCase, function* (entry) {
    const { title, task_template: template, words, expected_windows_ms: expected } = entry
    const ours = isTemplate(template) ? spokenWindows(template, words) : null
    yield verdict(title, firstDifference(ours, expected))
  })
}
