/** Scores an outcome. */
import { mean, type ScoreContext, type Scores } from '../../suite.ts'
import type { VsigSample } from './samples/sample.ts'
import { compareWithTruth, type Comparison, isWithinPixels } from './domain/compare.ts'
import { CONVENTIONS } from './domain/coords.ts'
import { characterErrorRate, withTranscript } from './domain/heard.ts'
import type { VsigOutcome } from './domain/outcome.ts'
import type { Prediction } from './domain/prediction.ts'
import type { Profile } from './domain/profiles.ts'
import { type Truth, truthOf } from './domain/truth.ts'
import { spokenWindows, type Window } from './domain/windows.ts'
import type { VsigOptions } from './options.ts'
import { judgeScore } from './parse/judge.ts'
import { readReply } from './parse/reply.ts'
import { publishedScores } from './published/scores.ts'

export function score(
  sample: VsigSample,
  outcome: VsigOutcome,
  { profile, options }: Pick<ScoreContext<VsigOptions, Profile>, 'profile' | 'options'>,
): Scores {
  if (profile === 'seed') return { ...seedScores(sample, outcome, options), ...heardScores(sample, outcome, options) }
  // The published code scores moments by whatever transcript there is.
  // What the data says was said goes before what was heard.
  const said = sample.annotation.asr_result ? sample : withTranscript(sample, outcome.heard)
  return publishedScores(said, outcome, { profile, options })
}

/** An answer and the ground truth, compared slot by slot. */
export interface ComparedAnswer {
  truth: Truth
  prediction: Prediction | null
  score: Comparison
}

export function compareAnswer(
  sample: VsigSample,
  { reply, shown }: Pick<VsigOutcome, 'reply' | 'shown'>,
  { coords, tolerance }: VsigOptions,
): ComparedAnswer {
  const truth = truthOf(sample.template, sample.annotation, sample.evalTruth, sample.frame)
  const prediction = readReply(reply, coords)
  return { truth, prediction, score: compareWithTruth(truth, prediction, { convention: coords, shown, tolerance }) }
}

const share = (flags: readonly boolean[]): number => mean(flags.map(Number))

function seedScores(sample: VsigSample, outcome: VsigOutcome, options: VsigOptions): Scores {
  const { truth, prediction, score: result } = compareAnswer(sample, outcome, options)
  const { slots } = result
  const scores: Record<string, number> = { intent: result.intent }
  if (outcome.judge && outcome.judge.intent !== null) {
    const judged = judgeScore(outcome)
    // Two judge replies without a score count as 0, like a judge error in the published scorer.
    scores['intent.judge'] = judged ?? 0
    scores['judge.silent'] = Number(judged === null)
  }
  scores['spatial'] = share(slots.map(({ spatial }) => spatial))
  for (const kind of ['object', 'area'] as const) {
    const own = slots.filter((slot) => slot.kind === kind)
    if (own.length > 0) scores[`spatial.${kind}`] = share(own.map(({ spatial }) => spatial))
  }
  const timed = slots.filter(({ temporal }) => temporal !== null)
  if (timed.length > 0) {
    scores['temporal'] = share(timed.map(({ temporal }) => temporal === true))
    scores['joint'] = share(timed.map(({ temporal, spatial }) => temporal === true && spatial))
    scores['joint.clip'] = Number(timed.every(({ temporal, spatial }) => temporal === true && spatial))
  }
  const unresolved = truth.slots.filter(({ window }) => window.kind === 'unresolved').length
  if (unresolved > 0) scores['temporal.unresolved'] = unresolved
  Object.assign(scores, distances(slots, sample))
  for (const convention of CONVENTIONS) scores[`coords.${convention}`] = result.conventions[convention] / slots.length
  scores['pairing'] = result.bestPairing / slots.length
  if (sample.leftOut !== undefined) scores['leftOut'] = sample.leftOut
  if (prediction) scores['repaired'] = Number(prediction.repairs.length > 0)
  return scores
}

/** Moments by the words of the transcriber, and how well it heard what the data says was said. */
function heardScores(sample: VsigSample, outcome: VsigOutcome, options: VsigOptions): Scores {
  const { heard } = outcome
  if (!heard) return {}
  const { asr_result: said } = sample.annotation
  const windows = spokenWindows(sample.template, heard.words ?? []) ?? []
  const { slots } = compareAnswer(sample, outcome, options).score
  const isHit = ([begin, end]: Window, i: number): boolean => {
    const moment = slots[i]?.moment ?? null
    return moment !== null && moment >= begin - options.tolerance && moment <= end + options.tolerance
  }
  return {
    'heard.hits': windows.filter(isHit).length,
    'heard.windows': windows.length,
    'heard.none': Number((heard.text ?? '') === ''),
    ...(said?.text ? { 'heard.error': characterErrorRate(said.text, heard.text ?? '') } : {}),
  }
}

function distances(slots: Comparison['slots'], { frame }: VsigSample): Scores {
  const scores: Record<string, number> = {}
  const pixels = slots.flatMap((slot) => slot.pixels ?? [])
  if (pixels.length > 0) {
    scores['area.pixels'] = mean(pixels)
    scores['area.diagonal'] = mean(pixels) / Math.hypot(frame.width, frame.height)
    scores['area.within100'] = share(pixels.map(isWithinPixels))
    scores['area.hull'] = mean(slots.flatMap((slot) => slot.hullPixels ?? []))
  }
  const near = slots.flatMap((slot) => slot.near ?? [])
  if (near.length > 0) scores['area.near'] = share(near)
  const errors = slots.flatMap((slot) => slot.errorMs ?? [])
  if (errors.length > 0) scores['temporal.distance'] = mean(errors.map(Math.abs))
  const overlaps = slots.flatMap((slot) => slot.overlap ?? [])
  if (overlaps.length > 0) scores['temporal.overlap'] = mean(overlaps)
  return scores
}
