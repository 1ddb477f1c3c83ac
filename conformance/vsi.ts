/** The VSI suites against the published evaluators and agent. */
import { z } from 'zod'
import { protocolBounds } from '../src/suites/vsi/agent/bounds.ts'
import { FIRST_ANGLES } from '../src/suites/vsi/agent/limits.ts'
import { readUpstreamReply } from '../src/suites/vsi/agent/upstream-reply.ts'
import { upstreamVideoAnswer } from '../src/suites/vsi/agent/upstream-video-answer.ts'
import { bestOf, greyOf, laplacianVariance, visibility } from '../src/suites/vsi/agent/view-metrics.ts'
import { PythonNumber } from '../src/suites/vsi/python.ts'
import { jobRanges, sampledFrames } from '../src/suites/vsi/sampling.ts'
import { lmmsOverall, officialTable } from '../src/suites/vsi/scoring/aggregate.ts'
import { OFFICIAL_LIMITS, UPSTREAM_LIMITS } from '../src/suites/vsi/scoring/mra.ts'
import { publishedScore } from '../src/suites/vsi/scoring/profiles.ts'
import { TINY_IDS } from '../src/suites/vsi/source/tiny.ts'
import type { Profile } from '../src/suites/vsi/types.ts'
import { fromYawPitch, toMatrix } from '../src/world/render/index.ts'
import { moveThroughAll, NO_MOVE } from '../src/world/walk/index.ts'
import { type Check, firstDifference, verdict } from './check.ts'

const raised = z.object({ raises: z.string() })
const published = z.union([z.number(), z.null(), raised])
const scoringFile = z.object({
  mra_threshold_table: z.object({
    official_theta: z.array(z.number()),
    official_max_relative_error_inclusive: z.array(z.number()),
    multi_turn_rl_max_relative_error_exclusive: z.array(z.number()),
  }),
  cases: z.array(
    z.object({
      id: z.string(),
      question_type: z.string(),
      prediction: z.string().nullable(),
      ground_truth: z.string().nullable(),
      expected: z.object({
        official: published,
        lmms_eval: published,
        vlmevalkit: published,
        multi_turn_rl: published,
      }),
    }),
  ),
  aggregation_cases: z.array(
    z.object({
      name: z.string(),
      rows: z.array(z.object({ question_type: z.string(), score: z.number() })),
      expected: z.object({
        official: z.union([raised, z.record(z.string(), z.number())]),
        lmms_eval_overall_fraction: z.union([z.number(), raised]),
      }),
    }),
  ),
})

const COLUMNS = {
  official: 'official',
  lmms_eval: 'lmms-eval',
  vlmevalkit: 'vlmevalkit',
  multi_turn_rl: 'upstream',
} as const satisfies Record<string, Profile>

export const scoring: Check = function* (file) {
  const { mra_threshold_table: table, cases, aggregation_cases } = scoringFile.parse(file)
  yield verdict(
    'mra_threshold_table',
    firstDifference(
      {
        official_theta: OFFICIAL_LIMITS.map((limit) => 1 - limit),
        official_max_relative_error_inclusive: OFFICIAL_LIMITS,
        multi_turn_rl_max_relative_error_exclusive: UPSTREAM_LIMITS,
      },
      table,
    ),
  )
  for (const { id, question_type, prediction, ground_truth, expected } of cases) {
    for (const column of ['official', 'lmms_eval', 'vlmevalkit', 'multi_turn_rl'] as const) {
      const row = { type: question_type, prediction, truth: ground_truth }
      yield verdict(`cases.${id}.${column}`, firstDifference(publishedScore(COLUMNS[column], row), expected[column]))
    }
  }
  for (const { name, rows, expected } of aggregation_cases) {
    const scores = rows.map(({ question_type, score }) => ({ type: question_type, score }))
    yield verdict(`aggregation.${name}.official`, firstDifference(officialTable(scores), expected.official))
    yield verdict(
      `aggregation.${name}.lmms_eval`,
      firstDifference(lmmsOverall(scores), expected.lmms_eval_overall_fraction),
    )
  }
}

const vec3 = z.tuple([z.number(), z.number(), z.number()])
const matrix = z.array(z.array(z.number()))
const agentFile = z.object({
  initial_poses: z.array(z.object({ angle_deg: z.number(), eye: vec3, pose: matrix })),
  movements: z.array(
    z.object({
      start_angle_deg: z.number(),
      t: vec3,
      rotation_angle_degrees: z.number(),
      forward_meters: z.number(),
      left_meters: z.number(),
      z_delta_meters: z.number(),
      bounds: z.tuple([vec3, vec3]),
      R_new: matrix,
      t_new: vec3,
    }),
  ),
  inverted_bounds: z.object({ mins: vec3, maxs: vec3, t: vec3, t_new: vec3 }),
  agent_output_parsing: z.array(
    z.object({
      text: z.string(),
      is_numerical: z.boolean(),
      previous_answer: z.string().nullable(),
      expected: z.union([
        raised,
        z.object({
          movement: z.array(z.number().nullable()),
          movement_complete: z.boolean(),
          done_raw: z.unknown(),
          final_answer_after_step: z.string().nullable(),
          stops_early: z.boolean(),
        }),
      ]),
    }),
  ),
  video_extract_answer: z.array(
    z.object({ text: z.string(), is_numerical: z.boolean(), expected: z.string().nullable() }),
  ),
  frame_sampling: z.array(z.object({ total: z.int(), num_frames: z.int(), indices: z.array(z.int()) })),
  job_splits: z.array(
    z.object({ total: z.int(), num_splits: z.int(), ranges_half_open: z.array(z.tuple([z.int(), z.int()])) }),
  ),
  mesh_bounds: z.object({ vertices: z.array(vec3), p2: vec3, p98: vec3, min: vec3, max: vec3 }),
  view_metrics: z.array(
    z.object({
      name: z.string(),
      rgb_rows: z.array(z.array(vec3)),
      visibility: z.number(),
      laplacian_variance: z.number(),
      gray: z.array(z.array(z.int())),
    }),
  ),
  tie_break: z.number(),
})

const rowsOf = (values: readonly number[]): number[][] => [0, 1, 2, 3].map((row) => values.slice(row * 4, row * 4 + 4))

export const agent: Check = function* (file) {
  const parsed = agentFile.parse(file)
  for (const [i, { angle_deg, eye, pose }] of parsed.initial_poses.entries()) {
    yield verdict(`initial_poses[${i}]`, firstDifference(rowsOf(toMatrix(fromYawPitch(eye, angle_deg))), pose))
  }
  for (const [i, given] of parsed.movements.entries()) {
    const start = fromYawPitch(given.t, given.start_angle_deg)
    const move = {
      turnDegrees: given.rotation_angle_degrees,
      forwardMeters: given.forward_meters,
      leftMeters: given.left_meters,
      upMeters: given.z_delta_meters,
    }
    const [min, max] = given.bounds
    const after = moveThroughAll(start, move, { min, max }, { mirrorLeft: true })
    const ours = { R: rowsOf(toMatrix(after)).slice(0, 3), t: after.position }
    const theirs = { R: given.R_new.map((row, r) => [...row, given.t_new[r]!]), t: given.t_new }
    yield verdict(`movements[${i}]`, firstDifference(ours, theirs))
  }
  const { mins, maxs, t, t_new } = parsed.inverted_bounds
  const still = moveThroughAll(fromYawPitch(t, 0), NO_MOVE, { min: mins, max: maxs }, { mirrorLeft: true })
  yield verdict('inverted_bounds', firstDifference(still.position, t_new))
  for (const [i, given] of parsed.agent_output_parsing.entries()) {
    const reply = readUpstreamReply(given.text, { numeric: given.is_numerical, previous: given.previous_answer })
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
    yield verdict(`agent_output_parsing[${i}]`, firstDifference(ours, given.expected))
  }
  for (const [i, { text, is_numerical, expected }] of parsed.video_extract_answer.entries()) {
    yield verdict(`video_extract_answer[${i}]`, firstDifference(upstreamVideoAnswer(text, is_numerical), expected))
  }
  for (const [i, { total, num_frames, indices }] of parsed.frame_sampling.entries()) {
    yield verdict(`frame_sampling[${i}]`, firstDifference(sampledFrames(total, num_frames), indices))
  }
  for (const [i, { total, num_splits, ranges_half_open }] of parsed.job_splits.entries()) {
    yield verdict(`job_splits[${i}]`, firstDifference(jobRanges(total, num_splits), ranges_half_open))
  }
  const { vertices, p2, p98 } = parsed.mesh_bounds
  const axes = [0, 1, 2] as const
  const listed = {
    min: axes.map((axis) => Math.min(...vertices.map((vertex) => vertex[axis]))),
    max: axes.map((axis) => Math.max(...vertices.map((vertex) => vertex[axis]))),
  }
  // A file may list only some of the vertices that its values were computed from: its own extremes tell.
  if (firstDifference(listed, { min: parsed.mesh_bounds.min, max: parsed.mesh_bounds.max }) === null) {
    const { min, max } = protocolBounds(vertices.flat())
    yield verdict('mesh_bounds', firstDifference({ p2: min, p98: max }, { p2, p98 }))
  }
  for (const view of parsed.view_metrics) {
    const height = view.rgb_rows.length
    const width = view.rgb_rows[0]?.length ?? 0
    const rgb = Uint8Array.from(view.rgb_rows.flat(2))
    const grey = greyOf(rgb)
    const ours = {
      visibility: visibility(rgb),
      laplacian: laplacianVariance(rgb, width, height),
      gray: view.rgb_rows.map((_, y) => [...grey.subarray(y * width, (y + 1) * width)]),
    }
    const theirs = { visibility: view.visibility, laplacian: view.laplacian_variance, gray: view.gray }
    yield verdict(`view_metrics.${view.name}`, firstDifference(ours, theirs))
  }
  // Among equals the first of 0, 90, 180, 270 is taken: from the angle in the file on, all are equally good.
  const scores = FIRST_ANGLES.map((angle) => (angle >= parsed.tie_break ? 1 : 0))
  yield verdict('tie_break', firstDifference(FIRST_ANGLES[bestOf(scores)], parsed.tie_break))
}

export const tinyIds: Check = function* (file) {
  const { ids } = z.object({ ids: z.array(z.int()) }).parse(file)
  const ours = new Set(TINY_IDS)
  for (const id of ids) yield verdict(`ids.${id}`, ours.has(id) ? null : 'not among ours')
  yield verdict('ids.length', firstDifference(TINY_IDS.length, ids.length))
}
