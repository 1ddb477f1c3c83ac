/**
 * Format of an exported folder: types shared by the writer and the page that reads it.
 *
 * Pages opened from disk can load scripts and images but cannot fetch, so all data are scripts that call
 * `sightlineData(name, value)`, loaded on demand.
 *
 * | file | content |
 * |---|---|
 * | `data/run.js` | `SharedRun` under `run` |
 * | `data/panel.js` | source of the suite's custom panel under `panel`, if it has one |
 * | `data/episodes-N.js` | `SharedChunk` under `episodes-N` |
 * | `data/described-N.js` | `SharedDescriptions` of the same episodes under `described-N`, for the table |
 * | `data/scene-TAG.js`, `data/bytes-SHA256.js` | base64 under the same name |
 * | `data/small-SHA256.js` | the same for a thumbnail of an image shown in 3D |
 * | `media/SHA256.png` | an image, video or audio file |
 */
import type { EpisodeDescription } from '../../engine/suite.ts'
import type { Figure } from '../../report/figures/figure.ts'
import type { EpisodeLine } from '../../store/records.ts'
import type { EpisodeColumns, Info, RecordedEvent, RunDetail } from '../api.ts'

/** Name of the global function that data scripts call. */
export const REGISTER = 'sightlineData'

export interface SharedRun {
  info: Info
  detail: RunDetail
  episodes: EpisodeColumns
  /** Answers against the ground truth. */
  figures: readonly Figure[]
  /** First row of `episodes` in each episodes file. */
  chunks: readonly number[]
  /** Whether the suite has a custom panel. */
  hasPanel: boolean
  /** The start page, after the `#`. */
  open: string
}

export interface SharedDescriptions {
  descriptions: readonly EpisodeDescription[]
  /** SHA-256 → file name in `media/` of their images. */
  media: Readonly<Record<string, string>>
}

export interface SharedChunk {
  episodes: readonly { line: EpisodeLine; events: readonly RecordedEvent[] }[]
  /** SHA-256 → file name in `media/`. */
  media: Readonly<Record<string, string>>
  /** Images with a thumbnail for 3D: a page opened from disk can show a file but not read its pixels. */
  small: readonly string[]
  /** `INDEX.EPOCH` → scene tag. */
  scenes: Readonly<Record<string, string>>
}
