/**
 * What a suite adds to the page of an episode.
 *
 * An episode is the list of its events, and the moment that is looked at is a position in that list: the transcript,
 * the pictures and every panel show what was known when `events[at]` had just happened. One number moves them all.
 */
import type { ComponentType } from 'react'
import type { EpisodeDetail, RecordedEvent } from '../../../src/server/api.ts'

export interface PanelProps {
  episode: EpisodeDetail
  /** Position in `episode.events` of the moment that is looked at. */
  at: number
  /** Goes to another moment. */
  seek: (at: number) => void
}

/** A mark on the timeline that a person steps to. */
export interface Moment {
  at: number
  /** A few words: `turn left 90°`, `answer`. */
  title: string
  kind: 'ask' | 'reply' | 'picture' | 'move' | 'belief' | 'verdict' | 'note' | 'end'
}

export interface SuitePanel {
  /** Moments of the suite's own events; asks, replies and the end are found without it. */
  moments?(event: RecordedEvent, at: number): Moment | null
  /** Words in the transcript for events that are no moments; without them the name of the event stands there. */
  title?(event: RecordedEvent): string | null
  /** Drawn beside the transcript. Heavy ones load their parts when they are shown. */
  Panel: ComponentType<PanelProps>
  /** Of a suite that the viewer knows nothing about: words before a picture may be more than its label. */
  guest?: true
  /** Facts about an episode rather than a picture of it: the transcript comes first, and tells what was noted. */
  general?: true
}
