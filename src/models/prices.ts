/** What replies cost. A price that nobody knows stays unknown: `null`, never 0. */
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { codeOf, messageOf, UserError, fileErrorReason } from '../base/errors.ts'

const usd = z.number().nonnegative()
const rates = {
  input: usd,
  output: usd,
  /** Input served from the provider's prompt cache; the price of `input` when left out. */
  cachedInput: usd.optional(),
  /** Input written into the provider's prompt cache; the price of `input` when left out. */
  cacheWrite: usd.optional(),
}

const priceSchema = z.strictObject({
  ...rates,
  /** Other rates for requests with more input tokens than `over`. */
  long: z.strictObject({ over: z.number().positive(), ...rates }).optional(),
})

export interface TokenCounts {
  input: number
  output: number
  reasoning: number
  cachedInput: number
  /** Part of `input` that was written into the provider's prompt cache, which some bill higher. */
  cacheWrite: number
}

/** US dollars per million tokens. */
export type Price = z.infer<typeof priceSchema>

const fileSchema = z.strictObject({
  asOf: z.string().optional(),
  models: z.record(z.string(), priceSchema),
})

export interface Estimate {
  calls: number
  inputTokens: number
  outputTokens: number
  usd: number | null
}

/** Models that answer in this process cost nothing, and that is known. */
const FREE = /^(baseline|replay)\//
const FREE_PRICE: Price = { input: 0, output: 0 }

export class Prices {
  readonly #tables: readonly Readonly<Record<string, Price>>[]

  /** Earlier tables win over later ones. */
  constructor(tables: readonly Readonly<Record<string, Price>>[]) {
    this.#tables = tables
  }

  /** Prices as a run's header has them; what is none is not known. */
  static from(record: Readonly<Record<string, unknown>>): Prices {
    const known = Object.entries(record).flatMap(([model, value]) => {
      const parsed = priceSchema.safeParse(value)
      return parsed.success ? [[model, parsed.data] as const] : []
    })
    return new Prices([Object.fromEntries(known)])
  }

  /**
   * The price of `provider/model`: under its own name, then without the date of a snapshot (`gpt-5-2025-08-07`), then
   * under a user's `provider/*`.
   */
  of(model: string): Price | null {
    if (FREE.test(model)) return FREE_PRICE
    const provider = model.slice(0, model.indexOf('/'))
    const names = [model, model.replace(/-(\d{8}|\d{4}-\d{2}-\d{2})$/, ''), `${provider}/*`]
    for (const table of this.#tables) {
      for (const name of names) {
        const price = Object.hasOwn(table, name) ? table[name] : undefined
        if (price) return price
      }
    }
    return null
  }

  /** Before a run: what so many calls with so many tokens in all would cost. */
  estimate(model: string, calls: number, inputTokens: number, outputTokens: number): Estimate {
    const price = this.of(model)
    const perCall = calls > 0 ? inputTokens / calls : 0
    const tokens = { input: inputTokens, output: outputTokens, reasoning: 0, cachedInput: 0, cacheWrite: 0 }
    return { calls, inputTokens, outputTokens, usd: price && costOf(price, tokens, perCall) }
  }
}

/** What one reply costs. */
export function costOf(price: Price, tokens: TokenCounts, inputOfOneCall = tokens.input): number {
  const rate = price.long && inputOfOneCall > price.long.over ? price.long : price
  const plain = Math.max(0, tokens.input - tokens.cachedInput - tokens.cacheWrite)
  const total =
    plain * rate.input +
    tokens.cachedInput * (rate.cachedInput ?? rate.input) +
    tokens.cacheWrite * (rate.cacheWrite ?? rate.input) +
    tokens.output * rate.output
  return total / 1e6
}

/**
 * The shipped prices with the user's over them. `file` must be there; `usual` (`.sightline/prices.json`) may be.
 *
 * @example
 * const prices = await loadPrices({ usual: '.sightline/prices.json' })
 * prices.of('openai/gpt-5.2') // { input: 1.75, output: 14, cachedInput: 0.175 }
 */
export async function loadPrices(
  from: { file?: string | undefined; usual?: string | undefined } = {},
): Promise<Prices> {
  const tables: Record<string, Price>[] = []
  if (from.file !== undefined) tables.push(await readTable(from.file))
  if (from.usual !== undefined) {
    const table = await readTable(from.usual).catch((error: unknown) => {
      if (error instanceof UserError && codeOf(error.cause) === 'ENOENT') return undefined
      throw error
    })
    if (table) tables.push(table)
  }
  tables.push(await readTable(new URL('./prices.json', import.meta.url)))
  return new Prices(tables)
}

async function readTable(path: string | URL): Promise<Record<string, Price>> {
  const hint =
    'It should look like {"models": {"openai/gpt-5.2": {"input": 1.75, "output": 14}}}: dollars per million tokens.'
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    throw new UserError(`The price file ${String(path)} cannot be read: ${fileErrorReason(error)}.`, {
      cause: error,
      hint,
    })
  }
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    throw new UserError(`The price file ${String(path)} is not JSON: ${messageOf(error)}`, { hint })
  }
  const parsed = fileSchema.safeParse(json)
  if (parsed.success) return parsed.data.models
  const issue = parsed.error.issues[0]
  throw new UserError(
    `The price file ${String(path)} is wrong at ${issue?.path.join(' → ') || 'its top'}: ${issue?.message}`,
    {
      hint,
    },
  )
}
