/** Checks the prompts of the published VSIG generations against what the published code sends, by hash. */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { annotationSchema, evalTruthSchema } from '../src/suites/vsig/domain/annotation.ts'
import { isTemplate } from '../src/suites/vsig/domain/templates.ts'
import { vsigOptions } from '../src/suites/vsig/options.ts'
import {
  type JudgePrompt,
  publishedAsk,
  publishedIntentJudge,
  publishedMomentJudge,
  publishedMomentsJudge,
} from '../src/suites/vsig/prompts/published.ts'
import { sampleOf } from '../src/suites/vsig/samples/sample.ts'
import { type Check, eachCase, firstDifference, listed, verdict } from './agreement/check.ts'

const point = z.object({ description: z.string(), timestamp: z.tuple([z.number(), z.number()]).nullable() })
const promptCase = z.object({
  id: z.string(),
  generation: z.enum(['v0', 'v1', 'v2', 'v3', 'v4']),
  order: z.enum(['xy', 'yx']),
  language: z.enum(['zh', 'en']),
  timings: z.boolean(),
  annotation: annotationSchema,
  options: evalTruthSchema,
  points: z.array(point).default([]),
  command: z.string().default(''),
  expected: z.record(z.string(), z.unknown()),
})

/** As many digits as the file has. */
const hash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32)
const judgeHash = ({ system, user }: JudgePrompt): string[] => [hash(system ?? ''), hash(user)]

export const prompts: Check = function* (file) {
  const { cases } = z.object({ cases: listed }).parse(file)
  yield* eachCase('cases', cases, promptCase, function* (given) {
    yield verdict(`cases.${given.id}`, firstDifference(promptHashes(given), given.expected))
  })
}

function promptHashes(given: z.output<typeof promptCase>): Record<string, unknown> {
  const { generation, order, language, timings, annotation, points, command } = given
  const template = annotation.task_template
  if (!isTemplate(template)) throw new Error(`unknown template ${template}`)
  const origin = { kind: 'file', source: 's', file: 'f' } as const
  const sample = sampleOf('clip', 'set', template, annotation, given.options, { width: 8, height: 8 }, origin)
  const options = vsigOptions.parse({
    coords: order === 'yx' ? 'yx1000' : 'xy1000',
    timings,
    ...(generation === 'v4' ? { language } : {}),
  })
  const asked = publishedAsk(sample, options, `upstream-${generation}`)!
  const judge: Record<string, unknown> = {}
  const isHeard = annotation.asr_result !== null && annotation.asr_result !== undefined
  if (generation === 'v0' || generation === 'v1') {
    judge['intent'] = judgeHash(publishedIntentJudge(sample, command))
    if (isHeard) judge['moments'] = judgeHash(publishedMomentsJudge(sample, points))
  } else if (generation === 'v2' && isHeard) {
    judge['each'] = points.map(({ description, timestamp }) =>
      timestamp === null ? null : hash(publishedMomentJudge(sample, { description, timestamp }).user),
    )
  }
  const isJudged = generation === 'v0' || generation === 'v1' || generation === 'v2'
  return { system: hash(asked.system), user: hash(asked.user), ...(isJudged ? { judge } : {}) }
}
