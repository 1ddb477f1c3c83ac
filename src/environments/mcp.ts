/**
 * The Model Context Protocol, as JSON-RPC 2.0: over HTTP with a session in the header `Mcp-Session-Id`, and as OpenEnv
 * has it, over WebSockets and with the session among the parameters.
 */
import { z } from 'zod'
import { messageOf } from '../base/errors.ts'
import { isForClients, resetOptions } from './openenv.ts'
import type { Session, StepResult } from './session.ts'
import { blocksOf, listTools, NoSuchTool, replyOf } from './tools.ts'

export const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const
/** Tools must not be named as OpenEnv's own requests are. */
const NEW_EPISODE = 'new_episode'

const requestSchema = z.object({
  jsonrpc: z.literal('2.0'),
  method: z.string().max(200),
  params: z.record(z.string(), z.unknown()).default({}),
  id: z.union([z.string(), z.number()]).nullish(),
})
export type RpcRequest = z.output<typeof requestSchema>

export const RPC = { parse: -32700, request: -32600, method: -32601, params: -32602, internal: -32603, server: -32000 }

export class RpcError extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

export function rpcRequest(value: unknown): RpcRequest {
  const read = requestSchema.safeParse(value)
  if (read.success) return read.data
  throw new RpcError(RPC.request, 'Invalid request: a request has jsonrpc "2.0", a method, and params as an object.')
}

export function rpcResult(id: RpcRequest['id'], result: object): object {
  return { jsonrpc: '2.0', id: id ?? null, result }
}

export function rpcError(id: RpcRequest['id'], error: unknown): object {
  const code = error instanceof RpcError ? error.code : isForClients(error) ? RPC.params : RPC.internal
  const known = error instanceof RpcError || isForClients(error)
  const message = known ? messageOf(error) : 'The episode failed; see the log of the server.'
  return { jsonrpc: '2.0', id: id ?? null, error: { code, message } }
}

/** Answers a request. `session` is null for those that need none. */
export async function answerRpc(
  { method, params }: RpcRequest,
  { session, suite, version }: { session: Session | null; suite: Parameters<typeof listTools>[0]; version: string },
): Promise<object> {
  if (method === 'initialize') {
    const protocolVersion = VERSIONS.find((known) => known === params['protocolVersion']) ?? VERSIONS[0]
    const instructions = `${suite.title}. Call ${NEW_EPISODE}, then act until the episode is over.`
    const serverInfo = { name: `sightline ${suite.name}`, version }
    return { protocolVersion, capabilities: { tools: {} }, serverInfo, instructions }
  }
  if (method === 'ping' || method.startsWith('notifications/')) return {}
  if (method === 'tools/list') {
    const tools = listTools(suite).map(({ name, description, schema }) => ({ name, description, inputSchema: schema }))
    return { tools: [NEW_EPISODE_TOOL, ...tools] }
  }
  if (method !== 'tools/call') throw new RpcError(RPC.method, `Method not found: ${method}`)
  if (session === null)
    throw new RpcError(RPC.params, 'No such session: initialize, and send its Mcp-Session-Id with each request.')
  const { name, arguments: given } = params
  if (typeof name !== 'string') throw new RpcError(RPC.params, "Missing 'name' in params")
  try {
    return toolResult(await callTool(session, name, given))
  } catch (error) {
    if (error instanceof NoSuchTool || !isForClients(error)) throw error
    return { content: [{ type: 'text', text: messageOf(error) }], isError: true }
  }
}

/** Plays a tool call. Where the client names the episode in each request, a new one takes over its name. */
export async function callTool(
  session: Session,
  name: string,
  given: unknown,
  episode_id?: string,
): Promise<StepResult> {
  if (name !== NEW_EPISODE) return session.step(replyOf(session.suite, name, given))
  const options = resetOptions(given)
  return session.reset({ ...options, episode_id: episode_id ?? options.episode_id })
}

export function toolResult({ observation, reward, done }: StepResult): object {
  const { episode_id, status, scores, error } = observation
  const structuredContent = { reward, done, episode_id, status, scores, error }
  return { content: blocksOf(observation), structuredContent, isError: false }
}

const NEW_EPISODE_TOOL = {
  name: NEW_EPISODE,
  description: 'start an episode; the one in progress is dropped',
  inputSchema: {
    type: 'object',
    properties: { seed: { type: 'integer', minimum: 0, description: 'the same number is the same episode' } },
  },
}
