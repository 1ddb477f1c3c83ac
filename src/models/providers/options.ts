/** `-M key=value`: endpoint, sampling parameters, and fields added to every request as is. */
import { z } from 'zod'
import { UserError } from '../../base/errors.ts'
import { isObject } from '../../base/json-object.ts'
import { nearestName } from '../../base/nearest.ts'
import type { Sampling } from '../types.ts'
import { checkHeader } from './headers.ts'

const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((word) => word === 'true')])

const knownSchema = z.object({
  base_url: z.string().optional(),
  api: z.enum(['responses', 'chat', 'transcriptions']).optional(),
  api_version: z.string().min(1).optional(),
  upload: z.enum(['inline', 'once']).optional(),
  batch: z.union([flag, z.enum(['provider', 'file'])]).optional(),
  image_detail: z.enum(['auto', 'low', 'high', 'original']).optional(),
  loose: flag.optional(),
  temperature: z.coerce.number().min(0).optional(),
  top_p: z.coerce.number().min(0).max(1).optional(),
  max_tokens: z.coerce.number().int().positive().optional(),
  seed: z.coerce.number().int().optional(),
  effort: z.coerce.string().min(1).optional(),
})

export interface ModelOptions {
  baseUrl: string | undefined
  /** `transcriptions`: the model recognizes speech. */
  api: 'responses' | 'chat' | 'transcriptions' | undefined
  /** Azure only: the dated API, with a path per deployment. */
  apiVersion: string | undefined
  imageDetail: string | undefined
  /** `once`: pictures and videos that the server has are not sent again. */
  upload: 'inline' | 'once'
  /** Requests are sent as batches, or written to a file for someone else to send. `true`: what the provider offers. */
  batch: boolean | 'provider' | 'file'
  loose: boolean
  sampling: Sampling
  /** HTTP headers, as typed. */
  headers: Readonly<Record<string, string>>
  /** All other options, added to every request. */
  extra: Readonly<Record<string, unknown>>
}

/** Fields that only Sightline sets. */
const RESERVED = new Set(['model', 'messages', 'input', 'contents', 'stream'])
/** Options are saved with the run, so they must not contain keys. */
const SECRET = /(^|[_-])(api[_-]?key|key|(?<!max_|min_)token|secret|password|authorization)$/i

export function parseModelOptions(options: Readonly<Record<string, unknown>>, keyName: string): ModelOptions {
  const known: Record<string, unknown> = {}
  const extra: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(options)) {
    if (isHeaders(name)) continue
    rejectSecrets(withoutPrefix(name), value, keyName)
    if (RESERVED.has(withoutPrefix(name)))
      throw new UserError(`-M ${name}=… is not allowed: Sightline sets this field.`)
    if (name === 'reasoning_effort') known.effort = value
    else if (name in knownSchema.shape) known[name] = value
    else if (name === 'extra_body') Object.assign(extra, objectIn(value))
    else extra[withoutPrefix(name)] = parsed(value)
  }
  const checked = knownSchema.safeParse(known)
  if (!checked.success) {
    const issue = checked.error.issues[0]
    const name = String(issue?.path[0] ?? '')
    throw new UserError(`Invalid option -M ${name}=${String(known[name])}: ${issue?.message}.`)
  }
  const { base_url, api, api_version, image_detail, upload, batch, loose } = checked.data
  const { temperature, top_p, max_tokens, seed, effort } = checked.data
  return {
    baseUrl: base_url,
    api,
    apiVersion: api_version,
    imageDetail: image_detail,
    upload: upload ?? 'inline',
    batch: batch ?? false,
    loose: loose ?? false,
    sampling: {
      ...(temperature === undefined ? {} : { temperature }),
      ...(top_p === undefined ? {} : { topP: top_p }),
      ...(max_tokens === undefined ? {} : { maxTokens: max_tokens }),
      ...(seed === undefined ? {} : { seed }),
      ...(effort === undefined ? {} : { effort }),
    },
    headers: headersOf(options),
    extra,
  }
}

/** Fields of servers that are common enough to be given without `x.`. */
const SERVER_FIELDS: ReadonlySet<string> = new Set([
  'top_k',
  'min_p',
  'min_tokens',
  'frequency_penalty',
  'presence_penalty',
  'logprobs',
  'return_token_ids',
  'repetition_penalty',
  'stop',
  'chat_template_kwargs',
  'mm_processor_kwargs',
  'media_io_kwargs',
  'extra_body',
  'reasoning',
  'thinking',
  'verbosity',
  'service_tier',
  'provider',
  'response_format',
  'metadata',
  'user',
])

/** Every name that `-M` takes. */
export const MODEL_OPTION_NAMES: readonly string[] = [
  ...Object.keys(knownSchema.shape),
  'reasoning_effort',
  'headers',
  ...SERVER_FIELDS,
]

/** Marks a field that is sent to the server as is, under the name after it. */
const AS_IS = 'x.'

/** Rejects unknown names, because a typo would change nothing and say nothing. @param shown as typed, `judge.` included */
export function checkModelOption(name: string, value: unknown, shown = name): void {
  if (isHeaders(name)) {
    headersIn(name, value)
    return
  }
  rejectSecrets(withoutPrefix(name), value, 'the environment variable of the provider')
  if (MODEL_OPTION_NAMES.includes(name) || name.startsWith(AS_IS) || RESERVED.has(name)) return
  const role = shown.slice(0, shown.length - name.length)
  const guess = nearestName(name, MODEL_OPTION_NAMES)
  const meant = guess === null ? '' : `Did you mean ${role}${guess}? `
  throw new UserError(`Unknown model option -M ${shown}.`, {
    hint: `${meant}To send it to the server as is, use -M ${role}${AS_IS}${name}=…`,
  })
}

const HEADER = 'header.'

/** The HTTP headers among the options of a model, as typed. */
export function headersOf(options: Readonly<Record<string, unknown>>): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(options)) {
    if (isHeaders(name)) Object.assign(headers, headersIn(name, value))
  }
  return headers
}

function isHeaders(name: string): boolean {
  return name === 'headers' || name.startsWith(HEADER)
}

function headersIn(name: string, value: unknown): Record<string, string> {
  const given = name === 'headers' ? parsed(value) : { [name.slice(HEADER.length)]: value }
  if (!isObject(given)) throw new UserError('-M headers must be a JSON object, such as {"X-Team":"vision"}.')
  const headers: Record<string, string> = {}
  for (const [header, text] of Object.entries(given)) {
    checkHeader(header, text)
    headers[header] = text
  }
  return headers
}

/** Rejects a secret by its name, at any depth. */
function rejectSecrets(name: string, value: unknown, keyName: string): void {
  rejectSecret(name, keyName)
  const fields = parsed(value)
  if (typeof fields !== 'object' || fields === null) return
  for (const [key, inner] of Object.entries(fields)) rejectSecrets(key, inner, keyName)
}

export function isSecretName(name: string): boolean {
  return SECRET.test(name)
}

function rejectSecret(name: string, keyName: string): void {
  if (!isSecretName(name)) return
  throw new UserError(`-M ${name}=… is not allowed: API keys are only read from the environment.`, {
    hint: `Set ${keyName} instead.`,
  })
}

function withoutPrefix(name: string): string {
  return name.startsWith(AS_IS) ? name.slice(AS_IS.length) : name
}

/** The fields in `extra_body`, the same rules as for single ones. */
function objectIn(value: unknown): Record<string, unknown> {
  const fields = parsed(value)
  if (!isObject(fields)) throw new UserError('-M extra_body must be a JSON object, such as {"top_k":20}.')
  for (const name of Object.keys(fields)) {
    if (RESERVED.has(name)) throw new UserError(`-M extra_body.${name} is not allowed: Sightline sets this field.`)
  }
  return fields
}

/** Text as JSON where it is JSON: `20` is a number, `{"a":1}` an object, `low` a string. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}
