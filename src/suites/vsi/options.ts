/** Task options, set with `-T`. */
import { z } from 'zod'
import { LEVEL_NAMES } from './domain/levels.ts'
import { FIRST_ANGLES, REASONED } from './domain/protocol.ts'
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
    `use a comma-separated list of ${QUESTION_TYPES.join(', ')}, or all, mcq, numerical, temporal`,
  )
  .default('all')
  .describe('question types, comma-separated, or all, mcq, numerical, temporal')

const reasks = z.int().min(0).max(5).default(2).describe('maximum retries of an unreadable reply')
/** Room for a page of reasoning before a short answer; lmms-eval allows 16 tokens, for the answer alone. */
const MAX_TOKENS = 1024
const maxTokens = z.int().min(1).max(100_000).default(MAX_TOKENS).describe('maximum tokens per reply')
const doubtful = z
  .enum(['ask', 'leave-out'])
  .default('ask')
  .describe('questions with disputed ground truth: ask (a row shows the score without them) or leave-out')
const unanswerable = z
  .enum(['leave-out', 'ask'])
  .default('leave-out')
  .describe('built-in questions that the images of the run do not answer: leave-out (a row counts them) or ask')
const level = z
  .enum([...LEVEL_NAMES, 'mixed'])
  .default('medium')
  .describe('difficulty of built-in scenes: how many rooms, things and look-alikes; mixed: all, scene by scene')
const map = z.boolean().default(false).describe('ask for a 10 × 10 map of the objects before the answer')

const PUBLISHED_STEPS = 15
/** Enough for the walk that proves a built-in question answerable, in nearly every scene. */
const STEPS_PER_SQUARE_METER = 0.8
/** The published agent's baseline has 8, which show half of what built-in questions are about. */
export const DEFAULT_FRAMES = 32

/** The same option in both suites, so one command can run them with the same number of images. */
const pictures = z
  .int()
  .min(1)
  .max(256)
  .optional()
  .describe('maximum images shown, to compare explore and video on equal terms')

/** The camera of explore and of built-in walkthroughs. */
const cameraFields = {
  lens: z.number().min(30).max(130).optional().describe('horizontal field of view in degrees; default: 93.7'),
  height: z
    .number()
    .min(0.4)
    .max(2.2)
    .optional()
    .describe('height of the camera above the floor in meters; default: 1.6'),
  pitch: z
    .number()
    .min(-60)
    .max(60)
    .optional()
    .describe('tilt of the camera in degrees, negative is down; default: -10 in built-in scenes, 0 in scans'),
  size: z
    .string()
    .regex(/^[1-9]\d{2,3}x[1-9]\d{2,3}$/, 'use a size in pixels such as 640x480')
    .optional()
    .describe('size of the images in pixels; default: 640x480'),
}

const exploreFields = z.object({
  types,
  level,
  pictures,
  steps: z
    .int()
    .min(0)
    .max(255)
    .optional()
    .describe(
      `maximum moves before an answer is required; default: ${PUBLISHED_STEPS}, more in larger built-in scenes`,
    ),
  ...cameraFields,
  actions: z
    .enum(['move', 'pose'])
    .optional()
    .describe(
      'what the model asks for at a step: a move (default), or a camera pose in world coordinates with its field of view',
    ),
  collisions: z.boolean().default(true).describe('whether walls and furniture stop the agent'),
  chat: z
    .boolean()
    .optional()
    .describe('one growing conversation, each step with its new image alone, instead of all images in every message'),
  heading: z.boolean().default(false).describe('tell the heading of every image, in degrees'),
  firstView: z
    .enum(['model', 'visibility', 'laplacian', 'fixed'])
    .optional()
    .describe('what chooses among the four first views; default: model, or laplacian if pictures is set'),
  fixedAngle: z
    .int()
    .min(0)
    .max(270)
    .multipleOf(90)
    .default(0)
    .describe('angle of the first view for firstView=fixed: 0, 90, 180 or 270 degrees'),
  bounds: z
    .enum(['auto', 'full', 'position', 'none'])
    .default('auto')
    .describe('room bounds in the prompt; auto: full, but position for room-size questions'),
  reasks,
  maxTokens,
  map,
  doubtful,
  unanswerable,
})

/** Views shown only once, when the model chooses the first view. */
const UNCHOSEN_VIEWS = FIRST_ANGLES.length - 1

/**
 * `pictures` caps all images, including the unchosen first views, so explore stays comparable with video. Parsing is
 * idempotent: parsed options parse to themselves.
 */
export const exploreOptions = exploreFields.transform(({ pictures: shown, steps, firstView, ...rest }, context) => {
  // The published agent with pose actions starts with the view that shows most.
  const chooser = firstView ?? (rest.actions === 'pose' ? 'visibility' : shown === undefined ? 'model' : 'laplacian')
  if (rest.actions === 'pose' && (rest.chat || rest.map))
    context.addIssue({ code: 'custom', path: ['actions'], message: 'pose has its own prompts: leave out chat and map' })
  const before = chooser === 'model' ? UNCHOSEN_VIEWS : 0
  const moves = steps ?? (shown === undefined ? undefined : Math.max(0, shown - 1 - before))
  const most = before + 1 + (moves ?? 0)
  if (shown !== undefined && most > shown) {
    const given = `firstView=${chooser} and steps=${moves}`
    const message = `${given} show up to ${most} images, more than ${shown}`
    context.addIssue({ code: 'custom', path: ['pictures'], message })
  }
  return { ...rest, firstView: chooser, ...(moves === undefined ? {} : { steps: moves }) }
})
export type ExploreOptions = z.output<typeof exploreOptions>

/** Moves before an answer is required. A larger scene takes more: the published number is for a single room. */
export function stepsFor({ floorArea = 0 }: { floorArea?: number | undefined }, { steps }: { steps?: number }): number {
  return steps ?? Math.max(PUBLISHED_STEPS, Math.ceil(floorArea * STEPS_PER_SQUARE_METER))
}

const videoFields = z.object({
  types,
  level,
  pictures,
  frames: z
    .int()
    .min(1)
    .max(256)
    .optional()
    .describe(`number of frames shown, such as 4, 8, 16, 32 or 64; default: ${DEFAULT_FRAMES}`),
  ...cameraFields,
  input: z
    .enum(['frames', 'video'])
    .default('frames')
    .describe('sampled frames, or the whole video (if the provider accepts one)'),
  order: z
    .enum(['pictures-first', 'text-first'])
    .default('pictures-first')
    .describe('order of images and text in the message'),
  repeat: z
    .literal([1, 2])
    .optional()
    .describe("how often the video is shown: 1 (default), or 2, before and after the question (the paper's ablation)"),
  prompts: z
    .enum(['protocol', 'leaderboard', ...REASONED, 'think', 'captions'])
    .default('protocol')
    .describe(
      "leaderboard: ask for the bare answer and use the profile's own answer extraction; cot, self-consistency, tree-of-thoughts: the paper's linguistic prompts (2, 10 and 12 requests); think: reasoning and answer in tags, as Video-R1 asks for them; captions: a Socratic model, which captions every frame (role captioner, else the player) and answers from the captions alone",
    ),
  cognitiveMap: z
    .enum(['own-map', 'true-map', 'scene-map'])
    .optional()
    .describe(
      "the paper's cognitive map before relative distances and directions: drawn by the model, or the ground truth given; scene-map: drawn of all categories of the scene, before every question",
    ),
  grid: z.literal([10, 20]).optional().describe('cells per side of the cognitive map: 10 (default) or 20'),
  reasks,
  maxTokens,
  map,
  doubtful,
  unanswerable,
})

export const videoOptions = videoFields.transform(({ pictures: shown, frames, ...rest }, context) => {
  if (shown !== undefined && frames !== undefined && frames > shown) {
    context.addIssue({ code: 'custom', path: ['pictures'], message: `frames=${frames} is more than ${shown}` })
  }
  if (rest.cognitiveMap !== undefined && (rest.map || rest.prompts !== 'protocol')) {
    const message = 'has prompts of its own: leave out map and prompts'
    context.addIssue({ code: 'custom', path: ['cognitiveMap'], message })
  }
  const hasOwnTurns = rest.map || rest.cognitiveMap !== undefined || REASONED.some((name) => name === rest.prompts)
  if (rest.repeat === 2 && (hasOwnTurns || rest.order === 'text-first')) {
    const message = 'is for one question after its video: leave out order, maps and reasoning prompts'
    context.addIssue({ code: 'custom', path: ['repeat'], message })
  }
  if (rest.grid !== undefined && rest.cognitiveMap === undefined)
    context.addIssue({ code: 'custom', path: ['grid'], message: 'is for maps drawn with cognitiveMap' })
  if (
    rest.prompts === 'captions' &&
    (rest.map || rest.repeat === 2 || rest.input === 'video' || rest.order !== 'pictures-first')
  )
    context.addIssue({
      code: 'custom',
      path: ['prompts'],
      message: 'captions are of frames: leave out map, repeat, input and order',
    })
  return { ...rest, frames: frames ?? shown ?? DEFAULT_FRAMES }
})
export type VideoOptions = z.output<typeof videoOptions>

export const blindOptions = z.object({ types, level, reasks, maxTokens, doubtful })
export type BlindOptions = z.output<typeof blindOptions>

export type VsiOptions = Pick<ExploreOptions, 'types' | 'doubtful' | 'level'> &
  Partial<Pick<ExploreOptions, 'steps' | 'unanswerable' | 'chat' | 'actions' | keyof typeof cameraFields>> &
  Partial<Pick<VideoOptions, 'frames' | 'input' | 'prompts' | 'cognitiveMap' | 'repeat'>>

/** The selected question types, in standard order. */
export function selectedTypes({ types: text }: Pick<VsiOptions, 'types'>): QuestionType[] {
  const wanted = text.split(',').map((name) => name.trim())
  return QUESTION_TYPES.filter((type) => wanted.includes(type) || wanted.some((name) => GROUPS[name]?.includes(type)))
}
