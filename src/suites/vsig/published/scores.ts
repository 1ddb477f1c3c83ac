/** Scores an outcome as each published generation does. */
import { isObject, type JsonObject, type Scores } from '../../../suite.ts'
import type { VsigSample } from '../samples/sample.ts'
import { toThousand } from '../domain/coords.ts'
import type { VsigOutcome } from '../domain/outcome.ts'
import { pairOf } from '../domain/points.ts'
import type { Profile } from '../domain/profiles.ts'
import type { VsigOptions } from '../options.ts'
import { readReply } from '../parse/reply.ts'
import { orNull } from './python.ts'
import { publishedJson1, publishedJson4, publishedObject, withSwappedPoints } from './reply.ts'
import { type JudgedGeneration, type JudgeReplies, metricsV1, predictionV1, scoreV1 } from './scorer-v1.ts'
import { metricsV2, scoreV2 } from './scorer-v2.ts'
import { metricsV3, scoreV3 } from './scorer-v3.ts'
import { metricsV4, scoreV4 } from './scorer-v4.ts'
import { optionSlots } from './slots.ts'

export type PublishedProfile = Exclude<Profile, 'seed'>

/**
 * Returns no scores for a reply that the published code drops from every denominator and, from generation 2 on, for
 * clips whose options it rejects.
 */
export function publishedScores(
  sample: VsigSample,
  outcome: VsigOutcome,
  { profile, options }: { profile: PublishedProfile; options: VsigOptions },
): Scores {
  if (profile === 'upstream-v0') return judgedScores(sample, outcome, options, 'v0')
  if (profile === 'upstream-v1') return judgedScores(sample, outcome, options, 'v1')
  return optionScores(sample, outcome, { profile, options })
}

/** Generations 0 and 1: commands and moments by judge. */
function judgedScores(
  { annotation, frame }: VsigSample,
  outcome: VsigOutcome,
  options: VsigOptions,
  generation: JudgedGeneration,
): Scores {
  const value = publishedObject(convertPoints(readJson(outcome.reply), outcome, options))
  const prediction = value && predictionV1(value, generation)
  if (!prediction) return {}
  return metricsV1(scoreV1(annotation, prediction, judgeReplies(outcome), frame, generation), generation)
}

/** Generations 2 to 4: option letters. */
function optionScores(
  { annotation, frame, evalTruth }: VsigSample,
  outcome: VsigOutcome,
  { profile, options }: { profile: Exclude<PublishedProfile, 'upstream-v0' | 'upstream-v1'>; options: VsigOptions },
): Scores {
  const slots = optionSlots(evalTruth, frame)
  if (profile === 'upstream-v2') {
    const answers = (evalTruth?.answer ?? []).map(({ choice }) => choice)
    const prediction = publishedPrediction(readJson(outcome.reply), outcome, options)
    const scored =
      prediction && answers.length > 0 && scoreV2(annotation, answers, prediction, judgedMoments(outcome), frame)
    return scored ? metricsV2(scored) : {}
  }
  if (!slots) return {}
  switch (profile) {
    case 'upstream-v3': {
      const prediction = publishedPrediction(readJson(outcome.reply), outcome, options)
      return prediction ? metricsV3(scoreV3(slots, prediction, frame), annotation.task_template) : {}
    }
    case 'upstream-v4': {
      const output = orNull(() => publishedJson4(outcome.reply))
      const prediction = publishedPrediction(output, outcome, options)
      return metricsV4(scoreV4(slots, prediction, frame), 'v4')
    }
    case 'ecog-v4':
      return metricsV4(scoreV4(slots, ourPrediction(outcome, options), frame), 'eco')
  }
}

/** Null if the original raises; such a reply is also dropped. */
function readJson(reply: string): unknown {
  return orNull(() => publishedJson1(reply))
}

/** What reaches the scorers of generations 2 to 4, which can be told that a model writes `[y, x]`. */
function publishedPrediction(output: unknown, outcome: VsigOutcome, options: VsigOptions): JsonObject | null {
  if (options.coords !== 'yx1000') return publishedObject(convertPoints(output, outcome, options))
  const ordered = isObject(output) ? orNull(() => withSwappedPoints(output)) : output
  return publishedObject(ordered)
}

/** Converts points to what the published prompts ask for, `[x, y]` in 0…1000. */
function convertPoints(output: unknown, outcome: VsigOutcome, { coords }: VsigOptions): unknown {
  if (coords === 'xy1000') return output
  const convert = (point: unknown): unknown => {
    const pair = pairOf(point)
    return pair ? toThousand(pair, coords, outcome.shown) : point
  }
  const inItem = (item: unknown): unknown =>
    isObject(item) && 'point' in item ? { ...item, point: convert(item['point']) } : item
  const inOutput = (value: unknown): unknown =>
    isObject(value) && Array.isArray(value['point_list'])
      ? { ...value, point_list: value['point_list'].map(inItem) }
      : value
  return Array.isArray(output) ? output.map(inOutput) : inOutput(output)
}

/** Generation 4 with our parser. */
function ourPrediction({ reply, shown }: VsigOutcome, { coords }: VsigOptions): JsonObject {
  const read = readReply(reply, coords)
  const points = (read?.points ?? []).map(({ point, time }) => ({
    point: point && toThousand(point, coords, shown),
    timestamp: time,
  }))
  return { selected_options: read?.options, point_list: points }
}

/** Judge replies of generations 0 and 1; null without a judge. */
function judgeReplies({ judge }: VsigOutcome): JudgeReplies | null {
  if (judge?.intent == null) return null
  // Only runs of these profiles judge all moments in one request; in others they are not measured.
  const temporal = judge.temporal === null ? { temporal_scores: null } : readJson(judge.temporal)
  return { intent: readJson(judge.intent), temporal }
}

/** Judge replies of generation 2, one per moment; null without a judge. */
function judgedMoments({ judge }: VsigOutcome): unknown[] | null {
  if (!judge?.moments) return null
  return judge.moments.map((reply) => {
    const read = reply === null ? null : readJson(reply)
    if (!isObject(read) || !Array.isArray(read['temporal_scores'])) return read
    // Before version 8 the question about a moment asked for a list of one score.
    return { score: read['temporal_scores'][0] }
  })
}
