/** What the published critics make of replies and of URDF. */
import { z } from 'zod'
import {
  publishedCombination,
  publishedEvaluation,
  publishedJointHeuristic,
  publishedJointReply,
  publishedLinkScore,
  publishedReply,
} from '../../src/suites/articulate/critic/upstream.ts'
import { PythonError, pythonInt, roundHalfEven } from '../../src/suites/articulate/python.ts'
import { type Check, firstDifference } from '../check.ts'
import { record, verdict } from './shared.ts'

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
