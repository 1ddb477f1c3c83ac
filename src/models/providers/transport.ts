/** HTTP transport for all providers: one request and its complete response, limited in size and time. */
import type { LookupFunction } from 'node:net'
import { pipeline, Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Dispatcher } from 'undici'
import { codeOf, messageOf, MissingAssetError, UserError } from '../../base/errors.ts'
import { BudgetExceeded, ByteBudget } from '../byte-budget.ts'
import { abortReason } from '../clock.ts'
import { badReply, httpFailure, RequestError } from './failure.ts'

/** Several times the longest output of any model, in any script; a server that sends more is broken or hostile. */
export const MAX_REPLY_BYTES = 4 * 2 ** 20
/** Error bodies are read only for their message. */
const MAX_ERROR_BYTES = 64 * 2 ** 10
const CONNECT_TIMEOUT_MS = 30_000
/** Requests with media that a server is being sent: more at once would only share the same line, and all of them would be slow. */
const MAX_SENDING_BYTES = 64 * 2 ** 20

export interface HttpCall {
  url: string
  headers: Readonly<Record<string, string>>
  body: RequestBody
  signal: AbortSignal
  /** Called with the size of every piece of a reply. Nothing more is read until it resolves. */
  receive?: Receive | undefined
  /** Called with true if the request waits until others are sent, and with false when its turn has come. */
  onQueued?: OnQueued | undefined
}

export type OnQueued = (isQueued: boolean) => void

export interface RequestBody {
  readonly length: number
  /** A stream makes them one by one as they are sent, so a request with many pictures is never in memory as a whole. */
  pieces(): readonly Buffer[] | AsyncIterable<Buffer>
}

/** A body that is in memory. */
export function bodyOf(...pieces: readonly Buffer[]): RequestBody {
  return { length: pieces.reduce((sum, piece) => sum + piece.length, 0), pieces: () => pieces }
}

export type Receive = (bytes: number) => Promise<void>

/** A request whose media are filled in later. */
export interface SpooledCall extends Omit<HttpCall, 'body'> {
  /** Key of the request in the response cache. */
  id: string
  /** With placeholders for media. */
  json: string
}

/** Any other request, such as an upload. */
export interface StreamCall {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  url: string
  headers: Readonly<Record<string, string>>
  body?: Buffer | AsyncIterable<Buffer>
  /** Of a body that is a stream. */
  length?: number
  signal: AbortSignal
}

export interface StreamReply {
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: AsyncIterable<Buffer>
}

export interface Transport {
  /** Returns the body of a 2xx response. Throws a `RequestError`, or the signal's reason when aborted. */
  post(call: HttpCall): Promise<Buffer>
  /** Instead of `post`: the request goes into a batch. */
  spool?(call: SpooledCall): Promise<Buffer>
  /** Throws as `post` does. The body must be read to its end. */
  request(call: StreamCall): Promise<StreamReply>
  close(): Promise<void>
}

type Env = Readonly<Record<string, string | undefined>>

/** @param lookup resolves names; a proxy resolves them itself */
export async function openTransport(env: Env, lookup?: LookupFunction): Promise<Transport> {
  const { Agent, EnvHttpProxyAgent, request } = await import('undici')
  // The caller sets a timeout per attempt: a reasoning model may be silent for many minutes.
  const settings = { headersTimeout: 0, bodyTimeout: 0, connect: { timeout: CONNECT_TIMEOUT_MS } }
  const httpProxy = env.http_proxy ?? env.HTTP_PROXY
  const httpsProxy = env.https_proxy ?? env.HTTPS_PROXY
  // Local models are never behind a proxy.
  const noProxy = ['localhost', '127.0.0.1', '[::1]', env.no_proxy ?? env.NO_PROXY].filter(Boolean).join(',')
  const dispatcher: Dispatcher =
    httpProxy || httpsProxy
      ? new EnvHttpProxyAgent({
          ...settings,
          ...(httpProxy ? { httpProxy } : {}),
          ...(httpsProxy ? { httpsProxy } : {}),
          noProxy,
        })
      : new Agent({ ...settings, connect: { ...settings.connect, ...(lookup ? { lookup } : {}) } })

  const budget = new ByteBudget(MAX_SENDING_BYTES)
  return {
    async post({ url, headers, body, signal, receive, onQueued }) {
      const sending = budget.hold()
      try {
        const pieces = body.pieces()
        const isStream = Symbol.asyncIterator in pieces
        if (isStream) {
          await sending.take(Math.min(body.length, MAX_SENDING_BYTES), signal, () => onQueued?.(true))
          onQueued?.(false)
        }
        const answer = await request(url, {
          method: 'POST',
          headers: { ...headers, 'content-length': String(body.length) },
          body: isStream
            ? Readable.from(
                andThen(pieces, () => sending.release()),
                BYTES,
              )
            : Buffer.concat(pieces),
          signal,
          dispatcher,
        })
        const ok = answer.statusCode >= 200 && answer.statusCode < 300
        const content = decompressed(answer.body, answer.headers['content-encoding'])
        if (ok) return await readReply(content, receive)
        const said = await readStart(content, MAX_ERROR_BYTES)
        throw httpFailure(answer.statusCode, answer.headers, said.toString('utf8'), Date.now())
      } catch (error) {
        if (error instanceof BudgetExceeded && !signal.aborted)
          throw tooLarge(`the replies of the episode are together ${error.message}`)
        throw asRequestError(error, signal)
      } finally {
        sending.release()
      }
    },
    async request({ method, url, headers, body, length, signal }) {
      try {
        const size = Buffer.isBuffer(body) ? body.length : length
        const answer = await request(url, {
          method,
          headers: { ...headers, ...(size !== undefined && { 'content-length': String(size) }) },
          ...(body !== undefined && {
            body: Buffer.isBuffer(body) ? body : Readable.from(body, { objectMode: false }),
          }),
          signal,
          dispatcher,
        })
        const content = decompressed(answer.body, answer.headers['content-encoding'])
        if (answer.statusCode >= 200 && answer.statusCode < 300) {
          return { headers: answer.headers, body: asRequestErrors(content, signal) }
        }
        const said = await readStart(content, MAX_ERROR_BYTES)
        throw httpFailure(answer.statusCode, answer.headers, said.toString('utf8'), Date.now())
      } catch (error) {
        throw asRequestError(error, signal)
      }
    },
    // Not `close`, which would wait for responses in flight.
    close: () => dispatcher.destroy(),
  }
}

const BYTES = { objectMode: false }

async function* andThen(pieces: AsyncIterable<Buffer>, done: () => void): AsyncGenerator<Buffer> {
  yield* pieces
  done()
}

type Content = AsyncIterable<Buffer>

async function readReply(content: Content, receive?: Receive): Promise<Buffer> {
  const chunks: Buffer[] = []
  let total = 0
  // Leaving the loop destroys the stream and its connection, so the rest is never read.
  for await (const chunk of content) {
    total += chunk.length
    if (total > MAX_REPLY_BYTES) throw tooLarge(`the reply is larger than ${MAX_REPLY_BYTES / 2 ** 20} MB`)
    await receive?.(chunk.length)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The first bytes of an error: enough to explain it. */
async function readStart(content: Content, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let total = 0
  try {
    for await (const chunk of content) {
      chunks.push(chunk)
      total += chunk.length
      if (total >= limit) break
    }
  } catch (error) {
    // The status says enough if its explanation is broken.
    if (!(error instanceof RequestError)) throw error
  }
  return Buffer.concat(chunks).subarray(0, limit)
}

function tooLarge(message: string): RequestError {
  return new RequestError({ kind: 'too-large', retry: false, message })
}

const DECOMPRESS = { gzip: createGunzip, 'x-gzip': createGunzip, deflate: createInflate, br: createBrotliDecompress }

/** Some proxies compress although nothing asks for it. A small body can hide a huge one, so what comes out is counted. */
async function* decompressed(
  body: Dispatcher.ResponseData['body'],
  encoding: string | string[] | undefined,
): AsyncGenerator<Buffer> {
  const name = String(encoding ?? '')
    .trim()
    .toLowerCase()
  if (!Object.hasOwn(DECOMPRESS, name)) {
    for await (const chunk of body) if (Buffer.isBuffer(chunk)) yield chunk
    return
  }
  const plain = pipeline(body, DECOMPRESS[name as keyof typeof DECOMPRESS](), () => {
    // The reader of `plain` gets the error.
  })
  try {
    for await (const chunk of plain) if (Buffer.isBuffer(chunk)) yield chunk
  } catch (error) {
    if (!/^(Z_|ERR__)/.test(codeOf(error) ?? '')) throw error
    throw badReply(`the reply is not valid ${name}: ${messageOf(error)}`)
  }
}

/** A connection may also be lost while the body is read. */
async function* asRequestErrors(content: Content, signal: AbortSignal): AsyncGenerator<Buffer> {
  try {
    yield* content
  } catch (error) {
    throw asRequestError(error, signal)
  }
}

function asRequestError(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return abortReason(signal)
  const isOurs = OURS.some((known) => error instanceof known)
  return isOurs ? error : networkError(error)
}

const OURS = [RequestError, UserError, MissingAssetError]

/** Retrying does not fix certificate or URL errors. */
const PERMANENT_ERROR = /^(CERT_|ERR_TLS|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_SSL|ERR_INVALID|UND_ERR_INVALID)/

const NETWORK_ERRORS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'host not found',
  EAI_AGAIN: 'host lookup failed',
  ECONNRESET: 'connection closed by the server',
  UND_ERR_SOCKET: 'connection closed by the server',
  UND_ERR_CONNECT_TIMEOUT: `no connection within ${CONNECT_TIMEOUT_MS / 1000} s`,
}

/** The server was there: another request may succeed. */
const LOST_CONNECTIONS: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])

/** There was no connection. */
const UNSENT: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'])

function networkError(error: unknown): RequestError {
  const code = codeOf(error) ?? codeOf(error instanceof Error ? error.cause : undefined)
  const message = NETWORK_ERRORS[code ?? ''] ?? `connection failed: ${messageOf(error)}`
  return new RequestError({
    kind: 'network',
    retry: code === undefined || !PERMANENT_ERROR.test(code),
    fatal: !LOST_CONNECTIONS.has(code ?? ''),
    unsent: UNSENT.has(code ?? ''),
    message,
  })
}
