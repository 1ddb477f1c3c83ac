/** Suite options from the command line or a config file, checked against the suite's own schema. */
import { z } from 'zod'
import { UserError } from '../base/errors.ts'
import { didYouMean } from '../base/nearest.ts'
import type { AnySuite } from './suite.ts'

/** Checks options by the suite's schema and fills in defaults. */
export function suiteOptions(suite: AnySuite, given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return readSettings(suite.options, given, {
    unknownKey: `${suite.name} has no option`,
    invalid: `Invalid options of ${suite.name}`,
    known: 'Options',
    hint: `\`sightline list ${suite.name}\` shows every option with its values.`,
  }) as Record<string, unknown>
}

export interface SettingMessages {
  /** Before the name of a key that is not known: `space/text has no option`. */
  unknownKey: string
  /** Before the list of problems. */
  invalid: string
  /** Before the list of known keys. */
  known: string
  hint: string
}

/**
 * Reads key-value settings by a schema. Text from the command line becomes numbers and booleans where the schema wants
 * them. Unknown keys are refused, with the nearest known one.
 */
export function readSettings(
  schema: z.ZodType,
  given: Readonly<Record<string, unknown>>,
  words: SettingMessages,
): unknown {
  const known = describeSettings(schema).map(({ name }) => name)
  for (const key of Object.keys(given)) {
    if (known.includes(key)) continue
    throw new UserError(`${words.unknownKey} "${key}".`, {
      hint: known.length === 0 ? 'It takes none.' : didYouMean(key, known, words.known),
    })
  }
  const asGiven = schema.safeParse(given)
  if (asGiven.success) return asGiven.data
  // Only what the schema did not take as text: a folder called 7 stays a folder.
  const refused = new Set(asGiven.error.issues.map(({ path }) => path[0]))
  const read = Object.entries(given).map(([key, value]) => [key, refused.has(key) ? parseLiteral(value) : value])
  const parsed = schema.safeParse(Object.fromEntries(read))
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'settings'}: ${issue.message}`)
  throw new UserError(`${words.invalid}: ${problems.join('; ')}.`, { hint: words.hint })
}

export interface OptionHelp {
  name: string
  description: string
  values: string
  default: string
}

/** What can be set, for `sightline list SUITE`: read off the suite's schema, so that it cannot be out of date. */
export function describeOptions(suite: AnySuite): OptionHelp[] {
  return describeSettings(suite.options)
}

export function describeSettings(settings: z.ZodType): OptionHelp[] {
  const schema = z.toJSONSchema(settings, { io: 'input', unrepresentable: 'any' })
  return Object.entries(schema.properties ?? {}).map(([name, property]) => {
    if (typeof property === 'boolean') return { name, description: '', values: 'any', default: '' }
    return {
      name,
      description: property.description ?? '',
      values: property.enum?.map(String).join(' | ') ?? allowedValues(property),
      default: property.default === undefined ? '' : JSON.stringify(property.default),
    }
  })
}

/** `1 … 8` for numbers with bounds, the type for everything else. */
function allowedValues({ type, minimum, maximum }: { type?: unknown; minimum?: number; maximum?: number }): string {
  if (minimum === undefined && maximum === undefined) return typeof type === 'string' ? type : 'any'
  const bound = (value: number | undefined): string =>
    value === undefined || Math.abs(value) >= Number.MAX_SAFE_INTEGER ? '' : String(value)
  return `${bound(minimum)} … ${bound(maximum)}`.trim()
}

/** `7` → 7, `true` → true, `[1,2]` → list; everything else stays text. */
export function parseLiteral(value: unknown): unknown {
  if (typeof value !== 'string') return value
  if (/^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value) || /^(true|false|null)$/.test(value) || /^[[{"]/.test(value)) {
    try {
      return JSON.parse(value)
    } catch {
      return value
    }
  }
  return value
}
