/** What a client can do in an environment, as tools: the actions of the suite, and a reply in words. */
import { z } from 'zod'
import type { AnySuite, SuiteTool } from '../engine/suite.ts'
import { type PlayerReply, ProtocolError, REPLIES, videoIn } from './openenv.ts'
import type { Observation, ShownPart } from './session.ts'

interface Tool extends Omit<SuiteTool, 'reply'> {
  reply(given: never): PlayerReply
}

const description = 'reply to the last message, as a model would'
const REPLY: Readonly<Record<AnySuite['output'], Tool>> = {
  text: { description, input: REPLIES.text, reply: ({ text }: { text: string }) => text },
  video: { description, input: REPLIES.video, reply: ({ video }: { video: string }) => videoIn(video) },
}

/** Other mistakes in a call are for the model to correct. */
export class NoSuchTool extends ProtocolError {
  constructor(message: string) {
    super('VALIDATION_ERROR', message)
  }
}

function toolsOf({ tools = {}, output }: AnySuite): Readonly<Record<string, Tool>> {
  return { ...tools, reply: REPLY[output] }
}

/** Names, descriptions and JSON schemas of the arguments. */
export function listTools(suite: AnySuite): { name: string; description: string; schema: object }[] {
  return Object.entries(toolsOf(suite)).map(([name, { description, input }]) => ({
    name,
    description,
    schema: z.toJSONSchema(input, { io: 'input' }),
  }))
}

/** The reply that a call stands for. */
export function replyOf(suite: AnySuite, name: string, given: unknown): PlayerReply {
  const tools = toolsOf(suite)
  const tool = Object.hasOwn(tools, name) ? tools[name]! : null
  if (tool === null) {
    const names = Object.keys(tools).join(', ')
    throw new NoSuchTool(`No tool "${name.slice(0, 100)}". Tools: ${names}.`)
  }
  const read = tool.input.safeParse(given ?? {})
  if (read.success) return tool.reply(read.data as never)
  const [issue] = read.error.issues
  throw new ProtocolError('VALIDATION_ERROR', `${name}: ${issue?.path.join('.') || 'arguments'}: ${issue?.message}`)
}

export type Block =
  | { type: 'text'; text: string }
  | { type: 'image' | 'audio'; data: string; mimeType: string }
  | { type: 'resource'; resource: { uri: string; mimeType: string; blob: string } }

/** What is new in an observation, as blocks of content. */
export function blocksOf({ messages, status, scores }: Observation): Block[] {
  const said = messages.filter(({ role }) => role !== 'assistant')
  const blocks = said.flatMap(({ content }) =>
    typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content.map(blockOf),
  )
  if (status !== null) blocks.push({ type: 'text', text: `The episode is over: ${status}. ${JSON.stringify(scores)}` })
  return blocks
}

function blockOf(part: ShownPart): Block {
  if (part.type === 'text') return { type: 'text', text: part.text }
  const { url } =
    part.type === 'image_url' ? part.image_url : part.type === 'video_url' ? part.video_url : part.audio_url
  const [, mimeType, data] = /^data:([^;]+);base64,(.*)$/s.exec(url) ?? []
  if (mimeType === undefined || data === undefined) return { type: 'text', text: url }
  if (part.type === 'video_url') return { type: 'resource', resource: { uri: 'video:', mimeType, blob: data } }
  return { type: part.type === 'image_url' ? 'image' : 'audio', data, mimeType }
}
