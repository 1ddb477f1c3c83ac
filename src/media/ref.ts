/** Media types that can be stored and displayed. */
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

/** A reference to content-addressed bytes in the store. */
export interface MediaRef {
  sha256: string
  type: MediaType
  bytes: number
  /** Size in pixels, for images and videos. */
  width?: number
  height?: number
}

/**
 * How an image was produced, in enough detail to reproduce it: source hash, decoder, frame index, resize and encoder;
 * or scene hash, pose and renderer version. Logged with the image; suites add the fields that apply.
 */
export interface Provenance {
  /** How these bytes were produced: `render`, `video-frame`, `file`, `drawing`, `speech`. */
  made: string
  [detail: string]: string | number | boolean | null | readonly number[]
}
