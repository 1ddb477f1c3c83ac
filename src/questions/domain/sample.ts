/** A question as data: plain JSON, without paths of this machine and without the bytes of its images. */
import { z } from 'zod'

/** A file of the data folder, or a cell of one of its tables. */
const mediaItem = z.union([
  z.object({ kind: z.enum(['image', 'video']), path: z.string() }),
  z.object({
    kind: z.literal('image'),
    table: z.string(),
    row: z.int(),
    column: z.string(),
    index: z.int().optional(),
  }),
])
export type MediaItem = z.output<typeof mediaItem>

const truth = z.union([z.string(), z.number(), z.boolean(), z.array(z.string()), z.array(z.number())])
/** A letter, a number, yes or no, the accepted texts, or the numbers of a point, box or outline. */
export type Answer = z.output<typeof truth>

export const questionSample = z.object({
  id: z.string(),
  cluster: z.string(),
  labels: z.record(z.string(), z.string()),
  question: z.string(),
  /** Texts of the options, without their letters; empty texts if only their number is known. Null if there are none. */
  options: z.array(z.string()).nullable(),
  truth,
  /** What templates and conditions of the suite's file refer to, by column. */
  cells: z.record(z.string(), z.string()),
  media: z.array(mediaItem),
  /** The most frequent ground truth of questions of this kind. */
  frequent: truth,
  /** Why it cannot be asked. */
  problem: z.string().optional(),
})
export type QuestionSample = z.output<typeof questionSample>
