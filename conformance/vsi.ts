/** Checks the VSI suites against the published evaluators and agent. */
import { z } from 'zod'
import { protocolBounds } from '../src/suites/vsi/domain/bounds.ts'
import { FIRST_ANGLES, type Profile } from '../src/suites/vsi/domain/protocol.ts'
import { readUpstreamReply } from '../src/suites/vsi/published/upstream-reply.ts'
import { upstreamVideoAnswer } from '../src/suites/vsi/published/upstream-video-answer.ts'
import { indexOfMax, toGrayscale, laplacianVariance, visibility } from '../src/suites/vsi/play/view-metrics.ts'
import { PythonNumber } from '../src/base/python/json.ts'
import { sampledFrames } from '../src/media/sampled-frames.ts'
import { OFFICIAL_LIMITS, UPSTREAM_LIMITS } from '../src/suites/vsi/published/mra.ts'
import { publishedScore } from '../src/suites/vsi/published/evaluators.ts'
import { TINY_IDS } from '../src/suites/vsi/samples/tiny.ts'
import { isNumberType, OVERALL_TYPES } from '../src/suites/vsi/domain/question-types.ts'
import { metrics, vsiSummary } from '../src/suites/vsi/summary.ts'
import { fromYawPitch, toMatrix } from '../src/world/render/index.ts'
import { moveThroughAll, NO_MOVE } from '../src/world/walk/move.ts'
import { Table } from '../src/report/table.ts'
import {
  type Check,
  eachCase,
  firstDifference,
  knownDifference,
  listed,
  number,
  single,
  verdict,
} from './agreement/check.ts'

const raised = z.object({ raises: z.string() })
/** Null where the published code records no score; a file may leave out an evaluator. */
const published = z.union([number, z.null(), raised]).optional()
const scored = z.object({
  id: z.string(),
  question_type: z.string(),
  prediction: z.string().nullish(),
  ground_truth: z.string().nullish(),
  expected: z.object({ official: published, lmms_eval: published, vlmevalkit: published, multi_turn_rl: published }),
})
const aggregated = z.object({
  name: z.string(),
  rows: z.array(z.object({ question_type: z.string(), score: number })),
  expected: z.object({
    official: z.union([raised, z.record(z.string(), number)]).nullish(),
    lmms_eval_overall_fraction: z.union([number, raised]).nullish(),
  }),
})
const thresholds = z.object({
  official_theta: z.array(number).nullish(),
  official_max_relative_error_inclusive: z.array(number).nullish(),
  multi_turn_rl_max_relative_error_exclusive: z.array(number).nullish(),
})
const scoringFile = z.object({ mra_threshold_table: single, cases: listed, aggregation_cases: listed })

const COLUMNS = {
  official: 'official',
  lmms_eval: 'lmms-eval',
  vlmevalkit: 'vlmevalkit',
  multi_turn_rl: 'upstream',
} as const satisfies Record<string, Profile>

export const scoring: Check = function* (file) {
  const { mra_threshold_table, cases, aggregation_cases } = scoringFile.parse(file)
  yield* eachCase('mra_threshold_table', mra_threshold_table, thresholds, function* (table) {
    const ours = {
      official_theta: OFFICIAL_LIMITS.map((limit) => 1 - limit),
      official_max_relative_error_inclusive: OFFICIAL_LIMITS,
      multi_turn_rl_max_relative_error_exclusive: UPSTREAM_LIMITS,
    }
    yield verdict('mra_threshold_table', knownDifference(ours, withoutNulls(table)))
  })
  yield* eachCase('cases', cases, scored, function* ({ id, question_type, prediction, ground_truth, expected }) {
    for (const column of ['official', 'lmms_eval', 'vlmevalkit', 'multi_turn_rl'] as const) {
      if (expected[column] === undefined) continue
      const row = { type: question_type, prediction: prediction ?? null, truth: ground_truth ?? null }
      yield verdict(`cases.${id}.${column}`, firstDifference(publishedScore(COLUMNS[column], row), expected[column]))
    }
  })
  yield* eachCase('aggregation', aggregation_cases, aggregated, function* ({ name, rows, expected }) {
    const { official, lmms_eval_overall_fraction: overall } = expected
    if (official) yield verdict(`aggregation.${name}.official`, tableDifference('official', rows, official))
    if (overall === undefined || overall === null) return
    const table = typeof overall === 'number' ? { overall } : overall
    yield verdict(`aggregation.${name}.lmms_eval`, tableDifference('lmms-eval', rows, table))
  })
}

function withoutNulls(columns: object): object {
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== null))
}

/**
 * Compares the expected numbers with the table of a run with these scores. Where the published code raises, our table
 * must not have an overall score.
 */
function tableDifference(
  profile: Profile,
  scores: readonly { question_type: string; score: number }[],
  expected: Readonly<Record<string, number>> | { raises: string },
): string | null {
  const types = scores.map(({ question_type: type, score }) => ({ type, score }))
  const { headline, values } = publishedTable(profile, types)
  if (typeof expected['raises'] === 'string')
    return headline === 'overall' ? `ours has an overall: ${values['overall']}` : null
  return firstDifference(Object.fromEntries(Object.entries(values).filter(([key]) => key in expected)), expected)
}

/** The table of a run with these scores, with the keys and the scale of the published one. */
export function publishedTable(
  profile: Profile,
  scores: readonly { type: string; score: number }[],
): { headline: string; values: Readonly<Record<string, number>> } {
  const lines = scores.map(({ type, score }, i) => ({
    sample: String(i),
    epoch: 0,
    cluster: String(i),
    labels: { type },
    status: 'answered' as const,
    scores: { score },
  }))
  const { headline, rows } = vsiSummary(new Table(lines, metrics), { profile })
  // lmms-eval has one number, a fraction.
  const keys = new Map<string, string>([
    [headline, 'overall'],
    ...(profile === 'lmms-eval' ? [] : OVERALL_TYPES.map((type) => [type, resultKey(type)] as const)),
  ])
  const scale = profile === 'lmms-eval' ? 1 : 100
  const values = rows.flatMap(({ key, value }) => {
    const named = keys.get(key)
    return named === undefined || value === null ? [] : [[named, value * scale] as const]
  })
  return { headline, values: Object.fromEntries(values) }
}

/** Key of a type's score in published result files. */
function resultKey(type: string): string {
  return isNumberType(type) ? `${type}_MRA:.5:.95:.05` : `${type}_accuracy`
}

const vec3 = z.tuple([number, number, number])
const matrix = z.array(z.array(number))
const firstPose = z.object({ angle_deg: number, eye: vec3, pose: matrix })
const movement = z.object({
  start_angle_deg: number,
  t: vec3,
  rotation_angle_degrees: number,
  forward_meters: number,
  left_meters: number,
  z_delta_meters: number,
  bounds: z.tuple([vec3, vec3]).nullish(),
  R_new: matrix.nullish(),
  t_new: vec3,
})
const invertedBounds = z.object({ mins: vec3, maxs: vec3, t: vec3, t_new: vec3 })
const agentOutput = z.object({
  text: z.string(),
  is_numerical: z.boolean(),
  previous_answer: z.string().nullish(),
  expected: z.union([
    raised,
    z.object({
      movement: z.array(number.nullable()).optional(),
      movement_complete: z.boolean().optional(),
      done_raw: z.unknown(),
      final_answer_after_step: z.string().nullable().optional(),
      stops_early: z.boolean().optional(),
    }),
  ]),
})
const videoAnswer = z.object({ text: z.string(), is_numerical: z.boolean(), expected: z.string().nullable() })
const sampling = z.object({ total: z.int(), num_frames: z.int(), indices: z.array(z.int()) })
const meshBounds = z.object({
  vertices: z.array(vec3),
  p2: vec3.nullish(),
  p98: vec3.nullish(),
  min: vec3.nullish(),
  max: vec3.nullish(),
})
const viewMetrics = z.object({
  name: z.string(),
  rgb_rows: z.array(z.array(vec3)),
  visibility: number.optional(),
  laplacian_variance: number.optional(),
  gray: z.array(z.array(z.int())).optional(),
})
const agentFile = z.object({
  initial_poses: listed,
  movements: listed,
  inverted_bounds: single,
  agent_output_parsing: listed,
  video_extract_answer: listed,
  frame_sampling: listed,
  mesh_bounds: single,
  view_metrics: listed,
  tie_break: single,
})

export function matrixRows(values: readonly number[]): number[][] {
  return [0, 1, 2, 3].map((row) => values.slice(row * 4, row * 4 + 4))
}

export const agent: Check = function* (file) {
  const parsed = agentFile.parse(file)
  yield* eachCase('initial_poses', parsed.initial_poses, firstPose, function* ({ angle_deg, eye, pose }, i) {
    yield verdict(`initial_poses[${i}]`, firstDifference(matrixRows(toMatrix(fromYawPitch(eye, angle_deg))), pose))
  })
  yield* eachCase('movements', parsed.movements, movement, function* (given, i) {
    const start = fromYawPitch(given.t, given.start_angle_deg)
    const move = {
      turnDegrees: given.rotation_angle_degrees,
      forwardMeters: given.forward_meters,
      leftMeters: given.left_meters,
      upMeters: given.z_delta_meters,
    }
    const [min, max] = given.bounds ?? []
    const after = moveThroughAll(start, move, min && max && { min, max }, { mirrorLeft: true })
    const ours = { R: matrixRows(toMatrix(after)).slice(0, 3), t: after.position }
    const R = given.R_new?.map((row, r) => [...row, given.t_new[r]!])
    yield verdict(`movements[${i}]`, knownDifference(ours, { R, t: given.t_new }))
  })
  yield* eachCase('inverted_bounds', parsed.inverted_bounds, invertedBounds, function* ({ mins, maxs, t, t_new }) {
    const still = moveThroughAll(fromYawPitch(t, 0), NO_MOVE, { min: mins, max: maxs }, { mirrorLeft: true })
    yield verdict('inverted_bounds', firstDifference(still.position, t_new))
  })
  yield* eachCase('agent_output_parsing', parsed.agent_output_parsing, agentOutput, function* (given, i) {
    const reply = readUpstreamReply(given.text, {
      numeric: given.is_numerical,
      previous: given.previous_answer ?? null,
    })
    const ours =
      'raises' in reply
        ? reply
        : {
            movement: reply.movement,
            movement_complete: reply.movementComplete,
            done_raw: reply.done instanceof PythonNumber ? reply.done.value : reply.done,
            final_answer_after_step: reply.answer,
            stops_early: reply.stops,
          }
    yield verdict(`agent_output_parsing[${i}]`, knownDifference(ours, given.expected))
  })
  yield* eachCase('video_extract_answer', parsed.video_extract_answer, videoAnswer, function* (given, i) {
    const ours = upstreamVideoAnswer(given.text, given.is_numerical)
    yield verdict(`video_extract_answer[${i}]`, firstDifference(ours, given.expected))
  })
  yield* eachCase('frame_sampling', parsed.frame_sampling, sampling, function* ({ total, num_frames, indices }, i) {
    yield verdict(`frame_sampling[${i}]`, firstDifference(sampledFrames(total, num_frames), indices))
  })
  yield* eachCase('mesh_bounds', parsed.mesh_bounds, meshBounds, function* ({ vertices, p2, p98, ...extremes }) {
    const axes = [0, 1, 2] as const
    const shown = {
      min: axes.map((axis) => Math.min(...vertices.map((vertex) => vertex[axis]))),
      max: axes.map((axis) => Math.max(...vertices.map((vertex) => vertex[axis]))),
    }
    // A file may list only some of the vertices; if its extremes do not match them, there is nothing to compare.
    if (knownDifference(shown, withoutNulls(extremes)) !== null) return
    const { min, max } = protocolBounds(vertices.flat())
    yield verdict('mesh_bounds', knownDifference({ p2: min, p98: max }, withoutNulls({ p2, p98 })))
  })
  yield* eachCase('view_metrics', parsed.view_metrics, viewMetrics, function* (view) {
    const height = view.rgb_rows.length
    const width = view.rgb_rows[0]?.length ?? 0
    const rgb = Uint8Array.from(view.rgb_rows.flat(2))
    const grey = toGrayscale(rgb)
    const ours = {
      visibility: visibility(rgb),
      laplacian: laplacianVariance(rgb, width, height),
      gray: view.rgb_rows.map((_, y) => [...grey.subarray(y * width, (y + 1) * width)]),
    }
    const theirs = { visibility: view.visibility, laplacian: view.laplacian_variance, gray: view.gray }
    yield verdict(`view_metrics.${view.name}`, knownDifference(ours, theirs))
  })
  yield* eachCase('tie_break', parsed.tie_break, number, function* (angle) {
    // Ties go to the first of 0, 90, 180, 270, so all angles from the one in the file on get the same score.
    const scores = FIRST_ANGLES.map((one) => (one >= angle ? 1 : 0))
    yield verdict('tie_break', firstDifference(FIRST_ANGLES[indexOfMax(scores)], angle))
  })
}

export const tinyIds: Check = function* (file) {
  const { ids } = z.object({ ids: z.array(z.int()).nullish() }).parse(file)
  if (!ids) return
  const ours = new Set(TINY_IDS)
  for (const id of ids) yield verdict(`ids.${id}`, ours.has(id) ? null : 'not among ours')
  yield verdict('ids.length', firstDifference(TINY_IDS.length, ids.length))
}
