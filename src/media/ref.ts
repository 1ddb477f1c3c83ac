/** The kinds of bytes that are stored and shown. */
export const MEDIA_TYPES = [
  'image/png',
  'image/jpeg',
  'image/webp',
  'image/gif',
  'image/svg+xml',
  'video/mp4',
  'video/quicktime',
  'audio/wav',
  'audio/mpeg',
  'model/gltf-binary',
  'application/json',
  'application/xml',
  'text/plain',
  'application/octet-stream',
] as const
export type MediaType = (typeof MEDIA_TYPES)[number]

/** Bytes that are stored once under their SHA-256, and pointed at from everywhere. */
export interface MediaRef {
  sha256: string
  type: MediaType
  bytes: number
  /** Pixels, for pictures and videos. */
  width?: number
  height?: number
}

/**
 * Where a picture came from, so that it can be made again: source hash, decoder, frame index, resize and encoder;
 * or scene hash, pose and renderer version. Kept in the log beside the picture; suites add the fields that apply.
 */
export interface Provenance {
  /** What made these bytes: `render`, `video-frame`, `file`, `drawing`, `speech`. */
  made: string
  [detail: string]: string | number | boolean | null | readonly number[]
}
