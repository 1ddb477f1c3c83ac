/** Where the pages get what they show: a server over the store, or a shared folder that was opened from disk. */
import type {
  CompareDetail,
  EpisodeColumns,
  EpisodeDetail,
  Info,
  LiveEvent,
  RunDetail,
  RunRow,
} from '../../../src/server/api.ts'

/** What an event says about bytes that were kept: a hash, with its type where the event tells it. */
export interface MediaPointer {
  sha256: string
  /** For example `image/png`. The server serves nothing under a type that could run. */
  type?: string
}

/** Bytes that are here, and how many there will be. */
export interface Progress {
  loaded: number
  /** Null where it is not known. */
  total: number | null
}

export interface DataSource {
  info(): Promise<Info>
  runs(): Promise<readonly RunRow[]>
  run(id: string): Promise<RunDetail>
  /** The script with which the suite of a run shows its episodes: the module, whatever it exports. */
  panel(run: string): Promise<unknown>
  episodes(run: string): Promise<EpisodeColumns>
  /** Rows of `episodes` in whose events a text occurs; `null` where it cannot be searched. */
  search(run: string, text: string, signal?: AbortSignal): Promise<readonly number[] | null>
  episode(run: string, index: number, epoch: number): Promise<EpisodeDetail>
  /** The scene of an episode as GLB. Calls back while it comes, where that can be told: large scans take a while. */
  scene(run: string, index: number, epoch: number, onProgress?: (progress: Progress) => void): Promise<ArrayBuffer>
  compare(a: string, b: string): Promise<CompareDetail>
  /** For `src` of pictures, videos and sound. */
  mediaUrl(media: MediaPointer): string
  mediaBytes(media: MediaPointer): Promise<ArrayBuffer>
  /** Calls back for every run that moves; gives back how to stop. Does nothing where nothing moves. */
  live(listen: (event: LiveEvent) => void): () => void
}
