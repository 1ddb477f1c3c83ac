/** The published loop, what it picks, and the rules that its driver runs. */
import { z } from 'zod'
import {
  latestThenBest,
  publishedBestByCritic,
  publishedBestByTruth,
  type Ranked,
} from '../../src/suites/articulate/loop/selection.ts'
import { DRIVER_DEFAULTS, type DriverStep, publishedDriver } from '../../src/suites/articulate/loop/upstream-driver.ts'
import { publishedLoop } from '../../src/suites/articulate/loop/upstream-loop.ts'
import { type Check, eachCase, firstDifference, listed, verdict } from '../agreement/check.ts'
import { firstOf, record } from './shared.ts'

const loopCase = z.object({
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
})
const selectionCase = z.object({
  name: z.string(),
  results: z.array(z.object({ iter_num: z.number(), seed: z.union([z.string(), z.number()]), score: z.number() })),
  default_pick_best: record.nullable(),
  pick_best_critic: record.nullable(),
  pick_best_gt: record.nullable(),
})
const loopFile = z.object({ loops: listed, selection: listed })

export const actorCriticLoop: Check = async function* (file) {
  const { loops, selection } = loopFile.parse(file)
  const played: unknown[] = await Promise.all(loops.map(looped))
  yield* eachCase('loops', played, playedLoop, function* ({ name, calls, returned, ours }) {
    yield verdict(`loops.${name}.calls`, firstDifference(ours.calls, calls))
    yield verdict(`loops.${name}.returned`, firstDifference(ours.returned, returned))
  })
  yield* eachCase('selection', selection, selectionCase, function* ({ name, results, ...theirs }) {
    const ranked = results.map((result): Ranked => ({
      iteration: result.iter_num,
      seed: result.seed,
      score: result.score,
    }))
    const read = (picked: Ranked | null): unknown =>
      picked && { iter_num: picked.iteration, seed: picked.seed, score: picked.score }
    const latest = latestThenBest(ranked)
    const inLoop = latest && { iteration: latest.iteration, seed: latest.seed, feedback_score: latest.score }
    yield verdict(`selection.${name}.loop`, firstDifference(inLoop, theirs.default_pick_best))
    yield verdict(
      `selection.${name}.critic`,
      firstDifference(read(publishedBestByCritic(ranked)), theirs.pick_best_critic),
    )
    yield verdict(`selection.${name}.gt`, firstDifference(read(publishedBestByTruth(ranked)), theirs.pick_best_gt))
  })
}

const playedLoop = loopCase.extend({ ours: z.object({ calls: z.array(z.unknown()), returned: z.unknown() }) })

/** The case, and what our loop does with its scores; the case alone where it is not of the known form. */
async function looped(given: unknown): Promise<unknown> {
  const read = loopCase.safeParse(given)
  if (!read.success) return given
  const { config, scores } = read.data
  const calls: unknown[] = []
  const { returned } = await publishedLoop(config, (iteration, seed, retry) => {
    calls.push({ iter: iteration, seed, retry_keys: Object.keys(retry ?? {}).sort() })
    const entry = scores.find((score) => score.iteration === iteration && score.seed === seed)
    if (typeof entry?.score !== 'number') return Promise.reject(new Error('the actor failed'))
    return Promise.resolve({ candidate: `i${iteration}s${seed}`, feedback_score: entry.score, feedback: 'f' })
  })
  return { ...read.data, ours: { calls, returned } }
}

const driverCase = z.object({
  name: z.string(),
  scores: z.array(z.unknown()),
  max_iter: z.number(),
  verifier_cfg: z.record(z.string(), z.number()),
  stopped_at_iteration: z.number().nullable(),
  reason: z.string().nullable(),
  best_iteration_recorded: z.number(),
  best_score_recorded: z.number(),
  log: z.array(z.tuple([z.string()], z.unknown())),
})
const driverFile = z.object({ cases: listed })

const STOPS = new Set(['quality', 'converged', 'max_iterations', 'critic_success', 'early_stop'])

export const driverLoop: Check = function* (file) {
  yield* eachCase('cases', driverFile.parse(file).cases, driverCase, function* (sample) {
    const { name, scores, max_iter, verifier_cfg, log, ...theirs } = sample
    const known = Object.fromEntries(Object.entries(verifier_cfg).filter(([key]) => key in DRIVER_DEFAULTS))
    const ours = publishedDriver((iteration) => driverStep(scores[iteration]), { ...known, max_iter })
    const reason = theirs.reason === null ? null : driverReason(theirs.reason)
    const ended = STOPS.has(reason ?? '')
    const logged = log.at(-1)
    yield verdict(
      `cases.${name}`,
      firstOf(
        firstDifference(ours, {
          ...theirs,
          // Where nothing stopped it, the file may name the last iteration all the same.
          reason: ended ? reason : null,
          stopped_at_iteration: ended ? theirs.stopped_at_iteration : null,
        }),
        ended && logged
          ? firstDifference([ours.reason, ours.stopped_at_iteration], [driverReason(logged[0]), logged[1]], 'log')
          : null,
      ),
    )
  })
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
