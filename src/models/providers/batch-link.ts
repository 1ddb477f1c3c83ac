/** What is said to a provider about one batch, until it succeeds: created once, looked at, collected, cleaned up. */
import type { BatchFolder } from '../../store/batches.ts'
import type { Clock } from '../clock.ts'
import { RequestError } from './failure.ts'
import type { Redact } from '../secrets.ts'
import { type BatchContent, type BatchProtocol, isQueueFull, type Look, noResult } from './batch-protocol.ts'

/** A batch may appear this long after the request that created it. */
const SETTLE_MS = 30_000
/** A batch is looked at more and more rarely. */
const FIRST_LOOK_MS = 1000
const MAX_LOOK_MS = 60_000
const SLOWER = 1.5
/** Failed attempts to create a batch; one that is refused because the queue is full is tried for as long as it takes. */
const MAX_ATTEMPTS = 10

/** Providers keep a batch and its results for longer than this: one that is missing earlier belongs to another account. */
const KEPT_MS = 48 * 60 * 60_000

export interface LinkSettings {
  model: string
  protocol: BatchProtocol
  clock: Clock
  log: (line: string) => void
  redact: Redact
}

export class BatchLink {
  readonly noResult = noResult()
  readonly #settings: LinkSettings
  readonly #signal: AbortSignal
  #saysTrouble = true

  constructor(settings: LinkSettings, signal: AbortSignal) {
    this.#settings = settings
    this.#signal = signal
  }

  /** Creates the batch once. Its id is on disk when this resolves. If the provider does not have it, its folder is removed. */
  async submit(folder: BatchFolder, content: () => Promise<BatchContent>): Promise<void> {
    const { protocol, clock } = this.#settings
    for (let attempt = 1, wait = FIRST_LOOK_MS; ; wait = Math.min(MAX_LOOK_MS, wait * 2)) {
      try {
        const { id, files } = await protocol.submit(await content(), this.#signal)
        await folder.update({ state: 'submitted', id, files })
        return
      } catch (error) {
        if (this.#signal.aborted || !(error instanceof RequestError)) throw error
        const { retry, overload, unsent, retryAfterMs } = error.failure
        if (!retry) {
          await folder.remove()
          throw error
        }
        this.#trouble(error)
        await clock.sleep(retryAfterMs ?? wait, this.#signal)
        // Nothing listened, or it was refused: it was not created.
        if (!overload && !unsent && (await this.find(folder, new Set(await folder.keys()), []))) return
        if (!overload && ++attempt > MAX_ATTEMPTS) {
          await folder.remove()
          throw error
        }
      }
    }
  }

  /**
   * Whether the provider has this batch, of which that is not known. If so, its id is on disk.
   *
   * @param others ids of other batches
   */
  async find(folder: BatchFolder, keys: ReadonlySet<string>, others: readonly string[]): Promise<boolean> {
    const { protocol, clock } = this.#settings
    await clock.sleep(Math.max(0, folder.record.created + SETTLE_MS - Date.now()), this.#signal)
    const found = await this.#insist(() => protocol.find(folder.record, this.#signal))
    for (const id of found.filter((each) => !others.includes(each))) {
      // A batch without a name is known by its results.
      const look = await this.#ended(id, folder)
      for (const source of look.results) {
        if (!(await this.#insist(() => this.#has(source, keys)))) continue
        await folder.update({ state: 'submitted', id })
        return true
      }
      if (look.results.length === 0 && found.length === 1) {
        await folder.update({ state: 'submitted', id })
        return true
      }
    }
    return false
  }

  /** Waits until a batch has ended, and stores its results. Returns what is wrong with requests that have none. */
  async collect(folder: BatchFolder): Promise<RequestError> {
    const { protocol, clock } = this.#settings
    const { id, files } = folder.record
    const look = await this.#ended(id!, folder)
    await this.#insist(() => folder.storeResults(this.#download(look.results)))
    await folder.update({ state: 'ended' })
    await protocol.remove([...files, ...look.results], this.#signal)
    // The queue of the account is full: its other batches must end first.
    if (isQueueFull(look.missing)) await clock.sleep(MAX_LOOK_MS, this.#signal)
    return look.missing
  }

  async #ended(id: string, { record }: BatchFolder): Promise<Extract<Look, { state: 'ended' }>> {
    const { protocol, clock } = this.#settings
    for (let wait = FIRST_LOOK_MS; ; wait = Math.min(MAX_LOOK_MS, wait * SLOWER)) {
      const look = await this.#insist(() => protocol.look(id, this.#signal)).catch((error: unknown) => {
        if (!(error instanceof RequestError) || error.failure.status !== 404) throw error
        if (Date.now() - record.created < KEPT_MS) {
          const hint = `Resume the run with the API key that created batch ${id}.`
          throw new RequestError({ ...error.failure, hint })
        }
        // It is gone, and so are its results.
        return { state: 'ended' as const, results: [], missing: this.noResult }
      })
      if (look.state === 'ended') return look
      await clock.sleep(wait, this.#signal)
    }
  }

  async *#download(sources: readonly string[]): AsyncGenerator<Buffer> {
    for (const source of sources) {
      yield* await this.#settings.protocol.results(source, this.#signal)
      yield Buffer.from('\n')
    }
  }

  async #has(source: string, keys: ReadonlySet<string>): Promise<boolean> {
    let start = ''
    for await (const chunk of await this.#settings.protocol.results(source, this.#signal)) {
      start += chunk.toString('utf8')
      const end = start.indexOf('\n')
      if (end >= 0) {
        start = start.slice(0, end)
        break
      }
    }
    return keys.has(this.#settings.protocol.read(start)?.key ?? '')
  }

  /** What is at the provider stays there: a lost connection is no reason to give it up. */
  async #insist<Value>(work: () => Promise<Value>): Promise<Value> {
    for (let wait = FIRST_LOOK_MS; ; wait = Math.min(MAX_LOOK_MS, wait * 2)) {
      try {
        return await work()
      } catch (error) {
        if (this.#signal.aborted || !(error instanceof RequestError) || !error.failure.retry) throw error
        this.#trouble(error)
        await this.#settings.clock.sleep(error.failure.retryAfterMs ?? wait, this.#signal)
      }
    }
  }

  #trouble(error: RequestError): void {
    if (!this.#saysTrouble) return
    this.#saysTrouble = false
    const { model, log, redact } = this.#settings
    log(`${model}: the batch API does not answer as it should (${redact(error.message)}); trying again.`)
  }
}
