/** The OpenEnv protocol: messages over a WebSocket, one session each, and the same over HTTP. */
import { z } from 'zod'
import { messageOf, UserError } from '../base/errors.ts'
import { parseForeignJson } from '../base/foreign/json.ts'
import type { AnySuite, GeneratedMedia } from '../engine/suite.ts'
import { videoType } from '../media/video-type.ts'
import type { ResetOptions } from './session.ts'

export const MAX_TEXT_LENGTH = 1_000_000
/** A video of ten seconds in full HD, with room to spare. */
const MAX_VIDEO_BYTES = 32 * 1024 * 1024
/** As a data URL. */
const MAX_VIDEO_LENGTH = 100 + Math.ceil(MAX_VIDEO_BYTES / 3) * 4

/** What the player of a suite says: a text, or a video where the suite asks for one. */
export type PlayerReply = string | GeneratedMedia
type Answered = Pick<AnySuite, 'output'>

/** The longest message: an action in JSON, where each character of a text may be escaped, and some of a video. */
export function maxMessageBytes(suites: readonly Answered[]): number {
  return suites.some(({ output }) => output === 'video') ? MAX_VIDEO_LENGTH + MAX_TEXT_LENGTH : 8 * MAX_TEXT_LENGTH
}

const resetSchema = z.looseObject({
  seed: z.int().min(0).nullish().describe('number of the sample; the same number is the same episode'),
  episode_id: z.string().max(255).nullish().describe('name for this episode'),
  media: z
    .enum(['data', 'address'])
    .nullish()
    .describe('pictures as data URLs (default) or as addresses of this server'),
})
const metadata = z.record(z.string(), z.unknown()).optional()
/** What an action of a suite has, by what its players make. */
export const REPLIES = {
  text: z.object({
    text: z.string().max(MAX_TEXT_LENGTH).describe('the reply to the last message, as a model would write it'),
  }),
  video: z.object({
    video: z.string().max(MAX_VIDEO_LENGTH).describe('the video file as a data URL: data:video/mp4;base64,…'),
  }),
}
/** Actions of clients that call tools. */
export const toolCallSchema = z.object({
  type: z.literal('call_tool'),
  tool_name: z.string(),
  arguments: z.record(z.string(), z.unknown()).default({}),
})
const toolListSchema = z.object({ type: z.literal('list_tools') })
/** What they are answered with. That of a call has the fields of other observations, too, unless the call was wrong. */
const toolObservations = [
  z.looseObject({
    tool_name: z.string(),
    result: z.looseObject({}).nullable(),
    error: z.object({ error_type: z.enum(['tool_not_found', 'invalid_args']), message: z.string() }).nullable(),
  }),
  z.object({ tools: z.array(z.looseObject({ name: z.string() })) }),
]
const stepSchema = z.looseObject({ action: z.unknown(), episode_id: z.string().max(255).optional() })
const part = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('image_url'), image_url: z.object({ url: z.string() }) }),
  z.object({ type: z.literal('video_url'), video_url: z.object({ url: z.string() }) }),
  z.object({ type: z.literal('audio_url'), audio_url: z.object({ url: z.string() }) }),
])
const observationSchema = z.object({
  episode_id: z.string(),
  kept: z.int().describe('how many messages of the last observation still hold; `messages` follow them'),
  messages: z.array(
    z.object({ role: z.enum(['system', 'user', 'assistant']), content: z.union([z.string(), z.array(part)]) }),
  ),
  purpose: z.string().nullable().describe('what is asked: a question type, a probe'),
  status: z.string().nullable().describe('when done: answered, no_answer, parse_failed or missing_asset'),
  scores: z.record(z.string(), z.number()).describe('when done: all scores of the episode'),
  error: z.string().nullable(),
})
const stateSchema = z.object({
  episode_id: z.string().nullable(),
  step_count: z.int(),
  suite: z.string(),
  sample: z.string().nullable(),
  seed: z.int().nullable(),
  source: z.string().nullable(),
  done: z.boolean(),
})

/** For `/schema`. */
export function schemasOf({ output }: Answered): object {
  return {
    action: z.toJSONSchema(REPLIES[output].extend({ metadata }), { io: 'input' }),
    observation: z.toJSONSchema(observationSchema),
    state: z.toJSONSchema(stateSchema),
  }
}

/** The requests over HTTP as OpenAPI; the version is that of the protocol. */
export function apiOf(suite: Answered & { title: string }): object {
  const { action, observation, state } = schemasOf(suite) as Record<'action' | 'observation' | 'state', object>
  const content = (schema: object): object => ({ content: { 'application/json': { schema } } })
  const object = (properties: object, ...required: string[]): object => ({ type: 'object', properties, required })
  const result = (shown: object): object =>
    object({ observation: shown, reward: { type: ['number', 'null'] }, done: { type: 'boolean' } })
  const stepped = result({ anyOf: [observation, ...toolObservations.map((schema) => z.toJSONSchema(schema))] })
  const answered = (schema: object): object => ({ responses: { 200: { description: 'OK', ...content(schema) } } })
  const episode_id = { type: 'string' }
  const parameters = [{ name: 'episode_id', in: 'query', required: true, schema: episode_id }]
  const reset = z.toJSONSchema(resetSchema, { io: 'input' })
  const tools = [toolCallSchema, toolListSchema].map((schema) => z.toJSONSchema(schema, { io: 'input' }))
  const step = object({ action: { anyOf: [action, ...tools] }, episode_id }, 'action', 'episode_id')
  return {
    openapi: '3.1.0',
    info: { title: suite.title, version: '1.0.0' },
    paths: {
      '/reset': { post: { requestBody: content(reset), ...answered(result(observation)) } },
      '/step': { post: { requestBody: content(step), ...answered(stepped) } },
      '/state': { get: { parameters, ...answered(state) } },
      '/schema': { get: answered({ type: 'object' }) },
      '/metadata': { get: answered({ type: 'object' }) },
      '/health': { get: answered({ type: 'object' }) },
    },
  }
}

export type ErrorCode =
  | 'INVALID_JSON'
  | 'UNKNOWN_TYPE'
  | 'VALIDATION_ERROR'
  | 'EXECUTION_ERROR'
  | 'CAPACITY_REACHED'
  | 'SESSION_ERROR'

export class ProtocolError extends Error {
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

/** The arguments of a reset; unknown fields are left to other environments. */
export function resetOptions(data: unknown): ResetOptions {
  const { seed, episode_id, media } = parsed(resetSchema, data ?? {})
  return { seed: seed ?? undefined, episode_id: episode_id ?? undefined, media: media ?? undefined }
}

export function stepRequest(data: unknown): { action: unknown; episode_id?: string | undefined } {
  return parsed(stepSchema, data)
}

export function answerIn(action: unknown, { output }: Answered): PlayerReply {
  if (output === 'text') return parsed(REPLIES.text, action).text
  return videoIn(parsed(REPLIES.video, action).video)
}

/** What the file is, is told by its bytes; one that cannot be read is scored as such. */
export function videoIn(url: string): GeneratedMedia {
  const comma = url.indexOf(',')
  const base64 = url.slice(comma + 1)
  const bytes = Buffer.from(base64, 'base64')
  const padding = /={0,2}$/.exec(base64.slice(-2))![0].length
  const isWhole = bytes.length > 0 && bytes.length === Math.floor(((base64.length - padding) * 3) / 4)
  if (!/^data:[^,]{0,200};base64$/.test(url.slice(0, Math.max(0, comma))) || !isWhole)
    throw new ProtocolError('VALIDATION_ERROR', 'video: not a data URL with a file in base64')
  return { bytes, type: videoType(bytes) ?? 'application/octet-stream' }
}

export function errorMessage(error: unknown): object {
  const code = error instanceof ProtocolError ? error.code : 'EXECUTION_ERROR'
  const message = isForClients(error) ? messageOf(error) : 'The episode failed; see the log of the server.'
  return { type: 'error', data: { message, code } }
}

/** Other errors may contain paths of this machine. */
export function isForClients(error: unknown): boolean {
  return error instanceof ProtocolError || error instanceof UserError
}

export function parsedMessage(message: string): { type: unknown; data: unknown } {
  let value: unknown
  try {
    value = parseForeignJson(message)
  } catch {
    throw new ProtocolError('INVALID_JSON', 'Invalid JSON')
  }
  if (typeof value !== 'object' || value === null)
    throw new ProtocolError('VALIDATION_ERROR', 'A message is an object with a type.')
  return { type: 'type' in value ? value.type : '', data: 'data' in value ? value.data : undefined }
}

export function parsed<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw new ProtocolError('VALIDATION_ERROR', `${issue?.path.join('.') || 'data'}: ${issue?.message}`)
}
