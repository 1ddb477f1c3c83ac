/**
 * An HTTP server that responds like OpenAI (both APIs), Anthropic, Google or any OpenAI-compatible endpoint, and
 * misbehaves on demand.
 */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { type Dialect, dialectOf, errorBody, replyBody, type ServedReply } from './dialects.ts'

export type Behaviour =
  /** A valid reply, after `ms` milliseconds or when `after` resolves. */
  | ({ do: 'reply'; ms?: number; after?: Promise<unknown> } & Partial<ServedReply>)
  /** An HTTP error with the given headers. */
  | { do: 'status'; status: number; headers?: Record<string, string>; message?: string; ms?: number }
  /** An error that repeats the headers of the request, keys and all. */
  | { do: 'echo-headers'; status: number }
  /** Closes the connection before the response, or in the middle of the body. */
  | { do: 'drop'; when: 'before' | 'middle' }
  /** Never responds, or stops in the middle of the body. */
  | { do: 'hang'; when: 'before' | 'middle' }
  /** A complete HTTP response with truncated JSON. */
  | { do: 'cut-short' }
  /** This many bytes of useless JSON. */
  | { do: 'flood'; bytes: number }
  /** Any body, with status 200. */
  | { do: 'body'; body: string }
  /** Any status, headers and body. */
  | { do: 'raw'; status: number; headers?: Record<string, string>; body: string | Buffer }

export interface Received {
  method: string
  path: string
  dialect: Dialect
  headers: IncomingHttpHeaders
  /** The parsed JSON of the request. */
  body: unknown
}

export type Script = (request: Received, index: number) => Behaviour

export interface HostileServer {
  /** `http://127.0.0.1:port`, without a path. */
  origin: string
  /** All requests so far, in order of arrival. */
  requests: readonly Received[]
  /** Peak number of concurrent unanswered requests. */
  maxParallel(): number
  /** Bytes written so far by floods. */
  bytesSent(): number
  /** Sets the behavior from now on: one for all requests, a list (the last one repeats), or a function. */
  behave(script: Script | Behaviour | readonly Behaviour[]): void
  /** Number of requests left hanging so far. */
  hung(): number
  /** Number of unanswered requests now. */
  parallel(): number
  close(): Promise<void>
}

const FLOOD_CHUNK = Buffer.alloc(64 * 1024, ' ')

export async function startHostileServer(
  script: Script | Behaviour | readonly Behaviour[] = { do: 'reply' },
): Promise<HostileServer> {
  let decide = scriptOf(script)
  const requests: Received[] = []
  let parallel = 0
  let maxParallel = 0
  let sent = 0
  let hung = 0

  const server = createServer((request, response) => {
    parallel += 1
    maxParallel = Math.max(maxParallel, parallel)
    response.once('close', () => {
      parallel -= 1
    })
    void handle(request, response)
  })
  // Clients that disconnect early are part of the tests.
  server.on('clientError', (_, socket) => socket.destroy())

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const received = await receive(request)
      requests.push(received)
      const behaviour = decide(received, requests.length - 1)
      await act(behaviour, received, response, (bytes) => {
        sent += bytes
      })
      if (behaviour.do === 'hang') hung += 1
    } catch {
      response.destroy()
    }
  }

  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('expected a TCP address')
  return {
    origin: `http://127.0.0.1:${address.port}`,
    requests,
    maxParallel: () => maxParallel,
    parallel: () => parallel,
    bytesSent: () => sent,
    hung: () => hung,
    behave(next) {
      decide = scriptOf(next)
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => {
        server.close(resolve)
      })
    },
  }
}

function scriptOf(script: Script | Behaviour | readonly Behaviour[]): Script {
  if (typeof script === 'function') return script
  if (!('do' in script)) {
    let next = 0
    return () => script[Math.min(next++, script.length - 1)] ?? { do: 'reply' }
  }
  return () => script
}

async function receive(request: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = []
  for await (const chunk of request) if (Buffer.isBuffer(chunk)) chunks.push(chunk)
  const path = request.url ?? '/'
  const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'))
  return { method: request.method ?? '', path, dialect: dialectOf(path), headers: request.headers, body }
}

async function act(
  behaviour: Behaviour,
  request: Received,
  response: ServerResponse,
  count: (bytes: number) => void,
): Promise<void> {
  const { dialect } = request
  const json = { 'content-type': 'application/json' }
  const whole = JSON.stringify(replyBody(dialect, {}))
  switch (behaviour.do) {
    case 'reply':
      if (behaviour.ms) await delay(behaviour.ms)
      await behaviour.after
      response.writeHead(200, json).end(JSON.stringify(replyBody(dialect, behaviour)))
      return
    case 'status':
      if (behaviour.ms) await delay(behaviour.ms)
      response
        .writeHead(behaviour.status, { ...json, ...behaviour.headers })
        .end(JSON.stringify(errorBody(dialect, behaviour.status, behaviour.message ?? 'no')))
      return
    case 'echo-headers':
      response
        .writeHead(behaviour.status, json)
        .end(JSON.stringify(errorBody(dialect, behaviour.status, `bad key in ${JSON.stringify(request.headers)}`)))
      return
    case 'drop':
      if (behaviour.when === 'before') response.socket?.destroy()
      else {
        response.writeHead(200, { ...json, 'content-length': whole.length })
        response.write(whole.slice(0, whole.length / 2), () => response.socket?.destroy())
      }
      return
    case 'hang':
      if (behaviour.when === 'middle') {
        response.writeHead(200, json)
        response.write(whole.slice(0, whole.length / 2))
      }
      return
    case 'cut-short':
      response.writeHead(200, json).end(whole.slice(0, whole.length / 2))
      return
    case 'flood':
      response.writeHead(200, json)
      response.write('{"choices":[')
      for (let left = behaviour.bytes; left > 0 && !response.destroyed; left -= FLOOD_CHUNK.length) {
        count(FLOOD_CHUNK.length)
        if (!response.write(FLOOD_CHUNK)) {
          await drained(response)
        }
      }
      response.end(']}')
      return
    case 'body':
      response.writeHead(200, json).end(behaviour.body)
      return
    case 'raw':
      response.writeHead(behaviour.status, { ...json, ...behaviour.headers }).end(behaviour.body)
  }
}

/** Room to write more, or nobody left to write to. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done)
      response.off('close', done)
      resolve()
    }
    response.on('drain', done)
    response.on('close', done)
  })
}
