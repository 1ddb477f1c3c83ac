import { UserError } from '../base/errors.ts'
import type { Usage } from '../store/records.ts'

export type Budget = { usd: number } | { tokens: number }

const MULTIPLES: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6, b: 1e9 }

/**
 * Parses `--budget`: dollars as `5usd`, `$5` or `0.50usd`, tokens as `200k-tokens` or `3m-tokens`.
 *
 * @example
 * parseBudget('200k-tokens') // { tokens: 200000 }
 */
export function parseBudget(text: string): Budget {
  const wanted = text.trim().toLowerCase()
  const money = /^(?:\$\s*(\d+(?:\.\d+)?)|(\d+(?:\.\d+)?)\s*(?:usd|\$))$/.exec(wanted)
  if (money) return { usd: Number(money[1] ?? money[2]) }
  const tokens = /^(\d+(?:\.\d+)?)\s*([kmb]?)[\s-]?tokens?$/.exec(wanted)
  if (tokens) return { tokens: Math.round(Number(tokens[1]) * MULTIPLES[tokens[2]!]!) }
  throw new UserError(`--budget must be dollars like 5usd or tokens like 200k-tokens, not "${text}".`)
}

/** The budget is spent: no more requests are sent, and the run stops. It can be resumed. */
export class BudgetSpent extends Error {
  override readonly name = 'BudgetSpent'
}

/** Adds up the usage of a run and enforces its budget. */
export class Meter {
  readonly #budget: Budget | null
  #usd: number | null = 0
  #tokens = 0

  constructor(budget: Budget | null, before: Iterable<Usage> = []) {
    this.#budget = budget
    for (const usage of before) this.add(usage)
  }

  add(usage: Usage): void {
    this.#usd = this.#usd === null || usage.usd === null ? null : this.#usd + usage.usd
    this.#tokens += usage.inputTokens + usage.outputTokens
  }

  /** Counts a request until its cost is known. Returns what ends that. */
  reserve(usage: Usage): () => void {
    this.add(usage)
    let isReserved = true
    return () => {
      if (isReserved) this.subtract(usage)
      isReserved = false
    }
  }

  subtract({ usd, inputTokens, outputTokens }: Usage): void {
    this.#usd = this.#usd === null || usd === null ? this.#usd : this.#usd - usd
    this.#tokens -= inputTokens + outputTokens
  }

  get usd(): number | null {
    return this.#usd
  }

  get tokens(): number {
    return this.#tokens
  }

  /** Throws `BudgetSpent` if the budget is used up. */
  check(): void {
    const budget = this.#budget
    if (!budget) return
    if ('tokens' in budget) {
      if (this.#tokens >= budget.tokens) {
        throw new BudgetSpent(`the budget of ${budget.tokens} tokens is spent (${this.#tokens} used)`)
      }
    } else if (this.#usd === null) {
      throw new BudgetSpent('cannot enforce the dollar budget: the model has no known price')
    } else if (this.#usd >= budget.usd) {
      throw new BudgetSpent(`the budget of ${budget.usd} usd is spent (${this.#usd.toFixed(4)} usd used)`)
    }
  }
}
