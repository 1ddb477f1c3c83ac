/** HTTP transport for all providers: one request and its complete response, limited in size and time. */
import type { LookupFunction } from 'node:net'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import type { Dispatcher } from 'undici'
import { codeOf, messageOf } from '../../base/errors.ts'
import { abortReason } from '../clock.ts'
import { badReply, httpFailure, RequestError } from './failure.ts'

/** Far above any real reply; a server that sends more is broken or hostile. */
export const MAX_REPLY_BYTES = 16 * 2 ** 20
/** Error bodies are read only for their message. */
const MAX_ERROR_BYTES = 64 * 2 ** 10
const CONNECT_TIMEOUT_MS = 30_000

export interface HttpCall {
  url: string
  headers: Readonly<Record<string, string>>
  /** Chunks, sent in order. */
  body: readonly Buffer[]
  signal: AbortSignal
}

export interface Transport {
  /** Returns the body of a 2xx response. Throws a `RequestError`, or the signal's reason when aborted. */
  post(call: HttpCall): Promise<Buffer>
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

  return {
    async post({ url, headers, body, signal }) {
      const length = body.reduce((sum, piece) => sum + piece.length, 0)
      try {
        const answer = await request(url, {
          method: 'POST',
          headers: { ...headers, 'content-length': String(length) },
          body: body.length === 1 ? body[0]! : Readable.from(body, { objectMode: false }),
          signal,
          dispatcher,
        })
        const ok = answer.statusCode >= 200 && answer.statusCode < 300
        const sent = await readCapped(answer.body, ok ? MAX_REPLY_BYTES : MAX_ERROR_BYTES, ok)
        const bytes = await decompressed(sent, answer.headers['content-encoding'])
        if (!ok) throw httpFailure(answer.statusCode, answer.headers, bytes.toString('utf8'), Date.now())
        return bytes
      } catch (error) {
        if (signal.aborted) throw abortReason(signal)
        throw error instanceof RequestError ? error : networkError(error)
      }
    },
    // Not `close`, which would wait for responses in flight.
    close: () => dispatcher.destroy(),
  }
}

/** Reads at most `limit` bytes; a longer body is an error if `strict`, otherwise truncated. */
async function readCapped(stream: Dispatcher.ResponseData['body'], limit: number, strict: boolean): Promise<Buffer> {
  const chunks: Buffer[] = []
  let total = 0
  for await (const chunk of stream) {
    if (!Buffer.isBuffer(chunk)) continue
    total += chunk.length
    if (total > limit) {
      // Leaving the loop destroys the stream and its connection, so the rest is never read.
      if (strict) throw tooLarge(limit)
      break
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function tooLarge(limit: number): RequestError {
  const message = `the reply is larger than ${limit / 2 ** 20} MB`
  return new RequestError({ kind: 'bad-reply', retry: false, message })
}

const DECOMPRESS = {
  gzip: promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip),
  deflate: promisify<Buffer, { maxOutputLength: number }, Buffer>(inflate),
  br: promisify<Buffer, { maxOutputLength: number }, Buffer>(brotliDecompress),
}

/** Some proxies compress although nothing asks for it. A small body can hide a huge one, so the output is limited too. */
async function decompressed(bytes: Buffer, encoding: string | string[] | undefined): Promise<Buffer> {
  const name = String(encoding ?? '').toLowerCase()
  if (!Object.hasOwn(DECOMPRESS, name)) return bytes
  try {
    return await DECOMPRESS[name as keyof typeof DECOMPRESS](bytes, { maxOutputLength: MAX_REPLY_BYTES })
  } catch (error) {
    if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(MAX_REPLY_BYTES)
    throw badReply(`the reply is not valid ${name}: ${messageOf(error)}`)
  }
}

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

function networkError(error: unknown): RequestError {
  const code = codeOf(error) ?? codeOf(error instanceof Error ? error.cause : undefined)
  const message = NETWORK_ERRORS[code ?? ''] ?? `connection failed: ${messageOf(error)}`
  return new RequestError({
    kind: 'network',
    retry: code === undefined || !PERMANENT_ERROR.test(code),
    fatal: !LOST_CONNECTIONS.has(code ?? ''),
    message,
  })
}
