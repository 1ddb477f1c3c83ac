/** Checks the VSIG suite against published generations of its scorer, and our rule for time windows. */
import { z } from 'zod'
import { type ScoredRow } from '../src/report/means.ts'
import { Table } from '../src/report/table.ts'
import { annotationSchema, evalTruthSchema } from '../src/suites/vsig/domain/annotation.ts'
import type { Profile } from '../src/suites/vsig/domain/profiles.ts'
import { isTemplate, mergeSlots, publishedPlaceName, shortName } from '../src/suites/vsig/domain/templates.ts'
import { spokenWindows } from '../src/suites/vsig/domain/windows.ts'
import { sampledFrames } from '../src/suites/vsig/domain/frames.ts'
import { PythonError } from '../src/suites/vsig/published/python.ts'
import {
  predictedOptions,
  publishedJson1,
  publishedJson4,
  publishedObject,
  withSwappedPoints,
} from '../src/suites/vsig/published/reply.ts'
import {
  distanceToPoints,
  type JudgeReplies,
  metricsV1,
  predictionV1,
  scoreV1,
} from '../src/suites/vsig/published/scorer-v1.ts'
import { metricsV2, scoreV2, type ScoreV2 } from '../src/suites/vsig/published/scorer-v2.ts'
import { metricsV3, scoreV3, type ScoreV3 } from '../src/suites/vsig/published/scorer-v3.ts'
import { metricsV4, scoreV4, type ScoreV4 } from '../src/suites/vsig/published/scorer-v4.ts'
import { optionSlots } from '../src/suites/vsig/published/slots.ts'
import { metrics, summary } from '../src/suites/vsig/summary.ts'
import { type Check, eachCase, firstDifference, listed, type Verdict, verdict } from './agreement/check.ts'

/** The size the original assumes if it cannot open the video. */
const ASSUMED_FRAME = { width: 1920, height: 1080 }

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
  yield* unitVerdicts(oracle.unit)
}

/** A failing judge counts as an unreadable reply. */
function replyOf(stub: unknown): unknown {
  return typeof stub === 'object' && stub !== null && '__raise__' in stub ? null : stub
}

function repliesOf(stub: z.output<typeof sample1>['judge_stub']): JudgeReplies | null {
  return stub && { intent: replyOf(stub.intent), temporal: replyOf(stub.temporal) }
}

function sampleDifference({
  annotation,
  model_output,
  judge_stub,
  frame,
  expected,
}: z.output<typeof sample1>): string | null {
  const value = publishedObject(model_output)
  const prediction = value && predictionV1(value, 'v1')
  if (!prediction) return firstDifference('inference_dropped', expected.outcome, 'outcome')
  const score = scoreV1(annotation, prediction, repliesOf(judge_stub), frame ?? ASSUMED_FRAME)
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

/** The name of a template in tables; an unknown one keeps its name. */
function templateLabel(template: string): string {
  return isTemplate(template) ? shortName(template) : template
}

/** The values of a run's table by key, computed from the scores of its clips. */
function tableOf(
  profile: Profile,
  clips: readonly { template: string; scores: ScoredRow['scores'] }[],
): Record<string, number | null> {
  const rows = clips.map(({ template, scores }, i): ScoredRow => {
    const id = String(i)
    const labels = { template: templateLabel(template) }
    return { sample: id, cluster: id, epoch: 1, status: 'answered', labels, scores }
  })
  const table = summary(new Table(rows, metrics), { profile })
  return Object.fromEntries(table.rows.map(({ key, value }) => [key, value]))
}

function aggregateDifference({ samples, expected, raises }: z.output<typeof aggregate1>): string | null {
  const table = tableOf(
    'upstream-v1',
    samples.map((sample) => ({
      template: sample.task_template,
      scores: metricsV1({
        intent: sample.intent_accuracy,
        spatial: sample.spatial_grounding,
        temporal: sample.temporal_grounding,
      }),
    })),
  )
  if (table['overall'] === null || raises) return firstDifference(table['overall'] === null, Boolean(raises), 'raises')
  const breakdown = [...new Set(samples.map(({ task_template }) => task_template))].map((template) => {
    const figure = (name: string): number | null | undefined => table[`${templateLabel(template)}.${name}`]
    return [
      template,
      {
        intent_accuracy: figure('intent'),
        spatial_grounding: figure('spatial'),
        temporal_grounding: figure('temporal'),
        overall: figure('overall'),
        count: samples.filter(({ task_template }) => task_template === template).length,
      },
    ]
  })
  return firstDifference(
    {
      intent_grounding_accuracy: table['intent'],
      spatial_grounding_accuracy: table['spatial'],
      temporal_grounding_accuracy: table['temporal'],
      overall_score: table['overall'],
      instruction_breakdown: Object.fromEntries(breakdown),
    },
    expected,
  )
}

/** Scores a case under the later generations; null if the ground truth is rejected. */
interface LaterScores {
  template: string
  v2: ScoreV2 | null
  v3: ScoreV3 | null
  v4: ScoreV4 | null
}

function laterScores(entry: z.output<typeof later>): LaterScores {
  const prediction = entry.prediction_xy
  const stub = entry.temporal_judge_stub
  const { point_list: points } = prediction
  const judged = stub === null || stub === undefined || !Array.isArray(points) ? null : points.map(() => stub)
  const size = entry.frame ?? ASSUMED_FRAME
  const slots = optionSlots(entry.eval_gt, size)
  return {
    template: entry.annotation.task_template ?? '',
    v2: scoreV2(entry.annotation, entry.answers, prediction, judged, size),
    v3: slots && scoreV3(slots, prediction, size),
    v4: slots && scoreV4(slots, prediction, size),
  }
}

function* laterVerdicts({ sample_cases_later, aggregate_cases_later }: OracleFile): Generator<Verdict> {
  const scored = new Map<string, LaterScores>()
  yield* eachCase('sample_cases_later', sample_cases_later, later, function* (entry) {
    const scores = laterScores(entry)
    scored.set(entry.id, scores)
    const options = { pred_options: predictedOptions(entry.prediction_xy) }
    const where = `sample_cases_later.${entry.id}`
    const { v2, v3, v4 } = scores
    const ours2 = v2
      ? {
          outcome: 'scored',
          intent_accuracy: v2.intent,
          spatial_grounding: v2.spatial,
          temporal_grounding: v2.temporal,
          match: v2.match,
          ...options,
          gt_options: entry.answers,
        }
      : { outcome: 'format_error' }
    yield verdict(`${where}.v2`, firstDifference(ours2, entry.expected.v2))
    const choices = { ...options, gt_options: entry.eval_gt?.answer?.map(({ choice }) => choice.trim()) ?? [] }
    const ours3 = v3
      ? {
          outcome: 'scored',
          intent_accuracy: v3.intent,
          spatial_grounding: v3.spatial,
          speech_temporal_grounding: v3.temporal,
          match: v3.intent === 1,
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
    // A file may contain only some of the cases behind a table; then there is nothing to compare.
    if (samples.length < from_cases.length) return
    const two = tableOf(
      'upstream-v2',
      samples.flatMap(({ template, v2 }) => (v2 ? { template, scores: metricsV2(v2) } : [])),
    )
    const three = tableOf(
      'upstream-v3',
      samples.flatMap(({ template, v3 }) => (v3 ? { template, scores: metricsV3(v3, template) } : [])),
    )
    const four = tableOf(
      'upstream-v4',
      samples.flatMap(({ template, v4 }) => (v4 ? { template, scores: metricsV4(v4, 'v4') } : [])),
    )
    const ours = {
      v2: {
        intent_grounding_accuracy: two['intent'],
        spatial_grounding_accuracy: two['spatial'],
        temporal_grounding_accuracy: two['temporal'],
        overall_score: two['overall'],
      },
      v3: {
        intent_grounding_accuracy: three['intent'],
        spatial_grounding_accuracy: three['spatial'],
        speech_temporal_grounding_accuracy: three['temporal'],
        overall_score: three['overall'],
      },
      v4: {
        acc_cls: four['v4.cls'],
        acc_s: four['v4.spatial'],
        acc_t: four['v4.temporal'],
        acc_eco: four['v4.joint'],
        acc_seq: four['v4.sequence'],
      },
    }
    yield verdict(`aggregate_cases_later.${id}`, firstDifference(ours, expected))
  })
}

function withoutWhy(expected: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(expected).filter(([key]) => key !== 'why'))
}

function* unitVerdicts(unit: OracleFile['unit']): Generator<Verdict> {
  yield* eachCase('unit.json_parse', unit.json_parse, parsedReply, function* ({ text, v1, v4 }, i) {
    const one = unlessRaised(() => publishedJson1(text))
    yield verdict(`unit.json_parse[${i}].v1`, jsonDifference(one, v1))
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
    const given = { point_list: [{ point: entry.in }] }
    const { point_list } = entry.coord_order === 'yx' ? withSwappedPoints(given) : given
    const [ours] = z.array(z.object({ point: z.unknown() })).parse(point_list)
    yield verdict(`unit.coord_convert[${i}]`, firstDifference(ours?.point, entry.out_xy))
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
    const ours = distanceToPoints(pred_yx, gt_yx)
    yield verdict(`unit.distance_v1[${i}]`, firstDifference(ours, expected))
  })
}

/** Undefined where the published code raises. */
function unlessRaised<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof PythonError) return undefined
    throw error
  }
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
