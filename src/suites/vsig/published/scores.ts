/** Scores an outcome as each published generation does. */
import { isObject, type Scores } from '../../../suite.ts'
import type { VsigSample } from '../samples/sample.ts'
import { toThousand } from '../domain/coords.ts'
import type { VsigOutcome } from '../domain/outcome.ts'
import { pairOf } from '../domain/points.ts'
import type { Profile } from '../domain/profiles.ts'
import type { VsigOptions } from '../options.ts'
import { readReply } from '../parse/reply.ts'
import {
  type OptionPrediction,
  optionPrediction,
  predictedOptions,
  publishedJson1,
  publishedJson4,
  publishedOrder,
  publishedPoints1,
} from './reply.ts'
import { type JudgeReplies, metricsV1, scoreV1 } from './scorer-v1.ts'
import { metricsV2, scoreV2 } from './scorer-v2.ts'
import { metricsV3, scoreV3 } from './scorer-v3.ts'
import { metricsV4, scoreV4 } from './scorer-v4.ts'
import { optionSlots } from './slots.ts'

export type PublishedProfile = Exclude<Profile, 'seed'>

/**
 * Returns no scores for a reply that the published code drops from every denominator and, from generation 2 on, for
 * clips without options.
 */
export function publishedScores(
  sample: VsigSample,
  outcome: VsigOutcome,
  { profile, options }: { profile: PublishedProfile; options: VsigOptions },
): Scores {
  const { annotation, frame } = sample
  const asWritten = profile === 'upstream-v4' ? publishedJson4(outcome.reply) : readJson(outcome.reply)
  const output = toRequestedForm(asWritten, outcome, options)
  if (profile === 'upstream-v1') {
    const points = publishedPoints1(output)
    return points ? metricsV1(scoreV1(annotation, points, judgeReplies(outcome), frame)) : {}
  }
  const slots = optionSlots(sample.evalTruth)
  const prediction = profile === 'ecog-v4' ? ourPrediction(outcome, options) : optionPrediction(output)
  if (!slots || !prediction) return {}
  switch (profile) {
    case 'upstream-v2': {
      const answers = slots.map(({ choice }) => choice)
      return metricsV2(scoreV2(annotation, answers, prediction, judgedMoments(outcome), frame))
    }
    case 'upstream-v3':
      return metricsV3(scoreV3(slots, prediction, frame), annotation.task_template)
    case 'upstream-v4':
      return metricsV4(scoreV4(slots, prediction, frame), 'v4')
    case 'ecog-v4':
      return metricsV4(scoreV4(slots, prediction, frame), 'eco')
  }
}

/** Null if the original raises; such a reply is also dropped. */
function readJson(reply: string): unknown {
  const parsed = publishedJson1(reply)
  return 'raises' in parsed ? null : parsed.value
}

/** Converts points to the published convention, `[x, y]` in 0…1000. */
function toRequestedForm(output: unknown, outcome: VsigOutcome, options: VsigOptions): unknown {
  if (options.coords === 'xy1000') return output
  const convert = (point: unknown): unknown => {
    if (options.coords === 'yx1000') return publishedOrder('yx', point)
    const pair = pairOf(point)
    return pair ? toThousand(pair, options.coords, outcome.shown) : point
  }
  const inItem = (item: unknown): unknown =>
    typeof item === 'object' && item !== null && 'point' in item ? { ...item, point: convert(item.point) } : item
  const inOutput = (value: unknown): unknown =>
    typeof value === 'object' && value !== null && 'point_list' in value && Array.isArray(value.point_list)
      ? { ...value, point_list: value.point_list.map(inItem) }
      : value
  return Array.isArray(output) ? output.map(inOutput) : inOutput(output)
}

/** Generation 4 with our parser: an unreadable reply is wrong and stays in the denominator. */
function ourPrediction({ reply, shown }: VsigOutcome, { coords }: VsigOptions): OptionPrediction {
  const read = readReply(reply)
  const points = (read?.points ?? []).map(({ point, time }) => ({
    point: point && toThousand(point, coords, shown),
    timestamp: time,
  }))
  return { options: predictedOptions(read?.options), points }
}

/** Judge replies of generation 1; null without a judge. */
function judgeReplies({ judge }: VsigOutcome): JudgeReplies | null {
  if (judge?.intent == null) return null
  // Only runs of this profile judge all moments in one request; in others they are not measured.
  const temporal = judge.temporal === null ? { temporal_scores: null } : readJson(judge.temporal)
  return { intent: readJson(judge.intent), temporal }
}

/** Judge scores of generation 2, one reply per moment; null without a judge. */
function judgedMoments({ judge }: VsigOutcome): unknown[] | null {
  if (!judge?.moments) return null
  return judge.moments.map((reply) => {
    const read = reply === null ? null : readJson(reply)
    return isObject(read) && 'temporal_scores' in read ? read['temporal_scores'] : read
  })
}
