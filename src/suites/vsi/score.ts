/** Scores an outcome. */
import type { Scores } from '../../suite.ts'
import type { VsiSample } from './samples/sample.ts'
import type { VsiOutcome } from './domain/outcome.ts'
import { binMetric } from './domain/cognitive-map.ts'
import { priorAnswer } from './domain/prior.ts'
import type { Mode, Profile } from './domain/protocol.ts'
import { isNumberType } from './domain/question-types.ts'
import { safeScore } from './score/safe-score.ts'

/** The published agent counts a numeric answer as correct if its score is above this. */
const UPSTREAM_CORRECT_ABOVE = 0.5

export function scoreVsi(mode: Mode, sample: VsiSample, outcome: VsiOutcome, profile: Profile): Scores {
  const { type, truth, options } = sample
  // If the bare answer was asked for, the profile extracts it from the reply, as its original does.
  const prediction = outcome.form === 'direct' ? outcome.reply : outcome.answer
  // The published video baseline compares answers as text, including numbers.
  const score =
    profile === 'upstream' && mode !== 'explore'
      ? Number(prediction === truth)
      : safeScore(profile, { type, prediction, truth })
  const right =
    isNumberType(type) && (profile !== 'upstream' || mode === 'explore') ? score > UPSTREAM_CORRECT_ABOVE : score === 1
  return {
    score,
    ...(profile === 'upstream' && { right: Number(right) }),
    ...(options !== null && { chance: 1 / options.length }),
    // Baselines on the same questions, shown next to the score.
    frequent: safeScore('official', { type, prediction: sample.frequent, truth }),
    blind: safeScore('official', { type, prediction: priorAnswer(sample), truth }),
    ...(sample.leftOut !== undefined && { leftOut: sample.leftOut }),
    pictures: outcome.pictures,
    unreadable: outcome.unreadable,
    ...(outcome.mapAgreement !== null && { map: outcome.mapAgreement }),
    ...binScores(outcome),
    ...pathScores(outcome),
  }
}

/** Counts instead of a ratio, so the summary can weight every pair equally. */
function binScores({ mapBins }: VsiOutcome): Scores {
  return Object.fromEntries(
    (mapBins ?? []).flatMap(({ pairs, agreeing }, i) => [
      [binMetric(i, 'pairs'), pairs],
      [binMetric(i, 'agreeing'), agreeing],
    ]),
  )
}

function pathScores({ path }: VsiOutcome): Scores {
  if (path === null) return {}
  // A camera that is put somewhere walks no way.
  if (path.some(({ fov }) => fov !== undefined)) return { moves: path.length - 1 }
  let meters = 0
  let blocked = 0
  for (const { done, blocked: stopped } of path) {
    if (done) meters += Math.hypot(done.forwardMeters, done.leftMeters)
    if (stopped) blocked += 1
  }
  return { moves: path.length - 1, meters, blocked }
}
