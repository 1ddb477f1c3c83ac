/** Serves environments over HTTP and WebSocket, each with any number of sessions. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocket, WebSocketServer } from 'ws'
import { codeOf, UserError } from '../base/errors.ts'
import type { Environment } from './environment.ts'
import { HttpProtocols, send } from './http.ts'
import { jsonOf } from './json.ts'
import { errorMessage, maxMessageBytes } from './openenv.ts'
import type { Session } from './session.ts'
import { type Served, Sessions } from './sessions.ts'
import { answer, answerMcp } from './socket.ts'

const PING_MS = 30_000
/** Ten megabytes of each of a hundred clients. */
const MAX_RECEIVING_BYTES = 2 ** 30
const LOCAL_NAMES = new Set(['localhost', '127.0.0.1', '[::1]'])

export interface ServerOptions {
  /** Each is served under its name; the first one also without. */
  environments: readonly Environment[]
  host: string
  port: number
  /** Required as `Authorization: Bearer …`, if given. */
  token?: string | undefined
  maxSessions: number
  /** Of all requests over HTTP that are arriving (default: 1 GiB). */
  maxReceivingBytes?: number
  /** Sessions over HTTP end after this time without a request. */
  idleMs: number
  version: string
  /** Told of errors that clients are not told of. */
  onFault: (error: unknown) => void
}

export interface EnvironmentServer {
  url: string
  /** Sessions now. */
  sessions(): number
  close(): Promise<void>
}

export async function serveEnvironments(options: ServerOptions): Promise<EnvironmentServer> {
  const served = new Map<string, Served>()
  for (const environment of options.environments) {
    let next = 0
    served.set(environment.suite.name, { environment, nextSeed: () => next++ })
  }
  const first = served.values().next().value!
  const sessions = new Sessions(options)
  const { version, onFault, maxReceivingBytes = MAX_RECEIVING_BYTES } = options
  const maxBytes = maxMessageBytes(options.environments.map(({ suite }) => suite))
  const http = new HttpProtocols({ sessions, served, version, onFault, maxBytes, maxReceivingBytes })

  const server = createServer((request, response) => {
    const refused = refusal(request)
    if (refused !== null) return send(response, refused[0], { detail: refused[1] })
    const routed = route(request)
    if (routed === null) return send(response, 400, { detail: 'Invalid address.' })
    const { path, ...asked } = routed
    return void http.respond({
      ...asked,
      request,
      response,
      what: `${request.method} ${path}`,
      address: addressOf(request),
    })
  })
  const webSockets = new WebSocketServer({ noServer: true, maxPayload: maxBytes, perMessageDeflate: false })
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    const asked = refusal(request) === null ? route(request) : null
    if (asked?.path !== '/ws' && asked?.path !== '/mcp') {
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n')
      return
    }
    const reply = asked.path === '/ws' ? answer : answerMcp
    webSockets.handleUpgrade(request, socket, head, (client) => attend(client, asked.target, addressOf(request), reply))
  })

  function attend(client: WebSocket, target: Served, address: string, reply: typeof answer): void {
    client.on('error', () => client.terminate())
    let session: Session
    try {
      session = sessions.open(target, address)
    } catch (error) {
      client.send(JSON.stringify(errorMessage(error)), () => client.close(1013))
      return
    }
    let isAlive = true
    const pings = setInterval(() => {
      // A client that vanished without a word answers no ping.
      if (!isAlive) return client.terminate()
      isAlive = false
      client.ping()
    }, PING_MS).unref()
    client.on('pong', () => {
      isAlive = true
    })
    client.on('close', () => {
      clearInterval(pings)
      sessions.close(session)
    })
    const converse = async (text: string): Promise<void> => {
      const said = await reply(text, { session, version, onFault })
      client.resume()
      if (said === 'end') client.close(1000)
      else if (said !== null && client.readyState === WebSocket.OPEN) sendPieces(client, jsonOf(said))
    }
    // Messages are answered in their order; more are not read meanwhile.
    let last: Promise<void> = Promise.resolve()
    client.on('message', (data, isBinary) => {
      client.pause()
      const text = isBinary || !Buffer.isBuffer(data) ? '' : data.toString('utf8')
      last = last.then(() => converse(text))
    })
  }

  function addressOf({ headers }: IncomingMessage): string {
    return `http://${headers.host ?? ''}`
  }

  /** The environment that a path belongs to, and the rest of the path; null if the address is none. */
  function route({ url = '/' }: IncomingMessage): { target: Served; path: string; query: URLSearchParams } | null {
    if (!URL.canParse(url, 'http://localhost')) return null
    const { pathname, searchParams: query } = new URL(url, 'http://localhost')
    for (const [name, target] of served) {
      if (pathname.startsWith(`/${name}/`)) return { target, path: pathname.slice(name.length + 1), query }
    }
    return { target: first, path: pathname, query }
  }

  /** Why a request is not answered: pages in a browser must not use a server on this machine. */
  function refusal({ headers }: IncomingMessage): [number, string] | null {
    if (headers.origin !== undefined) return [403, 'Requests from web pages are not answered.']
    const name = (headers.host ?? '').replace(/:\d+$/, '').toLowerCase()
    if (LOCAL_NAMES.has(urlHost(options.host)) && !LOCAL_NAMES.has(name)) return [403, 'Host not allowed.']
    if (options.token === undefined) return null
    const key = headers['x-api-key']
    const given = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? (typeof key === 'string' ? key : '')
    return timingSafeEqual(digest(given), digest(options.token)) ? null : [401, 'Token required.']
  }

  await listen(server, options)
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${urlHost(options.host)}:${port}`,
    sessions: () => sessions.size,
    async close() {
      const closed = sessions.closeAll()
      for (const client of webSockets.clients) client.terminate()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await closed
    },
  }
}

/** One message, each piece in a frame of its own. */
function sendPieces(client: WebSocket, pieces: readonly (string | Buffer)[]): void {
  for (const [i, piece] of pieces.entries()) client.send(piece, { binary: false, fin: i === pieces.length - 1 })
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function urlHost(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
}

function listen(server: Server, { host, port }: ServerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      reject(
        codeOf(error) === 'EADDRINUSE'
          ? new UserError(`Port ${port} is in use.`, { hint: 'Choose another one with --port, or 0 for any.' })
          : error,
      )
    })
    server.listen(port, host, resolve)
  })
}
