/** Pictures, videos and sound of a store: whole or in parts, under types that cannot run. */
import { createHash } from 'node:crypto'
import type { Stats } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { LruCache } from '../base/lru-cache.ts'
import type { MediaStore } from '../store/media.ts'
import { HttpProblem, notFound } from './http/problem.ts'
import { type Part, partOf } from './http/range.ts'

const SHA256 = /^[0-9a-f]{64}$/
/** What a type is served as. XML could be a page with scripts, so it is shown as text. */
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
const UNKNOWN = 'application/octet-stream'
/** Opened alone, nothing in it may run or fetch. */
export const MEDIA_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'"
/** Files whose hash was checked and that have not changed since. */
const REMEMBERED = 20_000
const PIECE_BYTES = 1024 * 1024
/** Sent in one go up to this size, as a stream beyond. */
const WHOLE_BYTES = 1024 * 1024

export class MediaFiles {
  readonly #media: MediaStore
  readonly #checked = new LruCache<string>(REMEMBERED)

  constructor(media: MediaStore) {
    this.#media = media
  }

  async answer(sha256: string, type: string | undefined, request: Request): Promise<Response> {
    if (!SHA256.test(sha256)) throw notFound('Media are named by their SHA-256: 64 digits from 0 to 9 and a to f.')
    const headers = new Headers({
      ETag: `"${sha256}"`,
      'Cache-Control': 'private, max-age=31536000, immutable',
      'Content-Security-Policy': MEDIA_POLICY,
      'Accept-Ranges': 'bytes',
    })
    const file = await this.#media.open(sha256).catch(() => {
      throw notFound(
        'This picture, video or sound is not in the store.',
        'It was deleted, or the run was copied without its media folder.',
      )
    })
    let handedOn = false
    try {
      const stats = await file.stat()
      await this.#check(sha256, file, stats)
      if (matches(request.headers.get('if-none-match'), sha256)) return new Response(null, { status: 304, headers })
      const served = servedAs(type ?? (await sniffed(file)))
      headers.set('Content-Type', served)
      if (served === UNKNOWN) headers.set('Content-Disposition', `attachment; filename="${sha256}"`)
      const ifRange = request.headers.get('if-range')
      const wanted = ifRange === null || ifRange === `"${sha256}"` ? request.headers.get('range') : null
      const part = partOf(wanted, stats.size)
      if (part === 'unsatisfiable') {
        headers.set('Content-Range', `bytes */${stats.size}`)
        return new Response(null, { status: 416, headers })
      }
      const { from, to } = part ?? { from: 0, to: stats.size }
      if (part) headers.set('Content-Range', `bytes ${from}-${to - 1}/${stats.size}`)
      headers.set('Content-Length', String(to - from))
      const status = part ? 206 : 200
      if (request.method === 'HEAD') return new Response(null, { status, headers })
      if (to - from <= WHOLE_BYTES) return new Response(await read(file, { from, to }), { status, headers })
      handedOn = true
      const stream = file.createReadStream({ start: from, end: to - 1 })
      return new Response(Readable.toWeb(stream) as ReadableStream<Uint8Array>, { status, headers })
    } finally {
      if (!handedOn) await file.close()
    }
  }

  /** Bytes that do not have the hash that is their name are not served. */
  async #check(sha256: string, file: FileHandle, stats: Stats): Promise<void> {
    const trace = `${stats.ino}/${stats.size}/${stats.mtimeMs}/${stats.ctimeMs}`
    if (this.#checked.get(sha256) === trace) return
    const hash = createHash('sha256')
    const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, Math.max(1, stats.size)))
    for (let position = 0; ;) {
      const { bytesRead } = await file.read(piece, 0, piece.length, position)
      if (bytesRead === 0) break
      hash.update(piece.subarray(0, bytesRead))
      position += bytesRead
    }
    if (hash.digest('hex') !== sha256) {
      throw new HttpProblem(
        422,
        'This picture, video or sound is damaged: its bytes do not have the hash that is its name.',
        'Bring it back from a copy, or delete it and play the episode again.',
      )
    }
    this.#checked.set(sha256, trace)
  }
}

function servedAs(type: string): string {
  return Object.hasOwn(SERVED_AS, type) ? SERVED_AS[type]! : UNKNOWN
}

async function read(file: FileHandle, { from, to }: Part): Promise<Uint8Array<ArrayBuffer>> {
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

/** What the first bytes say, for events that do not tell the type. Never a type that could run. */
async function sniffed(file: FileHandle): Promise<string> {
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
  return UNKNOWN
}
