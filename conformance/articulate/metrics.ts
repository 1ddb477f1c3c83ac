/** Joint and link metrics against the published ones, and the corrected ones against their own oracle. */
import { z } from 'zod'
import type { LinkState, LinkStates, MeasuredJoint } from '../../src/suites/articulate/domain/states.ts'
import {
  forgivePrismatic,
  publishedJointDiff,
  publishedJointVerdict,
} from '../../src/suites/articulate/published/joint.ts'
import { jointDiff } from '../../src/suites/articulate/measure/joint.ts'
import { isPublishedSuccess, publishedLinkDiff, reducePublished } from '../../src/suites/articulate/published/link.ts'
import { type Check, eachCase, firstDifference, listed, verdict } from '../agreement/check.ts'
import { ACOS, byLink, firstOf, mapsDiffer, number, numbersDiffer, pythonNumber, vec3, words3 } from './shared.ts'

const limitNumber = z
  .union([z.number(), z.string()])
  .nullable()
  .optional()
  .transform((value) => (value === null || value === undefined ? 0 : pythonNumber(String(value))))
const joint = z
  .object({
    joint_type: z.string(),
    joint_origin: z.object({ xyz: words3, orientation: z.string() }),
    joint_axis: words3,
    joint_limit: z.object({ lower: limitNumber, upper: limitNumber }),
  })
  .transform((value): MeasuredJoint => {
    const [x, y, z_, w] = value.joint_origin.orientation.split(/\s+/).map(Number)
    return {
      type: value.joint_type,
      origin: value.joint_origin.xyz,
      orientation: [x!, y!, z_!, w!],
      axis: value.joint_axis,
      lower: value.joint_limit.lower,
      upper: value.joint_limit.upper,
    }
  })
const reasonAndScore = z.object({ failure_reason: z.string(), score: number })
const jointCase = z.object({
  name: z.string(),
  gt: joint,
  pred: joint,
  upstream_diff: z
    .object({
      joint_type: z.boolean(),
      joint_origin: z.object({ xyz: number, orientation: number }),
      joint_axis: number,
      joint_limit: z.object({ direction_diff: number, range_diff: number }),
    })
    .nullable(),
  upstream_score: number.nullable(),
  upstream_failure_reason: z.string().nullable(),
  error: z.unknown(),
  after_prismatic_forgiveness: reasonAndScore.nullable(),
  recommended_not_upstream: z.record(z.string(), z.union([number, z.boolean(), z.null(), z.string()])).nullish(),
})
const casesFile = z.object({ cases: listed })

export const jointMetrics: Check = function* (file) {
  yield* eachCase('cases', casesFile.parse(file).cases, jointCase, function* (sample) {
    const { name, gt, pred, upstream_diff: theirs } = sample
    const ours = publishedJointDiff(gt, pred)
    if (theirs) {
      yield verdict(
        `cases.${name}.upstream_diff`,
        firstOf(
          firstDifference(ours.joint_type, theirs.joint_type, 'joint_type'),
          numbersDiffer(ours.joint_origin.xyz, theirs.joint_origin.xyz, 'origin'),
          numbersDiffer(ours.joint_origin.orientation, theirs.joint_origin.orientation, 'orientation', ACOS),
          numbersDiffer(ours.joint_axis, theirs.joint_axis, 'axis', ACOS),
          numbersDiffer(ours.joint_limit.direction_diff, theirs.joint_limit.direction_diff, 'direction'),
          numbersDiffer(ours.joint_limit.range_diff, theirs.joint_limit.range_diff, 'range'),
        ),
      )
    }
    // The published code never raises on a pair of joints; where it gives nothing there is nothing to agree with.
    if (!theirs) {
      yield verdict(`cases.${name}.upstream_diff`, `ours computes, theirs raises ${JSON.stringify(sample.error)}`)
      return
    }
    const judged = publishedJointVerdict(ours)
    yield verdict(
      `cases.${name}.verdict`,
      firstDifference(judged, { failure_reason: sample.upstream_failure_reason, score: sample.upstream_score }),
    )
    yield verdict(
      `cases.${name}.forgiven`,
      firstDifference(forgivePrismatic(judged, gt.type), sample.after_prismatic_forgiveness),
    )
    if (sample.recommended_not_upstream) {
      const fixed = jointDiff(gt, pred)
      const known: Record<string, number | boolean | null> = {
        axis_angle_rad: fixed.axisAngle,
        axis_cos_signed: fixed.axisCosine,
        axis_line_distance: fixed.lineDistance,
        gt_origin_to_pred_line: fixed.axisPosition,
        origin_euclidean: fixed.originDistance,
        limit_lower_err: fixed.lowerError,
        limit_upper_err: fixed.upperError,
        limit_interval_iou: fixed.intervalIou,
        far_limit_gt: fixed.trueFar,
        far_limit_pred: fixed.predictedFar,
        motion_direction_ok: fixed.sameDirection,
        range_err: fixed.rangeError,
      }
      const differences = Object.entries(sample.recommended_not_upstream).map(([key, value]) => {
        const own = known[key] ?? null
        if (!Object.hasOwn(known, key)) return `${key} is not measured here`
        // What cannot be computed without an axis is null there and not a number here.
        if (value === null && typeof own === 'number' && Number.isNaN(own)) return null
        return typeof value === 'number' && typeof own === 'number'
          ? numbersDiffer(own, value, key, key === 'axis_angle_rad' ? ACOS : 1e-9)
          : firstDifference(own, value, key)
      })
      yield verdict(`cases.${name}.recommended`, firstOf(...differences))
    }
  })
}

const quaternion = z.tuple([number, number, number, number])
const linkStates = z.record(z.string(), z.object({ orientation: quaternion, bbox_position: vec3 }))
const linkCase = z.object({
  name: z.string(),
  gt: linkStates,
  pred: linkStates,
  options: z.object({ allow_equivalent: z.boolean().optional(), strict: z.boolean().optional() }),
  diff: z.object({ position_diff: byLink, orientation_diff: byLink }).nullable(),
  reduced: z.object({ position_diff: number, orientation_diff: number, average_diff: number }).nullable(),
  'success_cutoff_0.05': z.boolean().nullable(),
  error: z.object({ type: z.string(), message: z.string() }).nullable(),
})

function statesOf(states: z.infer<typeof linkStates>): LinkStates {
  return Object.fromEntries(
    Object.entries(states).map(([name, { orientation, bbox_position }]): [string, LinkState] => [
      name,
      { center: bbox_position, orientation },
    ]),
  )
}

export const linkMetrics: Check = function* (file) {
  yield* eachCase('cases', casesFile.parse(file).cases, linkCase, function* (sample) {
    // No run compares names strictly or without equivalents.
    if (sample.options.strict === true || sample.options.allow_equivalent === false) return
    const diff = publishedLinkDiff(statesOf(sample.gt), statesOf(sample.pred))
    const reduced = reducePublished(diff)
    yield verdict(
      `cases.${sample.name}`,
      sample.diff && sample.reduced
        ? firstOf(
            mapsDiffer(diff.position_diff, sample.diff.position_diff, 'position', 1e-9),
            mapsDiffer(diff.orientation_diff, sample.diff.orientation_diff, 'orientation', ACOS),
            mapsDiffer({ ...reduced }, sample.reduced, 'reduced', ACOS),
            firstDifference(isPublishedSuccess(reduced), sample['success_cutoff_0.05'], 'success'),
          )
        : `ours computes, theirs raises ${sample.error?.type}`,
    )
  })
}
