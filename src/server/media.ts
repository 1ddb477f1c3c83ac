/** Serves images, videos and audio of a store, with ranges, under types that cannot execute. */
import { createHash } from 'node:crypto'
import type { Stats } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { LruCache } from '../base/lru-cache.ts'
import { sharp } from '../media/sharp.ts'
import type { MediaStore } from '../store/media.ts'
import { HttpProblem, notFound } from './http/problem.ts'
import { type ByteRange, parseRange } from './http/range.ts'

const SHA256 = /^[0-9a-f]{64}$/
/** Content types by declared type. XML could contain scripts, so it is served as text. */
const SERVED_AS: Readonly<Record<string, string>> = {
  'image/png': 'image/png',
  'image/jpeg': 'image/jpeg',
  'image/webp': 'image/webp',
  'image/gif': 'image/gif',
  'image/svg+xml': 'image/svg+xml',
  'video/mp4': 'video/mp4',
  'video/quicktime': 'video/quicktime',
  'audio/wav': 'audio/wav',
  'audio/mpeg': 'audio/mpeg',
  'model/gltf-binary': 'model/gltf-binary',
  'application/json': 'application/json',
  'application/xml': 'text/plain; charset=utf-8',
  'text/plain': 'text/plain; charset=utf-8',
}
const UNKNOWN_TYPE = 'application/octet-stream'
/** When opened directly, a media file must not run or fetch anything. */
export const MEDIA_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'"
/** How many verified, unchanged files to remember. */
const MAX_VERIFIED = 20_000
const CHUNK_BYTES = 1024 * 1024
/** Larger files are streamed. */
const MAX_BUFFERED_BYTES = 1024 * 1024

/** Twice the size shown, for dense screens. Of a strip of frames, the first is shown. */
const THUMBNAIL = { width: 96, height: 72 } as const
const MAX_THUMBNAILS = 2000
const MAX_THUMBNAIL_SOURCE = 100_000_000
const IMMUTABLE = 'private, max-age=31536000, immutable'

export class MediaFiles {
  readonly #media: MediaStore
  readonly #thumbnails = new LruCache<Promise<Uint8Array<ArrayBuffer> | null>>(MAX_THUMBNAILS)
  readonly #verified = new LruCache<string>(MAX_VERIFIED)

  constructor(media: MediaStore) {
    this.#media = media
  }

  async respond(sha256: string, type: string | undefined, request: Request): Promise<Response> {
    if (!SHA256.test(sha256)) throw notFound('Invalid media id. Use a SHA-256 hash: 64 lowercase hex digits.')
    const headers = new Headers({
      ETag: `"${sha256}"`,
      'Cache-Control': IMMUTABLE,
      'Content-Security-Policy': MEDIA_POLICY,
      'Accept-Ranges': 'bytes',
    })
    const file = await this.#media.open(sha256).catch(() => {
      throw notFound(
        'This media file is not in the store.',
        'It was deleted, or the run was copied without the media folder.',
      )
    })
    let streaming = false
    try {
      const stats = await file.stat()
      await this.#verify(sha256, file, stats)
      if (matches(request.headers.get('if-none-match'), sha256)) return new Response(null, { status: 304, headers })
      const served = servedAs(type ?? (await sniffType(file)))
      headers.set('Content-Type', served)
      if (served === UNKNOWN_TYPE) headers.set('Content-Disposition', `attachment; filename="${sha256}"`)
      const ifRange = request.headers.get('if-range')
      const wanted = ifRange === null || ifRange === `"${sha256}"` ? request.headers.get('range') : null
      const part = parseRange(wanted, stats.size)
      if (part === 'unsatisfiable') {
        headers.set('Content-Range', `bytes */${stats.size}`)
        return new Response(null, { status: 416, headers })
      }
      const { from, to } = part ?? { from: 0, to: stats.size }
      if (part) headers.set('Content-Range', `bytes ${from}-${to - 1}/${stats.size}`)
      headers.set('Content-Length', String(to - from))
      const status = part ? 206 : 200
      if (request.method === 'HEAD') return new Response(null, { status, headers })
      if (to - from <= MAX_BUFFERED_BYTES) return new Response(await readRange(file, { from, to }), { status, headers })
      streaming = true
      const stream = file.createReadStream({ start: from, end: to - 1 })
      return new Response(Readable.toWeb(stream) as ReadableStream<Uint8Array>, { status, headers })
    } finally {
      if (!streaming) await file.close()
    }
  }

  /** A small version of an image for tables, or the file itself where none can be made. */
  async thumbnail(sha256: string, request: Request): Promise<Response> {
    const etag = `"${sha256}-small"`
    const headers = new Headers({
      ETag: etag,
      'Cache-Control': IMMUTABLE,
      'Content-Security-Policy': MEDIA_POLICY,
      'Content-Type': 'image/webp',
    })
    if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers })
    const bytes = SHA256.test(sha256) ? await this.#thumbnails.getOrCreate(sha256, () => this.#small(sha256)) : null
    if (!bytes) return this.respond(sha256, undefined, request)
    return new Response(bytes, { headers })
  }

  async #small(sha256: string): Promise<Uint8Array<ArrayBuffer> | null> {
    const bytes = await this.#media.read(sha256).catch(() => null)
    if (!bytes || createHash('sha256').update(bytes).digest('hex') !== sha256) return null
    try {
      const image = sharp()(bytes, { limitInputPixels: MAX_THUMBNAIL_SOURCE })
      const small = image.resize({ ...THUMBNAIL, fit: 'cover', position: 'left' }).webp({ quality: 75 })
      return new Uint8Array(await small.toBuffer())
    } catch {
      // Not an image, or sharp is not installed.
      return null
    }
  }

  /** Refuses files whose content does not match their hash. */
  async #verify(sha256: string, file: FileHandle, stats: Stats): Promise<void> {
    const stamp = `${stats.ino}/${stats.size}/${stats.mtimeMs}/${stats.ctimeMs}`
    if (this.#verified.get(sha256) === stamp) return
    const hash = createHash('sha256')
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(1, stats.size)))
    for (let position = 0; ;) {
      const { bytesRead } = await file.read(chunk, 0, chunk.length, position)
      if (bytesRead === 0) break
      hash.update(chunk.subarray(0, bytesRead))
      position += bytesRead
    }
    if (hash.digest('hex') !== sha256) {
      throw new HttpProblem(
        422,
        'This media file is damaged: its content does not match its hash.',
        'Restore it from a backup, or delete it and rerun the episode.',
      )
    }
    this.#verified.set(sha256, stamp)
  }
}

function servedAs(type: string): string {
  return Object.hasOwn(SERVED_AS, type) ? SERVED_AS[type]! : UNKNOWN_TYPE
}

async function readRange(file: FileHandle, { from, to }: ByteRange): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(to - from)
  for (let at = 0; at < bytes.length;) {
    const { bytesRead } = await file.read(bytes, at, bytes.length - at, from + at)
    if (bytesRead === 0) break
    at += bytesRead
  }
  return bytes
}

function matches(ifNoneMatch: string | null, sha256: string): boolean {
  return ifNoneMatch !== null && ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === `"${sha256}"`)
}

/** Detects the type from the first bytes, for events without one. Never returns a type that could execute. */
async function sniffType(file: FileHandle): Promise<string> {
  const start = Buffer.alloc(12)
  await file.read(start, 0, start.length, 0)
  const text = start.toString('latin1')
  if (text.startsWith('\u0089PNG\r\n')) return 'image/png'
  if (text.startsWith('\u00ff\u00d8\u00ff')) return 'image/jpeg'
  if (text.startsWith('GIF8')) return 'image/gif'
  if (text.startsWith('RIFF') && text.slice(8) === 'WEBP') return 'image/webp'
  if (text.startsWith('RIFF') && text.slice(8) === 'WAVE') return 'audio/wav'
  if (text.slice(4, 8) === 'ftyp') return text.slice(8, 12) === 'qt  ' ? 'video/quicktime' : 'video/mp4'
  if (text.startsWith('ID3')) return 'audio/mpeg'
  if (text.startsWith('glTF')) return 'model/gltf-binary'
  return UNKNOWN_TYPE
}
