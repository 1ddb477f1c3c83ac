/** Reads a video and its measurements from the events of an episode. */
import type { RecordedEvent } from '../../../../src/server/api.ts'
import {
  drawnPictures,
  measuredValue,
  measurementEvent,
  outcomeEvent,
  sampleEvent,
  type VideoEvent,
  videoEvent,
} from '../../../../src/suites/vbench/events.ts'
import { eventsOf } from '../../episode/read.ts'

const NOT_MEASURED = { value: null, tier: null, by: null }

export function videoIn(events: readonly RecordedEvent[]): VideoEvent | null {
  // Runs from before the measure stage have everything in one event.
  const video = eventsOf(events, 'vbench/video', videoEvent)[0]?.event ?? playedVideo(events)
  if (video === null) return null
  const measured = { ...video, dimensions: { ...video.dimensions } }
  for (const { event } of eventsOf(events, 'measurement', measurementEvent)) {
    const { instrument, value } = event
    if (instrument === 'pictures') Object.assign(measured, drawnPictures.safeParse(value).data)
    else {
      const { data } = measuredValue.safeParse(value)
      if (data === undefined) continue
      if (instrument === 'static_filter') measured.still = data
      else measured.dimensions[instrument] = data
    }
  }
  return measured
}

function playedVideo(events: readonly RecordedEvent[]): VideoEvent | null {
  const sample = eventsOf(events, 'sample', sampleEvent)[0]?.event.sample
  const outcome = eventsOf(events, 'outcome', outcomeEvent).at(-1)?.event.outcome
  if (!sample || !outcome) return null
  const { dimensions, ...shown } = sample
  const unmeasured = Object.fromEntries(dimensions.map((name) => [name, NOT_MEASURED]))
  return { ...shown, ...outcome, frames: null, flow: null, dimensions: unmeasured, still: null }
}
