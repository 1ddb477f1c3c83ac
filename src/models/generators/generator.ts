/** What makes a video from a text. */
export interface VideoRequest {
  text: string
  /** Recorded with the video: the same seed makes the same video again, where the generator allows it. */
  seed: number
  /** Which of the videos of its text this is. */
  index: number
  signal: AbortSignal
}

export interface Generator {
  /** For the manifest: what made the video. */
  name: string
  /** As the user names the model; null when there is nothing to name. */
  model: string | null
  /** The bytes of a video file. */
  make(request: VideoRequest): Promise<Uint8Array>
  /** How many may be made at once by default. */
  atOnce: number
}
