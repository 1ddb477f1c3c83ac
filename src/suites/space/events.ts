/** Events that an episode records for the viewer. Built in play/event-builders.ts, read by the viewer's panel. */
import * as z from 'zod/mini'

const pair = z.readonly(z.tuple([z.number(), z.number()]))
/** A cell, heading or position: x, then y. */
export type Pair = z.output<typeof pair>

const names = z.readonly(z.array(z.string()))
const phase = z.enum(['exploration', 'false-belief'])
const pose = z.object({ pos: pair, heading: pair, rooms: z.readonly(z.array(z.number())) })
export type TruePose = z.output<typeof pose>

const entity = { name: z.string(), pos: pair }
const scene = z.object({
  mask: z.readonly(z.array(z.readonly(z.array(z.number())))),
  objects: z.readonly(z.array(z.object({ ...entity, heading: pair, oriented: z.boolean() }))),
  doors: z.readonly(z.array(z.object({ ...entity, normals: z.readonly(z.array(pair)) }))),
  start: z.object({ pos: pair, room: z.number() }),
})
export type TrueScene = z.output<typeof scene>

/** The scene of a phase. Coordinates in the other events are its cells, or relative to its start. */
const sceneEvent = z.object({
  type: z.literal('space/scene'),
  phase,
  scene,
  changes: z.nullable(z.readonly(z.array(z.object({ name: z.string(), kind: z.enum(['position', 'orientation']) })))),
})

const turnEvent = z.object({
  type: z.literal('space/turn'),
  phase,
  /** Starts at 1 in each phase. */
  turn: z.number(),
  pose,
  valid: z.boolean(),
  failed: z.boolean(),
  problem: z.nullable(z.string()),
  actions: z.readonly(z.array(z.object({ action: z.string(), text: z.string(), ok: z.boolean() }))),
  /** Null for a turn without an Observe. */
  visible: z.nullable(names),
  observed: names,
  explored: z.readonly(z.array(pair)),
  ended: z.nullable(z.enum(['term', 'budget'])),
  reported: z.nullable(z.string()),
  remaining: z.number(),
  cost: z.number(),
  coverage: z.number(),
  information: z.number(),
})

/** The image of a turn's Observe. */
const pictureEvent = z.object({
  type: z.literal('space/picture'),
  phase,
  turn: z.number(),
  pose,
  picture: z.object({
    sha256: z.string(),
    type: z.string(),
    width: z.optional(z.number()),
    height: z.optional(z.number()),
  }),
  /** Objects and doors in view that are occluded in the image. */
  hidden: names,
})

/** The proxy agent's log that the player read. */
const logEvent = z.object({ type: z.literal('space/log'), proxy: z.string(), turns: z.number(), cost: z.number() })

/** Null for NaN and infinities, which profile `upstream` accepts as Python does and JSON cannot hold. */
const number = z.nullable(z.number())
const believedEntry = z.object({ ...entity, pos: z.readonly(z.tuple([number, number])), facing: z.nullable(pair) })
export type BelievedEntry = z.output<typeof believedEntry>
const trueEntry = z.object({ ...entity, facing: z.nullable(pair) })
export type TrueEntry = z.output<typeof trueEntry>

const mapScores = z.object({ direction: number, facing: number, position: number, overall: number })

/** A map as parsed, and the ground truth. Positions are relative to the start, north up; in local maps, ahead is up. */
const mapEvent = z.object({
  type: z.literal('space/map'),
  phase,
  turn: z.number(),
  kind: z.enum(['global', 'local', 'rooms', 'global-false-belief']),
  /** Null if the reply has no map. */
  map: z.nullable(z.readonly(z.array(believedEntry))),
  truth: z.readonly(z.array(trueEntry)),
  scores: z.nullable(mapScores),
})

/** The lettered cells, those that had not been in view, and those that the player named. */
const fogEvent = z.object({
  type: z.literal('space/fog'),
  turn: z.number(),
  cells: z.readonly(z.array(z.object({ letter: z.string(), cell: pair }))),
  unexplored: names,
  named: names,
  scores: z.object({ f1: z.number(), balancedAccuracy: z.number(), formatError: z.number() }),
})

const answerEvent = z.object({
  type: z.literal('space/answer'),
  question: z.string(),
  task: z.string(),
  text: z.string(),
  answer: z.string(),
  expected: z.string(),
  score: z.number(),
  exact: z.number(),
  formatError: z.number(),
})
export type AnswerEvent = z.output<typeof answerEvent>

export const spaceEvents = {
  'space/scene': sceneEvent,
  'space/turn': turnEvent,
  'space/picture': pictureEvent,
  'space/log': logEvent,
  'space/map': mapEvent,
  'space/fog': fogEvent,
  'space/answer': answerEvent,
}

/** `SpaceEvent<'space/turn'>` */
export type SpaceEvent<Type extends keyof typeof spaceEvents> = z.output<(typeof spaceEvents)[Type]>
