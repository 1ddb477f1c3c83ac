/** `paid.jsonl`: what a run asked and paid for, so a budget covers all attempts at it. */
import { MAX_TEXT_BYTES } from '../base/regular-file.ts'
import { type AppendLog, openLog } from './append-log.ts'
import { readBytesIfExists } from './run-files.ts'
import type { Lock } from './lock.ts'
import { NO_USAGE, type Usage } from './records.ts'

/** Settles an intent: with what was charged, or null if nothing was. If that is unknown, it stays open. */
export type Receipt = (charged: Usage | null) => Promise<void>

const NEWLINE = 0x0a

type Paid = Pick<Usage, 'calls' | 'inputTokens' | 'outputTokens' | 'usd'>
const NOTHING: Paid = { calls: 0, inputTokens: 0, outputTokens: 0, usd: 0 }

/**
 * A request is recorded with its estimated cost before it is sent, and with its real cost when the reply arrives. Lines
 * written at the same time share a sync. If the file cannot be written, every later request is refused.
 */
export class Ledger {
  /**
   * Total of earlier processes. A request without a receipt may have been charged: it counts with its estimate, which
   * knows nothing of the reply, or with what the others cost on average if that is more.
   */
  readonly before: Usage
  readonly #path: string
  readonly #lock: Pick<Lock, 'check'>
  readonly #size: number
  /** Requests in batches that earlier processes asked for and did not see answered, as they count in `before`. */
  readonly #batched: Map<string, Usage>
  /** Opened by the first line: a run that pays nothing has no ledger. */
  #log: Promise<AppendLog> | undefined
  #nextIntent: number
  #lines: string[] = []
  #writing: Promise<void> | undefined

  private constructor(path: string, lock: Pick<Lock, 'check'>, size: number, { total, nextIntent, batched }: Entries) {
    this.#path = path
    this.#lock = lock
    this.#size = size
    this.before = total
    this.#nextIntent = nextIntent
    this.#batched = batched
  }

  static async open(path: string, lock: Pick<Lock, 'check'>): Promise<Ledger> {
    const bytes = (await readBytesIfExists(path, MAX_TEXT_BYTES)) ?? Buffer.alloc(0)
    // A kill may have left half a line.
    const complete = bytes.subarray(0, bytes.lastIndexOf(NEWLINE) + 1)
    return new Ledger(path, lock, complete.length, readEntries(complete.toString('utf8')))
  }

  /**
   * Records that a request is about to be sent. Resolves when that is on disk.
   *
   * @param batched key of a request in a batch: the last intent with this key replaces those before it
   */
  async intend(estimate: Usage, batched?: string): Promise<Receipt> {
    const intent = this.#nextIntent++
    await this.#append({ intent, ...(batched !== undefined && { batched }), asks: paidPart(estimate) })
    return (usage) => this.#append({ intent, ...paidPart(usage ?? NOTHING) })
  }

  /** What an earlier process counted for a request in a batch that is asked for again; null if it did not, or only once. */
  takeBatched(key: string): Usage | null {
    const before = this.#batched.get(key) ?? null
    this.#batched.delete(key)
    return before
  }

  /** Records a payment whose request was recorded elsewhere. */
  record(usage: Usage): Promise<void> {
    return this.#append(paidPart(usage))
  }

  async close(): Promise<void> {
    await this.#writing?.catch(() => {})
    await (await this.#log?.catch(() => undefined))?.close()
  }

  #append(entry: object): Promise<void> {
    this.#lines.push(`${JSON.stringify(entry)}\n`)
    // Waits for the sync in progress, then writes everything that has come in since.
    const previous = this.#writing
    if (this.#lines.length > 1 && previous) return previous
    const written = (previous ?? Promise.resolve()).catch(() => {}).then(() => this.#write())
    this.#writing = written
    return written
  }

  async #write(): Promise<void> {
    const bytes = Buffer.from(this.#lines.join(''))
    this.#lines = []
    this.#log ??= openLog(this.#path, this.#size)
    const log = await this.#log.catch((error: unknown) => {
      this.#log = undefined
      throw error
    })
    await this.#lock.check()
    await log.append(bytes)
  }
}

function paidPart({ calls, inputTokens, outputTokens, usd }: Paid): Paid {
  return { calls, inputTokens, outputTokens, usd }
}

interface Entries {
  total: Usage
  nextIntent: number
  batched: Map<string, Usage>
}

function readEntries(text: string): Entries {
  const open = new Map<number, { asks: Paid; key: string | null }>()
  const intents = new Map<string, number>()
  const total = { ...NO_USAGE }
  let nextIntent = 0
  const add = (paid: Paid): void => {
    total.calls += paid.calls
    total.inputTokens += paid.inputTokens
    total.outputTokens += paid.outputTokens
    total.usd = total.usd === null || paid.usd === null ? null : total.usd + paid.usd
  }
  for (const line of text.split('\n')) {
    const entry = parseEntry(line)
    if (!entry) continue
    nextIntent = Math.max(nextIntent, entry.intent + 1)
    if (entry.asks) {
      const { key } = entry
      if (key !== null) open.delete(intents.get(key) ?? -1)
      if (key !== null) intents.set(key, entry.intent)
      open.set(entry.intent, { asks: entry.asks, key })
    }
    if (entry.paid) {
      open.delete(entry.intent)
      add(entry.paid)
    }
  }
  const average = perCall(total)
  const batched = new Map<string, Usage>()
  for (const { asks, key } of open.values()) {
    const counted = larger(asks, average)
    add(counted)
    if (key !== null) batched.set(key, { ...NO_USAGE, ...counted })
  }
  return { total, nextIntent, batched }
}

/** What a call cost on average. */
function perCall({ calls, inputTokens, outputTokens, usd }: Paid): Paid {
  const count = Math.max(1, calls)
  return {
    calls: 1,
    inputTokens: Math.ceil(inputTokens / count),
    outputTokens: Math.ceil(outputTokens / count),
    usd: usd === null ? null : usd / count,
  }
}

function larger(a: Paid, b: Paid): Paid {
  return {
    calls: a.calls,
    inputTokens: Math.max(a.inputTokens, b.inputTokens),
    outputTokens: Math.max(a.outputTokens, b.outputTokens),
    usd: a.usd === null || b.usd === null ? null : Math.max(a.usd, b.usd),
  }
}

/** Null for an invalid line. Lines of version 0.2 have no intent. */
function parseEntry(line: string): { intent: number; key: string | null; asks: Paid | null; paid: Paid | null } | null {
  try {
    const value = JSON.parse(line) as Record<string, unknown>
    const intent = Number.isSafeInteger(value['intent']) ? Number(value['intent']) : -1
    const asks = toPaid(value['asks'])
    const paid = toPaid(value)
    const key = typeof value['batched'] === 'string' ? value['batched'] : null
    return asks || paid ? { intent, key, asks, paid } : null
  } catch {
    return null
  }
}

function toPaid(value: unknown): Paid | null {
  if (typeof value !== 'object' || value === null) return null
  const { calls, inputTokens, outputTokens, usd } = value as Record<string, unknown>
  const counts = [calls, inputTokens, outputTokens]
  if (!counts.every(isAmount) || (usd !== null && !isAmount(usd))) return null
  return { calls: Number(calls), inputTokens: Number(inputTokens), outputTokens: Number(outputTokens), usd }
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}
