/** What the published critics make of replies and of URDF. */
import { z } from 'zod'
import {
  publishedEvaluation,
  publishedJointReply,
  publishedLinkScore,
  publishedReply,
} from '../../src/suites/articulate/published/critiques.ts'
import { publishedScores, publishedUrdfShares } from '../../src/suites/articulate/published/urdf-scorer.ts'
import { PythonError, pythonInt } from '../../src/suites/articulate/published/python.ts'
import { type Check, eachCase, firstDifference, listed, verdict } from '../agreement/check.ts'
import { record } from './shared.ts'

const parsedOrError = z.object({ parsed: z.unknown(), error: z.string().nullable() })
const jointReply = z.object({
  name: z.string(),
  text: z.string(),
  realign_true: parsedOrError,
})
const linkReply = z.object({
  name: z.string(),
  text: z.string(),
  parsed: z.unknown(),
  error: z.string().nullable(),
  feedback_score_int: z.union([z.number(), z.string(), z.null()]),
})
const converted = z.object({ name: z.string(), evaluation: record, standard: z.unknown() })
const combined = z.object({
  position_weight: z.number(),
  joint_weight: z.number(),
  position01: z.number(),
  joint01: z.number(),
  position_score: z.number(),
  joint_score: z.number(),
  overall_score: z.number(),
})
const heuristic = z.object({
  name: z.string(),
  urdf: z.string(),
  joint01: z.number(),
  parts: z.record(z.string(), z.number()),
})
const criticsFile = z.object({
  joint_critic_parse: listed,
  link_critic_parse: listed,
  prompt_critic_convert: listed,
  urdf_scorer_combine: listed,
  urdf_scorer_joints: listed,
})

export const critics: Check = function* (file) {
  const known = criticsFile.parse(file)
  yield* eachCase('joint_critic_parse', known.joint_critic_parse, jointReply, function* (sample) {
    const { name, text, realign_true } = sample
    yield verdict(
      `joint_critic_parse.${name}.realigned`,
      firstDifference(
        attempt(() => publishedJointReply(text)),
        realign_true,
      ),
    )
  })
  yield* eachCase('link_critic_parse', known.link_critic_parse, linkReply, function* (sample) {
    const { name, text, parsed, error, feedback_score_int } = sample
    const called = /^int\((.*)\)$/s.exec(text)
    const read = called ? { parsed: null, error: null } : attempt(() => publishedReply(text))
    const score = called
      ? attempt(() => pythonInt(pythonValue(called[1]!)))
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
  })
  yield* eachCase('prompt_critic_convert', known.prompt_critic_convert, converted, function* (sample) {
    const { name, evaluation, standard } = sample
    yield verdict(`prompt_critic_convert.${name}`, firstDifference(publishedEvaluation(evaluation), standard))
  })
  yield* eachCase('urdf_scorer_combine', known.urdf_scorer_combine, combined, function* (sample, i) {
    const { position_weight, joint_weight, position01, joint01, ...theirs } = sample
    const ours = publishedScores(
      { position: position01, joint: joint01 },
      { position: position_weight, joint: joint_weight },
    )
    yield verdict(`urdf_scorer_combine[${i}]`, firstDifference(ours, theirs))
  })
  yield* eachCase(
    'urdf_scorer_joints',
    known.urdf_scorer_joints,
    heuristic,
    function* ({ name, urdf, parts, joint01 }) {
      const { total, ...ours } = publishedUrdfShares(urdf)
      yield verdict(`urdf_scorer_joints.${name}`, firstDifference({ total, parts: ours }, { total: joint01, parts }))
    },
  )
}

const PYTHON_WORDS: Readonly<Record<string, unknown>> = {
  None: null,
  True: true,
  False: false,
  nan: Number.NaN,
  inf: Infinity,
  '-inf': -Infinity,
}

/** A value as Python writes it: single quotes and words of its own. */
function pythonValue(text: string): unknown {
  const word = text.trim().replace(/^float\((['"])(.*)\1\)$/, '$2')
  if (Object.hasOwn(PYTHON_WORDS, word)) return PYTHON_WORDS[word]
  return JSON.parse(word.replace(/^'(.*)'$/s, '"$1"'))
}

function attempt(work: () => unknown): { parsed: unknown; error: string | null } {
  try {
    return { parsed: work(), error: null }
  } catch (error) {
    if (!(error instanceof PythonError)) throw error
    return { parsed: null, error: error.kind }
  }
}
