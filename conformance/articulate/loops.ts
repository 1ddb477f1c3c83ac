/** The published loop, and the rules that the driver of its fork runs. */
import { z } from 'zod'
import { DRIVER_DEFAULTS, PublishedDriver } from '../../src/suites/articulate/published/driver.ts'
import { cutoffRule, type Judged, PublishedLoop } from '../../src/suites/articulate/published/loop.ts'
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
const loopFile = z.object({ loops: listed })

export const actorCriticLoop: Check = function* (file) {
  yield* eachCase('loops', loopFile.parse(file).loops, loopCase, function* ({ name, config, scores, ...theirs }) {
    // A run asks once in an iteration.
    if (config.num_seeds !== 1) return
    const loop = new PublishedLoop<Judged & Record<string, unknown>>(cutoffRule(config.max_iter, config.cutoff))
    const calls: unknown[] = []
    for (let isOver = false; !isOver;) {
      const iter = calls.length
      calls.push({ iter, seed: 0, retry_keys: Object.keys(loop.latest ?? {}).sort() })
      const score = scores.find(({ iteration }) => iteration === iter)?.score
      const fields = { candidate: `i${iter}s0`, feedback: 'f' }
      isOver = loop.after(typeof score === 'number' ? { ...fields, feedback_score: score } : null) !== null
    }
    yield verdict(`loops.${name}.calls`, firstDifference(calls, theirs.calls))
    yield verdict(`loops.${name}.returned`, firstDifference(loop.latest, theirs.returned))
  })
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
    const driver = new PublishedDriver({ ...known, max_iter })
    const stopped = driverStop(driver, scores, max_iter)
    const ours = {
      stopped_at_iteration: stopped?.iteration ?? null,
      reason: stopped?.code ?? null,
      best_iteration_recorded: driver.best.iteration,
      best_score_recorded: driver.best.score,
    }
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

/** Where and why the driver stops before its iterations are used up. */
function driverStop(driver: PublishedDriver, scores: readonly unknown[], max: number) {
  for (let iteration = 0; iteration < max; iteration++) {
    const stop = driver.after(iteration, driverStep(scores[iteration]))
    if (stop) return stop.code === 'exhausted' ? null : { iteration, code: stop.code }
  }
  return null
}

/** A text tells what went wrong: no URDF, or the actor failed. */
function driverStep(entry: unknown): Judged | 'failed' | 'no_urdf' {
  if (typeof entry === 'number') return { feedback_score: entry }
  const found = z.object({ score: z.number(), success: z.boolean().default(false) }).safeParse(entry)
  if (found.success) return { feedback_score: found.data.score, success: found.data.success }
  return typeof entry === 'string' && entry.includes('urdf') ? 'no_urdf' : 'failed'
}

/** Stops for want of improvement go by several names. */
function driverReason(reason: string): string {
  return /early|improv|patience|stagna/.test(reason) ? 'early_stop' : reason
}
