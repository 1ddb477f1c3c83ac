/** The headline of a suite's file: totals of parts. */
import { z } from 'zod'

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

export const totalSchema = z
  .strictObject({
    title: z.string().min(1).max(100).default('Total'),
    by: z.string().optional().describe('the mean over the values of this label, each counting the same'),
    mean: z.array(totalPart).min(1).max(100).optional().describe('the mean of these parts'),
    circular,
    adjusted,
    also: z.array(totalPart).max(100).optional().describe('rows beside the headline; each needs a title'),
  })
  .describe('the headline. Default: the share of correct answers')
