/** From a clip's truth and the player's words to numbers, one function a profile. */
import { mean } from '../../base/numbers.ts'
import type { Scores } from '../../store/records.ts'
import type { VsigSample, VsigOutcome } from './cases/sample.ts'
import { CONVENTIONS, toThousand } from './domain/coords.ts'
import { judgeScore } from './play/judge.ts'
import type { VsigOptions } from './options.ts'
import { readReply } from './parse.ts'
import { asNumber, pairOf, swapped } from './domain/points.ts'
import { laterSlots, predictedOptions, score4 } from './published/scorer-v4.ts'
import { publishedJson1, publishedPrediction1 } from './published/reply.ts'
import { isWithinPixels, scoreSeed, truthOf } from './domain/compare.ts'
import { type JudgeReplies, scoreUpstream1 } from './published/scorer-v1.ts'

export const PROFILES = ['seed', 'upstream-v1', 'ecog-v4'] as const
export type Profile = (typeof PROFILES)[number]

export function score(
  sample: VsigSample,
  outcome: VsigOutcome,
  { profile, options }: { profile: string; options: VsigOptions },
): Scores {
  if (profile === 'upstream-v1') return upstreamScores(sample, outcome, options)
  if (profile === 'ecog-v4') return ecogScores(sample, outcome, options)
  return seedScores(sample, outcome, options)
}

const share = (flags: readonly boolean[]): number => mean(flags.map(Number))

function seedScores(sample: VsigSample, outcome: VsigOutcome, options: VsigOptions): Scores {
  const truth = truthOf(sample.template, sample.annotation, sample.evalTruth, sample.frame)
  const prediction = readReply(outcome.reply)
  const result = scoreSeed(truth, prediction, {
    convention: options.coords,
    shown: outcome.shown,
    tolerance: options.tolerance,
  })
  const { slots } = result
  const scores: Record<string, number> = { intent: result.intent }
  if (outcome.judge) {
    const judged = judgeScore(outcome)
    // A judge that gives no score twice counts as 0, as an error of the judge does in the published scorer.
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
  if (prediction) scores['repaired'] = Number(prediction.repairs.length > 0)
  return scores
}

function distances(slots: ReturnType<typeof scoreSeed>['slots'], { frame }: VsigSample): Scores {
  const scores: Record<string, number> = {}
  const pixels = slots.flatMap((slot) => slot.pixels ?? [])
  if (pixels.length > 0) {
    scores['area.pixels'] = mean(pixels)
    scores['area.diagonal'] = mean(pixels) / Math.hypot(frame.width, frame.height)
    scores['area.within100'] = share(pixels.map(isWithinPixels))
    scores['area.hull'] = mean(slots.flatMap((slot) => slot.hullPixels ?? []))
  }
  const errors = slots.flatMap((slot) => slot.errorMs ?? [])
  if (errors.length > 0) scores['temporal.error'] = mean(errors)
  const overlaps = slots.flatMap((slot) => slot.overlap ?? [])
  if (overlaps.length > 0) scores['temporal.overlap'] = mean(overlaps)
  return scores
}

/** Points as the published code would have got them: asked for in `[x, y]`, 0…1000. */
function asAsked(output: unknown, outcome: VsigOutcome, options: VsigOptions): unknown {
  if (options.coords === 'xy1000') return output
  const convert = (point: unknown): unknown => {
    const pair = pairOf(point)
    if (pair) return toThousand(pair, options.coords, outcome.shown)
    return options.coords === 'yx1000' ? swapped(point) : point
  }
  const inItem = (item: unknown): unknown =>
    typeof item === 'object' && item !== null && 'point' in item ? { ...item, point: convert(item.point) } : item
  const inOutput = (value: unknown): unknown =>
    typeof value === 'object' && value !== null && 'point_list' in value && Array.isArray(value.point_list)
      ? { ...value, point_list: value.point_list.map(inItem) }
      : value
  return Array.isArray(output) ? output.map(inOutput) : inOutput(output)
}

/** Nothing for a reply that the published code drops: it leaves every denominator. */
function upstreamScores(sample: VsigSample, outcome: VsigOutcome, options: VsigOptions): Scores {
  const parsed = publishedJson1(outcome.reply)
  if ('raises' in parsed) return {}
  const prediction = publishedPrediction1(asAsked(parsed.value, outcome, options))
  if (!prediction) return {}
  const result = scoreUpstream1(sample.annotation, prediction, upstreamJudge(outcome), sample.frame)
  const temporal = (result.temporal ?? []).flatMap((value) => asNumber(value) ?? [])
  return {
    'v1.intent': result.intent,
    'v1.hits': result.spatial.reduce((sum, hit) => sum + hit, 0),
    'v1.slots': result.spatial.length,
    'v1.moments': temporal.reduce((sum, value) => sum + value, 0),
    'v1.windows': temporal.length,
  }
}

function upstreamJudge({ judge }: VsigOutcome): JudgeReplies | null {
  if (!judge) return null
  const read = (reply: string): unknown => {
    const parsed = publishedJson1(reply)
    return 'raises' in parsed ? null : parsed.value
  }
  // Moments were judged only in runs of this profile; in others they are not measured.
  const temporal = judge.temporal === null ? { temporal_scores: null } : read(judge.temporal)
  return { intent: read(judge.intent), temporal }
}

/** Nothing where the data has no options to choose from. */
function ecogScores(sample: VsigSample, outcome: VsigOutcome, options: VsigOptions): Scores {
  const slots = laterSlots(sample.evalTruth)
  if (!slots) return {}
  const prediction = readReply(outcome.reply)
  const points = (prediction?.points ?? []).map(({ point, time }) => ({
    point: point && toThousand(point, options.coords, outcome.shown),
    timestamp: time,
  }))
  const result = score4(slots, { options: predictedOptions(prediction?.options), points }, sample.frame)
  return {
    'eco.cls': result.cls,
    'eco.spatial': result.spatial,
    'eco.temporal': result.temporal,
    'eco.joint': result.eco,
    'eco.sequence': result.seq,
  }
}
