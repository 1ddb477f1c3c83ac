/**
 * The format of a question suite: one YAML or JSON file that describes a benchmark completely, without code. The JSON
 * Schema for editors is generated from this schema (`docs/reference/questions.schema.json`).
 */
import { z } from 'zod'
import { publishedFile } from '../../suite.ts'
import { matches, when, type When } from './basics.ts'
import { columnsSchema, dataSchema } from './data-format.ts'
import { answerSchema, rules } from './rules-format.ts'
import { totalSchema } from './total-format.ts'

const caseSchema = z
  .strictObject({ when, answer: answerSchema.optional(), ...rules })
  .describe('rules for some of the rows')
const profileSchema = z.strictObject({
  title: z.string().max(500).optional(),
  follows: z.string().max(500).optional().describe('the code that it follows, with its commit'),
  ...rules,
  cases: z
    .array(z.strictObject({ when, ...rules }).describe('rules for some of the rows'))
    .max(100)
    .optional(),
})

const published = z
  .strictObject({
    sources: publishedFile.shape.sources,
    rows: z
      .array(
        z.strictObject({
          model: z.string().min(1).max(200),
          kind: z.enum(['model', 'baseline', 'human']).default('model'),
          score: z.number().describe('the total, in percent as printed'),
          parts: z.array(z.number()).max(100).optional().describe('scores of the parts of total.mean, in its order'),
          source: z.string().describe('a name in sources'),
          date: z.string().nullable().default(null),
          harness: z.string().max(100).optional().describe('the code that measured it'),
          note: z.string().max(500).exactOptional(),
        }),
      )
      .max(1000),
  })
  .describe('results of others, for report --published')

export const questionsFile = z.strictObject({
  $schema: z.string().optional(),
  format: z.literal(1).describe('version of this format'),
  name: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]*(?:\/[a-z0-9-]+)?$/)
    .max(80)
    .describe('lowercase letters, digits and -'),
  title: z.string().min(1).max(300).optional(),
  version: z.int().min(1).default(1).describe('raise it whenever prompts, questions or scores change'),
  extends: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('a suite of the catalog, or ./a-file.yaml in the same folder: this file says only what is different'),
  license: z.string().max(300).optional().describe('of the data'),
  size: z.string().max(300).optional().describe('of the data: questions, bytes'),
  homepage: z.url({ protocol: /^https?$/ }).optional(),
  citation: z.string().max(2000).optional(),
  data: dataSchema,
  columns: columnsSchema,
  answer: answerSchema.optional(),
  ...rules,
  cases: z.array(caseSchema).max(100).optional(),
  profiles: z
    .record(z.string().regex(/^[a-z0-9][a-z0-9@._-]*$/), profileSchema)
    .optional()
    .describe('several ways to prompt, read and score, the default first'),
  total: totalSchema.optional(),
  published: published.optional(),
})

export type QuestionsFile = z.output<typeof questionsFile>
export type Rules = Omit<z.output<typeof caseSchema>, 'when'>
interface Cases {
  cases?: readonly (Rules & { when: When })[] | undefined
}

export const DEFAULT_PROFILE = 'default'

export function profileNames({ profiles }: QuestionsFile): [string, ...string[]] {
  const [first = DEFAULT_PROFILE, ...others] = Object.keys(profiles ?? {})
  return [first, ...others]
}

/** The rules for a row, by what its columns say: the file's own, those of its case, and those of the profile on top. */
export function rulesFor(file: QuestionsFile, profile: string, cells: Readonly<Record<string, string>>): Rules {
  const own = file.profiles && Object.hasOwn(file.profiles, profile) ? file.profiles[profile]! : {}
  return [file, ...casesFor(file, cells), own, ...casesFor(own, cells)].reduce<Rules>(mergeRules, {})
}

function casesFor({ cases = [] }: Cases, cells: Readonly<Record<string, string>>): Rules[] {
  return cases.filter((each) => matches(each.when, cells))
}

/** Sections are merged key by key, so a profile may change the prompt's suffix and keep its system text. */
function mergeRules(base: Rules, over: Rules): Rules {
  return {
    ...base,
    ...(over.answer && { answer: { ...base.answer, ...over.answer } }),
    ...(over.prompt && { prompt: { ...base.prompt, ...over.prompt } }),
    ...(over.media && { media: { ...base.media, ...over.media } }),
    ...(over.sampling && { sampling: { ...base.sampling, ...over.sampling } }),
    ...(over.read && { read: { ...base.read, ...over.read } }),
    ...(over.score !== undefined && { score: over.score }),
  }
}

/** All rules of a file: its own, those of its cases and of its profiles. */
export function allRules(file: QuestionsFile): Rules[] {
  const parts = [file, ...Object.values(file.profiles ?? {})]
  return parts.flatMap((part) => [part, ...(part.cases ?? [])])
}

/** All conditions of a file that decide which rules apply. */
export function allConditions(file: QuestionsFile): When[] {
  return [file, ...Object.values(file.profiles ?? {})].flatMap(({ cases = [] }) => cases.map((each) => each.when))
}
