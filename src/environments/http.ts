/** What clients ask over HTTP: OpenEnv, MCP, NeMo Gym and the Open Reward Standard, in the same sessions. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { messageOf } from '../base/errors.ts'
import { parseForeignJson } from '../base/foreign/json.ts'
import type { Environment } from './environment.ts'
import { jsonOf } from './json.ts'
import { answerRpc, RPC, RpcError, rpcError, rpcRequest, rpcResult, VERSIONS } from './mcp.ts'
import { verify } from './nemo-gym.ts'
import { apiOf, isForClients, ProtocolError, resetOptions, schemasOf, stepRequest } from './openenv.ts'
import { calledTool, createdTask, describeTasks, newSessionId, standardBlocks } from './openreward.ts'
import type { Session, StepResult } from './session.ts'
import type { Served, Sessions } from './sessions.ts'
import { type Step, stepIn, takeStep } from './step.ts'

const STATUS: Partial<Record<string, number>> = { CAPACITY_REACHED: 503, SESSION_ERROR: 404 }
const SECURE = { 'x-content-type-options': 'nosniff' }
/** Clients take a stream without a word for lost after half a minute. */
const BEAT_MS = 10_000

export interface HttpOptions {
  sessions: Sessions
  served: ReadonlyMap<string, Served>
  version: string
  onFault: (error: unknown) => void
  /** The longest body of a request. */
  maxBytes: number
  /** Of all requests that are arriving. */
  maxReceivingBytes: number
}

interface Task {
  first: StepResult
  calls: Map<string, Promise<StepResult>>
}

interface Asked {
  request: IncomingMessage
  response: ServerResponse
  target: Served
  /** `POST /reset` */
  what: string
  query: URLSearchParams
  /** Of this server, as the client knows it. */
  address: string
}

export class HttpProtocols {
  readonly #options: HttpOptions
  /** The first observation and the last call of sessions of the Open Reward Standard. */
  readonly #tasks = new WeakMap<Session, Task>()

  /** Bytes of requests that have not arrived whole. */
  #receiving = 0

  constructor(options: HttpOptions) {
    this.#options = options
  }

  async respond(asked: Asked): Promise<void> {
    const { response } = asked
    try {
      if (await this.#answer(asked)) return
      send(response, 404, {
        detail: `No ${asked.what}. See /metadata, /schema, /reset, /step, /state, /health, /ws, /mcp and /tools.`,
      })
    } catch (error) {
      const isTheirs = isForClients(error)
      if (!isTheirs) this.#options.onFault(error)
      const status = error instanceof ProtocolError ? STATUS[error.code] : isTheirs ? 409 : 500
      const detail = isTheirs ? messageOf(error) : 'The episode failed.'
      // A body that was not read to its end takes the connection with it.
      const headers: Record<string, string> = asked.request.complete ? {} : { connection: 'close' }
      if (!response.headersSent) send(response, status ?? 422, { detail }, headers)
      else response.end()
    }
  }

  /** False if there is no such request. */
  async #answer(asked: Asked): Promise<boolean> {
    const { request, response, target, what, query, address } = asked
    const { environment } = target
    const { sessions, version } = this.#options
    const reply = (body: object): true => send(response, 200, body)
    switch (what) {
      case 'GET /health':
        return reply({ status: 'healthy' })
      case 'GET /metadata':
        return reply(metadata(environment, version))
      case 'GET /openapi.json':
        return reply(apiOf(environment.suite))
      case 'GET /schema':
        return reply(schemasOf(environment.suite))
      case 'GET /state':
        return reply(sessions.find(query.get('episode_id') ?? undefined).state)
      case 'POST /reset': {
        const given = resetOptions(await this.#body(request))
        const session = sessions.open(target, address)
        const result = await this.#orClosed(session, session.reset(given))
        if (result.done) sessions.close(session)
        else sessions.name(session.state.episode_id!, session)
        return reply(result)
      }
      case 'POST /step': {
        const { step, episode_id } = await this.#step(request)
        const result = await sessions.during(episode_id, (session) => takeStep(step, session, episode_id))
        if (result.done) sessions.end(episode_id)
        return reply(result)
      }
      // NeMo Gym; an episode needs nothing before its reply.
      case 'POST /seed_session':
        return reply({})
      case 'POST /verify': {
        if (environment.suite.output !== 'text')
          throw new ProtocolError('VALIDATION_ERROR', 'Responses are texts here: send videos to /ws, or to /step.')
        const body = await this.#body(request)
        const session = sessions.open(target, address)
        return reply(await verify(session, body).finally(() => sessions.close(session)))
      }
      case 'POST /mcp':
        return this.#mcp(asked)
      case 'DELETE /mcp':
        sessions.end(headerOf(request, 'mcp-session-id') ?? '')
        return reply({})
      case 'GET /mcp':
        return send(response, 405, { detail: 'Send requests with POST.' })
      default:
        return what.startsWith('GET /media/') ? this.#media(asked) : this.#openReward(asked)
    }
  }

  /** The body of a step may be a video: it is not kept while that is measured. */
  async #step(request: IncomingMessage): Promise<{ step: Step; episode_id: string }> {
    const { action, episode_id = '' } = stepRequest(await this.#body(request))
    return { step: stepIn(action, this.#options.sessions.find(episode_id).suite), episode_id }
  }

  #media({ response, what }: Asked): true {
    const found = this.#options.sessions.media(what.slice('GET /media/'.length))
    if (found === undefined) return send(response, 404, { detail: 'Not in an episode in progress.' })
    response.writeHead(200, { 'content-type': found.type, 'content-length': found.bytes.length, ...SECURE })
    response.end(found.bytes)
    return true
  }

  async #mcp({ request, response, target, address }: Asked): Promise<true> {
    const { sessions, version, onFault } = this.#options
    const { suite } = target.environment
    let id: string | number | null = null
    try {
      const call = rpcRequest(await this.#body(request, () => new RpcError(RPC.parse, 'Parse error')))
      id = call.id ?? null
      const { method, params } = call
      // The version is agreed on in `initialize`, and sent with what follows.
      const spoken = method === 'initialize' ? undefined : headerOf(request, 'mcp-protocol-version')
      if (spoken !== undefined && !VERSIONS.some((known) => known === spoken)) {
        const error = new RpcError(RPC.request, `Unsupported protocol version. Known: ${VERSIONS.join(', ')}.`)
        return send(response, 400, rpcError(id, error))
      }
      const header = headerOf(request, 'mcp-session-id')
      const named = header ?? (typeof params['session_id'] === 'string' ? params['session_id'] : undefined)
      if (method === 'initialize' || method === 'openenv/session/create') {
        const session_id = randomUUID()
        sessions.name(session_id, sessions.open(target, address))
        const result =
          method === 'initialize' ? await answerRpc(call, { session: null, suite, version }) : { session_id }
        return send(response, 200, rpcResult(id, result), { 'mcp-session-id': session_id })
      }
      if (header !== undefined && sessions.get(header) === null)
        return send(response, 404, rpcError(id, new RpcError(RPC.server, 'The session has ended.')))
      if (method === 'openenv/session/close') {
        if (sessions.get(named) === null) throw new RpcError(RPC.params, `Unknown session_id: ${named ?? ''}`)
        sessions.end(named!)
        return send(response, 200, rpcResult(id, { session_id: named, closed: true }))
      }
      const answered =
        sessions.get(named) === null
          ? answerRpc(call, { session: null, suite, version })
          : sessions.during(named!, (session) => answerRpc(call, { session, suite: session.suite, version }))
      const result = await answered
      if (call.id === undefined) {
        response.writeHead(202, SECURE).end()
        return true
      }
      return send(response, 200, rpcResult(id, result))
    } catch (error) {
      if (!isForClients(error) && !(error instanceof RpcError)) onFault(error)
      return send(response, 200, rpcError(id, error))
    }
  }

  async #openReward(asked: Asked): Promise<boolean> {
    const { request, response, target, what, address } = asked
    const { sessions, served } = this.#options
    const id = headerOf(request, 'x-session-id')
    const reply = (body: object): true => send(response, 200, body)
    switch (what) {
      case 'GET /list_environments':
        return reply([...served.keys()])
      case 'POST /create_session':
        response.writeHead(200, { 'content-type': 'text/event-stream', ...SECURE })
        response.end(newSessionId())
        return true
      case 'POST /create': {
        const { name, seed } = createdTask(await this.#body(request))
        const chosen = name === null ? target : served.get(name.toLowerCase())
        if (chosen === undefined) return send(response, 404, { detail: `unknown environment ${name}` })
        if (id === undefined || sessions.get(id) !== null)
          return send(response, 400, { detail: 'X-Session-ID header is required, with a new session.' })
        const session = sessions.open(chosen, address)
        sessions.name(id, session)
        const first = await session.reset({ seed }).catch((error: unknown) => {
          sessions.end(id)
          throw error
        })
        this.#tasks.set(session, { first, calls: new Map() })
        return reply({ sid: id })
      }
      case 'POST /ping':
        sessions.find(id)
        return reply({ status: 'ok' })
      case 'POST /delete':
      case 'POST /delete_session':
        sessions.end(id ?? '')
        return reply({ sid: id ?? null })
      case 'GET /prompt': {
        const task = this.#task(asked)
        return task !== undefined && reply(standardBlocks(task.first.observation))
      }
      case 'POST /call':
        return this.#call(asked)
      default: {
        const body = what.startsWith('POST ') ? await this.#body(request) : null
        const described = describeTasks(target.environment, what, body)
        return described !== undefined && reply(described as object)
      }
    }
  }

  /** A session that was created without a name plays the first environment, whatever the path says. */
  #task({ request, target, what }: Asked): Task | undefined {
    const session = this.#options.sessions.find(headerOf(request, 'x-session-id'))
    const { name } = session.suite
    if (name !== target.environment.suite.name) {
      const path = `/${name}${what.slice(what.indexOf('/'))}`
      throw new ProtocolError('VALIDATION_ERROR', `This session plays ${name}: use ${path}.`)
    }
    return this.#tasks.get(session)
  }

  async #call(asked: Asked): Promise<boolean> {
    const { request, response } = asked
    const { sessions, onFault } = this.#options
    const id = headerOf(request, 'x-session-id')
    const task = this.#task(asked)
    if (task === undefined) return false
    const body = await this.#body(request)
    response.writeHead(200, { 'content-type': 'text/event-stream', ...SECURE })
    const beat = setInterval(() => response.write(': waiting\n\n'), BEAT_MS)
    try {
      const said = await sessions.during(id!, (session) => calledTool(session, body, task.calls, onFault))
      response.end(said)
    } finally {
      clearInterval(beat)
    }
    return true
  }

  async #body(
    request: IncomingMessage,
    invalid: () => Error = () => new ProtocolError('INVALID_JSON', 'Invalid JSON'),
  ): Promise<unknown> {
    const chunks: Buffer[] = []
    let bytes = 0
    try {
      for await (const chunk of request as AsyncIterable<Buffer>) {
        bytes += chunk.length
        this.#receiving += chunk.length
        if (bytes > this.#options.maxBytes) throw new ProtocolError('VALIDATION_ERROR', 'The request is too large.')
        if (this.#receiving > this.#options.maxReceivingBytes)
          throw new ProtocolError('CAPACITY_REACHED', 'Too much is being sent at once: try again later.')
        chunks.push(chunk)
      }
    } finally {
      this.#receiving -= bytes
    }
    if (bytes === 0) return {}
    try {
      return parseForeignJson(Buffer.concat(chunks).toString('utf8'))
    } catch {
      throw invalid()
    }
  }

  #orClosed<T>(session: Session, work: Promise<T>): Promise<T> {
    return work.catch((error: unknown) => {
      this.#options.sessions.close(session)
      throw error
    })
  }
}

export function send(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): true {
  const pieces = jsonOf(body)
  const length = pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0)
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': length, ...SECURE, ...headers })
  for (const piece of pieces.slice(0, -1)) response.write(piece)
  response.end(pieces.at(-1))
  return true
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

function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}
