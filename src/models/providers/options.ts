/** `-M key=value`: where to ask, how to sample, and fields that go into every request as they are. */
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
  /** Everything else: fields of the provider's own request. */
  extra: Readonly<Record<string, unknown>>
}

/** These are ours to fill in. */
const RESERVED = new Set(['model', 'messages', 'input', 'contents', 'stream'])
/** Options are written into a run's files; a key must never be among them. */
const SECRET = /(^|[_-])(api[_-]?key|key|token|secret|password|authorization)$/i

export function parseModelOptions(options: Readonly<Record<string, unknown>>, keyName: string): ModelOptions {
  const known: Record<string, unknown> = {}
  const extra: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(options)) {
    if (SECRET.test(name)) {
      throw new UserError(`-M ${name}=… is refused: keys are taken from the environment only.`, {
        hint: `Set ${keyName} instead.`,
      })
    }
    if (RESERVED.has(name)) throw new UserError(`-M ${name}=… is refused: Sightline fills in this field itself.`)
    if (name === 'reasoning_effort') known.effort = value
    else if (name in knownSchema.shape) known[name] = value
    else extra[name] = typeof value === 'string' ? fromText(value) : value
  }
  const parsed = knownSchema.safeParse(known)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    const name = String(issue?.path[0] ?? '')
    throw new UserError(`-M ${name}=${String(known[name])} is not valid: ${issue?.message}.`)
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

/** `20` is a number, `{"a":1}` an object, `low` a text. */
function fromText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
