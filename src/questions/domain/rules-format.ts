/** How questions are asked, read and scored: the sections that may differ between kinds of questions and between profiles. */
import { z } from 'zod'
import { columnName, pattern, template } from './basics.ts'

const optionsText = z.strictObject({
  each: template.default('{letter}. {text}').describe('{letter}, {text} (without a letter of its own), {option}, {n}'),
  join: z.string().max(100).default('\n'),
})

const promptSchema = z.strictObject({
  system: template.optional(),
  text: template.optional().describe('{question}, {options}, {letters} or any {column}; {{ and }} are braces'),
  options: optionsText.optional(),
})

const mark = z.string().min(1).max(60).optional()

const mediaSchema = z.strictObject({
  place: z.enum(['before', 'after', 'marks']).optional().describe('of the text; default: before'),
  mark: mark.describe('of images, for place: marks. {n} counts from 1. Default: <image>'),
  videoMark: mark.describe('of videos, for place: marks. {n} counts from 1. Default: <video>'),
  soundMark: mark.describe('of sounds, for place: marks. {n} counts from 1. Default: <audio>'),
  label: z.string().max(200).optional().describe('text before each image, video or sound: "Image {n}: "'),
  frames: z
    .union([z.int().min(1).max(1024), z.literal('video')])
    .optional()
    .describe(
      'frames of a video, evenly spaced from first to last; of videos that are lists of frames, in all. "video" sends the whole file. Default: 32',
    ),
})

const UNITS = ['m', 'cm', 'mm', 'km', 'in', 'ft', 'yd', 'm2', 'ft2', 'deg'] as const
const SCALES = ['pixels', '0-1', '0-100', '0-1000'] as const
export type Scale = (typeof SCALES)[number]

export const answerSchema = z.strictObject({
  kind: z.enum(['choice', 'number', 'yes-no', 'text', 'point', 'box', 'moves']).optional(),
  written: z
    .enum(['letter', 'text', 'index', 'number', 'mask'])
    .optional()
    .describe(
      'how the data write the right choice; index counts from 0, number from 1. Default: letter or text. mask: an image that is white where a point is right',
    ),
  letters: z.int().min(2).max(26).optional().describe('number of options, if they are only in the question'),
  unit: z.enum(UNITS).optional().describe('of a number; other units in a reply are converted'),
  scale: z.enum(SCALES).optional().describe('of points and boxes in the data. Default: that of the replies'),
  axes: z
    .array(z.tuple([columnName, columnName]))
    .min(1)
    .max(20)
    .optional()
    .describe('of moves: what counts up and what counts down, as in [move_right, move_left]'),
})

const rule = z.union([
  z.literal('stated').describe('the answer that the reply ends up with'),
  z.literal('whole').describe('the reply is nothing but the answer'),
  z.literal('option').describe('the only option whose text the reply mentions'),
  z.literal('mmmu').describe('the letter that the code of MMMU reads, and all that copied it'),
  z.literal('vlmevalkit').describe('the letter or option that VLMEvalKit reads without asking a model'),
  z
    .strictObject({
      pattern,
      take: z.enum(['first', 'last']).default('first'),
      ignoreCase: z.boolean().default(false),
      without: z.string().min(1).max(40).optional().describe('characters that are taken out of what it found'),
      final: z.boolean().optional().describe('if it matches, no other rule is tried: what is not an answer is wrong'),
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
  drop: z.array(z.string().min(1).max(100)).max(20).optional().describe('texts that are taken out of a reply'),
  narrow: z
    .array(z.strictObject({ pattern, ignoreCase: z.boolean().default(false) }))
    .max(20)
    .optional()
    .describe('one after the other: if it matches, only its first group is read on'),
  rules: z.array(rule).min(1).max(40).optional().describe('tried in this order. Default: stated'),
  scale: z.enum(SCALES).optional().describe('of points and boxes in replies. Default: that of the data'),
  unreadable: z
    .enum(['wrong', 'first', 'whole'])
    .optional()
    .describe('what a reply without an answer counts as: wrong, the first option, or the whole reply. Default: wrong'),
})

const thresholds = z.array(z.number().gt(0).lt(1)).min(1).max(100)

const scoreSchema = z.union([
  z.literal('exact').describe('1 if it is the ground truth, of a text character by character'),
  z.literal('normalized').describe('1 if it is the ground truth but for case, articles and punctuation'),
  z.literal('mra').describe('mean relative accuracy, with the thresholds 0.5, 0.55 … 0.95'),
  z.literal('f1').describe('overlap of the words'),
  z.literal('iou').describe('overlap of the boxes'),
  z.literal('inside').describe('1 if the point is in the region'),
  z.strictObject({
    mra: thresholds.describe('thresholds of mean relative accuracy'),
    of: z.enum(['truth', 'answer']).optional().describe('what the error is relative to. Default: truth'),
    rounding: z
      .enum(['decimal', 'binary'])
      .optional()
      .describe(
        'an error of exactly a threshold is within it (decimal), or where computers round it so. Default: decimal',
      ),
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

export const rules = {
  prompt: promptSchema.optional(),
  media: mediaSchema.optional(),
  sampling: samplingSchema.optional(),
  read: readSchema.optional(),
  score: scoreSchema.optional(),
}
