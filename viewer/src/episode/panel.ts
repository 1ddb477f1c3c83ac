/**
 * A suite's part of the episode page.
 *
 * An episode is a list of events, and the current step is an index in it: transcript, images and panels all show the
 * state right after `events[at]`.
 */
import type { ComponentType } from 'react'
import type { EpisodeDetail, RecordedEvent } from '../../../src/server/api.ts'

export interface PanelProps {
  episode: EpisodeDetail
  /** Index of the current step in `episode.events`. */
  at: number
  /** Jumps to another step. */
  seek: (at: number) => void
}

/** A step on the timeline. */
export interface Moment {
  at: number
  /** Short text: `turn left 90°`, `answer`. */
  title: string
  kind: 'ask' | 'reply' | 'picture' | 'move' | 'belief' | 'verdict' | 'note' | 'end'
}

export interface SuitePanel {
  /** Steps for the suite's own events; requests, replies and the end are built in. */
  moments?(event: RecordedEvent, at: number): Moment | null
  /** Transcript titles of events that are not steps. Default: the event type. */
  title?(event: RecordedEvent): string | null
  /** Rendered next to the transcript. Heavy parts should load lazily. */
  Panel: ComponentType<PanelProps>
  /** The suite is not built in: text before an image may be more than its label. */
  external?: true
  /** The panel only lists facts: the transcript gets the most prominent place and shows event data expanded. */
  transcriptFirst?: true
}
