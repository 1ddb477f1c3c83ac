/** Events of the VSI suites, as src/suites/vsi/README.md describes them. */
import type { RecordedEvent } from '../../../../src/server/api.ts'
import { eventsOf, latest, mediaEvent, outcomeEvent, readEvent, z } from '../../episode/read.ts'

const triple = z.tuple([z.number(), z.number(), z.number()])
export type Triple = z.infer<typeof triple>

const box = z.object({ center: triple, size: triple, yaw: z.number() })
const thing = z.object({ category: z.string(), box })
export type Thing = z.infer<typeof thing>

const questionEvent = z.object({
  question: z.string(),
  questionType: z.optional(z.string()),
  options: z.nullish(z.array(z.string())),
  truth: z.string(),
  things: z.nullish(z.array(thing)),
})
export type Question = z.infer<typeof questionEvent>

const bounds = z.object({ min: triple, max: triple })
export type Bounds = z.infer<typeof bounds>

const stageEvent = z.object({
  bounds,
  cutAbove: z.number(),
  lens: z.object({ width: z.number(), height: z.number(), focal: z.number() }),
})

const move = z.object({
  turnDegrees: z.number(),
  forwardMeters: z.number(),
  leftMeters: z.number(),
  upMeters: z.number(),
})
export type Move = z.infer<typeof move>

const MATRIX_LENGTH = 16
const matrix = z.array(z.number()).check(z.length(MATRIX_LENGTH))

const viewEvent = z.object({
  index: z.number(),
  picture: z.string(),
  position: triple,
  heading: z.number(),
  matrix,
  asked: z.nullish(move),
  done: z.nullish(move),
  blocked: z.optional(z.boolean()),
  limited: z.optional(z.boolean()),
  stoppedBy: z.nullish(z.string()),
})
export type ViewEvent = z.infer<typeof viewEvent>

const frameEvent = z.object({ index: z.number(), frame: z.number(), picture: z.string(), position: z.nullish(triple) })

const cells = z.record(z.string(), z.array(z.tuple([z.number(), z.number()])))
export type Cells = z.infer<typeof cells>

const cognitiveMapEvent = z.object({
  map: z.nullable(cells),
  truth: z.nullable(cells),
  locality: z.nullish(z.object({ agreement: z.nullable(z.number()) })),
})

const mapEvent = z.object({
  svg: z.string(),
  floor: z.nullish(
    z.object({ picture: z.string(), width: z.number(), height: z.number(), pixelsPerMeter: z.number() }),
  ),
})

const filmEvent = z.object({ frames: z.number(), fps: z.nullish(z.number()) })

/** Where a picture was taken and what it shows. */
export interface Pose {
  /** Position of its event. */
  at: number
  /** As people call it: the number of the picture, or of the frame. */
  name: string
  picture: string
  position: Triple
  right: Triple
  down: Triple
  forward: Triple
}

export function readEpisode(events: readonly RecordedEvent[]) {
  const first = <T>(list: readonly { event: T }[]): T | null => list[0]?.event ?? null
  const stage = first(eventsOf(events, 'vsi/stage', stageEvent))
  const views = eventsOf(events, 'vsi/view', viewEvent)
  const frames = eventsOf(events, 'vsi/frame', frameEvent)
  const media = eventsOf(events, 'media', mediaEvent)
  const video = media.find(({ event }) => event.mediaType.startsWith('video/'))?.event ?? null
  const framePoses = frames.flatMap(({ at, event }) => {
    const provenance = latest(media, at)?.event.provenance
    const pose = z.safeParse(matrix, provenance?.['pose'])
    return pose.success ? [poseFrom(pose.data, at, `frame ${event.frame}`, event.picture)] : []
  })
  const outcome = events.findLast(({ type }) => type === 'outcome')
  return {
    question: first(eventsOf(events, 'vsi/question', questionEvent)),
    stage,
    lens: stage?.lens ?? (framePoses.length > 0 ? FILM_LENS : AGENT_LENS),
    views,
    frames,
    film: filmOf(first(eventsOf(events, 'vsi/film', filmEvent)), media),
    video,
    poses:
      views.length > 0
        ? views.map(({ at, event }) => poseFrom(event.matrix, at, String(event.index), event.picture))
        : framePoses,
    cognitive: first(eventsOf(events, 'vsi/cognitive-map', cognitiveMapEvent)),
    map: first(eventsOf(events, 'vsi/map', mapEvent)),
    answer: outcome ? answerOf(readEvent(outcomeEvent, outcome)?.outcome) : null,
    answeredAt: events.length - 1,
  }
}
export type VsiEpisode = ReturnType<typeof readEpisode>

/** What pictures are taken with where the record does not say it: see src/suites/vsi. */
const AGENT_LENS = { width: 640, height: 480, focal: 300 }
const FILM_LENS = { width: 640, height: 480, focal: 490 }

/** Older records tell the length of the film with each frame alone. */
function filmOf(
  told: z.infer<typeof filmEvent> | null,
  media: readonly { event: z.infer<typeof mediaEvent> }[],
): { frames: number; fps: number | null } | null {
  if (told) return { frames: told.frames, fps: told.fps ?? null }
  const provenance = media.find(({ event }) => typeof event.provenance?.['frames'] === 'number')?.event.provenance
  const frames = provenance?.['frames']
  if (typeof frames !== 'number') return null
  return { frames, fps: typeof provenance?.['fps'] === 'number' ? provenance['fps'] : null }
}

const answered = z.object({ answer: z.nullable(z.string()) })

function answerOf(outcome: unknown): string | null {
  const read = z.safeParse(answered, outcome)
  return read.success ? read.data.answer : null
}

/** Columns of the matrix are right, down, forward and position. */
function poseFrom(m: readonly number[], at: number, name: string, picture: string): Pose {
  const column = (i: number): Triple => [m[i]!, m[i + 4]!, m[i + 8]!]
  return { at, name, picture, right: column(0), down: column(1), forward: column(2), position: column(3) }
}
