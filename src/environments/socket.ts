/** What clients say over a WebSocket: OpenEnv's messages on `/ws`, JSON-RPC on `/mcp`. */
import { z } from 'zod'
import { parseForeignJson } from '../base/foreign/json.ts'
import { isObject } from '../base/json-object.ts'
import { answerRpc, callTool, RPC, RpcError, rpcError, rpcRequest, rpcResult, toolResult } from './mcp.ts'
import { answerIn, errorMessage, isForClients, parsed, parsedMessage, ProtocolError, resetOptions } from './openenv.ts'
import type { Environment } from './environment.ts'
import type { Session } from './session.ts'
import { listTools } from './tools.ts'

const callSchema = z.object({ tool_name: z.string(), arguments: z.record(z.string(), z.unknown()).default({}) })

export interface Conversation {
  session: Session
  environment: Environment
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
        return { type: 'observation', data: await step(conversation, data) }
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

/** An action is a text, or a tool with its arguments. */
async function step({ session, environment: { suite } }: Conversation, data: unknown): Promise<object> {
  const type = isObject(data) ? data['type'] : undefined
  if (type === 'list_tools') {
    const tools = listTools(suite).map(({ schema, ...tool }) => ({ ...tool, input_schema: schema }))
    return { observation: { tools }, reward: null, done: session.state.done }
  }
  if (type !== 'call_tool') return session.step(answerIn(data, suite))
  const { tool_name, arguments: given } = parsed(callSchema, data)
  const result = await callTool(session, suite, tool_name, given)
  const { error: _, ...observation } = result.observation
  return { ...result, observation: { ...observation, tool_name, result: toolResult(result), error: null } }
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

async function remoteCall(value: unknown, { session, environment, version, onFault }: Conversation): Promise<object> {
  const id =
    isObject(value) && (typeof value['id'] === 'string' || typeof value['id'] === 'number') ? value['id'] : null
  try {
    const request = rpcRequest(value)
    if (request.method === 'openenv/session/create')
      return rpcResult(id, { session_id: session.state.episode_id ?? '' })
    return rpcResult(id, await answerRpc(request, { session, suite: environment.suite, version }))
  } catch (error) {
    if (!isForClients(error) && !(error instanceof RpcError)) onFault(error)
    return rpcError(id, error)
  }
}
