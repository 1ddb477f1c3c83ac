/** The viewer's data source: a server, or an exported folder opened from disk. */
import type { EpisodeDescription } from '../../../src/engine/suite.ts'
import type { Figure } from '../../../src/report/figures/figure.ts'
import type {
  CompareDetail,
  EpisodeColumns,
  EpisodeAddress,
  EpisodeDetail,
  Info,
  LiveEvent,
  RunDetail,
  RunRow,
  SharedDetail,
} from '../../../src/server/api.ts'

/** Reference to a stored media file. */
export interface MediaPointer {
  sha256: string
  /** For example `image/png`. The server never serves a type that could execute. */
  type?: string
}

export type EpisodeKey = Pick<EpisodeAddress, 'index' | 'epoch'>

/** Download progress in bytes. */
export interface Progress {
  loaded: number
  /** `null` when unknown. */
  total: number | null
}

export interface DataSource {
  info(): Promise<Info>
  runs(): Promise<readonly RunRow[]>
  run(id: string): Promise<RunDetail>
  /** The module of the suite's custom panel. */
  panel(run: string): Promise<unknown>
  episodes(run: string): Promise<EpisodeColumns>
  /** Descriptions of some episodes; `null` for those that the run does not have. */
  descriptions(run: string, episodes: readonly EpisodeKey[]): Promise<readonly (EpisodeDescription | null)[]>
  /** Answers against the ground truth. Reads all logs of the run, so it takes longer than the others. */
  figures(run: string): Promise<readonly Figure[]>
  /** Rows of `episodes` whose events contain the text; `null` when search is unavailable. */
  search(run: string, text: string, signal?: AbortSignal): Promise<readonly number[] | null>
  episode(run: string, index: number, epoch: number): Promise<EpisodeDetail>
  /** The scene of an episode as GLB. Reports progress if possible, because large scans take a while. */
  scene(run: string, index: number, epoch: number, onProgress?: (progress: Progress) => void): Promise<ArrayBuffer>
  /** Assigns a type of error to an episode; absent in an exported folder. */
  assignError?(run: string, episode: EpisodeKey, type: string | null): Promise<void>
  /** @param least runs with a smaller share of the samples than this are left out; default: 0 */
  shared(runs: readonly string[], least?: number): Promise<SharedDetail>
  compare(a: string, b: string): Promise<CompareDetail>
  /** For `src` of images, videos and audio. */
  mediaUrl(media: MediaPointer): string
  /** The same for a small version of an image. */
  thumbnailUrl(media: MediaPointer): string
  mediaBytes(media: MediaPointer): Promise<ArrayBuffer>
  /** Calls back for every run update; returns a function that stops listening. No-op in an exported folder. */
  live(listen: (event: LiveEvent) => void): () => void
}
