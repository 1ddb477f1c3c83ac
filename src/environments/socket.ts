/** What clients say over a WebSocket: OpenEnv's messages on `/ws`, JSON-RPC on `/mcp`. */
import { parseForeignJson } from '../base/foreign/json.ts'
import { isObject } from '../base/json-object.ts'
import { answerRpc, RPC, RpcError, rpcError, rpcRequest, rpcResult } from './mcp.ts'
import { errorMessage, isForClients, parsedMessage, ProtocolError, resetOptions } from './openenv.ts'
import type { Session } from './session.ts'
import { stepIn, takeStep } from './step.ts'

export interface Conversation {
  session: Session
  version: string
  /** Told of errors that clients are not told of. */
  onFault: (error: unknown) => void
}

/** Answers one message; null if there is nothing to say, `end` at the end of the session. */
export async function answer(message: string, conversation: Conversation): Promise<object | 'end' | null> {
  const { session, onFault } = conversation
  try {
    const { type, data } = parsedMessage(message)
    switch (type) {
      case 'reset':
        return { type: 'observation', data: await session.reset(resetOptions(data)) }
      case 'step':
        return { type: 'observation', data: await takeStep(stepIn(data, session.suite), session) }
      case 'state':
        return { type: 'state', data: session.state }
      case 'close':
        return 'end'
      case 'mcp':
        return { type: 'mcp', data: await remoteCall(data, conversation) }
      default:
        throw new ProtocolError('UNKNOWN_TYPE', `Unknown message type: ${String(type).slice(0, 100)}`)
    }
  } catch (error) {
    if (!isForClients(error)) onFault(error)
    return errorMessage(error)
  }
}

/** Answers JSON-RPC in the session of the socket. */
export async function answerMcp(message: string, conversation: Conversation): Promise<object | null> {
  let value: unknown
  try {
    value = parseForeignJson(message)
  } catch {
    return rpcError(null, new RpcError(RPC.parse, 'Parse error'))
  }
  const reply = await remoteCall(value, conversation)
  // Notifications are not answered.
  return isObject(value) && value['id'] === undefined && 'result' in reply ? null : reply
}

async function remoteCall(value: unknown, { session, version, onFault }: Conversation): Promise<object> {
  const id =
    isObject(value) && (typeof value['id'] === 'string' || typeof value['id'] === 'number') ? value['id'] : null
  try {
    const request = rpcRequest(value)
    if (request.method === 'openenv/session/create')
      return rpcResult(id, { session_id: session.state.episode_id ?? '' })
    return rpcResult(id, await answerRpc(request, { session, suite: session.suite, version }))
  } catch (error) {
    if (!isForClients(error) && !(error instanceof RpcError)) onFault(error)
    return rpcError(id, error)
  }
}
