/** One HTTP request and its whole answer, within a size and a time. All providers send through here. */
import { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { codeOf, messageOf } from '../../base/errors.ts'
import { reasonOf } from '../clock.ts'
import { httpFailure, RequestFailed } from './failure.ts'

/** No reply of a model is larger; a server that sends more is broken or hostile. */
export const MAX_REPLY_BYTES = 16 * 2 ** 20
/** Of an answer that is an error only the words are wanted. */
const MAX_ERROR_BYTES = 64 * 2 ** 10
const CONNECT_TIMEOUT_MS = 30_000

export interface HttpCall {
  url: string
  headers: Readonly<Record<string, string>>
  /** In pieces, sent one after the other. */
  body: readonly Buffer[]
  signal: AbortSignal
}

export interface Transport {
  /** The body of a 2xx answer; everything else is a `RequestFailed`, or the signal's reason when it was aborted. */
  post(call: HttpCall): Promise<Buffer>
  close(): Promise<void>
}

type Env = Readonly<Record<string, string | undefined>>

export async function openTransport(env: Env, now: () => number): Promise<Transport> {
  const { Agent, EnvHttpProxyAgent, request } = await import('undici')
  // Time-outs are per attempt and set by the caller: a reasoning model may be silent for many minutes.
  const settings = { headersTimeout: 0, bodyTimeout: 0, connect: { timeout: CONNECT_TIMEOUT_MS } }
  const httpProxy = env.http_proxy ?? env.HTTP_PROXY
  const httpsProxy = env.https_proxy ?? env.HTTPS_PROXY
  // Models on this machine are never behind a proxy.
  const noProxy = ['localhost', '127.0.0.1', '[::1]', env.no_proxy ?? env.NO_PROXY].filter(Boolean).join(',')
  const dispatcher: Dispatcher =
    httpProxy || httpsProxy
      ? new EnvHttpProxyAgent({
          ...settings,
          ...(httpProxy ? { httpProxy } : {}),
          ...(httpsProxy ? { httpsProxy } : {}),
          noProxy,
        })
      : new Agent(settings)

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
        const bytes = await readCapped(answer.body, ok ? MAX_REPLY_BYTES : MAX_ERROR_BYTES, ok)
        if (!ok) throw httpFailure(answer.statusCode, answer.headers, bytes.toString('utf8'), now())
        return bytes
      } catch (error) {
        if (signal.aborted) throw reasonOf(signal)
        throw error instanceof RequestFailed ? error : networkFailure(error, url)
      }
    },
    // Not `close`, which would wait for answers that nobody wants any more.
    close: () => dispatcher.destroy(),
  }
}

/** Reads at most `limit` bytes. What is longer is an error when `strict`, and cut off when not. */
async function readCapped(stream: Dispatcher.ResponseData['body'], limit: number, strict: boolean): Promise<Buffer> {
  const chunks: Buffer[] = []
  let total = 0
  for await (const chunk of stream) {
    if (!Buffer.isBuffer(chunk)) continue
    total += chunk.length
    if (total > limit) {
      // Leaving the loop destroys the stream, and with it the connection: the rest is never read.
      if (strict) {
        throw new RequestFailed({
          kind: 'bad-reply',
          retry: false,
          message: `the answer is larger than ${limit / 2 ** 20} MB and was not read to its end`,
        })
      }
      break
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Mistakes in a certificate or an address do not go away by trying again. */
const LASTING = /^(CERT_|ERR_TLS|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_SSL|ERR_INVALID|UND_ERR_INVALID)/

function networkFailure(error: unknown, url: string): RequestFailed {
  const code = codeOf(error) ?? codeOf(error instanceof Error ? error.cause : undefined)
  const { host } = new URL(url)
  const known: Record<string, string> = {
    ECONNREFUSED: `nothing answers at ${host}`,
    ENOTFOUND: `there is no host ${host}`,
    EAI_AGAIN: `the name ${host} could not be looked up`,
    ECONNRESET: `${host} broke off the connection`,
    UND_ERR_SOCKET: `${host} broke off the connection`,
    UND_ERR_CONNECT_TIMEOUT: `no connection to ${host} within ${CONNECT_TIMEOUT_MS / 1000} s`,
  }
  const words =
    (code === undefined ? undefined : known[code]) ?? `the connection to ${host} failed: ${messageOf(error)}`
  return new RequestFailed({ kind: 'network', retry: code === undefined || !LASTING.test(code), message: words })
}
