/** The pictures, videos and sound that a shared folder brings along. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import type { MediaStore } from '../../store/media.ts'
import { isPlainSvg } from './plain-svg.ts'
import { dataScript } from './script.ts'

const SMALL_WIDTH = 320
const SHA256 = /^[0-9a-f]{64}$/
/** What a page shows from a file by itself. */
const ENDINGS: Readonly<Record<string, string>> = {
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

/** Everything that an event points to: hash to type, as far as it tells. Any text that looks like a hash may be one. */
export function mediaIn(event: unknown, found = new Map<string, string | null>()): Map<string, string | null> {
  if (typeof event === 'string') {
    if (SHA256.test(event) && !found.has(event)) found.set(event, null)
  } else if (Array.isArray(event)) {
    for (const item of event) mediaIn(item, found)
  } else if (typeof event === 'object' && event !== null) {
    const { sha256, mediaType, type } = event as Record<string, unknown>
    const told = typeof mediaType === 'string' ? mediaType : type
    if (typeof sha256 === 'string' && SHA256.test(sha256) && typeof told === 'string') found.set(sha256, told)
    for (const value of Object.values(event)) mediaIn(value, found)
  }
  return found
}

export class SharedMedia {
  readonly #media: MediaStore
  readonly #folder: string
  /** Hash to the name of its file; `null` when there is none. */
  readonly #written = new Map<string, Promise<string | null>>()
  readonly #small = new Map<string, Promise<boolean>>()
  missing = 0
  files = 0
  bytes = 0

  constructor(media: MediaStore, folder: string) {
    this.#media = media
    this.#folder = folder
  }

  /** Brings a file along, once. Gives its name where a page can show it from a file. */
  bring(sha256: string, type: string | null): Promise<string | null> {
    let written = this.#written.get(sha256)
    if (!written) this.#written.set(sha256, (written = this.#write(sha256, type)))
    return written
  }

  /** Writes a small copy of a picture, once. Is there one? */
  small(sha256: string, name: string): Promise<boolean> {
    let written = this.#small.get(sha256)
    if (!written) this.#small.set(sha256, (written = this.#writeSmall(sha256, name)))
    return written
  }

  async #writeSmall(sha256: string, name: string): Promise<boolean> {
    if (!/\.(png|jpg|webp)$/.test(name)) return false
    const picture = sharp(join(this.#folder, 'media', name)).resize({ width: SMALL_WIDTH, withoutEnlargement: true })
    // A picture that cannot be read is shown as a broken one; that is no reason not to share the run.
    const bytes = await picture
      .webp({ quality: 75 })
      .toBuffer()
      .catch(() => null)
    if (!bytes) return false
    const script = `small-${sha256}`
    await writeFile(join(this.#folder, 'data', `${script}.js`), dataScript(script, bytes.toString('base64')))
    return true
  }

  async #write(sha256: string, told: string | null): Promise<string | null> {
    if (!(await this.#media.has(sha256))) {
      // Other hashes look alike; only what is said to be a picture, video or sound is missed.
      if (told !== null) this.missing += 1
      return null
    }
    const bytes = await this.#media.read(sha256)
    const type = told ?? sniffed(bytes)
    this.files += 1
    this.bytes += bytes.length
    const ending = Object.hasOwn(ENDINGS, type) ? ENDINGS[type]! : null
    if (ending === null) {
      // A page that is opened from disk gets at bytes only by way of a script.
      const name = `bytes-${sha256}`
      await writeFile(join(this.#folder, 'data', `${name}.js`), dataScript(name, Buffer.from(bytes).toString('base64')))
      return null
    }
    await mkdir(join(this.#folder, 'media'), { recursive: true })
    if (ending === 'svg' && !isPlainSvg(Buffer.from(bytes).toString('utf8'))) {
      const name = `${sha256}.png`
      const drawn = await sharp(bytes)
        .png()
        .toBuffer()
        .catch(() => null)
      if (!drawn) return null
      await writeFile(join(this.#folder, 'media', name), drawn)
      return name
    }
    const name = `${sha256}.${ending}`
    await writeFile(join(this.#folder, 'media', name), bytes)
    return name
  }
}

function sniffed(bytes: Uint8Array): string {
  const start = Buffer.from(bytes.subarray(0, 12)).toString('latin1')
  if (start.startsWith('\u0089PNG\r\n')) return 'image/png'
  if (start.startsWith('\u00ff\u00d8\u00ff')) return 'image/jpeg'
  if (start.startsWith('<svg') || start.startsWith('<?xml')) return 'image/svg+xml'
  if (start.slice(4, 8) === 'ftyp') return 'video/mp4'
  return 'application/octet-stream'
}
