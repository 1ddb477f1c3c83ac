/**
 * Media at the file API of OpenAI, Anthropic or Google (`-M upload=once`): every file is uploaded once, and named in the
 * requests. What was uploaded is deleted when the model is closed.
 */
import { z } from 'zod'
import { LruCache } from '../../base/lru-cache.ts'
import type { MediaRef } from '../../media/ref.ts'
import type { Clock } from '../clock.ts'
import { type BatchHttp as FileHttp, json, jsonIn, removeAll } from './batch-protocol.ts'
import { badReply } from './failure.ts'
import { uploadToGoogle } from './google-upload.ts'
import type { MediaBody } from './media-body.ts'
import { formWith } from './multipart.ts'

/** Uploads, or deletions, at the same time. */
const MAX_UPLOADS = 8
/** Google deletes files after 48 hours, and OpenAI when it is told to. */
const MAX_AGE_MS = 40 * 60 * 60_000
const OPENAI_SECONDS = 48 * 60 * 60
/** Files that are remembered. */
const MAX_KNOWN = 100_000
const PROCESSING_MS = 2000
const REMOVE_TIMEOUT_MS = 30_000

/** Where a file is: its id in requests, and the address to delete it at. */
interface Uploaded {
  id: string
  url: string
}

export interface FileApi {
  /** Whether the provider takes it as a file. */
  takes(ref: MediaRef): boolean
  /** Headers of every request that names files. */
  headers: Readonly<Record<string, string>>
  upload(ref: MediaRef, bytes: Buffer, signal: AbortSignal): Promise<Uploaded>
  /** The part of a request that names a file instead of holding it. */
  named(part: Readonly<Record<string, unknown>>, id: string): Record<string, unknown>
  /** The text of a part that holds media. */
  dataOf(part: Readonly<Record<string, unknown>>): unknown
}

const file = z.object({ id: z.string() })
const nameOf = ({ sha256, type }: MediaRef): string => `sightline-${sha256.slice(0, 16)}.${type.split('/')[1]}`
const isImage = ({ type }: MediaRef): boolean => type.startsWith('image/')

export function openaiFiles(http: FileHttp): FileApi {
  return {
    takes: isImage,
    headers: {},
    async upload(ref, bytes, signal) {
      const fields = {
        purpose: 'vision',
        'expires_after[anchor]': 'created_at',
        'expires_after[seconds]': String(OPENAI_SECONDS),
      }
      return uploadForm(http, fields, ref, bytes, signal)
    },
    dataOf: ({ type, image_url }) => (type === 'input_image' ? image_url : null),
    named: (part, id) => ({ ...part, image_url: undefined, file_id: id }),
  }
}

const ANTHROPIC_BETA = 'files-api-2025-04-14'

export function anthropicFiles(http: FileHttp): FileApi {
  return {
    takes: isImage,
    headers: { 'anthropic-beta': ANTHROPIC_BETA },
    upload: (ref, bytes, signal) => uploadForm(http, {}, ref, bytes, signal),
    dataOf: ({ type, source }) => (type === 'image' ? (source as { data?: unknown } | undefined)?.data : null),
    named: (part, id) => ({ ...part, source: { type: 'file', file_id: id } }),
  }
}

const googleFile = z.object({ name: z.string(), uri: z.string(), state: z.string().nullish() })

export function googleFiles(http: FileHttp, clock: Clock): FileApi {
  return {
    takes: () => true,
    headers: {},
    async upload(ref, body, signal) {
      const sent = { name: nameOf(ref), type: ref.type, body, length: body.length }
      let { file: found } = await jsonIn(await uploadToGoogle(http, sent, signal), z.object({ file: googleFile }))
      const url = `${http.baseUrl}/${found.name}`
      while (found.state === 'PROCESSING') {
        await clock.sleep(PROCESSING_MS, signal)
        found = await json(http, googleFile, { method: 'GET', url, signal })
      }
      if (found.state === 'FAILED')
        throw badReply(`the provider cannot read ${ref.type} file ${ref.sha256.slice(0, 12)}…`)
      return { id: found.uri, url }
    },
    dataOf: ({ inlineData }) => (inlineData as { data?: unknown } | undefined)?.data,
    named: ({ inlineData, ...part }, fileUri) => ({
      ...part,
      fileData: { mimeType: (inlineData as { mimeType?: string }).mimeType, fileUri },
    }),
  }
}

async function uploadForm(
  http: FileHttp,
  fields: Record<string, string>,
  ref: MediaRef,
  bytes: Buffer,
  signal: AbortSignal,
): Promise<Uploaded> {
  const content = { name: nameOf(ref), type: ref.type, length: bytes.length, content: () => [bytes] }
  const url = `${http.baseUrl}/files`
  const { id } = await jsonIn(await http.request({ method: 'POST', url, ...formWith(fields, content), signal }), file)
  return { id, url: `${url}/${encodeURIComponent(id)}` }
}

export class FileUploads {
  readonly #api: FileApi
  readonly #http: FileHttp
  readonly #media: MediaBody
  /** The provider is sent files as it is sent requests. */
  #auth: Readonly<Record<string, string>> = {}
  readonly #read: (ref: MediaRef) => Promise<Uint8Array>
  readonly #known = new LruCache<{ since: number; file: Promise<Uploaded> }>(MAX_KNOWN)
  readonly #urls = new Set<string>()
  readonly #waiting: (() => void)[] = []
  #uploading = 0

  constructor(
    open: (http: FileHttp) => FileApi,
    http: FileHttp,
    media: MediaBody,
    read: (ref: MediaRef) => Promise<Uint8Array>,
  ) {
    this.#http = {
      baseUrl: http.baseUrl,
      request: (call) => http.request({ ...call, headers: { ...this.#auth, ...call.headers } }),
    }
    this.#api = open(this.#http)
    this.#media = media
    this.#read = read
  }

  get headers(): Readonly<Record<string, string>> {
    return this.#api.headers
  }

  /** The request with media named by their files. @param headers of the request */
  name(body: unknown, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<unknown> {
    const { 'content-type': _, 'content-length': __, ...auth } = headers
    this.#auth = { ...auth, ...this.#api.headers }
    return this.#named(body, signal)
  }

  async #named(body: unknown, signal: AbortSignal): Promise<unknown> {
    if (Array.isArray(body)) return Promise.all(body.map((each) => this.#named(each, signal)))
    if (typeof body !== 'object' || body === null) return body
    const part = body as Record<string, unknown>
    const data = this.#api.dataOf(part)
    const ref = typeof data === 'string' ? this.#media.refIn(data) : null
    if (ref && this.#api.takes(ref)) return this.#api.named(part, (await this.#file(ref, signal)).id)
    const entries = await Promise.all(
      Object.entries(part).map(async ([key, value]) => [key, await this.#named(value, signal)] as const),
    )
    return Object.fromEntries(entries)
  }

  /** Deletes what was uploaded. */
  async remove(): Promise<void> {
    const urls = this.#urls.values()
    const work = async (): Promise<void> => {
      for (const url of urls) await removeAll(this.#http, [url], AbortSignal.timeout(REMOVE_TIMEOUT_MS))
    }
    await Promise.allSettled(Array.from({ length: MAX_UPLOADS }, work))
  }

  async #file(ref: MediaRef, signal: AbortSignal): Promise<Uploaded> {
    const known = this.#known.get(ref.sha256)
    if (known && Date.now() - known.since < MAX_AGE_MS) return known.file
    const uploaded = this.#upload(ref, signal)
    const entry = { since: Date.now(), file: uploaded }
    this.#known.set(ref.sha256, entry)
    // The next request tries again.
    uploaded.catch(() => (entry.since = 0))
    return uploaded
  }

  async #upload(ref: MediaRef, signal: AbortSignal): Promise<Uploaded> {
    if (this.#uploading >= MAX_UPLOADS) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else this.#uploading += 1
    try {
      const bytes = await this.#read(ref)
      const found = await this.#api.upload(ref, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), signal)
      this.#urls.add(found.url)
      return found
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#uploading -= 1
    }
  }
}
