/**
 * The format of a question suite: one YAML or JSON file that describes a benchmark completely, without code. The JSON
 * Schema for editors is generated from this schema (`docs/reference/questions.schema.json`).
 */
import { z } from 'zod'
import { TABLE_FORMATS } from '../../suite.ts'

const MAX_TEXT = 20_000
const MAX_LIST = 1000

const columnName = z.string().min(1).max(200)
const cellValue = z.union([z.string().max(MAX_TEXT), z.number(), z.boolean()])
const template = z.string().max(MAX_TEXT)

/** Rows whose columns have these values. */
const when = z
  .record(columnName, z.union([cellValue, z.array(cellValue).max(MAX_LIST)]))
  .describe('rows whose columns have these values; a list allows any of them')
export type When = z.output<typeof when>

const pattern = z.string().min(1).max(1000)

const dataSchema = z
  .strictObject({
    files: z
      .union([z.string().min(1).max(1000), z.array(z.string().min(1).max(1000)).min(1).max(MAX_LIST)])
      .describe('tables, relative to the data folder; * stands for any part of a file name'),
    format: z.enum(TABLE_FORMATS).optional().describe('default: from the file name'),
    where: when.optional(),
    derive: z
      .record(columnName, z.strictObject({ from: template.describe('column or {template}'), pattern }))
      .optional()
      .describe('more columns: the first group of a regular expression; empty where it does not match'),
    paths: z
      .record(z.string().max(200), z.string().max(200))
      .optional()
      .describe('beginnings of the paths of images and videos in the data, and where these are in the data folder'),
    hub: z
      .strictObject({
        dataset: z
          .string()
          .regex(/^[\w.-]+\/[\w.-]+$/)
          .describe('owner/name'),
        revision: z
          .string()
          .regex(/^[0-9a-f]{7,40}$/)
          .optional()
          .describe('commit'),
      })
      .optional()
      .describe('the dataset on the Hugging Face Hub that the files come from'),
  })
  .describe('where the rows are')

const columnsSchema = z
  .strictObject({
    id: template.optional().describe('column or {template}; default: the number of the row'),
    question: columnName.optional().describe('{question} in the prompt'),
    options: z
      .union([columnName, z.array(columnName).min(2).max(26)])
      .optional()
      .describe('a column with a list or with text such as "A. left B. right", or one column per option'),
    answer: columnName.describe('the ground truth'),
    cluster: template
      .optional()
      .describe('column or {template}: rows with the same value share a scene. Default: the first image or video'),
    labels: z
      .record(z.string().regex(/^[\w-]{1,60}$/), template)
      .default({})
      .describe('results are grouped by these'),
    images: z
      .union([template, z.array(template).min(1).max(64)])
      .optional()
      .describe('columns with images, lists of images or paths, or {templates} of paths'),
    video: template.optional().describe('column or {template} with the path of a video'),
  })
  .describe('which column is what')

const optionsText = z.strictObject({
  each: template.default('{letter}. {text}').describe('{letter}, {text} (without a letter of its own), {option}, {n}'),
  join: z.string().max(100).default('\n'),
})

const promptSchema = z.strictObject({
  system: template.optional(),
  text: template.optional().describe('{question}, {options}, {letters} or any {column}; {{ and }} are braces'),
  options: optionsText.optional(),
})

const mediaSchema = z.strictObject({
  place: z.enum(['before', 'after', 'marks']).optional().describe('of the text; default: before'),
  mark: z.string().min(1).max(60).optional().describe('for place: marks. {n} counts from 1. Default: <image>'),
  label: z.string().max(200).optional().describe('text before each image: "Image {n}: "'),
  frames: z
    .union([z.int().min(1).max(1024), z.literal('video')])
    .optional()
    .describe('frames of a video, evenly spaced from first to last; "video" sends the whole file. Default: 32'),
})

const UNITS = ['m', 'cm', 'mm', 'km', 'in', 'ft', 'yd', 'm2', 'ft2', 'deg'] as const

const answerSchema = z.strictObject({
  kind: z.enum(['choice', 'number', 'yes-no', 'text', 'point', 'box']).optional(),
  written: z
    .enum(['letter', 'text', 'index', 'number'])
    .optional()
    .describe('how the data write the right choice; index counts from 0, number from 1. Default: letter or text'),
  letters: z.int().min(2).max(26).optional().describe('number of options, if they are only in the question'),
  unit: z.enum(UNITS).optional().describe('of a number; other units in a reply are converted'),
})

const rule = z.union([
  z.literal('stated').describe('the answer that the reply ends up with'),
  z.literal('whole').describe('the reply is nothing but the answer'),
  z.literal('option').describe('the only option whose text the reply mentions'),
  z.literal('mmmu').describe('the letter that the code of MMMU reads, and all that copied it'),
  z
    .strictObject({
      pattern,
      take: z.enum(['first', 'last']).default('first'),
      ignoreCase: z.boolean().default(false),
    })
    .describe('a regular expression; its first group is the answer'),
  z
    .strictObject({ json: z.string().min(1).max(200) })
    .describe('a field of the last JSON object: answer, result.answer'),
  z.strictObject({ tag: z.string().regex(/^[\w-]{1,40}$/) }).describe('inside <tag>…</tag>'),
])
export type ReadRule = z.output<typeof rule>

const readSchema = z.strictObject({
  thinking: z.enum(['drop', 'keep']).optional().describe('default: drop'),
  narrow: z
    .array(z.strictObject({ pattern, ignoreCase: z.boolean().default(false) }))
    .max(20)
    .optional()
    .describe('one after the other: if it matches, only its first group is read on'),
  rules: z.array(rule).min(1).max(20).optional().describe('tried in this order. Default: stated'),
  unreadable: z
    .enum(['wrong', 'first', 'whole'])
    .optional()
    .describe('what a reply without an answer counts as: wrong, the first option, or the whole reply. Default: wrong'),
})

const scoreSchema = z.union([
  z.literal('exact').describe('1 if it is the ground truth'),
  z.literal('mra').describe('mean relative accuracy, with the thresholds 0.5, 0.55 … 0.95'),
  z.literal('f1').describe('overlap of the words'),
  z.literal('iou').describe('overlap of the boxes'),
  z.literal('inside').describe('1 if the point is in the region'),
  z.strictObject({
    mra: z.array(z.number().gt(0).lt(1)).min(1).max(100).describe('thresholds of mean relative accuracy'),
  }),
  z.strictObject({ relative: z.number().min(0).describe('largest relative error that counts as right') }),
  z.strictObject({ absolute: z.number().min(0).describe('largest error that counts as right') }),
  z.strictObject({ iou: z.number().gt(0).max(1).describe('smallest overlap that counts as right') }),
])
export type ScoreRule = z.output<typeof scoreSchema>

const samplingSchema = z.strictObject({
  temperature: z.number().min(0).max(10).exactOptional(),
  topP: z.number().gt(0).max(1).exactOptional(),
  maxTokens: z.int().min(1).max(1_000_000).exactOptional(),
})

/** What may differ between kinds of questions and between profiles. */
const rules = {
  prompt: promptSchema.optional(),
  media: mediaSchema.optional(),
  sampling: samplingSchema.optional(),
  read: readSchema.optional(),
  score: scoreSchema.optional(),
}
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

export interface TotalPart {
  title?: string | undefined
  weight?: number | 'count' | undefined
  circular?: boolean | undefined
  adjusted?: 'chance' | undefined
  where?: Readonly<Record<string, string>> | undefined
  by?: string | undefined
  mean?: readonly TotalPart[] | undefined
}

const circular = z
  .boolean()
  .optional()
  .describe('a scene (columns.cluster) counts as right if all its questions are: for versions of one question')
const adjusted = z.literal('chance').optional().describe('0 for guessing, 1 for all right')

const totalPart: z.ZodType<TotalPart> = z.lazy(() =>
  z.strictObject({
    title: z.string().min(1).max(100).optional().describe('gives the part a row of its own'),
    weight: z
      .union([z.number().gt(0), z.literal('count')])
      .optional()
      .describe('count: the number of questions, or of scenes if circular. Default: 1'),
    circular,
    adjusted,
    where: z.record(z.string(), z.string()).optional().describe('samples with these labels'),
    by: z.string().optional().describe('the mean over the values of this label'),
    mean: z.array(totalPart).min(1).max(100).optional().describe('the mean of these parts'),
  }),
)

const totalSchema = z
  .strictObject({
    title: z.string().min(1).max(100).default('Total'),
    by: z.string().optional().describe('the mean over the values of this label, each counting the same'),
    mean: z.array(totalPart).min(1).max(100).optional().describe('the mean of these parts'),
    circular,
    adjusted,
    also: z.array(totalPart).max(100).optional().describe('rows beside the headline; each needs a title'),
  })
  .describe('the headline. Default: the share of correct answers')

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
  license: z.string().max(300).optional().describe('of the data'),
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

export function matches(wanted: When, cells: Readonly<Record<string, string>>): boolean {
  return Object.entries(wanted).every(([column, values]) =>
    [values].flat().some((value) => String(value) === (Object.hasOwn(cells, column) ? cells[column] : undefined)),
  )
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
