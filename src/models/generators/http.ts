/** A generator behind an address: a video is submitted, asked after until it is done, and fetched. */
import { z } from 'zod'
import { messageOf, UserError } from '../../base/errors.ts'
import { realClock } from '../clock.ts'
import { backoffMs } from '../retry.ts'
import type { Generator, VideoRequest } from './generator.ts'

export interface HttpGeneratorOptions {
  /** Where videos are submitted to: `https://host/v1/videos`. */
  url: string
  /** Sent as a bearer token to that host and no other. */
  key?: string | undefined
  model?: string | undefined
  /** Further fields of the request: size, seconds, steps. */
  fields?: Readonly<Record<string, unknown>>
  pollMs?: number | undefined
  /** For one video from submitting to fetching. */
  timeoutMs?: number | undefined
  retries?: number
}

const POLL_MS = 2000
const TIMEOUT_MS = 30 * 60_000
const RETRIES = 5
/** No clip of a few seconds is larger; a server that sends more is broken or hostile. */
const MAX_VIDEO_BYTES = 2 ** 30
const MAX_JSON_BYTES = 2 ** 26
const MAX_WAIT_MS = 30_000

const answer = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  status: z.string().optional(),
  status_url: z.string().optional(),
  video_url: z.string().optional(),
  url: z.string().optional(),
  b64: z.string().optional(),
  b64_json: z.string().optional(),
  error: z.unknown().optional(),
})
type Answer = z.infer<typeof answer>

const DONE = new Set(['succeeded', 'success', 'completed', 'complete', 'done', 'finished'])
const FAILED = new Set(['failed', 'failure', 'error', 'cancelled', 'canceled', 'rejected'])

/** An answer that more tries may change. */
class Passing extends Error {}

export function httpGenerator(options: HttpGeneratorOptions): Generator {
  let url: URL
  try {
    url = new URL(options.url)
  } catch (cause) {
    throw new UserError(`"${options.url}" is not an address.`, {
      hint: 'For example http://localhost:8000/v1/videos',
      cause,
    })
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new UserError(`"${options.url}": only http and https are understood.`)
  }
  return {
    name: `http ${url.host}${url.pathname}`,
    model: options.model ?? null,
    atOnce: 4,
    make: (request) => new Making(url, options, request).video(),
  }
}

/** One video, from submitting to fetching. */
class Making {
  readonly #base: URL
  readonly #options: HttpGeneratorOptions
  readonly #request: VideoRequest
  readonly #timeoutMs: number
  readonly #signal: AbortSignal
  /** What went wrong last and is tried again. */
  #trouble: string | null = null

  constructor(base: URL, options: HttpGeneratorOptions, request: VideoRequest) {
    this.#base = base
    this.#options = options
    this.#request = request
    this.#timeoutMs = options.timeoutMs ?? TIMEOUT_MS
    this.#signal = AbortSignal.any([request.signal, AbortSignal.timeout(this.#timeoutMs)])
  }

  async video(): Promise<Uint8Array> {
    try {
      return await this.#made()
    } catch (error) {
      if (!(error instanceof DOMException) || error.name !== 'TimeoutError') throw error
      // That time is up says little; what kept the server from being done says more.
      const why = this.#trouble === null ? '' : `: ${this.#trouble}`
      throw new Error(`${this.#base.host} made no video within ${this.#timeoutMs / 1000} s${why}`, { cause: error })
    }
  }

  async #made(): Promise<Uint8Array> {
    const base = this.#base
    const { fields, model, pollMs = POLL_MS } = this.#options
    const { text: prompt, seed } = this.#request
    const body = JSON.stringify({ ...fields, ...(model === undefined ? {} : { model }), prompt, seed })
    let reply = await this.#send(base, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    for (;;) {
      if (reply instanceof Uint8Array) return reply
      const status = reply.status?.toLowerCase()
      if (status !== undefined && FAILED.has(status)) {
        throw new Error(`the server says ${status}: ${JSON.stringify(reply.error ?? null).slice(0, 300)}`)
      }
      const inline = reply.b64 ?? reply.b64_json
      if (inline !== undefined) return Buffer.from(inline, 'base64')
      const where = reply.video_url ?? (status === undefined || DONE.has(status) ? reply.url : undefined)
      if (where !== undefined) return this.#download(new URL(where, base))
      const { id, status_url } = reply
      if (id === undefined && status_url === undefined) {
        throw new Error('the server answered with neither a video nor an id to ask after')
      }
      const own =
        id === undefined ? null : new URL(`${base.pathname.replace(/\/$/, '')}/${encodeURIComponent(id)}`, base)
      if (status !== undefined && DONE.has(status) && own !== null) {
        return this.#download(new URL(`${own.pathname}/content`, base))
      }
      await realClock.sleep(pollMs, this.#signal)
      const next = await this.#send(status_url === undefined ? own! : new URL(status_url, base), {})
      // What is asked after may be told once, when it was submitted, and not again.
      reply =
        next instanceof Uint8Array ? next : { ...next, id: next.id ?? id, status_url: next.status_url ?? status_url }
    }
  }

  /** A video when the server sends one, else what it says. */
  async #send(url: URL, init: RequestInit): Promise<Answer | Uint8Array> {
    return this.#patiently(async () => {
      const response = await this.#fetch(url, init)
      const type = response.headers.get('content-type') ?? ''
      const isVideo = type.startsWith('video/') || type.startsWith('application/octet-stream')
      const bytes = await readCapped(response, isVideo ? MAX_VIDEO_BYTES : MAX_JSON_BYTES)
      if (isVideo) return bytes
      const parsed = answer.safeParse(JSON.parse(new TextDecoder().decode(bytes)))
      if (!parsed.success) throw new Error('the server answered with something that is no description of a video')
      return parsed.data
    })
  }

  async #download(url: URL): Promise<Uint8Array> {
    if (url.protocol !== 'http:' && url.protocol !== 'https:') {
      throw new Error(`the server says that the video is at ${url.protocol}, which is not fetched`)
    }
    return this.#patiently(async () => readCapped(await this.#fetch(url, {}), MAX_VIDEO_BYTES))
  }

  async #fetch(url: URL, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers)
    // The key is for the host that the user named; where a video lies is the server's word.
    const { key } = this.#options
    if (key !== undefined && url.origin === this.#base.origin) headers.set('authorization', `Bearer ${key}`)
    let response: Response
    try {
      response = await fetch(url, { ...init, headers, signal: this.#signal })
    } catch (error) {
      if (this.#signal.aborted) throw this.#signal.reason
      throw new Passing(
        `${url.host} cannot be reached: ${messageOf(error instanceof Error ? (error.cause ?? error) : error)}`,
      )
    }
    if (response.ok) return response
    const words = new TextDecoder().decode(await readCapped(response, 65_536).catch(() => new Uint8Array()))
    const message = `${url.host} answered ${response.status}: ${words.slice(0, 300)}`
    throw response.status === 429 || response.status >= 500 ? new Passing(message) : new Error(message)
  }

  async #patiently<T>(work: () => Promise<T>): Promise<T> {
    for (let attempt = 0; ; attempt++) {
      try {
        const done = await work()
        this.#trouble = null
        return done
      } catch (error) {
        if (!(error instanceof Passing) || attempt >= (this.#options.retries ?? RETRIES)) throw error
        // Half way between the shortest and the longest pause: waiting need not be random for a handful of requests.
        const pause = backoffMs(attempt, undefined, () => 0.5)
        this.#trouble = error.message
        await realClock.sleep(Math.min(MAX_WAIT_MS, pause), this.#signal)
      }
    }
  }
}

async function readCapped(response: Response, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let total = 0
  for await (const chunk of response.body ?? []) {
    const bytes = chunk as Uint8Array
    total += bytes.length
    if (total > limit) throw new Error(`the answer is larger than ${Math.round(limit / 2 ** 20)} MB`)
    chunks.push(bytes)
  }
  return Buffer.concat(chunks)
}
