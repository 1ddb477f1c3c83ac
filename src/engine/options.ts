/** Suite options from the command line or a config file, checked against the suite's own schema. */
import { z } from 'zod'
import { UserError } from '../base/errors.ts'
import { didYouMean } from '../base/nearest.ts'
import type { AnySuite } from './suite.ts'

/**
 * Checks options by the suite's schema and fills in defaults. Texts from the command line become numbers and booleans
 * where the schema wants them. Unknown keys are refused, with the nearest right one.
 */
export function suiteOptions(suite: AnySuite, given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const known = optionNames(suite)
  for (const key of Object.keys(given)) {
    if (known.includes(key)) continue
    throw new UserError(`${suite.name} has no option "${key}".`, { hint: didYouMean(key, known, 'Options') })
  }
  const asGiven = suite.options.safeParse(given)
  const parsed = asGiven.success ? asGiven : suite.options.safeParse(mapValues(given, literal))
  if (parsed.success) return parsed.data as Record<string, unknown>
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'options'}: ${issue.message}`)
  throw new UserError(`Options of ${suite.name} are not right: ${problems.join('; ')}.`, {
    hint: `\`sightline list ${suite.name}\` shows every option with its values.`,
  })
}

export interface OptionHelp {
  name: string
  description: string
  values: string
  default: string
}

/** What can be set, for `sightline list SUITE`: read off the suite's schema, so that it cannot be out of date. */
export function describeOptions(suite: AnySuite): OptionHelp[] {
  const schema = z.toJSONSchema(suite.options, { io: 'input', unrepresentable: 'any' })
  return Object.entries(schema.properties ?? {}).map(([name, property]) => {
    if (typeof property === 'boolean') return { name, description: '', values: 'any', default: '' }
    return {
      name,
      description: property.description ?? '',
      values: property.enum?.map(String).join(' | ') ?? valuesOf(property),
      default: property.default === undefined ? '' : JSON.stringify(property.default),
    }
  })
}

/** `1 … 8` for numbers with bounds, the type for everything else. */
function valuesOf({ type, minimum, maximum }: { type?: unknown; minimum?: number; maximum?: number }): string {
  if (minimum === undefined && maximum === undefined) return typeof type === 'string' ? type : 'any'
  const bound = (value: number | undefined): string =>
    value === undefined || Math.abs(value) >= Number.MAX_SAFE_INTEGER ? '' : String(value)
  return `${bound(minimum)} … ${bound(maximum)}`.trim()
}

function optionNames(suite: AnySuite): string[] {
  return describeOptions(suite).map(({ name }) => name)
}

/** `7` → 7, `true` → true, `[1,2]` → list; everything else stays text. */
export function literal(value: unknown): unknown {
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

function mapValues(
  record: Readonly<Record<string, unknown>>,
  map: (value: unknown) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]))
}
