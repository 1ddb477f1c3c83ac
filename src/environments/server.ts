/** Serves environments over HTTP and WebSocket, each with any number of sessions. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocket, WebSocketServer } from 'ws'
import { codeOf, messageOf, UserError } from '../base/errors.ts'
import type { Environment } from './environment.ts'
import {
  answer,
  errorMessage,
  isForClients,
  MAX_TEXT_LENGTH,
  ProtocolError,
  resetOptions,
  SCHEMAS,
  stepRequest,
} from './openenv.ts'
import { verify } from './nemo-gym.ts'
import { Session } from './session.ts'

/** An action in JSON, where each character may be escaped. */
const MAX_BODY_BYTES = 8 * MAX_TEXT_LENGTH
const PING_MS = 30_000
const LOCAL_NAMES = new Set(['localhost', '127.0.0.1', '[::1]'])

export interface ServerOptions {
  /** Each is served under its name; the first one also without. */
  environments: readonly Environment[]
  host: string
  port: number
  /** Required as `Authorization: Bearer …`, if given. */
  token?: string | undefined
  maxSessions: number
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

interface Served {
  environment: Environment
  nextSeed: () => number
}

export async function serveEnvironments(options: ServerOptions): Promise<EnvironmentServer> {
  const served = new Map<string, Served>()
  for (const environment of options.environments) {
    let next = 0
    served.set(environment.suite.name, { environment, nextSeed: () => next++ })
  }
  const first = served.values().next().value!
  const http = new HttpSessions(options)
  const sockets = new Set<WebSocket>()
  let verifying = 0
  const count = (): number => sockets.size + http.size + verifying

  const server = createServer((request, response) => void respond(request, response))
  const webSockets = new WebSocketServer({ noServer: true, maxPayload: MAX_BODY_BYTES, perMessageDeflate: false })
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    const asked = refusal(request) === null ? route(request) : null
    if (asked?.path !== '/ws') {
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n')
      return
    }
    webSockets.handleUpgrade(request, socket, head, (client) => attend(client, asked.target))
  })

  function attend(client: WebSocket, { environment, nextSeed }: Served): void {
    client.on('error', () => client.terminate())
    if (count() >= options.maxSessions) {
      client.send(JSON.stringify(errorMessage(full())), () => client.close(1013))
      return
    }
    const session = new Session(environment, nextSeed)
    sockets.add(client)
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
      sockets.delete(client)
      session.close()
    })
    const converse = async (text: string): Promise<void> => {
      const reply = await answer(session, text, options.onFault)
      client.resume()
      if (reply === null) client.close(1000)
      else if (client.readyState === WebSocket.OPEN) client.send(JSON.stringify(reply))
    }
    // Messages are answered in their order; more are not read meanwhile.
    let last: Promise<void> = Promise.resolve()
    client.on('message', (data, isBinary) => {
      client.pause()
      const text = isBinary || !Buffer.isBuffer(data) ? '' : data.toString('utf8')
      last = last.then(() => converse(text))
    })
  }

  function full(): ProtocolError {
    return new ProtocolError('CAPACITY_REACHED', `All ${options.maxSessions} sessions are in use.`)
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
    const given = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? ''
    return timingSafeEqual(digest(given), digest(options.token)) ? null : [401, 'Token required.']
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const send = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json', 'x-content-type-options': 'nosniff' })
      response.end(JSON.stringify(body))
    }
    try {
      const refused = refusal(request)
      if (refused !== null) return send(refused[0], { detail: refused[1] })
      const routed = route(request)
      if (routed === null) return send(400, { detail: 'Invalid address.' })
      const { target, path, query } = routed
      const { environment, nextSeed } = target
      const asked = `${request.method} ${path}`
      if (asked === 'GET /health') return send(200, { status: 'healthy' })
      if (asked === 'GET /metadata') return send(200, metadata(environment, options.version))
      if (asked === 'GET /schema') return send(200, SCHEMAS)
      if (asked === 'GET /state') return send(200, http.find(query.get('episode_id') ?? undefined).state)
      if (asked === 'POST /reset') {
        const given = resetOptions(await bodyOf(request))
        if (count() >= options.maxSessions) throw full()
        return send(200, await http.reset(new Session(environment, nextSeed), given))
      }
      if (asked === 'POST /step') {
        const { text, episode_id } = stepRequest(await bodyOf(request))
        return send(200, await http.step(episode_id, text))
      }
      // NeMo Gym; an episode needs nothing before its reply.
      if (asked === 'POST /seed_session') return send(200, {})
      if (asked === 'POST /verify') {
        const body = await bodyOf(request)
        if (count() >= options.maxSessions) throw full()
        const session = new Session(environment, nextSeed)
        verifying += 1
        const verified = verify(session, body).finally(() => {
          verifying -= 1
          session.close()
        })
        return send(200, await verified)
      }
      return send(404, { detail: `No ${asked}. See /metadata, /schema, /reset, /step, /state, /health and /ws.` })
    } catch (error) {
      const isTheirs = isForClients(error)
      if (!isTheirs) options.onFault(error)
      const status = error instanceof ProtocolError ? STATUS[error.code] : isTheirs ? 409 : 500
      if (!response.headersSent) send(status ?? 422, { detail: isTheirs ? messageOf(error) : 'The episode failed.' })
    }
  }

  await listen(server, options)
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${urlHost(options.host)}:${port}`,
    sessions: count,
    async close() {
      http.close()
      for (const client of webSockets.clients) client.terminate()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const STATUS: Partial<Record<string, number>> = { CAPACITY_REACHED: 503, SESSION_ERROR: 404 }

/** Sessions that are named in each request. */
class HttpSessions {
  readonly #sessions = new Map<string, { session: Session; idle: NodeJS.Timeout }>()
  readonly #idleMs: number
  /** Sessions without their first observation. */
  #starting = 0

  constructor({ idleMs }: { idleMs: number }) {
    this.#idleMs = idleMs
  }

  get size(): number {
    return this.#sessions.size + this.#starting
  }

  find(id: string | undefined): Session {
    const found = id === undefined ? undefined : this.#sessions.get(id)
    if (found) {
      found.idle.refresh()
      return found.session
    }
    throw new ProtocolError('SESSION_ERROR', 'No such episode. Name it with the episode_id of its observation.')
  }

  async reset(session: Session, given: { seed?: number; episode_id?: string }): Promise<object> {
    this.#starting++
    const result = await session.reset(given).finally(() => this.#starting--)
    const id = session.state.episode_id!
    this.#end(id)
    if (!result.done) {
      const idle = setTimeout(() => this.#end(id), this.#idleMs).unref()
      this.#sessions.set(id, { session, idle })
    }
    return result
  }

  async step(id: string | undefined, text: string): Promise<object> {
    const session = this.find(id)
    // A step may take longer than a client may be silent.
    const busy = setInterval(() => this.#sessions.get(id!)?.idle.refresh(), this.#idleMs / 2)
    const result = await session.step(text).finally(() => clearInterval(busy))
    if (result.done) this.#end(id!)
    return result
  }

  #end(id: string): void {
    const known = this.#sessions.get(id)
    if (known === undefined) return
    clearTimeout(known.idle)
    known.session.close()
    this.#sessions.delete(id)
  }

  close(): void {
    for (const id of this.#sessions.keys()) this.#end(id)
  }
}

function metadata({ suite, profile, source }: Environment, version: string): object {
  return {
    name: suite.name,
    description: suite.title,
    version: `${suite.version}`,
    author: `sightline ${version}`,
    profile,
    source,
  }
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_BODY_BYTES) throw new ProtocolError('VALIDATION_ERROR', 'The request is too large.')
    chunks.push(chunk)
  }
  if (bytes === 0) return {}
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    throw new ProtocolError('INVALID_JSON', 'Invalid JSON')
  }
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
