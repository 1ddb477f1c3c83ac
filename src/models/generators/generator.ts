/** A prompt for a video generator. */
export interface VideoRequest {
  text: string
  /** Recorded with the video; reproduces it if the generator is deterministic. */
  seed: number
  /** Index of the video among those for the same prompt. */
  index: number
  signal: AbortSignal
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
