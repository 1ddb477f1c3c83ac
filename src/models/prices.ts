/** Model prices. An unknown price is `null`, never 0. */
import { z } from 'zod'
import { codeOf, messageOf, UserError, fileErrorReason } from '../base/errors.ts'
import { fileURLToPath } from 'node:url'
import { parseForeignJson } from '../base/foreign/json.ts'
import { readRegularText } from '../base/regular-file.ts'

const usd = z.number().nonnegative()
const rates = {
  input: usd,
  output: usd,
  /** Input read from the provider's prompt cache; defaults to `input`. */
  cachedInput: usd.optional(),
  /** Input written to the provider's prompt cache; defaults to `input`. */
  cacheWrite: usd.optional(),
}

const priceSchema = z.strictObject({
  ...rates,
  /** Rates in batches; default: half of the others. */
  batch: z.strictObject(rates).optional(),
  /** Rates for requests with more than `over` input tokens. */
  long: z.strictObject({ over: z.number().positive(), ...rates }).optional(),
})

export interface TokenCounts {
  input: number
  output: number
  reasoning: number
  cachedInput: number
  /** Part of `input` written to the provider's prompt cache, which some providers bill at a higher rate. */
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
  /** At list price: without prompt caching, or with it where writing to the cache costs more than reading saves. */
  usd: number | null
  /** If the provider finds in its prompt cache what is sent again; null if that saves nothing. */
  usdCached: number | null
}

/** Totals of a run. */
interface EstimatedTokens {
  calls: number
  inputTokens: number
  outputTokens: number
  /** Of the input, what was sent before: read from the provider's prompt cache. */
  sentAgain?: number
  /** What is sent for the second time. Providers that charge for the cache write it only now; others read it. */
  sentTwice?: number
  /** New turns of conversations, which providers that charge for the cache write to it. */
  kept?: number
}

/** Models that run in this process: known to cost nothing. */
const FREE = /^(baseline|replay)\//
const FREE_PRICE: Price = { input: 0, output: 0 }

export class Prices {
  readonly #tables: readonly Readonly<Record<string, Price>>[]

  /** Earlier tables win over later ones. */
  constructor(tables: readonly Readonly<Record<string, Price>>[]) {
    this.#tables = tables
  }

  /** Prices from a run's header; invalid entries count as unknown. */
  static from(record: Readonly<Record<string, unknown>>): Prices {
    const known = Object.entries(record).flatMap(([model, value]) => {
      const parsed = priceSchema.safeParse(value)
      return parsed.success ? [[model, parsed.data] as const] : []
    })
    return new Prices([Object.fromEntries(known)])
  }

  /**
   * The price of `provider/model`: by its full name, then without a snapshot date (`gpt-5-2025-08-07`), then by a
   * user-defined `provider/*`, then that of the same model from its maker.
   */
  of(model: string): Price | null {
    if (FREE.test(model)) return FREE_PRICE
    const provider = model.slice(0, model.indexOf('/'))
    const names = [model, undated(model), `${provider}/*`, undated(sameModel(model))]
    for (const table of this.#tables) {
      for (const name of names) {
        const price = Object.hasOwn(table, name) ? table[name] : undefined
        if (price) return price
      }
    }
    return null
  }

  /** Estimates the cost of a run from its calls and total tokens. */
  estimate(model: string, totals: EstimatedTokens, inBatches = false): Estimate {
    const { calls, inputTokens, outputTokens, sentAgain = 0, sentTwice = 0, kept = 0 } = totals
    const price = inBatches ? batchPrice(model, this.of(model)) : this.of(model)
    const perCall = calls > 0 ? inputTokens / calls : 0
    const tokens = { input: inputTokens, output: outputTokens, reasoning: 0, cachedInput: 0, cacheWrite: 0 }
    const plain = price && costOf(price, tokens, perCall)
    const isWritten = price?.cacheWrite !== undefined
    const cached = {
      ...tokens,
      cachedInput: sentAgain + (isWritten ? 0 : sentTwice),
      cacheWrite: isWritten ? sentTwice + kept : 0,
    }
    const withCache = price && costOf(price, cached, perCall)
    const saves = plain !== null && withCache !== null && withCache < plain
    return { calls, inputTokens, outputTokens, usd: saves ? plain : withCache, usdCached: saves ? withCache : null }
  }
}

/** Providers charge half for batches. Gemini's cached input costs the same in a batch. */
export function batchPrice(model: string, price: Price | null): Price | null {
  if (!price) return null
  const keepsCached = model.startsWith('google/')
  const half = ({ input, output, cachedInput, cacheWrite }: Price): Price => ({
    input: input / 2,
    output: output / 2,
    cachedInput: keepsCached ? (cachedInput ?? input) : (cachedInput ?? input) / 2,
    cacheWrite: (cacheWrite ?? input) / 2,
  })
  const { batch, long } = price
  return batch ?? { ...half(price), ...(long && { long: { over: long.over, ...half(long) } }) }
}

function undated(model: string): string {
  return model.replace(/-(\d{8}|\d{4}-\d{2}-\d{2})$/, '')
}

/** Clouds that sell a model at the list price of its maker. Regional endpoints of Bedrock cost more. */
function sameModel(model: string): string {
  return model
    .replace(/^azure\//, 'openai/')
    .replace(/^vertex\//, 'google/')
    .replace(/^bedrock\/global\.anthropic\.(.*?)-v\d+(:\d+)?$/, 'anthropic/$1')
}

/** Cost of one reply in US dollars. */
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
 * The built-in prices, overridden by the user's. `file` must exist; `optionalFile` (`.sightline/prices.json`) need not.
 *
 * @example
 * const prices = await loadPrices({ optionalFile: '.sightline/prices.json' })
 * prices.of('openai/gpt-5.2') // { input: 1.75, output: 14, cachedInput: 0.175 }
 */
export async function loadPrices(
  from: { file?: string | undefined; optionalFile?: string | undefined } = {},
): Promise<Prices> {
  const tables: Record<string, Price>[] = []
  if (from.file !== undefined) tables.push(await readTable(from.file))
  if (from.optionalFile !== undefined) {
    const table = await readTable(from.optionalFile).catch((error: unknown) => {
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
    'Expected {"models": {"openai/gpt-5.2": {"input": 1.75, "output": 14}}}, in US dollars per million tokens.'
  let text: string
  try {
    text = await readRegularText(path instanceof URL ? fileURLToPath(path) : path)
  } catch (error) {
    throw new UserError(`Cannot read price file ${String(path)}: ${fileErrorReason(error)}.`, {
      cause: error,
      hint,
    })
  }
  let json: unknown
  try {
    json = parseForeignJson(text)
  } catch (error) {
    throw new UserError(`Price file ${String(path)} is not valid JSON: ${messageOf(error)}`, { hint })
  }
  const parsed = fileSchema.safeParse(json)
  if (parsed.success) return parsed.data.models
  const issue = parsed.error.issues[0]
  const where = issue?.path.join(' → ') || 'the top level'
  throw new UserError(`Invalid price file ${String(path)}, at ${where}: ${issue?.message}`, { hint })
}
