/** Reads the events of a VSI episode. */
import type { RecordedEvent } from '../../../../src/server/api.ts'
// Imported first: it configures zod for the page's policy, which forbids eval.
import { eventsOf, latestAt, mediaEvent, outcomeEvent, readEvent, z } from '../../episode/read.ts'
import { type Film, poseMatrix, type Triple, vsiEvents } from '../../../../src/suites/vsi/events.ts'

/** Camera pose of an image. */
export interface Pose {
  /** Position of its event. */
  at: number
  /** Display name: the image or frame number. */
  name: string
  picture: string
  position: Triple
  right: Triple
  down: Triple
  forward: Triple
}

export function readEpisode(events: readonly RecordedEvent[]) {
  const first = <T>(list: readonly { event: T }[]): T | null => list[0]?.event ?? null
  const stage = first(eventsOf(events, 'vsi/stage', vsiEvents['vsi/stage']))
  const views = eventsOf(events, 'vsi/view', vsiEvents['vsi/view'])
  const frames = eventsOf(events, 'vsi/frame', vsiEvents['vsi/frame'])
  const media = eventsOf(events, 'media', mediaEvent)
  const video = media.find(({ event }) => event.mediaType.startsWith('video/'))?.event ?? null
  const framePoses = frames.flatMap(({ at, event }) => {
    const provenance = latestAt(media, at)?.event.provenance
    const pose = z.safeParse(poseMatrix, provenance?.['pose'])
    return pose.success ? [poseFrom(pose.data, at, `frame ${event.frame}`, event.picture)] : []
  })
  const outcome = events.findLast(({ type }) => type === 'outcome')
  return {
    question: first(eventsOf(events, 'vsi/question', vsiEvents['vsi/question'])),
    stage,
    lens: stage?.lens ?? (framePoses.length > 0 ? VIDEO_LENS : AGENT_LENS),
    views,
    frames,
    videoInfo: videoInfoOf(first(eventsOf(events, 'vsi/film', vsiEvents['vsi/film'])), media),
    video,
    poses:
      views.length > 0
        ? views.map(({ at, event }) => poseFrom(event.matrix, at, String(event.index), event.picture))
        : framePoses,
    cognitive: first(eventsOf(events, 'vsi/cognitive-map', vsiEvents['vsi/cognitive-map'])),
    map: first(eventsOf(events, 'vsi/map', vsiEvents['vsi/map'])),
    answer: outcome ? answerOf(readEvent(outcomeEvent, outcome)?.outcome) : null,
    answeredAt: events.length - 1,
  }
}
export type VsiEpisode = ReturnType<typeof readEpisode>

/** Defaults for recordings without a lens; see src/suites/vsi. */
const AGENT_LENS = { width: 640, height: 480, focal: 300 }
const VIDEO_LENS = { width: 640, height: 480, focal: 490 }

/** Older recordings store the video length only in the frames' provenance. */
function videoInfoOf(
  recorded: Film | null,
  media: readonly { event: z.infer<typeof mediaEvent> }[],
): { frames: number; fps: number | null } | null {
  if (recorded) return { frames: recorded.frames, fps: recorded.fps ?? null }
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

/** The matrix columns are right, down, forward and position. */
function poseFrom(m: readonly number[], at: number, name: string, picture: string): Pose {
  const column = (i: number): Triple => [m[i]!, m[i + 4]!, m[i + 8]!]
  return { at, name, picture, right: column(0), down: column(1), forward: column(2), position: column(3) }
}
