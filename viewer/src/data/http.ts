/** Data from the server that also serves the page. */
import type { LiveEvent, Problem, RunRow } from '../../../src/server/api.ts'
import { addressOf, API } from './addresses.ts'
import { takeEarly } from './early.ts'
import type { DataSource, MediaPointer, Progress } from './source.ts'

export const httpSource: DataSource = {
  info: () => json(addressOf.info()),
  runs: () => json(addressOf.runs()),
  run: (id) => json(addressOf.run(id)),
  panel: (run) => module(addressOf.panel(run)),
  episodes: (run) => json(addressOf.episodes(run)),
  search: (run, text, signal) => json(addressOf.search(run, text), signal),
  episode: (run, index, epoch) => json(addressOf.episode(run, index, epoch)),
  scene: (run, index, epoch, onProgress) => bytes(addressOf.scene(run, index, epoch), onProgress),
  compare: (a, b) => json(addressOf.compare(a, b)),
  mediaUrl,
  mediaBytes: (media) => bytes(mediaUrl(media)),
  live: listenWhileSeen,
}

/**
 * Listens while the page is seen. A browser keeps only a few lines open to one server, and pages that nobody looks at
 * must not take them from those that somebody does.
 */
function listenWhileSeen(listen: (event: LiveEvent) => void): () => void {
  let stream: EventSource | null = null
  let away: string | null = null
  const moving = new Set<string>()
  const tell = (event: LiveEvent): void => {
    if (event.run.state === 'running') moving.add(event.run.id)
    else moving.delete(event.run.id)
    listen(event)
  }
  /** What ended or began while nobody looked. */
  const catchUp = async (since: string): Promise<void> => {
    for (const run of await json<readonly RunRow[]>(addressOf.runs())) {
      if (moving.has(run.id) || run.created > since) tell({ run, rate: null })
    }
  }
  const follow = (): void => {
    if (document.hidden) {
      stream?.close()
      stream = null
      away ??= new Date().toISOString()
      return
    }
    if (stream) return
    stream = new EventSource(`${API}/live`)
    stream.addEventListener('message', ({ data }: MessageEvent<string>) => tell(JSON.parse(data) as LiveEvent))
    if (away !== null) catchUp(away).catch(() => undefined)
    away = null
  }
  document.addEventListener('visibilitychange', follow)
  follow()
  return () => {
    document.removeEventListener('visibilitychange', follow)
    stream?.close()
  }
}

function mediaUrl({ sha256, type }: MediaPointer): string {
  return `${API}/media/${encodeURIComponent(sha256)}${type === undefined ? '' : `?type=${encodeURIComponent(type)}`}`
}

function json<T>(address: string, signal?: AbortSignal): Promise<T> {
  return requestJson(address, signal ? { signal } : {})
}

/** A script of the server. What is wrong with one that does not load, only a request tells. */
async function module(address: string): Promise<unknown> {
  await request(address)
  return import(/* @vite-ignore */ new URL(address, document.baseURI).href)
}

export interface JsonRequest {
  /** Sent as JSON, with POST. */
  body?: unknown
  signal?: AbortSignal
}

export async function requestJson<T>(address: string, how: JsonRequest = {}): Promise<T> {
  return (await (await request(address, how)).json()) as T
}

async function bytes(address: string, onProgress?: (progress: Progress) => void): Promise<ArrayBuffer> {
  const response = await request(address)
  if (!onProgress || !response.body) return response.arrayBuffer()
  const total = Number(response.headers.get('content-length')) || null
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let loaded = 0
  const reader = response.body.getReader()
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    pieces.push(piece.value)
    loaded += piece.value.byteLength
    onProgress({ loaded, total })
  }
  return new Blob(pieces).arrayBuffer()
}

/** What went wrong, in the server's words where it has some. */
export class DataError extends Error {
  override readonly name = 'DataError'
  readonly hint: string | undefined

  constructor({ problem, hint }: Problem) {
    super(problem)
    this.hint = hint
  }
}

/** What to tell people of something that went wrong. */
export function wordsOf(error: unknown): { message: string; hint?: string | undefined } {
  if (error instanceof DataError) return { message: error.message, hint: error.hint }
  return { message: error instanceof Error ? error.message : String(error) }
}

async function request(address: string, { body, signal }: JsonRequest = {}): Promise<Response> {
  let response: Response
  try {
    const early = body === undefined ? takeEarly(address) : undefined
    response = await (early ??
      fetch(address, {
        ...(signal && { signal }),
        ...(body !== undefined && {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      }))
  } catch (error) {
    if (signal?.aborted) throw error
    throw new DataError({ problem: 'The server does not answer.', hint: 'Is `sightline view` still running?' })
  }
  if (response.ok) return response
  const told = await response.json().catch(() => null)
  throw new DataError(isProblem(told) ? told : { problem: `The server answered ${response.status}.` })
}

function isProblem(value: unknown): value is Problem {
  return typeof value === 'object' && value !== null && 'problem' in value && typeof value.problem === 'string'
}
