/** A question as data: plain JSON, without paths of this machine and without the bytes of its images. */
import { z } from 'zod'
import { maskSchema } from './masks.ts'

/** A file of the data folder, the frames of a video as files, or a cell of one of its tables. */
const mediaItem = z.union([
  z.object({ kind: z.enum(['image', 'video', 'sound']), path: z.string() }),
  z.object({ kind: z.literal('clip'), frames: z.array(z.string()) }),
  z.object({
    kind: z.enum(['image', 'sound']),
    table: z.string(),
    row: z.int(),
    column: z.string(),
    index: z.int().optional(),
  }),
])
export type MediaItem = z.output<typeof mediaItem>

const truth = z.union([z.string(), z.number(), z.boolean(), z.array(z.string()), z.array(z.number()), maskSchema])
/** A letter, a number, yes or no, the accepted texts, the numbers of a point, box, outline or moves, or a mask. */
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
  /** Width and height of the image, where the data say it. */
  size: z.tuple([z.number(), z.number()]).optional(),
  /** The most frequent ground truth of questions of this kind. */
  frequent: truth,
  /** The best guess without looking, from other scenes. */
  blind: truth.optional(),
  /** Why it cannot be asked. */
  problem: z.string().optional(),
})
export type QuestionSample = z.output<typeof questionSample>
