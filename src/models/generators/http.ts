/** A video generator behind an HTTP API: submit a job, poll until it is done, download the video. */
import { z } from 'zod'
import { messageOf, UserError } from '../../base/errors.ts'
import { realClock } from '../clock.ts'
import { backoffMs } from '../retry.ts'
import { type Generator, MAX_VIDEO_BYTES, type VideoRequest } from './generator.ts'

export interface HttpGeneratorOptions {
  /** Endpoint for new jobs: `https://host/v1/videos`. */
  url: string
  /** Bearer token, sent to this host only. */
  key?: string | undefined
  model?: string | undefined
  /** Additional request fields: size, seconds, steps. */
  fields?: Readonly<Record<string, unknown>>
  pollMs?: number | undefined
  /** Timeout for one video, from submission to download. */
  timeoutMs?: number | undefined
  retries?: number
}

const POLL_MS = 2000
const TIMEOUT_MS = 30 * 60_000
const RETRIES = 5
/** It may contain a video in Base64, and is in memory several times until that is decoded. */
const MAX_JSON_BYTES = 64 * 2 ** 20
const MAX_ERROR_BYTES = 64 * 2 ** 10
const MAX_WAIT_MS = 30_000

const answerSchema = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  status: z.string().optional(),
  status_url: z.string().optional(),
  video_url: z.string().optional(),
  url: z.string().optional(),
  b64: z.string().optional(),
  b64_json: z.string().optional(),
  error: z.unknown().optional(),
})
type Answer = z.infer<typeof answerSchema>

const DONE = new Set(['succeeded', 'success', 'completed', 'complete', 'done', 'finished'])
const FAILED = new Set(['failed', 'failure', 'error', 'cancelled', 'canceled', 'rejected'])

/** A failure that a retry may fix. */
class RetryableError extends Error {}

export function httpGenerator(options: HttpGeneratorOptions): Generator {
  let url: URL
  try {
    url = new URL(options.url)
  } catch (cause) {
    throw new UserError(`"${options.url}" is not a valid URL.`, {
      hint: 'Use a URL such as http://localhost:8000/v1/videos',
      cause,
    })
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new UserError(`Unsupported URL "${options.url}": use http or https.`)
  }
  return {
    name: `http ${url.host}${url.pathname}`,
    model: options.model ?? null,
    atOnce: 4,
    make: (request) => new VideoJob(url, options, request).video(),
  }
}

/** One video, from submission to download. */
class VideoJob {
  readonly #base: URL
  readonly #options: HttpGeneratorOptions
  readonly #request: VideoRequest
  readonly #timeoutMs: number
  readonly #signal: AbortSignal
  /** The last failure that was retried, for the timeout message. */
  #lastFailure: string | null = null

  constructor(base: URL, options: HttpGeneratorOptions, request: VideoRequest) {
    this.#base = base
    this.#options = options
    this.#request = request
    this.#timeoutMs = options.timeoutMs ?? TIMEOUT_MS
    this.#signal = AbortSignal.any([request.signal, AbortSignal.timeout(this.#timeoutMs)])
  }

  async video(): Promise<Uint8Array> {
    try {
      return await this.#generate()
    } catch (error) {
      if (!(error instanceof DOMException) || error.name !== 'TimeoutError') throw error
      const why = this.#lastFailure === null ? '' : `: ${this.#lastFailure}`
      throw new Error(`no video from ${this.#base.host} within ${this.#timeoutMs / 1000} s${why}`, { cause: error })
    }
  }

  async #generate(): Promise<Uint8Array> {
    const base = this.#base
    const { fields, model, pollMs = POLL_MS } = this.#options
    const { text: prompt, seed, image } = this.#request
    const body = JSON.stringify({
      ...fields,
      ...(model === undefined ? {} : { model }),
      prompt,
      seed,
      ...(image && { image: `data:${image.type};base64,${Buffer.from(image.bytes).toString('base64')}` }),
    })
    let reply = await this.#send(base, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    for (;;) {
      if (reply instanceof Uint8Array) return reply
      const status = reply.status?.toLowerCase()
      if (status !== undefined && FAILED.has(status)) {
        const error = JSON.stringify(reply.error ?? null).slice(0, 300)
        throw new Error(`${base.host} reported status "${status}": ${error}`)
      }
      const inline = reply.b64 ?? reply.b64_json
      if (inline !== undefined) return Buffer.from(inline, 'base64')
      const where = reply.video_url ?? (status === undefined || DONE.has(status) ? reply.url : undefined)
      if (where !== undefined) return this.#download(new URL(where, base))
      const { id, status_url } = reply
      if (id === undefined && status_url === undefined) {
        throw new Error(`${base.host} returned neither a video nor a job id`)
      }
      const own =
        id === undefined ? null : new URL(`${base.pathname.replace(/\/$/, '')}/${encodeURIComponent(id)}`, base)
      if (status !== undefined && DONE.has(status) && own !== null) {
        return this.#download(new URL(`${own.pathname}/content`, base))
      }
      await realClock.sleep(pollMs, this.#signal)
      const next = await this.#send(status_url === undefined ? own! : new URL(status_url, base), {})
      // Some servers return the id and status URL only once, on submission.
      reply =
        next instanceof Uint8Array ? next : { ...next, id: next.id ?? id, status_url: next.status_url ?? status_url }
    }
  }

  /** Returns the video if the server sends one, otherwise its JSON response. */
  async #send(url: URL, init: RequestInit): Promise<Answer | Uint8Array> {
    return this.#withRetries(async () => {
      const response = await this.#fetch(url, init)
      const type = response.headers.get('content-type') ?? ''
      const isVideo = type.startsWith('video/') || type.startsWith('application/octet-stream')
      const bytes = await this.#read(response, isVideo ? MAX_VIDEO_BYTES : MAX_JSON_BYTES)
      if (isVideo) return bytes
      const parsed = answerSchema.safeParse(parseJson(new TextDecoder().decode(bytes)))
      if (!parsed.success) throw new Error(`${url.host} returned neither a video nor the JSON of a video job`)
      return parsed.data
    })
  }

  async #download(url: URL): Promise<Uint8Array> {
    if (url.protocol !== 'http:' && url.protocol !== 'https:') {
      throw new Error(`cannot download the video from a ${url.protocol} URL; only http and https are supported`)
    }
    return this.#withRetries(async () => this.#read(await this.#fetch(url, {}), MAX_VIDEO_BYTES))
  }

  async #fetch(url: URL, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers)
    // The key is only for the host that the user named; the server chooses the URL of the video.
    const { key } = this.#options
    if (key !== undefined && url.origin === this.#base.origin) headers.set('authorization', `Bearer ${key}`)
    let response: Response
    try {
      response = await fetch(url, { ...init, headers, signal: this.#signal })
    } catch (error) {
      if (this.#signal.aborted) throw this.#signal.reason
      throw new RetryableError(
        `cannot reach ${url.host}: ${messageOf(error instanceof Error ? (error.cause ?? error) : error)}`,
      )
    }
    if (response.ok) return response
    const body = new TextDecoder().decode(await this.#read(response, MAX_ERROR_BYTES).catch(() => new Uint8Array()))
    const message = `HTTP ${response.status} from ${url.host}: ${body.slice(0, 300)}`
    throw response.status === 429 || response.status >= 500 ? new RetryableError(message) : new Error(message)
  }

  /** Reads a body, decompressed. A longer one is not asked for again. */
  async #read(response: Response, limit: number): Promise<Uint8Array> {
    const chunks: Uint8Array[] = []
    let total = 0
    for await (const chunk of response.body ?? []) {
      const bytes = chunk as Uint8Array
      total += bytes.length
      if (total > limit) throw new Error(`the response is larger than ${Math.round(limit / 2 ** 20)} MB`)
      await this.#request.receive?.(bytes.length)
      chunks.push(bytes)
    }
    return Buffer.concat(chunks)
  }

  async #withRetries<T>(work: () => Promise<T>): Promise<T> {
    for (let attempt = 0; ; attempt++) {
      try {
        const done = await work()
        this.#lastFailure = null
        return done
      } catch (error) {
        if (!(error instanceof RetryableError) || attempt >= (this.#options.retries ?? RETRIES)) throw error
        // The mean of the backoff interval: jitter is not needed for a handful of requests.
        const pause = backoffMs(attempt, undefined, () => 0.5)
        this.#lastFailure = error.message
        await realClock.sleep(Math.min(MAX_WAIT_MS, pause), this.#signal)
      }
    }
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
