/**
 * A server that speaks the batch APIs of OpenAI, Anthropic and Google, with everything that goes wrong there: batches that
 * expire, requests that fail, results that come twice, batches that are created although nobody hears of it.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dialectOf, replyBody } from '../dialects.ts'
import { anthropicRoutes } from './anthropic.ts'
import { googleRoutes } from './google.ts'
import { openaiRoutes } from './openai.ts'

export interface Faults {
  /** Looks at a batch before it ends. */
  looks: number
  /** Of the first batches, so many expire with only this share of their requests answered. */
  expiring: number
  answeredShare: number
  /** One of so many requests fails the first time it is sent; 0 for none. */
  failsOneOf: number
  /** One of so many results comes twice; 0 for none. */
  repeatsOneOf: number
}

export const NO_FAULTS: Faults = { looks: 1, expiring: 0, answeredShare: 1, failsOneOf: 0, repeatsOneOf: 0 }

export type Ending = 'answered' | 'failed' | 'expired'

export interface ServedBatch {
  id: string
  name: string | null
  created: number
  keys: string[]
  looks: number
  /** How each request ended, once the batch has. */
  endings: Map<string, Ending> | null
  hasExpired: boolean
}

export interface Call {
  method: string
  url: URL
  headers: IncomingMessage['headers']
  body: Buffer
}

/** Undefined if the request is not for this API. */
export type Routes = (call: Call, server: BatchServer) => Answer | undefined
export interface Answer {
  status: number
  headers?: Record<string, string>
  body: string
  /** Something that a test may kill a client at. */
  event?: string
}

export function ok(value: unknown, event?: string): Answer {
  return { status: 200, body: JSON.stringify(value), ...(event !== undefined && { event }) }
}

export function refused(status: number, message: string): Answer {
  return { status, body: JSON.stringify({ error: { message, type: 'invalid_request_error' } }) }
}

export class BatchServer {
  readonly faults: Faults
  readonly batches: ServedBatch[] = []
  readonly files = new Map<string, Buffer>()
  /** How often each request was answered, and so paid for: in batches, and directly. */
  readonly paid = new Map<string, number>()
  direct = 0
  /** Of requests on their own. */
  readonly bodies: string[] = []
  /** Code with which the next batch of OpenAI is refused. */
  refusal: string | null = null
  bytes = 0
  /** Called before an answer is sent; the connection is cut if it returns false. */
  onEvent: (event: string) => boolean | Promise<boolean> = () => true
  readonly #sent = new Set<string>()
  readonly #http: Server
  #next = 1

  constructor(faults: Partial<Faults> = {}) {
    this.faults = { ...NO_FAULTS, ...faults }
    this.#http = createServer((request, response) => void this.#serve(request, response))
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#http.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    this.#http.closeAllConnections()
    await new Promise((resolve) => this.#http.close(resolve))
  }

  id(prefix: string): string {
    return `${prefix}${String(this.#next++).padStart(6, '0')}`
  }

  create(id: string, name: string | null, keys: string[]): ServedBatch {
    const batch = { id, name, created: Date.now(), keys, looks: 0, endings: null, hasExpired: false }
    this.batches.push(batch)
    return batch
  }

  /** A batch as someone sees it who looks: after enough looks it has ended. */
  look(id: string): ServedBatch | undefined {
    const batch = this.batches.find((each) => each.id === id)
    if (batch && !batch.endings && ++batch.looks > this.faults.looks) this.#end(batch)
    return batch
  }

  /** The results, each written by its provider. */
  results(batch: ServedBatch, endings: readonly Ending[], line: (key: string, ending: Ending) => unknown): string {
    const { repeatsOneOf } = this.faults
    let text = ''
    for (const [key, ending] of batch.endings ?? []) {
      if (!endings.includes(ending)) continue
      const written = `${JSON.stringify(line(key, ending))}\n`
      text += repeatsOneOf > 0 && numberOf(key) % repeatsOneOf === 0 ? written + written : written
    }
    return text
  }

  #end(batch: ServedBatch): void {
    const { expiring, answeredShare, failsOneOf } = this.faults
    batch.hasExpired = this.batches.indexOf(batch) < expiring
    const answered = batch.hasExpired ? Math.floor(batch.keys.length * answeredShare) : batch.keys.length
    batch.endings = new Map(
      batch.keys.map((key, i) => {
        if (i >= answered) return [key, 'expired']
        const isNew = !this.#sent.has(key)
        this.#sent.add(key)
        if (isNew && failsOneOf > 0 && numberOf(key) % failsOneOf === 1) return [key, 'failed']
        this.paid.set(key, (this.paid.get(key) ?? 0) + 1)
        return [key, 'answered']
      }),
    )
  }

  /** Undefined for a request that is not about batches or files. */
  route(call: Call): Answer | undefined {
    return anthropicRoutes(call, this) ?? openaiRoutes(call, this) ?? googleRoutes(call, this)
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const body = Buffer.concat(chunks)
      this.bytes += body.length
      const url = new URL(request.url ?? '/', `http://${request.headers.host}`)
      const call: Call = { method: request.method ?? 'GET', url, headers: request.headers, body }
      const answer = this.route(call) ?? this.#reply(call)
      const goesOn = await this.onEvent(answer.event ?? 'other')
      if (!goesOn) {
        request.socket.destroy()
        return
      }
      response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers }).end(answer.body)
    } catch {
      // The client is gone.
      request.socket.destroy()
    }
  }

  /** A request on its own. */
  #reply({ url, body }: Call): Answer {
    this.bodies.push(body.toString())
    const dialect = dialectOf(url.pathname)
    this.direct += 1
    return ok(replyBody(dialect, { text: 'A' }), 'reply')
  }
}

/** A number that is the same for the same request. */
export function numberOf(key: string): number {
  return Number.parseInt(key.slice(0, 8), 16)
}

export function linesOf(body: Buffer): { text: string; value: Record<string, unknown> | null }[] {
  return body
    .toString('utf8')
    .split('\n')
    .filter((text) => text !== '')
    .map((text) => {
      try {
        return { text, value: JSON.parse(text) as Record<string, unknown> }
      } catch {
        return { text, value: null }
      }
    })
}
