/** Schemas of the published annotations: `annotations.json` and `eval_gt.json`. */
import { z } from 'zod'

/** Fields stay unparsed where the published scorers differ in how they handle invalid values. */
const maskSchema = z.object({
  mask_base64: z.unknown().optional(),
  /** `[x1, y1, x2, y2]` in pixels, x first, both ends inclusive. */
  bbox: z.unknown().optional(),
  point_on_mask: z.unknown().optional(),
})

export const entrySchema = z.object({
  name: z.string().catch(''),
  type: z.string().catch(''),
  /** `[[y, x], …]` in 0…1000, y first; a flat `[y, x]` also occurs. */
  points: z.unknown().optional(),
  mask: maskSchema.nullable().optional(),
  /** Built-in clips: the part of the frame that an area means, next to the published points. */
  region: maskSchema.optional(),
  /** Built-in clips: other correct names. */
  also: z.array(z.string()).optional(),
  asr_begin_time: z.number().nullish().catch(null),
  asr_end_time: z.number().nullish().catch(null),
  asr_match_error: z.unknown().optional(),
})

/** Published prompts quote transcripts whole: what is not known here is kept. */
const wordSchema = z.looseObject({
  text: z.string().catch(''),
  begin_time: z.number().nullish().catch(null),
  end_time: z.number().nullish().catch(null),
  punctuation: z.string().nullish().catch(null),
})

export const asrSchema = z.looseObject({
  text: z.string().nullish().catch(null),
  words: z.array(wordSchema).nullish().catch(null),
})

export const annotationSchema = z.object({
  id: z
    .union([z.string(), z.number().transform(String)])
    .nullish()
    .catch(null),
  video_name: z.string().nullish().catch(null),
  task_template: z.string().nullish().catch(null),
  is_invalid: z.unknown().optional(),
  object_space: z.array(entrySchema).catch([]),
  asr_result: asrSchema.nullish().catch(null),
  /** In seconds; frames are sampled up to this time. */
  timestamp: z.number().nullish().catch(null),
})

export type Annotation = z.output<typeof annotationSchema>
export type Entry = z.output<typeof entrySchema>
export type EntryMask = z.output<typeof maskSchema>
export type Word = z.output<typeof wordSchema>
export type Asr = z.output<typeof asrSchema>

const answerSchema = z.object({
  choice: z.string(),
  asr_begin_time: z.number().nullish(),
  asr_end_time: z.number().nullish(),
  stroke_begin_time: z.number().nullish(),
  stroke_end_time: z.number().nullish(),
  points: z.unknown().optional(),
  mask: maskSchema.nullish(),
})

/** An entry of `eval_gt.json`: option letters, and windows checked by a person. */
export const evalTruthSchema = z.object({
  object_choices: z.array(z.string()).nullish(),
  space_choices: z.array(z.string()).nullish(),
  answer: z.array(answerSchema).nullish(),
})

export type EvalTruth = z.output<typeof evalTruthSchema>
export type EvalAnswer = z.output<typeof answerSchema>
