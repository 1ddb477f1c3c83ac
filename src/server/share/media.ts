/** Images, videos and audio of an exported folder. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sharp } from '../../media/sharp.ts'
import type { MediaStore } from '../../store/media.ts'
import { isPlainSvg } from './plain-svg.ts'
import { dataScript } from './script.ts'

const THUMBNAIL_WIDTH = 320
const SHA256 = /^[0-9a-f]{64}$/
/** Types that a page can show directly from a file. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'image/svg+xml': 'svg',
  'video/mp4': 'mp4',
  'video/quicktime': 'mov',
  'audio/wav': 'wav',
  'audio/mpeg': 'mp3',
}

/** All media an event refers to, by hash, with the declared type if any. Any string that looks like a hash may be one. */
export function findMedia(event: unknown, found = new Map<string, string | null>()): Map<string, string | null> {
  if (typeof event === 'string') {
    if (SHA256.test(event) && !found.has(event)) found.set(event, null)
  } else if (Array.isArray(event)) {
    for (const item of event) findMedia(item, found)
  } else if (typeof event === 'object' && event !== null) {
    const { sha256, mediaType, type } = event as Record<string, unknown>
    const declaredType = typeof mediaType === 'string' ? mediaType : type
    if (typeof sha256 === 'string' && SHA256.test(sha256) && typeof declaredType === 'string')
      found.set(sha256, declaredType)
    for (const value of Object.values(event)) findMedia(value, found)
  }
  return found
}

export class SharedMedia {
  readonly #media: MediaStore
  readonly #folder: string
  /** Hash → file name; `null` when there is no file. */
  readonly #written = new Map<string, Promise<string | null>>()
  readonly #thumbnails = new Map<string, Promise<boolean>>()
  missing = 0
  files = 0
  bytes = 0

  constructor(media: MediaStore, folder: string) {
    this.#media = media
    this.#folder = folder
  }

  /** Adds a file once. Returns its name if a page can show it from a file. */
  add(sha256: string, type: string | null): Promise<string | null> {
    let written = this.#written.get(sha256)
    if (!written) this.#written.set(sha256, (written = this.#write(sha256, type)))
    return written
  }

  /** Writes a thumbnail once. Returns whether there is one. */
  addThumbnail(sha256: string, name: string): Promise<boolean> {
    let written = this.#thumbnails.get(sha256)
    if (!written) this.#thumbnails.set(sha256, (written = this.#writeThumbnail(sha256, name)))
    return written
  }

  async #writeThumbnail(sha256: string, name: string): Promise<boolean> {
    if (!/\.(png|jpg|webp)$/.test(name)) return false
    const image = sharp()(join(this.#folder, 'media', name)).resize({
      width: THUMBNAIL_WIDTH,
      withoutEnlargement: true,
    })
    // An unreadable image shows as broken; it must not fail the export.
    const bytes = await image
      .webp({ quality: 75 })
      .toBuffer()
      .catch(() => null)
    if (!bytes) return false
    const script = `small-${sha256}`
    await writeFile(join(this.#folder, 'data', `${script}.js`), dataScript(script, bytes.toString('base64')))
    return true
  }

  async #write(sha256: string, declaredType: string | null): Promise<string | null> {
    if (!(await this.#media.has(sha256))) {
      // Other hashes look the same, so only files declared as media count as missing.
      if (declaredType !== null) this.missing += 1
      return null
    }
    const bytes = await this.#media.read(sha256)
    const type = declaredType ?? sniffType(bytes)
    this.files += 1
    this.bytes += bytes.length
    const extension = Object.hasOwn(EXTENSIONS, type) ? EXTENSIONS[type]! : null
    if (extension === null) {
      // A page opened from disk can read bytes only from a script.
      const name = `bytes-${sha256}`
      await writeFile(join(this.#folder, 'data', `${name}.js`), dataScript(name, Buffer.from(bytes).toString('base64')))
      return null
    }
    await mkdir(join(this.#folder, 'media'), { recursive: true })
    if (extension === 'svg' && !isPlainSvg(Buffer.from(bytes).toString('utf8'))) {
      const name = `${sha256}.png`
      const rasterized = await sharp()(bytes)
        .png()
        .toBuffer()
        .catch(() => null)
      if (!rasterized) return null
      await writeFile(join(this.#folder, 'media', name), rasterized)
      return name
    }
    const name = `${sha256}.${extension}`
    await writeFile(join(this.#folder, 'media', name), bytes)
    return name
  }
}

function sniffType(bytes: Uint8Array): string {
  const start = Buffer.from(bytes.subarray(0, 12)).toString('latin1')
  if (start.startsWith('\u0089PNG\r\n')) return 'image/png'
  if (start.startsWith('\u00ff\u00d8\u00ff')) return 'image/jpeg'
  if (start.startsWith('<svg') || start.startsWith('<?xml')) return 'image/svg+xml'
  if (start.slice(4, 8) === 'ftyp') return 'video/mp4'
  return 'application/octet-stream'
}
