/** Events of `space/text` and `space/vision`, as src/suites/space/README.md describes them. */
import { eventsOf, z } from '../../episode/read.ts'
import type { RecordedEvent } from '../../../../src/server/api.ts'

const pair = z.tuple([z.number(), z.number()])
export type Pair = z.infer<typeof pair>

const entity = { name: z.string(), pos: pair }

const scene = z.object({
  mask: z.array(z.array(z.number())),
  objects: z.array(z.object({ ...entity, heading: pair, oriented: z.boolean() })),
  doors: z.array(z.object({ ...entity, normals: z.array(pair) })),
  start: z.object({ pos: pair, room: z.number() }),
})
export type TrueScene = z.infer<typeof scene>

const pose = z.object({ pos: pair, heading: pair, rooms: z.array(z.number()) })
export type TruePose = z.infer<typeof pose>

const sceneEvent = z.object({
  phase: z.string(),
  scene,
  changes: z.nullish(z.array(z.object({ name: z.string(), kind: z.string() }))),
})

const turnEvent = z.object({
  phase: z.string(),
  turn: z.number(),
  pose,
  valid: z.boolean(),
  failed: z.boolean(),
  problem: z.nullish(z.string()),
  actions: z.array(z.object({ action: z.string(), text: z.string(), ok: z.boolean() })),
  visible: z.nullable(z.array(z.string())),
  explored: z.optional(z.array(pair)),
  observed: z.optional(z.array(z.string())),
  ended: z.nullish(z.string()),
  reported: z.nullish(z.string()),
  cost: z.number(),
  coverage: z.nullish(z.number()),
  information: z.nullish(z.number()),
})
export type TurnEvent = z.infer<typeof turnEvent>

const mapEntry = z.object({ name: z.string(), pos: pair, facing: z.nullable(pair) })
export type MapEntry = z.infer<typeof mapEntry>

const scores = z.object({ direction: z.number(), facing: z.number(), position: z.number(), overall: z.number() })

const mapEvent = z.object({
  phase: z.string(),
  turn: z.number(),
  kind: z.string(),
  map: z.nullable(z.array(mapEntry)),
  truth: z.array(mapEntry),
  scores: z.nullish(z.unknown()),
})

const fogEvent = z.object({
  turn: z.number(),
  cells: z.array(z.object({ letter: z.string(), cell: pair })),
  unexplored: z.array(z.string()),
  named: z.nullable(z.array(z.string())),
  scores: z.optional(z.object({ f1: z.nullish(z.number()) })),
})

const pictureEvent = z.object({
  turn: z.number(),
  picture: z.object({
    sha256: z.string(),
    type: z.string(),
    width: z.optional(z.number()),
    height: z.optional(z.number()),
  }),
  hidden: z.optional(z.array(z.string())),
})

const answerEvent = z.object({
  question: z.string(),
  task: z.string(),
  text: z.string(),
  answer: z.string(),
  expected: z.nullish(z.string()),
  score: z.number(),
})
export type AnswerEvent = z.infer<typeof answerEvent>

export interface MapScores {
  direction: number
  facing: number
  position: number
  overall: number
}

/** Everything of an episode, each with its position among the events. */
export function readEpisode(events: readonly RecordedEvent[]) {
  return {
    scenes: eventsOf(events, 'space/scene', sceneEvent),
    turns: eventsOf(events, 'space/turn', turnEvent),
    maps: eventsOf(events, 'space/map', mapEvent).map(({ at, event }) => ({
      at,
      event: { ...event, scores: scoresOf(event.scores) },
    })),
    fogs: eventsOf(events, 'space/fog', fogEvent),
    pictures: eventsOf(events, 'space/picture', pictureEvent),
    answers: eventsOf(events, 'space/answer', answerEvent),
  }
}
export type SpaceEpisode = ReturnType<typeof readEpisode>

function scoresOf(value: unknown): MapScores | null {
  const read = z.safeParse(scores, value)
  return read.success ? read.data : null
}
