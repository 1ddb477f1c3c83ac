/** Events that an episode records for the viewer. */
import * as z from 'zod/mini'

const triple = z.readonly(z.tuple([z.number(), z.number(), z.number()]))
export type Triple = z.output<typeof triple>

const thing = z.object({
  category: z.string(),
  box: z.object({ center: triple, size: triple, yaw: z.number() }),
})
export type Thing = z.output<typeof thing>

const bounds = z.object({ min: triple, max: triple })
export type Bounds = z.output<typeof bounds>

const move = z.object({
  turnDegrees: z.number(),
  forwardMeters: z.number(),
  leftMeters: z.number(),
  upMeters: z.number(),
})
export type Move = z.output<typeof move>

const MATRIX_LENGTH = 16
/** A pose in row-major order: its columns are right, down, forward and position. */
export const poseMatrix = z.readonly(z.array(z.number()).check(z.length(MATRIX_LENGTH)))

const cells = z.record(z.string(), z.readonly(z.array(z.readonly(z.tuple([z.number(), z.number()])))))
export type Cells = z.output<typeof cells>

/** The question with its ground truth and, if known, the objects it mentions. */
const question = z.object({
  type: z.literal('vsi/question'),
  question: z.string(),
  questionType: z.optional(z.string()),
  options: z.nullish(z.readonly(z.array(z.string()))),
  truth: z.string(),
  things: z.nullish(z.readonly(z.array(thing))),
})
export type Question = z.output<typeof question>

/** The room's bounds, the height at which maps cut it open, and the agent's lens. */
const stage = z.object({
  type: z.literal('vsi/stage'),
  scene: z.optional(z.string()),
  bounds,
  cutAbove: z.number(),
  lens: z.object({ width: z.number(), height: z.number(), focal: z.number() }),
})

/** Length and frame rate of the walkthrough that frames are sampled from. */
const film = z.object({ type: z.literal('vsi/film'), frames: z.number(), fps: z.nullish(z.number()) })
export type Film = z.output<typeof film>

/** A frame that was shown. */
const frame = z.object({
  type: z.literal('vsi/frame'),
  index: z.number(),
  frame: z.number(),
  picture: z.string(),
  position: z.nullish(triple),
})

/** Which of the four first views was chosen, and by what. */
const firstView = z.object({
  type: z.literal('vsi/first-view'),
  metric: z.enum(['model', 'visibility', 'laplacian']),
  angle: z.number(),
  /** Whether the model's choice could be read. */
  readable: z.optional(z.boolean()),
  scores: z.optional(z.readonly(z.array(z.number()))),
})

/** An image the agent saw, and the move that led to it. */
const view = z.object({
  type: z.literal('vsi/view'),
  index: z.number(),
  picture: z.string(),
  position: triple,
  heading: z.number(),
  matrix: poseMatrix,
  asked: z.nullish(move),
  done: z.nullish(move),
  blocked: z.optional(z.boolean()),
  limited: z.optional(z.boolean()),
  stoppedBy: z.nullish(z.string()),
  /** Horizontal field of view in degrees, where the agent chooses it. */
  fov: z.optional(z.number()),
})
export type View = z.output<typeof view>

const noMove = z.object({ type: z.literal('vsi/no-move'), step: z.number(), problem: z.nullable(z.string()) })

/** A parsed reply: its move or answer, the repairs made, and why it is unusable. */
const read = z.object({
  type: z.literal('vsi/read'),
  answer: z.nullable(z.string()),
  move: z.nullable(move),
  done: z.boolean(),
  problem: z.nullable(z.string()),
  repairs: z.readonly(z.array(z.string())),
})

/** The player's map of the question's objects, the true map, and how well their distances agree. */
const cognitiveMap = z.object({
  type: z.literal('vsi/cognitive-map'),
  map: z.nullable(cells),
  truth: z.nullable(cells),
  locality: z.nullish(z.object({ agreement: z.nullable(z.number()), bins: z.optional(z.unknown()) })),
})

/** What one model wrote about every frame, for another one to answer from. */
const captions = z.object({ type: z.literal('vsi/captions'), captions: z.readonly(z.array(z.string())) })

/** SHA-256 hashes of the path as JSON and of the drawings from above. */
const map = z.object({
  type: z.literal('vsi/map'),
  path: z.optional(z.string()),
  svg: z.string(),
  png: z.optional(z.string()),
  floor: z.nullish(
    z.object({ picture: z.string(), width: z.number(), height: z.number(), pixelsPerMeter: z.number() }),
  ),
})

/** Fields that older versions did not record are optional. */
export const vsiEvents = {
  'vsi/question': question,
  'vsi/stage': stage,
  'vsi/film': film,
  'vsi/frame': frame,
  'vsi/first-view': firstView,
  'vsi/view': view,
  'vsi/no-move': noMove,
  'vsi/read': read,
  'vsi/cognitive-map': cognitiveMap,
  'vsi/captions': captions,
  'vsi/map': map,
} as const
export type VsiEvent = z.output<(typeof vsiEvents)[keyof typeof vsiEvents]>
