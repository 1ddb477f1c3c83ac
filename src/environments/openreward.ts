/** The Open Reward Standard: tasks by number, tools, and rewards with the result of each call. */
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { messageOf } from '../base/errors.ts'
import type { Environment } from './environment.ts'
import { isForClients, ProtocolError } from './openenv.ts'
import type { Session, StepResult } from './session.ts'
import { blocksOf, listTools, replyOf } from './tools.ts'

const CHUNK = 4096
/** More are given by number. */
const MAX_LISTED = 10_000

const split = z.object({ split: z.string() })
const index = z.int().min(0)
/** Negative from the end. */
const bound = z.int().nullish()
const SCHEMAS = {
  split,
  task: split.extend({ index }),
  range: split.extend({ start: bound, stop: bound }),
  create: z.object({
    env_name: z.string().nullish(),
    task_spec: z.looseObject({ seed: index }).nullish(),
    split: z.string().nullish(),
    index: index.nullish(),
  }),
  call: z.object({ name: z.string(), input: z.unknown().optional(), task_id: z.string().nullish() }),
}

function read<Name extends keyof typeof SCHEMAS>(name: Name, body: unknown): z.output<(typeof SCHEMAS)[Name]> {
  const result = SCHEMAS[name].safeParse(body)
  if (result.success) return result.data as z.output<(typeof SCHEMAS)[Name]>
  const [issue] = result.error.issues
  throw new ProtocolError('VALIDATION_ERROR', `${issue?.path.join('.') || 'request'}: ${issue?.message}`)
}

/** Requests about an environment, without a session; undefined if it is none of them. */
export function describeTasks(environment: Environment, asked: string, body: unknown): unknown {
  const { suite, split: name, size } = environment
  const checked = <T extends { split: string }>(given: T): T => {
    if (given.split !== name) throw new ProtocolError('VALIDATION_ERROR', `Invalid split: this server has ${name}.`)
    return given
  }
  const tasks = (from: number, to: number): object[] =>
    Array.from({ length: Math.min(MAX_LISTED, Math.max(0, to - from)) }, (_, i) => ({ seed: from + i }))
  switch (asked) {
    case 'GET /tools':
    case 'GET /task_tools':
      return { tools: listTools(suite).map(({ schema, ...tool }) => ({ ...tool, input_schema: schema })) }
    case 'GET /splits':
      return [{ name, type: name }]
    case 'POST /num_tasks':
      checked(read('split', body))
      return { num_tasks: size }
    case 'POST /tasks':
      checked(read('split', body))
      return { tasks: tasks(0, size), env_name: suite.name }
    case 'POST /task':
      return { task: { seed: checked(read('task', body)).index } }
    case 'POST /task_range': {
      const { start, stop } = checked(read('range', body))
      const fromStart = (at: number): number => (at < 0 ? Math.max(0, size + at) : at)
      return { tasks: tasks(fromStart(start ?? 0), fromStart(stop ?? size)) }
    }
    default:
      return undefined
  }
}

export function createdTask(body: unknown): { name: string | null; seed: number } {
  const { env_name, task_spec, index: number } = read('create', body)
  const seed = task_spec?.seed ?? number
  if (seed == null) throw new ProtocolError('VALIDATION_ERROR', 'Provide either task_spec or both split and index.')
  return { name: env_name ?? null, seed }
}

/** A call as the text of server-sent events. A client that lost the answer asks again with the number of the call. */
export async function calledTool(
  session: Session,
  body: unknown,
  calls: Map<string, Promise<StepResult>>,
  onFault: (error: unknown) => void,
): Promise<string> {
  const { name, input, task_id } = read('call', body)
  const id = task_id ?? randomUUID()
  if (task_id == null) {
    calls.clear()
    // Tools that do not exist and wrong arguments are results, too.
    calls.set(
      id,
      Promise.resolve().then(() => session.step(replyOf(session.suite, name, input))),
    )
  }
  const called = calls.get(id)
  if (called === undefined) return events([['error', 'unknown task_id']])
  const result = await called.then(
    (step) => ({ ok: true, output: outputOf(step) }),
    (error: unknown) => {
      if (!isForClients(error)) onFault(error)
      return { ok: false, error: isForClients(error) ? messageOf(error) : 'The episode failed.' }
    },
  )
  return events([['task_id', id], ...chunks(JSON.stringify(result))])
}

/** For `/create_session`. */
export function newSessionId(): string {
  return events([
    ['task_id', randomUUID()],
    ['end', ''],
  ])
}

/** Blocks that the standard knows. */
export function standardBlocks(observation: StepResult['observation']): object[] {
  return blocksOf(observation).map((block) => {
    if (block.type === 'text' || block.type === 'image') return { ...block, detail: null }
    const { mimeType, ...content } = 'resource' in block ? block.resource : block
    const data = 'blob' in content ? content.blob : content.data
    return { type: 'text', text: `data:${mimeType};base64,${data}`, detail: null }
  })
}

function outputOf({ observation, reward, done }: StepResult): object {
  const { status, scores } = observation
  return { blocks: standardBlocks(observation), metadata: { status, scores }, reward, finished: done }
}

function chunks(text: string): [string, string][] {
  const parts: [string, string][] = []
  for (let at = 0; at < text.length; at += CHUNK) {
    parts.push([at + CHUNK >= text.length ? 'end' : 'chunk', text.slice(at, at + CHUNK)])
  }
  return parts
}

function events(list: readonly (readonly [event: string, data: string])[]): string {
  return list.map(([event, data]) => `event: ${event}\ndata: ${data}\n\n`).join('')
}
