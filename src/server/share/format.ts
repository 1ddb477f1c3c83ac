/**
 * What a shared folder holds: types alone, for who writes it and for the page that reads it.
 *
 * Pages that are opened from disk may load scripts and pictures but fetch nothing, so all data are scripts that call
 * `sightlineData(name, value)`, loaded when they are needed.
 *
 * | file | holds |
 * |---|---|
 * | `data/run.js` | `SharedRun` under `run` |
 * | `data/panel.js` | the source of the suite's own panel under `panel`, where it has one |
 * | `data/episodes-N.js` | `SharedChunk` under `episodes-N` |
 * | `data/scene-TAG.js`, `data/bytes-SHA256.js` | base64 under the same name |
 * | `data/small-SHA256.js` | the same for a small copy of a picture that is shown in 3D |
 * | `media/SHA256.png` | a picture, video or sound |
 */
import type { EpisodeLine } from '../../store/records.ts'
import type { EpisodeColumns, Info, RecordedEvent, RunDetail } from '../api.ts'

/** Name of the global function that data call. */
export const REGISTER = 'sightlineData'

export interface SharedRun {
  info: Info
  detail: RunDetail
  episodes: EpisodeColumns
  /** First row of `episodes` in each file of episodes. */
  chunks: readonly number[]
  /** Does the suite bring a panel of its own? */
  hasPanel: boolean
  /** The page to open first, behind the `#`. */
  open: string
}

export interface SharedChunk {
  episodes: readonly { line: EpisodeLine; events: readonly RecordedEvent[] }[]
  /** SHA-256 to the name of a file in `media/`. */
  media: Readonly<Record<string, string>>
  /** Pictures that there is a small copy of, for 3D: a page from disk may show a file, but not take its pixels. */
  small: readonly string[]
  /** `INDEX.EPOCH` to the tag of its scene. */
  scenes: Readonly<Record<string, string>>
}
