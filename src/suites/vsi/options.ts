/** What can be set with `-T`. */
import { z } from 'zod'
import { FIRST_ANGLES } from './domain/protocol.ts'
import {
  CHOICE_TYPES,
  isQuestionType,
  NUMBER_TYPES,
  QUESTION_TYPES,
  type QuestionType,
} from './domain/question-types.ts'

const GROUPS: Readonly<Record<string, readonly QuestionType[]>> = {
  all: QUESTION_TYPES,
  mcq: CHOICE_TYPES,
  numerical: NUMBER_TYPES,
  temporal: ['obj_appearance_order'],
}

const types = z
  .string()
  .refine(
    (text) => text.split(',').every((name) => isQuestionType(name.trim()) || Object.hasOwn(GROUPS, name.trim())),
    `types are ${QUESTION_TYPES.join(', ')}, comma-separated, or all, mcq, numerical, temporal`,
  )
  .default('all')
  .describe('question types to ask, comma-separated, or all, mcq, numerical, temporal')

const reasks = z.int().min(0).max(5).default(2).describe('times a reply that cannot be read is asked for again')
const maxTokens = z.int().min(1).max(100_000).default(1024).describe('longest reply, in tokens')
const doubtful = z
  .enum(['ask', 'leave-out'])
  .default('ask')
  .describe(
    'questions whose published truth is doubted: ask them (a row tells the score without them) or leave them out',
  )
const map = z.boolean().default(false).describe('ask for a 10 × 10 map of the objects before the answer')

const PUBLISHED_STEPS = 15
const PUBLISHED_FRAMES = 8

/** The same word in both suites, so that one command plays them at the same number of pictures. */
const pictures = z
  .int()
  .min(1)
  .max(256)
  .optional()
  .describe('pictures shown at most, for a fair comparison of the suites')

const exploreFields = z.object({
  types,
  pictures,
  steps: z
    .int()
    .min(0)
    .max(255)
    .optional()
    .describe(`moves before an answer is forced; pictures are one more. Default ${PUBLISHED_STEPS}`),
  firstView: z
    .enum(['model', 'visibility', 'laplacian', 'fixed'])
    .optional()
    .describe('who chooses among the four first views. Default model, which sees all four; with pictures, laplacian'),
  fixedAngle: z
    .int()
    .min(0)
    .max(270)
    .multipleOf(90)
    .default(0)
    .describe('the first view when it is fixed: 0, 90, 180 or 270 degrees'),
  bounds: z
    .enum(['auto', 'full', 'position', 'none'])
    .default('auto')
    .describe('what the prompt tells of the room; auto is full, but position where the room size is asked'),
  reasks,
  maxTokens,
  map,
  doubtful,
})

/** Pictures that are shown before the first step and not again, where the model chooses its first view. */
const UNCHOSEN_VIEWS = FIRST_ANGLES.length - 1

/**
 * With `pictures`, no more are shown than that: who is to be compared with a video must not see three more on top. What
 * has gone through it goes through it again unchanged.
 */
export const exploreOptions = exploreFields.transform(({ pictures: shown, steps, firstView, ...rest }, context) => {
  const chooser = firstView ?? (shown === undefined ? 'model' : 'laplacian')
  const before = chooser === 'model' ? UNCHOSEN_VIEWS : 0
  const moves = steps ?? (shown === undefined ? PUBLISHED_STEPS : Math.max(0, shown - 1 - before))
  const most = before + 1 + moves
  if (shown !== undefined && most > shown) {
    const of = `firstView=${chooser} and steps=${moves}`
    context.addIssue({ code: 'custom', path: ['pictures'], message: `${of} show up to ${most}, more than ${shown}` })
  }
  return { ...rest, firstView: chooser, steps: moves }
})
export type ExploreOptions = z.output<typeof exploreOptions>

const videoFields = z.object({
  types,
  pictures,
  frames: z
    .int()
    .min(1)
    .max(256)
    .optional()
    .describe(`frames that are shown: 4, 8, 16, 32, 64. Default ${PUBLISHED_FRAMES}`),
  input: z
    .enum(['frames', 'video'])
    .default('frames')
    .describe('frames, or the whole video where the provider takes it'),
  order: z.enum(['pictures-first', 'text-first']).default('pictures-first').describe('what comes first in the message'),
  prompts: z
    .enum(['protocol', 'leaderboard'])
    .default('protocol')
    .describe("leaderboard asks for the bare answer, and the profile's own extraction reads it"),
  reasks,
  maxTokens,
  map,
  doubtful,
})

export const videoOptions = videoFields.transform(({ pictures: shown, frames, ...rest }, context) => {
  if (shown !== undefined && frames !== undefined && frames > shown) {
    context.addIssue({ code: 'custom', path: ['pictures'], message: `frames=${frames} are more than ${shown}` })
  }
  return { ...rest, frames: frames ?? shown ?? PUBLISHED_FRAMES }
})
export type VideoOptions = z.output<typeof videoOptions>

export const blindOptions = z.object({ types, reasks, maxTokens, doubtful })
export type BlindOptions = z.output<typeof blindOptions>

export type VsiOptions = Pick<ExploreOptions, 'types' | 'doubtful'>

/** The types that are asked, in their usual order. */
export function selectedTypes({ types: text }: Pick<VsiOptions, 'types'>): QuestionType[] {
  const wanted = text.split(',').map((name) => name.trim())
  return QUESTION_TYPES.filter((type) => wanted.includes(type) || wanted.some((name) => GROUPS[name]?.includes(type)))
}
