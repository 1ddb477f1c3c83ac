/** Events of a `space/text` or `space/vision` episode by type, with their positions. */
import { eventsOf } from '../../episode/read.ts'
import type { RecordedEvent } from '../../../../src/server/api.ts'
import { spaceEvents } from '../../../../src/suites/space/events.ts'

export function readEpisode(events: readonly RecordedEvent[]) {
  return {
    scenes: eventsOf(events, 'space/scene', spaceEvents['space/scene']),
    turns: eventsOf(events, 'space/turn', spaceEvents['space/turn']),
    maps: eventsOf(events, 'space/map', spaceEvents['space/map']),
    fogs: eventsOf(events, 'space/fog', spaceEvents['space/fog']),
    pictures: eventsOf(events, 'space/picture', spaceEvents['space/picture']),
    answers: eventsOf(events, 'space/answer', spaceEvents['space/answer']),
  }
}
export type SpaceEpisode = ReturnType<typeof readEpisode>
