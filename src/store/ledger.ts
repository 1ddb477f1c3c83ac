/** `paid.jsonl`: the usage of every paid reply, so a budget covers all attempts at a run. */
import { appendFile, readFile } from 'node:fs/promises'
import { codeOf } from '../base/errors.ts'
import { withDiskErrors } from './disk.ts'
import { NO_USAGE, type Usage } from './records.ts'

/**
 * Lines are written when a reply arrives, but not synced: a killed process loses nothing, a power failure may lose the
 * last entries.
 */
export class Ledger {
  /** Total of earlier processes. */
  readonly before: Usage
  readonly #path: string
  #writing: Promise<void> = Promise.resolve()

  private constructor(path: string, before: Usage) {
    this.#path = path
    this.before = before
  }

  static async open(path: string): Promise<Ledger> {
    return new Ledger(path, await withDiskErrors(path, () => readTotal(path)))
  }

  add({ calls, inputTokens, outputTokens, usd }: Usage): void {
    const line = `${JSON.stringify({ calls, inputTokens, outputTokens, usd })}\n`
    this.#writing = this.#writing
      .then(() => appendFile(this.#path, line))
      .catch(() => {
        // The journal will fail on the same disk and report it.
      })
  }

  close(): Promise<void> {
    return this.#writing
  }
}

async function readTotal(path: string): Promise<Usage> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return ''
    throw error
  })
  const total = { ...NO_USAGE }
  for (const line of text.split('\n')) {
    const entry = parseEntry(line)
    if (!entry) continue
    total.calls += entry.calls
    total.inputTokens += entry.inputTokens
    total.outputTokens += entry.outputTokens
    total.usd = total.usd === null || entry.usd === null ? null : total.usd + entry.usd
  }
  return total
}

/** Null for an incomplete or invalid line. */
function parseEntry(line: string): Pick<Usage, 'calls' | 'inputTokens' | 'outputTokens' | 'usd'> | null {
  try {
    const { calls, inputTokens, outputTokens, usd } = JSON.parse(line) as Record<string, unknown>
    const counts = [calls, inputTokens, outputTokens]
    if (!counts.every(Number.isFinite) || (usd !== null && !Number.isFinite(usd))) return null
    return {
      calls: Number(calls),
      inputTokens: Number(inputTokens),
      outputTokens: Number(outputTokens),
      usd: usd as number | null,
    }
  } catch {
    return null
  }
}
