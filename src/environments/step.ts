/** An action of OpenEnv's clients: a text, a tool with its arguments, or the question which tools there are. */
import type { z } from 'zod'
import { isObject } from '../base/json-object.ts'
import type { AnySuite } from '../engine/suite.ts'
import { callTool, toolResult } from './mcp.ts'
import { answerIn, type PlayerReply, parsed, ProtocolError, toolCallSchema } from './openenv.ts'
import type { Session } from './session.ts'
import { listTools, NoSuchTool } from './tools.ts'

/** What OpenEnv's clients read of a result. */
interface Stepped {
  observation: object
  reward: number | null
  done: boolean
}

export type Step = { answer: PlayerReply } | { call: z.output<typeof toolCallSchema> } | 'list'

export function stepIn(action: unknown, suite: AnySuite): Step {
  const type = isObject(action) ? action['type'] : undefined
  if (type === 'list_tools') return 'list'
  return type === 'call_tool' ? { call: parsed(toolCallSchema, action) } : { answer: answerIn(action, suite) }
}

export async function takeStep(step: Step, session: Session, episode_id?: string): Promise<Stepped> {
  if (step === 'list') {
    const tools = listTools(session.suite).map(({ schema, ...tool }) => ({ ...tool, input_schema: schema }))
    return { observation: { tools }, reward: null, done: session.state.done }
  }
  if ('answer' in step) return session.step(step.answer)
  const { tool_name, arguments: given } = step.call
  try {
    const result = await callTool(session, tool_name, given, episode_id)
    const { error: _, ...observation } = result.observation
    const observed = { ...observation, tool_name, result: toolResult(result), error: null }
    return { ...result, observation: observed }
  } catch (error) {
    // Changes nothing: the model may try again.
    if (!(error instanceof ProtocolError)) throw error
    const error_type = error instanceof NoSuchTool ? 'tool_not_found' : 'invalid_args'
    const observed = { tool_name, result: null, error: { error_type, message: error.message } }
    return { observation: observed, reward: null, done: session.state.done }
  }
}
