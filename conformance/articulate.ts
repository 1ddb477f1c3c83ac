/** The Articulate suites against the published metrics, critics, verifiers, loops and program language. */
import { z } from 'zod'
import { Assembly, fixedJoint } from '../src/suites/articulate/assembly/assembly.ts'
import { centerOf, cornersOf, sizeOf } from '../src/suites/articulate/assembly/box.ts'
import { boxPart, type Part, shelfOf } from '../src/suites/articulate/assembly/parts.ts'
import { AssemblyError } from '../src/suites/articulate/assembly/problem.ts'
import {
  publishedCombination,
  publishedEvaluation,
  publishedJointHeuristic,
  publishedJointReply,
  publishedLinkScore,
  publishedReply,
} from '../src/suites/articulate/critic/upstream.ts'
import {
  latestThenBest,
  publishedBestByCritic,
  publishedBestByTruth,
  type Ranked,
} from '../src/suites/articulate/loop/selection.ts'
import { DRIVER_DEFAULTS, type DriverStep, publishedDriver } from '../src/suites/articulate/loop/upstream-driver.ts'
import { publishedLoop } from '../src/suites/articulate/loop/upstream-loop.ts'
import { jointDiff } from '../src/suites/articulate/metrics/joint.ts'
import type { MeasuredJoint } from '../src/suites/articulate/metrics/joint-state.ts'
import {
  forgivePrismatic,
  publishedJointDiff,
  publishedJointVerdict,
} from '../src/suites/articulate/metrics/joint-upstream.ts'
import {
  isPublishedSuccess,
  type LinkState,
  type LinkStates,
  publishedLinkDiff,
  reducePublished,
} from '../src/suites/articulate/metrics/link.ts'
import { pythonInt, PythonError, roundHalfEven } from '../src/suites/articulate/python.ts'
import { ADAPTIVE_DEFAULTS, Verifier, VERIFIER_DEFAULTS } from '../src/suites/articulate/verify/verifier.ts'
import {
  compose,
  type Frame,
  frameOf,
  jointStates,
  moved,
  originOf,
  quaternionOf,
  type Robot,
  turned,
  turnedBack,
  type Vec3,
} from '../src/world/urdf/index.ts'
import { type Check, close, firstDifference, type Verdict } from './check.ts'

function verdict(where: string, detail: string | null): Verdict {
  return detail === null ? { where, agrees: true } : { where, agrees: false, detail }
}

/** Numbers that JSON cannot hold are stored as words; angles near 0 come out of acos, which loses half of the digits. */
const number = z.union([z.number(), z.enum(['nan', 'inf', '-inf'])]).transform((value) => {
  if (typeof value === 'number') return value
  return value === 'nan' ? Number.NaN : value === 'inf' ? Infinity : -Infinity
})
const ACOS = 1e-7
const vec3 = z.tuple([number, number, number])
const words3 = z.string().transform((text): Vec3 => {
  const [x, y, z_] = text.trim().split(/\s+/).map(pythonNumber)
  return [x!, y!, z_!]
})

/** A number as Python prints it; "None" counts as 0, as the published reader has it. */
function pythonNumber(word: string): number {
  if (word === 'None') return 0
  if (word === 'inf' || word === '-inf') return word === 'inf' ? Infinity : -Infinity
  return Number(word)
}

function numbersDiffer(ours: number, theirs: number, what: string, tolerance = 1e-9): string | null {
  return close(ours, theirs, tolerance) ? null : `${what}: ours ${ours}, theirs ${theirs}`
}

function firstOf(...differences: (string | null)[]): string | null {
  return differences.find((difference) => difference !== null) ?? null
}

// --- verifiers

const verifierFile = z.object({
  cases: z.array(
    z.object({
      name: z.string(),
      class: z.enum(['threshold', 'adaptive']),
      config: z.record(z.string(), z.number()),
      results: z.array(z.record(z.string(), z.unknown())),
      keep_calling_after_stop: z.boolean(),
      reset_before_index: z.number().nullable(),
      should_continue: z.array(z.boolean()),
      stop_index: z.number().nullable(),
      stop_reason_code: z.string().nullable(),
      stop_reason_english: z.string().nullable(),
      state_after_each_call: z.array(
        z.object({ best_score: z.unknown(), no_improvement_count: z.number(), overall_threshold: number }),
      ),
      error: z.object({ index: z.number(), type: z.string(), message: z.string() }).nullable(),
    }),
  ),
})

export const verifier: Check = function* (file, _, text) {
  for (const kase of verifierFile.parse(file).cases) {
    const { name, results, keep_calling_after_stop, reset_before_index } = kase
    const ours = new Verifier('upstream', verifierConfig(kase.class, kase.config, configText(text, name)))
    const decisions: boolean[] = []
    const states: unknown[] = []
    let stop: { index: number; code: string; text: string } | null = null
    let error: unknown = null
    for (let i = 0; i < results.length; i++) {
      if (reset_before_index === i) ours.reset()
      try {
        const goesOn = ours.shouldContinue(results.slice(0, i + 1).map((record) => nonFinite(record)))
        decisions.push(goesOn)
        states.push(ours.state())
        if (!goesOn && !stop) stop = { index: i, ...ours.stopReason()! }
        if (!goesOn && !keep_calling_after_stop) break
      } catch (thrown) {
        if (!(thrown instanceof PythonError)) throw thrown
        error = { index: i, type: thrown.kind, message: thrown.message }
        break
      }
    }
    yield verdict(
      `cases.${name}`,
      firstOf(
        firstDifference(decisions, kase.should_continue, 'should_continue'),
        firstDifference(stop?.index ?? null, kase.stop_index, 'stop_index'),
        firstDifference(stop?.code ?? null, kase.stop_reason_code, 'code'),
        firstDifference(stop?.text ?? null, kase.stop_reason_english, 'text'),
        firstDifference(
          states,
          kase.state_after_each_call.map((state) => numbersOf(nonFinite(state))),
          'state',
        ),
        firstDifference(error, kase.error, 'error'),
      ),
    )
  }
}

/** The words nan and inf in scores, and booleans in states, as the numbers they are in Python. */
function nonFinite(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(record).map(([key, value]) => [
      key,
      value === 'nan' ? Number.NaN : value === 'inf' ? Infinity : value === '-inf' ? -Infinity : value,
    ]),
  )
}

/** A state may keep a score that was a boolean; it is the same number. */
function numbersOf(record_: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(record_).map(([key, value]) => [key, typeof value === 'boolean' ? Number(value) : value]),
  )
}

/** The text of a case's config: Python tells 8 from 8.0, and JSON once parsed does not. */
function configText(text: string, name: string): string {
  const at = text.indexOf(`"name":${JSON.stringify(name)}`.replaceAll(/\s/g, ''))
  const from = at >= 0 ? at : text.search(new RegExp(`"name":\\s*${JSON.stringify(name)}`))
  const start = text.indexOf('"config"', from)
  return text.slice(start, text.indexOf('}', start) + 1)
}

function verifierConfig(
  kind: 'threshold' | 'adaptive',
  config: Readonly<Record<string, number>>,
  text: string,
): ConstructorParameters<typeof Verifier>[1] {
  const printed = (key: string, otherwise: { value: number; whole: boolean }): { value: number; whole: boolean } => {
    const value = config[key]
    if (value === undefined) return otherwise
    const spelt = new RegExp(`"${key}"\\s*:\\s*([^,}\\s]+)`).exec(text)?.[1] ?? String(value)
    return { value, whole: /^-?\d+$/.test(spelt) }
  }
  const { adaptive } = { adaptive: ADAPTIVE_DEFAULTS.upstream }
  return {
    position_threshold: printed('position_threshold', VERIFIER_DEFAULTS.position_threshold),
    joint_threshold: printed('joint_threshold', VERIFIER_DEFAULTS.joint_threshold),
    overall_threshold: printed('overall_threshold', VERIFIER_DEFAULTS.overall_threshold),
    max_iterations: config['max_iterations'] ?? VERIFIER_DEFAULTS.max_iterations,
    patience: config['patience'] ?? VERIFIER_DEFAULTS.patience,
    adaptive:
      kind === 'threshold'
        ? null
        : {
            threshold_decay: config['threshold_decay'] ?? adaptive.threshold_decay,
            min_threshold: printed('min_threshold', adaptive.min_threshold),
            adaptation_interval: config['adaptation_interval'] ?? adaptive.adaptation_interval,
          },
  }
}

// --- joints

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
const jointFile = z.object({
  cases: z.array(
    z.object({
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
      after_prismatic_forgiveness: reasonAndScore.nullable(),
      recommended_not_upstream: z.record(z.string(), z.union([number, z.boolean(), z.null(), z.string()])).nullish(),
    }),
  ),
})

export const jointMetrics: Check = function* (file) {
  for (const kase of jointFile.parse(file).cases) {
    const { name, gt, pred, upstream_diff: theirs } = kase
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
    const judged = publishedJointVerdict(ours)
    yield verdict(
      `cases.${name}.verdict`,
      firstDifference(judged, { failure_reason: kase.upstream_failure_reason, score: kase.upstream_score }),
    )
    yield verdict(
      `cases.${name}.forgiven`,
      firstDifference(forgivePrismatic(judged, gt.type), kase.after_prismatic_forgiveness),
    )
    if (kase.recommended_not_upstream) {
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
      const differences = Object.entries(kase.recommended_not_upstream).map(([key, value]) => {
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
  }
}

// --- links

const quaternion = z.tuple([z.number(), z.number(), z.number(), z.number()])
const linkStates = z.record(z.string(), z.object({ orientation: quaternion, bbox_position: vec3 }))
const byLink = z.record(z.string(), number)
const linkFile = z.object({
  cases: z.array(
    z.object({
      name: z.string(),
      gt: linkStates,
      pred: linkStates,
      options: z.object({ allow_equivalent: z.boolean().optional(), strict: z.boolean().optional() }),
      diff: z.object({ position_diff: byLink, orientation_diff: byLink }).nullable(),
      reduced: z.object({ position_diff: number, orientation_diff: number, average_diff: number }).nullable(),
      'success_cutoff_0.05': z.boolean().nullable(),
      error: z.object({ type: z.string(), message: z.string() }).nullable(),
    }),
  ),
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
  for (const kase of linkFile.parse(file).cases) {
    const { allow_equivalent: allowEquivalent = true, strict = false } = kase.options
    const where = `cases.${kase.name}`
    try {
      const diff = publishedLinkDiff(statesOf(kase.gt), statesOf(kase.pred), { allowEquivalent, strict })
      const reduced = reducePublished(diff)
      if (!kase.diff || !kase.reduced) {
        yield verdict(where, `ours computes, theirs raises ${kase.error?.type}`)
        continue
      }
      yield verdict(
        where,
        firstOf(
          mapsDiffer(diff.position_diff, kase.diff.position_diff, 'position', 1e-9),
          mapsDiffer(diff.orientation_diff, kase.diff.orientation_diff, 'orientation', ACOS),
          mapsDiffer({ ...reduced }, kase.reduced, 'reduced', ACOS),
          firstDifference(isPublishedSuccess(reduced), kase['success_cutoff_0.05'], 'success'),
        ),
      )
    } catch (error) {
      if (!(error instanceof AssemblyError)) throw error
      // The published message lists sets in an order that changes from run to run.
      yield verdict(where, firstDifference(error.kind, kase.error?.type ?? null, 'error'))
    }
  }
}

function mapsDiffer(
  ours: Readonly<Record<string, number>>,
  theirs: Readonly<Record<string, number>>,
  what: string,
  tolerance: number,
): string | null {
  const keys = [...new Set([...Object.keys(ours), ...Object.keys(theirs)])]
  return firstOf(
    ...keys.map((key) => numbersDiffer(ours[key] ?? Infinity, theirs[key] ?? -Infinity, `${what}.${key}`, tolerance)),
  )
}

// --- loops

const record = z.record(z.string(), z.unknown())
const loopFile = z.object({
  loops: z.array(
    z.object({
      name: z.string(),
      config: z.object({
        max_iter: z.number(),
        num_seeds: z.number(),
        conservative: z.boolean(),
        cutoff: z.number(),
      }),
      scores: z.array(z.object({ iteration: z.number(), seed: z.number(), score: z.union([z.number(), z.string()]) })),
      calls: z.array(z.object({ iter: z.number(), seed: z.number(), retry_keys: z.array(z.string()) })),
      returned: record.nullable(),
    }),
  ),
  selection: z.array(
    z.object({
      name: z.string(),
      results: z.array(z.object({ iter_num: z.number(), seed: z.union([z.string(), z.number()]), score: z.number() })),
      default_pick_best: record.nullable(),
      pick_best_critic: record.nullable(),
      pick_best_gt: record.nullable(),
    }),
  ),
})

export const actorCriticLoop: Check = async function* (file) {
  const { loops, selection } = loopFile.parse(file)
  for (const { name, config, scores, calls, returned } of loops) {
    const made: unknown[] = []
    const result = await publishedLoop(config, (iteration, seed, retry) => {
      made.push({ iter: iteration, seed, retry_keys: Object.keys(retry ?? {}).sort() })
      const entry = scores.find((score) => score.iteration === iteration && score.seed === seed)
      if (typeof entry?.score !== 'number') return Promise.reject(new Error('the actor failed'))
      return Promise.resolve({ candidate: `i${iteration}s${seed}`, feedback_score: entry.score, feedback: 'f' })
    })
    yield verdict(`loops.${name}.calls`, firstDifference(made, calls))
    yield verdict(`loops.${name}.returned`, firstDifference(result.returned, returned))
  }
  for (const { name, results, ...theirs } of selection) {
    const ranked = results.map((result): Ranked => ({
      iteration: result.iter_num,
      seed: result.seed,
      score: result.score,
    }))
    const read = (picked: Ranked | null): unknown =>
      picked && { iter_num: picked.iteration, seed: picked.seed, score: picked.score }
    const looped = latestThenBest(ranked)
    const inLoop = looped && { iteration: looped.iteration, seed: looped.seed, feedback_score: looped.score }
    yield verdict(`selection.${name}.loop`, firstDifference(inLoop, theirs.default_pick_best))
    yield verdict(
      `selection.${name}.critic`,
      firstDifference(read(publishedBestByCritic(ranked)), theirs.pick_best_critic),
    )
    yield verdict(`selection.${name}.gt`, firstDifference(read(publishedBestByTruth(ranked)), theirs.pick_best_gt))
  }
}

const driverFile = z.object({
  cases: z.array(
    z.object({
      name: z.string(),
      scores: z.array(z.unknown()),
      max_iter: z.number(),
      verifier_cfg: z.record(z.string(), z.number()),
      stopped_at_iteration: z.number().nullable(),
      reason: z.string().nullable(),
      best_iteration_recorded: z.number(),
      best_score_recorded: z.number(),
    }),
  ),
})

const STOPS = new Set(['quality', 'converged', 'max_iterations', 'critic_success', 'early_stop'])

export const driverLoop: Check = function* (file) {
  for (const { name, scores, max_iter, verifier_cfg, ...theirs } of driverFile.parse(file).cases) {
    const known = Object.fromEntries(Object.entries(verifier_cfg).filter(([key]) => key in DRIVER_DEFAULTS))
    const ours = publishedDriver((iteration) => driverStep(scores[iteration]), { ...known, max_iter })
    const { best_iteration_recorded, best_score_recorded } = ours
    yield verdict(
      `cases.${name}`,
      ours.reason === null && !STOPS.has(theirs.reason ?? '')
        ? // Nothing stopped it: where the file says it ended is a matter of words.
          firstDifference(
            { best_iteration_recorded, best_score_recorded },
            {
              best_iteration_recorded: theirs.best_iteration_recorded,
              best_score_recorded: theirs.best_score_recorded,
            },
          )
        : firstDifference(ours, { ...theirs, reason: theirs.reason === null ? null : driverReason(theirs.reason) }),
    )
  }
}

/** Anything that is no score is a run that failed. */
function driverStep(entry: unknown): DriverStep {
  if (typeof entry === 'number') return { score: entry, success: false }
  const found = z.object({ score: z.number(), success: z.boolean().default(false) }).safeParse(entry)
  return found.success ? found.data : null
}

/** Stops for want of improvement go by several names. */
function driverReason(reason: string): string {
  return /early|improv|patience|stagna/.test(reason) ? 'early_stop' : reason
}

// --- critics

const parsedOrError = z.object({ parsed: z.unknown(), error: z.string().nullable() })
const criticsFile = z.object({
  joint_critic_parse: z.array(
    z.object({ name: z.string(), text: z.string(), realign_true: parsedOrError, realign_false: parsedOrError }),
  ),
  link_critic_parse: z.array(
    z.object({
      name: z.string(),
      text: z.string(),
      parsed: z.unknown(),
      error: z.string().nullable(),
      feedback_score_int: z.union([z.number(), z.string(), z.null()]),
    }),
  ),
  prompt_critic_convert: z.array(z.object({ name: z.string(), evaluation: record, standard: z.unknown() })),
  urdf_scorer_combine: z.array(
    z.object({
      position_weight: z.number(),
      joint_weight: z.number(),
      position01: z.number(),
      joint01: z.number(),
      position_score: z.number(),
      joint_score: z.number(),
      overall_score: z.number(),
    }),
  ),
  urdf_scorer_joints: z.array(
    z.object({
      name: z.string(),
      urdf: z.string(),
      joint01: z.number(),
      parts: z.record(z.string(), z.number()),
      joint_score_int: z.number(),
    }),
  ),
})

export const critics: Check = function* (file) {
  const known = criticsFile.parse(file)
  for (const { name, text, realign_true, realign_false } of known.joint_critic_parse) {
    yield verdict(
      `joint_critic_parse.${name}.realigned`,
      firstDifference(
        attempt(() => publishedJointReply(text, true)),
        realign_true,
      ),
    )
    yield verdict(
      `joint_critic_parse.${name}.as_is`,
      firstDifference(
        attempt(() => publishedJointReply(text, false)),
        realign_false,
      ),
    )
  }
  for (const { name, text, parsed, error, feedback_score_int } of known.link_critic_parse) {
    const called = /^int\((.*)\)$/s.exec(text)
    const read = called ? { parsed: null, error: null } : attempt(() => publishedReply(text))
    const score = called
      ? attempt(() => pythonInt(JSON.parse(called[1]!)))
      : read.error === null
        ? attempt(() => publishedLinkScore(read.parsed))
        : { parsed: null, error: null }
    yield verdict(
      `link_critic_parse.${name}`,
      firstDifference(
        { ...read, feedback_score_int: score.error ?? score.parsed },
        { parsed, error, feedback_score_int },
      ),
    )
  }
  for (const { name, evaluation, standard } of known.prompt_critic_convert)
    yield verdict(`prompt_critic_convert.${name}`, firstDifference(publishedEvaluation(evaluation), standard))
  for (const [
    i,
    { position_weight, joint_weight, position01, joint01, ...theirs },
  ] of known.urdf_scorer_combine.entries())
    yield verdict(
      `urdf_scorer_combine[${i}]`,
      firstDifference(
        publishedCombination(position01, joint01, { position: position_weight, joint: joint_weight }),
        theirs,
      ),
    )
  for (const { name, urdf, ...theirs } of known.urdf_scorer_joints) {
    const ours = publishedJointHeuristic(urdf)
    yield verdict(
      `urdf_scorer_joints.${name}`,
      firstDifference({ ...ours, joint_score_int: roundHalfEven(ours.joint01 * 10) }, theirs),
    )
  }
}

function attempt(work: () => unknown): { parsed: unknown; error: string | null } {
  try {
    return { parsed: work(), error: null }
  } catch (error) {
    if (!(error instanceof PythonError)) throw error
    return { parsed: null, error: error.kind }
  }
}

// --- the program language

const axis = z.tuple([number, number, number])
const operation = z.object({ op: z.tuple([z.string()], z.unknown()), return: z.unknown() })
const dslFile = z.object({
  cases: z.array(
    z.object({
      name: z.string(),
      parts: z.array(z.object({ name: z.string(), size: vec3, center: vec3 })),
      base_rpy: vec3.nullable(),
      ops: z.array(operation),
      urdf: z
        .object({
          links: z.record(z.string(), z.array(z.object({ xyz: vec3, rpy: vec3 }))),
          joints: z.array(
            z.object({
              name: z.string(),
              type: z.string(),
              parent: z.string(),
              child: z.string(),
              origin_xyz: vec3.nullable(),
              origin_rpy: vec3.nullable(),
              axis: axis.nullable(),
              limit: z.object({ lower: number, upper: number, velocity: number, effort: number }).nullable(),
            }),
          ),
        })
        .nullable(),
      world_aabb: z.record(z.string(), z.tuple([vec3, vec3])).nullable(),
      raise_distances: z.array(z.number()).nullable(),
      error: z.object({ type: z.string(), message: z.string() }).nullable(),
    }),
  ),
})

const NO_TURN: Vec3 = [0, 0, 0]

export const dsl: Check = function* (file) {
  for (const kase of dslFile.parse(file).cases) {
    const shelf = shelfOf(kase.parts.map(({ name, size, center }) => lying(boxPart(name, size, center), kase.base_rpy)))
    const robot = new Assembly('robot', shelf, { profile: 'upstream', baseTurn: kase.base_rpy })
    const differences: (string | null)[] = []
    let error: AssemblyError | null = null
    let strange: string | null = null
    try {
      for (const [i, { op, return: returned }] of kase.ops.entries()) {
        const ours = replay(robot, op)
        if (returned !== null) differences.push(firstDifference(numeric(ours), numeric(returned), `ops[${i}]`))
      }
      robot.boxes([...robot.links].filter(([, { part }]) => part.points.length > 0).map(([name]) => name))
    } catch (thrown) {
      if (thrown instanceof AssemblyError) error = thrown
      else strange = thrown instanceof Error ? thrown.message : String(thrown)
    }
    if (strange !== null) {
      yield verdict(`cases.${kase.name}`, `the operations cannot be replayed: ${strange}`)
      continue
    }
    if (kase.error || !kase.urdf) {
      // The call that raised is not in the file, only those before it; a link that hangs on nothing is found by asking.
      const isAsked = error !== null && /^Link '.*' not found/.test(kase.error?.message ?? '')
      yield verdict(
        `cases.${kase.name}`,
        firstOf(...differences, isAsked ? firstDifference(error!.message, kase.error!.message, 'error') : null),
      )
      continue
    }
    if (error) {
      yield verdict(`cases.${kase.name}`, `ours raises ${error.message}`)
      continue
    }
    const { boxes, raised } = robot.world()
    const joints = robot.joints
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map(({ xyz, rpy, ...joint_ }) => ({ ...joint_, origin_xyz: xyz ?? NO_TURN, origin_rpy: rpy ?? NO_TURN }))
    const links = Object.fromEntries(
      [...robot.links].map(([name, { part, shift }]) => [
        name,
        part.points.length === 0 ? [] : [{ xyz: shift, rpy: [0, 0, 0] }],
      ]),
    )
    yield verdict(
      `cases.${kase.name}`,
      firstOf(
        ...differences,
        firstDifference(links, kase.urdf.links, 'links'),
        firstDifference(
          joints,
          // An origin that is not written is the identity.
          kase.urdf.joints.map((joint_) => ({
            ...joint_,
            origin_xyz: joint_.origin_xyz ?? NO_TURN,
            origin_rpy: joint_.origin_rpy ?? NO_TURN,
          })),
          'joints',
        ),
        firstDifference(
          Object.fromEntries([...boxes].map(([name, { min, max }]) => [name, [min, max]])),
          kase.world_aabb,
          'world_aabb',
        ),
        firstDifference(raised, kase.raise_distances, 'raise_distances'),
      ),
    )
  }
}

/** Meshes of the data set lie on their side: the base's turn stands them up. */
function lying(part: Part, rpy: Vec3 | null): Part {
  if (!rpy) return part
  const up = frameOf([0, 0, 0], rpy)
  const points: number[] = []
  for (let i = 0; i < part.points.length; i += 3)
    points.push(...turnedBack(up, [part.points[i]!, part.points[i + 1]!, part.points[i + 2]!]))
  return { ...part, points }
}

const placeOptions = z
  .object({
    placement: z.string().optional(),
    clearance: z.number().optional(),
    snap_to_place: z.boolean().optional(),
    overwrite: z.boolean().optional(),
  })
  .optional()
const revoluteOptions = z.object({
  global_axis: vec3,
  lower_angle_deg: z.number(),
  upper_angle_deg: z.number(),
  pivot_vertex: z.number().nullish(),
  pivot_point: vec3.nullish(),
})

function replay(robot: Assembly, [op, ...given]: readonly [string, ...unknown[]]): unknown {
  const name = (at: number): string => z.string().parse(given[at])
  switch (op) {
    case 'add_link':
      return robot.addLink(name(0))
    case 'fixed':
      return robot.addJoint(fixedJoint(name(1), name(0)))
    case 'place': {
      const options = placeOptions.parse(given[2]) ?? {}
      return robot.place(name(0), name(1), {
        ...(options.placement === undefined ? {} : { placement: options.placement }),
        ...(options.clearance === undefined ? {} : { clearance: options.clearance }),
        ...(options.snap_to_place === undefined ? {} : { snap: options.snap_to_place }),
        ...(options.overwrite === undefined ? {} : { overwrite: options.overwrite }),
      })
    }
    case 'prismatic':
      return robot.makePrismatic(name(0), name(1), vec3.parse(given[2]), vec3.parse(given[3]))
    case 'revolute': {
      const options = revoluteOptions.parse(given[2])
      const corner =
        typeof options.pivot_vertex === 'number'
          ? cornersOf(robot.boxes([name(0)]).get(name(0))!)[options.pivot_vertex]!
          : (options.pivot_point ?? null)
      return robot.makeRevolute(name(0), name(1), {
        axis: options.global_axis,
        lowerDegrees: options.lower_angle_deg,
        upperDegrees: options.upper_angle_deg,
        pivot: corner,
      })
    }
    case 'bbox': {
      const names = z.array(z.string()).nullish().parse(given[0])
      return Object.fromEntries(
        [...robot.boxes(names ?? undefined)].map(([link, box]) => {
          const [length, width, height] = sizeOf(box)
          return [link, { aabb: [box.min, box.max], dim: { length, width, height } }]
        }),
      )
    }
    case 'pose':
      return poses(robot)
    case 'joint_states':
      return states(robot)
    default:
      throw new Error(`an operation "${op}" is not known`)
  }
}

function poses(robot: Assembly): unknown {
  const { boxes } = robot.world()
  return Object.fromEntries(
    [...robot.publishedFrames()].map(([name, frame]) => {
      const box = boxes.get(name)
      return [name, { position: originOf(frame), bbox_position: box ? centerOf(box) : [0, 0, 0] }]
    }),
  )
}

/** World joint states as published: through frames that took up the parent's visual origin. */
function states(robot: Assembly): unknown {
  const frames = robot.publishedFrames()
  return Object.fromEntries(
    robot.joints.flatMap((joint_) => {
      const parent = frames.get(joint_.parent)
      if (joint_.type === 'fixed' || !parent) return []
      const frame = compose(parent, frameOf(joint_.xyz ?? [0, 0, 0], joint_.rpy ?? [0, 0, 0]))
      return [[joint_.name, stateOf(frame, joint_)]]
    }),
  )
}

function stateOf(frame: Frame, { type, axis: own, limit }: Assembly['joints'][number]): unknown {
  return {
    joint_type: type,
    joint_origin: { xyz: originOf(frame), orientation: sameHalf(quaternionOf(frame)) },
    joint_axis: own ? turned(frame, own) : null,
    joint_limit: limit,
  }
}

/** Texts of numbers as numbers, quaternions on one half of the sphere. */
function numeric(value: unknown): unknown {
  if (typeof value === 'string') {
    const words = value.trim().split(/\s+/)
    const numbers = words.map((word) => (word === 'nan' ? Number.NaN : Number(word)))
    if (words.every((word, i) => word === 'nan' || Number.isFinite(numbers[i])) && value.trim() !== '') {
      if (numbers.length === 1) return numbers[0]
      return numbers.length === 4 ? sameHalf(numbers) : numbers
    }
    return value
  }
  if (Array.isArray(value)) return value.map((item) => numeric(item))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, numeric(item)]))
}

function sameHalf(quaternion_: readonly number[]): readonly number[] {
  const leading = [3, 2, 1, 0].map((i) => quaternion_[i]!).find((value) => Math.abs(value) > 1e-9) ?? 1
  return leading < 0 ? quaternion_.map((value) => -value) : quaternion_
}

// --- the leak and the kinematics

const leakFile = z.object({
  always_one_placement: z.record(
    z.string(),
    z.object({
      diff: z.object({ position_diff: byLink, orientation_diff: byLink }),
      reduced: z.object({ position_diff: number, orientation_diff: number, average_diff: number }),
    }),
  ),
  ground_truth_joint_origins: z.record(z.string(), z.object({ upstream_xyz: vec3, true_xyz: vec3 })),
})

/** The cabinet behind the file: as in the data set, all meshes share one frame and lie on their side. */
const CABINET = {
  turn: [Math.PI / 2, 0, Math.PI / 2] as Vec3,
  parts: [
    boxPart('furniture_body', [1, 1, 1]),
    boxPart('door', [0.05, 0.45, 0.8], [0.525, 0.25, 0]),
    boxPart('door_2', [0.05, 0.45, 0.8], [0.525, -0.25, 0]),
    boxPart('knob', [0.05, 0.05, 0.05], [0.575, 0.1, 0]),
  ],
  /** Joint, parent, child, its origin in the frame of the object. */
  joints: [
    { name: 'joint_0', parent: 'furniture_body', child: 'door', at: [0.5, 0.475, 0] as Vec3 },
    { name: 'joint_1', parent: 'furniture_body', child: 'door_2', at: [0.5, -0.475, 0] as Vec3 },
    { name: 'joint_2', parent: 'door', child: 'knob', at: [0.55, 0.1, 0] as Vec3 },
  ],
}

export const leakAndKinematics: Check = function* (file) {
  const known = leakFile.parse(file)
  const truth = placedCabinet('inside')
  for (const [placement, { diff, reduced }] of Object.entries(known.always_one_placement)) {
    const ours = publishedLinkDiff(truth, placedCabinet(placement))
    yield verdict(
      `always_one_placement.${placement}`,
      firstOf(
        mapsDiffer(ours.position_diff, diff.position_diff, 'position', 1e-9),
        mapsDiffer(ours.orientation_diff, diff.orientation_diff, 'orientation', ACOS),
        mapsDiffer({ ...reducePublished(ours) }, reduced, 'reduced', ACOS),
      ),
    )
  }
  const published = publishedOrigins()
  const right = new Map(jointStates(cabinetRobot()).map(({ name, origin }) => [name, origin]))
  for (const [name, { upstream_xyz, true_xyz }] of Object.entries(known.ground_truth_joint_origins)) {
    yield verdict(`ground_truth_joint_origins.${name}.upstream`, firstDifference(published.get(name), upstream_xyz))
    yield verdict(`ground_truth_joint_origins.${name}.true`, firstDifference(right.get(name), true_xyz))
  }
}

/** The constant program that puts every part against the body in the same way. */
function placedCabinet(placement: string): LinkStates {
  const { parts, turn } = CABINET
  const robot = new Assembly('cabinet', shelfOf(parts.map((part) => lying(part, turn))), {
    profile: 'upstream',
    baseTurn: turn,
  })
  robot.addLink('base')
  for (const { name } of parts) {
    robot.addLink(name)
    if (name === 'furniture_body') robot.addJoint(fixedJoint(name, 'base'))
    else robot.place(name, 'furniture_body', { placement })
  }
  const { boxes, frames } = robot.world()
  return Object.fromEntries(
    [...boxes].map(([name, box]): [string, LinkState] => [
      name,
      { center: centerOf(box), orientation: quaternionOf(frames.get(name)!) },
    ]),
  )
}

/** The cabinet's own file: joint origins along the chain, visual origins that undo them. */
function cabinetRobot(): Robot {
  const up = frameOf([0, 0, 0], CABINET.turn)
  const inFrame = new Map<string, Vec3>([['furniture_body', [0, 0, 0]]])
  const joints = CABINET.joints.map(({ name, parent, child, at }) => {
    const lyingAt = turnedBack(up, at)
    const above = inFrame.get(parent)!
    inFrame.set(child, lyingAt)
    const xyz: Vec3 = [lyingAt[0] - above[0], lyingAt[1] - above[1], lyingAt[2] - above[2]]
    return {
      name,
      type: 'continuous' as const,
      parent,
      child,
      origin: { xyz, rpy: [0, 0, 0] as Vec3 },
      axis: [0, 1, 0] as Vec3,
    }
  })
  const root = {
    name: 'root',
    type: 'fixed' as const,
    parent: 'base',
    child: 'furniture_body',
    axis: [1, 0, 0] as Vec3,
  }
  return {
    name: 'cabinet',
    links: ['base', ...CABINET.parts.map(({ name }) => name)].map((name) => {
      const [x, y, z_] = inFrame.get(name) ?? [0, 0, 0]
      const geometry = { kind: 'mesh', filename: `${name}.obj`, scale: [1, 1, 1] } as const
      return {
        name,
        visuals: name === 'base' ? [] : [{ origin: { xyz: [-x, -y, -z_] as Vec3, rpy: [0, 0, 0] as Vec3 }, geometry }],
        collisions: [],
      }
    }),
    joints: [{ ...root, origin: { xyz: [0, 0, 0], rpy: CABINET.turn } }, ...joints],
  }
}

function publishedOrigins(): Map<string, Vec3> {
  const robot = cabinetRobot()
  const frames = new Map<string, Frame>([['base', frameOf([0, 0, 0])]])
  const origins = new Map<string, Vec3>()
  for (const { name, parent, child, origin } of robot.joints) {
    const frame = compose(frames.get(parent)!, frameOf(origin.xyz, origin.rpy))
    origins.set(name, moved(frame, [0, 0, 0]))
    const visual = robot.links.find((link) => link.name === child)?.visuals[0]
    frames.set(child, visual ? compose(frame, frameOf(visual.origin.xyz)) : frame)
  }
  return origins
}
