import type { MediaType } from '../../media/ref.ts'

/** Far above any clip of a few seconds; a server that sends more is broken or hostile. */
export const MAX_VIDEO_BYTES = 256 * 2 ** 20

/** A prompt for a video generator. */
export interface VideoRequest {
  text: string
  /** The image that the video is to begin with. */
  image?: { bytes: Uint8Array; type: MediaType }
  /** Recorded with the video; reproduces it if the generator is deterministic. */
  seed: number
  /** Index of the video among those for the same prompt. */
  index: number
  signal: AbortSignal
  /** Called with the size of every piece of what a server sends. Nothing more is read until it resolves. */
  receive?: (bytes: number) => Promise<void>
}

export interface Generator {
  /** Recorded in the manifest as the source of the video. */
  name: string
  /** The model name given by the user, if any. */
  model: string | null
  /** Returns the bytes of a video file. */
  make(request: VideoRequest): Promise<Uint8Array>
  /** Default number of videos generated at once. */
  atOnce: number
}
