/**
 * What a panel gets: a suite's own script that shows its episodes in the viewer (`viewer: { panel }` of a suite). It is a
 * plain ES module for the browser, in one file. docs/viewer.md has an example.
 *
 * | export | |
 * |---|---|
 * | `mount(element, context)` | draws the episode into `element`; may return a function that cleans up, or a promise of one |
 * | `title(event)` | optional: words for an event that the suite noted, on the timeline and in the transcript; null for none |
 */
import type { EpisodeLine } from '../store/records.ts'

export interface PanelContext {
  episode: PanelEpisode
  /** Everything that was recorded, in order; docs/store.md has the types that are not the suite's own. */
  events: readonly PanelEvent[]
  /** The sample; null in runs of versions that did not record it. */
  sample: unknown
  /** What `play` returned; null when it did not get that far. */
  outcome: unknown
  /** Position in `events` of the moment that is looked at; at first the last one. */
  at: number
  theme: 'light' | 'dark'
  /** Goes to another moment. */
  seek: (at: number) => void
  /** The address of something that was kept, for `src`: a `MediaRef`, or anything else with its hash. */
  mediaUrl: (media: { sha256: string; type?: string }) => string
  /** Calls back when another moment is looked at, or the theme changes. */
  onChange: (listener: (now: { at: number; theme: 'light' | 'dark' }) => void) => void
}

export interface PanelEpisode extends Omit<EpisodeLine, 'events'> {
  run: { id: string; suite: string; player: string; profile: string }
}

export interface PanelEvent {
  type: string
  [detail: string]: unknown
}
