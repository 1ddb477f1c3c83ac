/** What makes a video from a text. */
import type { MediaType } from '../../media/ref.ts'

export interface VideoRequest {
  text: string
  /** Recorded with the video: the same seed makes the same video again, where the generator allows it. */
  seed: number
  /** The prompt of the suite and which of its videos this is, for logs. */
  prompt: string
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

/** What kind of file it is by its first bytes; null when it is none that can be read. */
export function videoType(bytes: Uint8Array): MediaType | null {
  const at = (from: number, to: number) => Buffer.from(bytes.subarray(from, to)).toString('latin1')
  if (at(4, 8) === 'ftyp') return at(8, 12) === 'qt  ' ? 'video/quicktime' : 'video/mp4'
  if (at(0, 4) === 'GIF8') return 'image/gif'
  const isMatroska = at(0, 4) === '\u001aE\u00df\u00a3'
  return isMatroska || (at(0, 4) === 'RIFF' && at(8, 11) === 'AVI') ? 'application/octet-stream' : null
}
