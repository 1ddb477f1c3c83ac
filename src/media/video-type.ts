import type { MediaType } from './ref.ts'

/** The media type of a video file by its first bytes; null if it is not a supported video. */
export function videoType(bytes: Uint8Array): MediaType | null {
  const at = (from: number, to: number) => Buffer.from(bytes.subarray(from, to)).toString('latin1')
  if (at(4, 8) === 'ftyp') return at(8, 12) === 'qt  ' ? 'video/quicktime' : 'video/mp4'
  if (at(0, 4) === 'GIF8') return 'image/gif'
  const isMatroska = at(0, 4) === '\u001aE\u00df\u00a3'
  return isMatroska || (at(0, 4) === 'RIFF' && at(8, 11) === 'AVI') ? 'application/octet-stream' : null
}
