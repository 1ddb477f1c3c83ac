/** What the batch APIs of the providers have in common. */
import { z } from 'zod'
import type { BatchRecord, SpooledRequest } from '../../store/batches.ts'
import { badReply, httpFailure, RequestError } from './failure.ts'
import { parseReply } from './parse-reply.ts'
import type { RequestBody, StreamCall, StreamReply } from './transport.ts'

/** What is sent: lines of JSON, media included. */
export interface BatchContent {
  name: string
  /** URL of the first request; those of a batch are the same. */
  url: string
  requests: number
  /** Of all lines, without what is between them. */
  bytes: number
  lines: () => AsyncIterable<RequestBody>
}

export interface Submitted {
  id: string
  /** Files at the provider that are deleted when the batch has ended. */
  files: string[]
}

export type Look =
  | { state: 'running' }
  | {
      state: 'ended'
      /** Where the results are; empty if there are none. */
      results: string[]
      /** For requests without a result. */
      missing: RequestError
    }

export interface BatchResult {
  key: string
  /** The body of the reply, or why there is none. */
  reply: string | RequestError
}

export interface BatchProtocol {
  readonly maxRequests: number
  readonly maxBytes: number
  /** A line of the batch, with placeholders for media. */
  line(request: SpooledRequest): string
  submit(batch: BatchContent, signal: AbortSignal): Promise<Submitted>
  /** Batches that may be this one, of which it is not known whether it was created. */
  find(record: BatchRecord, signal: AbortSignal): Promise<string[]>
  look(id: string, signal: AbortSignal): Promise<Look>
  results(source: string, signal: AbortSignal): Promise<AsyncIterable<Buffer>>
  /** Null for a line that is not a result. */
  read(line: string): BatchResult | null
  /** Deletes what is left at the provider. */
  remove(files: readonly string[], signal: AbortSignal): Promise<void>
}

/** HTTP with the address and the headers of the model. */
export interface BatchHttp {
  readonly baseUrl: string
  request(call: Omit<StreamCall, 'headers'> & { headers?: Record<string, string> }): Promise<StreamReply>
}

/** Enough for a page of batches. */
const MAX_JSON_BYTES = 16 * 2 ** 20

/** Sends a request whose reply is JSON. */
export async function json<Value>(
  http: BatchHttp,
  schema: z.ZodType<Value>,
  call: Omit<StreamCall, 'headers' | 'body'> & { body?: unknown },
): Promise<Value> {
  const { body, ...rest } = call
  const headers = body === undefined ? {} : { 'content-type': 'application/json' }
  const sent = body === undefined ? {} : { body: Buffer.from(JSON.stringify(body)) }
  return jsonIn(await http.request({ ...rest, ...sent, headers }), schema)
}

export async function jsonIn<Value>({ body }: StreamReply, schema: z.ZodType<Value>): Promise<Value> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > MAX_JSON_BYTES) throw badReply('the reply is larger than any description of a batch')
    chunks.push(chunk)
  }
  const parsed = schema.safeParse(parseReply(Buffer.concat(chunks).toString('utf8')))
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw badReply(`unexpected reply of the batch API, at ${issue?.path.join('.') || 'the top level'}: ${issue?.message}`)
}

/** Reads a reply to its end; only its arrival matters. */
export async function drain({ body }: StreamReply): Promise<void> {
  for await (const _ of body) continue
}

export function expired(): RequestError {
  return new RequestError({ kind: 'timeout', retry: true, message: 'the batch expired before it was answered' })
}

export function noResult(): RequestError {
  return badReply('the batch has no result for it')
}

/** Whether a whole batch was refused for now, rather than a request. */
export function isQueueFull({ failure }: RequestError): boolean {
  return failure.overload === true && failure.status === undefined
}

/** Someone wanted it to stop. */
export function cancelled(): RequestError {
  const message = 'the batch was cancelled at the provider'
  return new RequestError({
    kind: 'server',
    retry: false,
    fatal: true,
    message,
    hint: 'Resume the run to send it again.',
  })
}

/** A request of a batch failed as it would have alone. */
export function failedWith(status: number, body: unknown): RequestError {
  return httpFailure(status, {}, JSON.stringify(body ?? {}), Date.now())
}

export function parseLine(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}

/** Deletes what may be gone already. */
export async function removeAll(http: BatchHttp, urls: readonly string[], signal: AbortSignal): Promise<void> {
  for (const url of urls) {
    await http
      .request({ method: 'DELETE', url, signal })
      .then(drain)
      .catch((error: unknown) => {
        if (!(error instanceof RequestError)) throw error
      })
  }
}
