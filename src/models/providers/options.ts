/** `-M key=value`: endpoint, sampling parameters, and fields added to every request as is. */
import { distance } from 'fastest-levenshtein'
import { z } from 'zod'
import { UserError } from '../../base/errors.ts'
import type { Sampling } from '../types.ts'

const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((word) => word === 'true')])

const knownSchema = z.object({
  base_url: z.string().optional(),
  api: z.enum(['responses', 'chat']).optional(),
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
  api: 'responses' | 'chat' | undefined
  imageDetail: string | undefined
  loose: boolean
  sampling: Sampling
  /** All other options, added to every request. */
  extra: Readonly<Record<string, unknown>>
}

/** Fields that only Sightline sets. */
const RESERVED = new Set(['model', 'messages', 'input', 'contents', 'stream'])
/** Options are saved with the run, so they must not contain keys. */
const SECRET = /(^|[_-])(api[_-]?key|key|token|secret|password|authorization)$/i

export function parseModelOptions(options: Readonly<Record<string, unknown>>, keyName: string): ModelOptions {
  const known: Record<string, unknown> = {}
  const extra: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(options)) {
    if (SECRET.test(name)) {
      throw new UserError(`-M ${name}=… is not allowed: API keys are only read from the environment.`, {
        hint: `Set ${keyName} instead.`,
      })
    }
    if (RESERVED.has(name)) throw new UserError(`-M ${name}=… is not allowed: Sightline sets this field.`)
    if (name === 'reasoning_effort') known.effort = value
    else if (name in knownSchema.shape) known[name] = value
    else extra[name] = typeof value === 'string' ? fromText(value) : value
  }
  const parsed = knownSchema.safeParse(known)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    const name = String(issue?.path[0] ?? '')
    throw new UserError(`Invalid option -M ${name}=${String(known[name])}: ${issue?.message}.`)
  }
  const { base_url, api, image_detail, loose, temperature, top_p, max_tokens, seed, effort } = parsed.data
  return {
    baseUrl: base_url,
    api,
    imageDetail: image_detail,
    loose: loose ?? false,
    sampling: {
      ...(temperature === undefined ? {} : { temperature }),
      ...(top_p === undefined ? {} : { topP: top_p }),
      ...(max_tokens === undefined ? {} : { maxTokens: max_tokens }),
      ...(seed === undefined ? {} : { seed }),
      ...(effort === undefined ? {} : { effort }),
    },
    extra,
  }
}

/** Fields that servers know although they resemble one of ours. */
const SERVER_FIELDS = new Set(['top_k', 'min_tokens'])

/** The known option that the user most likely meant by an unknown one, such as `base_url` for `baseurl`. */
export function similarModelOption(name: string): string | undefined {
  const known = [...Object.keys(knownSchema.shape), 'reasoning_effort']
  if (known.includes(name) || SERVER_FIELDS.has(name)) return undefined
  // Short names differ by 1 character: most others are 2 edits away from one of them.
  return known.find((each) => distance(name, each) <= (each.length < 6 ? 1 : 2))
}

/** `20` is a number, `{"a":1}` an object, `low` a string. */
function fromText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
