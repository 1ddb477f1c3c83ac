/**
 * The interface of a panel: a suite's own script that displays its episodes in the viewer (`viewer: { panel }` of a suite).
 * It is a single-file ES module for the browser; see docs/viewer.md.
 *
 * | export | |
 * |---|---|
 * | `mount(element, context)` | renders the episode into `element`; can return a cleanup function, or a promise of one |
 * | `title(event)` | optional: label of a suite's event on the timeline and in the transcript; null for none |
 */
import type { EpisodeLine } from '../store/records.ts'

/**
 * Passed to the `mount` function of a panel.
 *
 * @example
 * export function mount(element, { events, at, onChange }) {
 *   const render = (now) => (element.textContent = JSON.stringify(events[now.at]))
 *   render({ at })
 *   onChange(render)
 * }
 */
export interface PanelContext {
  episode: PanelEpisode
  /** In order: `sample`, `message`, `ask`, `reply`, `media`, `outcome`, `measurement`, and the events of the suite. */
  events: readonly PanelEvent[]
  /** The sample; null in runs of old versions that did not record it. */
  sample: unknown
  /** The outcome that `play` returned; null if the episode failed before that. */
  outcome: unknown
  /** Index in `events` of the selected event; initially the last one. */
  at: number
  theme: 'light' | 'dark'
  /** Selects another event. */
  seek: (at: number) => void
  /** URL of stored media, for `src`. Takes a `MediaRef`, or any object with its hash. */
  mediaUrl: (media: { sha256: string; type?: string }) => string
  /** Registers a callback for changes of the selected event or the theme. */
  onChange: (listener: (now: { at: number; theme: 'light' | 'dark' }) => void) => void
}

/** The episode shown in a panel, with the run it belongs to. */
export interface PanelEpisode extends Omit<EpisodeLine, 'events'> {
  run: { id: string; suite: string; player: string; profile: string }
}

/** An event of an episode: its type, and fields that depend on the type. */
export interface PanelEvent {
  type: string
  [detail: string]: unknown
}
