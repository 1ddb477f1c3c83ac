/** Suite options and source arguments from the command line or a config file, validated by their schemas. */
import { z } from 'zod'
import { UserError } from '../base/errors.ts'
import { didYouMean } from '../base/nearest.ts'
import type { AnySuite } from './suite.ts'

/** Validates suite options and fills in defaults. */
export function suiteOptions(suite: AnySuite, given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return readSettings(suite.options, given, {
    unknownKey: `${suite.name} has no option`,
    invalid: `Invalid options for ${suite.name}`,
    known: 'Options',
    hint: `\`sightline list ${suite.name}\` shows all options.`,
  }) as Record<string, unknown>
}

/** The texts of errors about settings. */
export interface SettingMessages {
  /** Before the name of an unknown key: `space/text has no option`. */
  unknownKey: string
  /** Before the list of problems. */
  invalid: string
  /** Before the list of known keys. */
  known: string
  hint: string
}

/**
 * Validates key-value settings. Text from the command line is converted to numbers and booleans where the schema expects
 * them. Unknown keys are rejected, with the closest known one as a hint.
 */
export function readSettings(
  schema: z.ZodType,
  given: Readonly<Record<string, unknown>>,
  messages: SettingMessages,
): unknown {
  const keys = Object.keys(given)
  // Describing a schema takes milliseconds, and most runs have no options.
  const known = keys.length === 0 ? [] : describeSettings(schema).map(({ name }) => name)
  for (const key of keys) {
    if (known.includes(key)) continue
    throw new UserError(`${messages.unknownKey} "${key}".`, {
      hint: known.length === 0 ? 'There are none.' : didYouMean(key, known, messages.known),
    })
  }
  const asGiven = schema.safeParse(given)
  if (asGiven.success) return asGiven.data
  // Convert only values that are invalid as text, so a folder named 7 stays a folder.
  const invalid = new Set(asGiven.error.issues.map(({ path }) => path[0]))
  const converted = Object.entries(given).map(([key, value]) => [key, invalid.has(key) ? parseLiteral(value) : value])
  const parsed = schema.safeParse(Object.fromEntries(converted))
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'settings'}: ${issue.message}`)
  throw new UserError(`${messages.invalid}: ${problems.join('; ')}.`, { hint: messages.hint })
}

/** One option as shown by `sightline list SUITE`. */
export interface OptionHelp {
  name: string
  description: string
  values: string
  default: string
}

/** The options of a suite, derived from its schema. */
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

/** `1 … 8` for bounded numbers, otherwise the type. */
function allowedValues({ type, minimum, maximum }: { type?: unknown; minimum?: number; maximum?: number }): string {
  if (minimum === undefined && maximum === undefined) return typeof type === 'string' ? type : 'any'
  const bound = (value: number | undefined): string =>
    value === undefined || Math.abs(value) >= Number.MAX_SAFE_INTEGER ? '' : String(value)
  return `${bound(minimum)} … ${bound(maximum)}`.trim()
}

/** `7` → 7, `true` → true, `[1,2]` → array; everything else stays text. */
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
