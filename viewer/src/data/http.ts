/** Data from the server that serves the page. */
import type { LiveEvent, Problem, RunRow } from '../../../src/server/api.ts'
import { apiUrl, API } from './api-urls.ts'
import { takePrefetched } from './prefetch.ts'
import type { DataSource, MediaPointer, Progress } from './source.ts'

export const httpSource: DataSource = {
  info: () => json(apiUrl.info()),
  runs: () => json(apiUrl.runs()),
  run: (id) => json(apiUrl.run(id)),
  panel: (run) => module(apiUrl.panel(run)),
  episodes: (run) => json(apiUrl.episodes(run)),
  descriptions: (run, episodes) => json(apiUrl.descriptions(run, episodes)),
  figures: (run) => json(apiUrl.figures(run)),
  search: (run, text, signal) => json(apiUrl.search(run, text), signal),
  episode: (run, index, epoch) => json(apiUrl.episode(run, index, epoch)),
  scene: (run, index, epoch, onProgress) => bytes(apiUrl.scene(run, index, epoch), onProgress),
  shared: (runs, least = 0) => json(apiUrl.shared(runs, least)),
  assignError: async (run, { index, epoch }, type) => {
    await requestJson(apiUrl.errors(), { body: { run, index, epoch, type } })
  },
  compare: (a, b) => json(apiUrl.compare(a, b)),
  mediaUrl,
  thumbnailUrl: ({ sha256 }) => `${API}/media/${encodeURIComponent(sha256)}?size=small`,
  mediaBytes: (media) => bytes(mediaUrl(media)),
  live: listenWhileVisible,
}

/**
 * Listens only while the page is visible: a browser allows few connections per server, and background tabs must not use
 * them up.
 */
function listenWhileVisible(listen: (event: LiveEvent) => void): () => void {
  let stream: EventSource | null = null
  let hiddenSince: string | null = null
  const running = new Set<string>()
  const notify = (event: LiveEvent): void => {
    if (event.run.state === 'running') running.add(event.run.id)
    else running.delete(event.run.id)
    listen(event)
  }
  /** Reports runs that ended or started while the page was hidden. */
  const catchUp = async (since: string): Promise<void> => {
    for (const run of await json<readonly RunRow[]>(apiUrl.runs())) {
      if (running.has(run.id) || run.created > since) notify({ run, rate: null })
    }
  }
  const follow = (): void => {
    if (document.hidden) {
      stream?.close()
      stream = null
      hiddenSince ??= new Date().toISOString()
      return
    }
    if (stream) return
    stream = new EventSource(`${API}/live`)
    stream.addEventListener('message', ({ data }: MessageEvent<string>) => notify(JSON.parse(data) as LiveEvent))
    if (hiddenSince !== null) catchUp(hiddenSince).catch(() => undefined)
    hiddenSince = null
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

/** Imports a script from the server. It is requested first, because a failed import gives no reason. */
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

/** A failed request, with the server's message if there is one. */
export class DataError extends Error {
  override readonly name = 'DataError'
  readonly hint: string | undefined

  constructor({ problem, hint }: Problem) {
    super(problem)
    this.hint = hint
  }
}

/** Human-readable message and hint of an error. */
export function errorText(error: unknown): { message: string; hint?: string | undefined } {
  if (error instanceof DataError) return { message: error.message, hint: error.hint }
  return { message: error instanceof Error ? error.message : String(error) }
}

async function request(address: string, { body, signal }: JsonRequest = {}): Promise<Response> {
  let response: Response
  try {
    const early = body === undefined ? takePrefetched(address) : undefined
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
    throw new DataError({ problem: 'Cannot reach the server.', hint: 'Is `sightline view` still running?' })
  }
  if (response.ok) return response
  const problem = await response.json().catch(() => null)
  throw new DataError(isProblem(problem) ? problem : { problem: `Request failed with status ${response.status}.` })
}

function isProblem(value: unknown): value is Problem {
  return typeof value === 'object' && value !== null && 'problem' in value && typeof value.problem === 'string'
}
