/** Opens files of others in a process with limits: a few bytes can ask for gigabytes or loop forever. */
import { totalmem } from 'node:os'
import type { Call, Handlers, Result } from '../channel.ts'
import { codeOf, messageOf, trimFullStop, UserError } from '../errors.ts'
import { serveThread, Thread, ThreadLost } from '../thread.ts'

const MEGABYTE = 2 ** 20
/** Memory for a file of a megabyte, and for every megabyte on top. */
const MIN_HEAP_MB = 512
const HEAP_MB_PER_MEGABYTE = 64
/** On top, for values that are soon forgotten: V8 would take three times as much. */
const YOUNG_MB = 64
const MAX_SHARE_OF_MEMORY = 0.75
/** Time for a file of any size, and for every megabyte on top. */
const MIN_SECONDS = 4
const TIME_PER_MEGABYTE_MS = 1_000
/** On a busy machine a file gets up to this many times as long, as long as its process could not work that much. */
const MAX_WAIT_FACTOR = 10
/** The same where the time of another process is not known. */
const BLIND_FACTOR = 3

/** How an error starts and ends when a file cannot be read: `message: reason. hint` */
export interface Unreadable {
  message: string
  hint?: string
}

/** What every such process answers as soon as it runs. */
interface Ready {
  ready(payload: null): null
}

/** What every such process may call while it reads a file. */
interface Allowance {
  more(bytes: number): void
}

/**
 * For the module of such a process. Returns a function that allows the file being read as much time again as this many
 * bytes get: for other files that it names.
 */
export function serveReaders<Readers extends Handlers<Readers>>(readers: Readers): (bytes: number) => void {
  const channel = serveThread<Readers & Ready, Allowance>({ ...readers, ready: () => null })
  return (bytes) => channel.send('more', bytes)
}

export interface LimitedProcessOptions {
  /** Seconds for a file of any size. Default: 4. */
  minSeconds?: number
}

/**
 * A process whose functions each read one file, one after the other. It is replaced when a file takes too long or needs
 * more memory. A thread would not do: a full heap or native code that is ended halfway takes the whole program with it.
 *
 * @example
 * const reader = new LimitedProcess<TableReaders>('./thread', import.meta.url)
 * const rows = await reader.read(['parquet', bytes], bytes.length, { message: `${name} cannot be read as Parquet` })
 */
export class LimitedProcess<Readers extends Handlers<Readers>> {
  readonly #path: string
  readonly #from: string
  readonly #minMs: number
  #idle: { thread: Thread<Readers & Ready, Allowance>; heapMb: number } | undefined
  /** Milliseconds for the file that is being read. */
  #limit = 0
  #last: Promise<unknown> = Promise.resolve()

  /** @param path the module without its extension, relative to the module `from` */
  constructor(path: string, from: string, { minSeconds = MIN_SECONDS }: LimitedProcessOptions = {}) {
    this.#path = path
    this.#from = from
    this.#minMs = minSeconds * 1000
  }

  /** A `UserError` of the reader keeps its words; any other error becomes one. */
  read<Name extends keyof Readers>(
    call: Call<Readers, Name>,
    bytes: number,
    unreadable: Unreadable,
  ): Promise<Result<Readers[Name]>> {
    const turn = this.#last.then(() => this.#readNow(call, bytes, unreadable))
    this.#last = turn.catch(() => {})
    return turn
  }

  async #readNow<Name extends keyof Readers>(
    call: Call<Readers, Name>,
    bytes: number,
    { message, hint }: Unreadable,
    isFirst = true,
  ): Promise<Result<Readers[Name]>> {
    const { thread, heapMb } = this.#threadFor(bytes)
    this.#limit = this.#minMs + timeFor(bytes)
    let timer: NodeJS.Timeout | undefined
    try {
      // Starting the process does not count.
      const starting: Pick<Thread<Ready>, 'call'> = thread
      await starting.call('ready', null)
      const before = thread.cpuMs
      const start = performance.now()
      const timedOut = new Promise<never>((_, reject) => {
        const check = (): void => {
          const now = thread.cpuMs
          const waited = performance.now() - start
          const missing =
            now === null || before === null ? this.#limit * BLIND_FACTOR - waited : this.#limit - (now - before)
          if (missing > 0 && waited < this.#limit * MAX_WAIT_FACTOR) {
            timer = setTimeout(check, missing)
            return
          }
          this.#idle = undefined
          void thread.close()
          reject(new Error(`not done after ${Math.round(this.#limit / 100) / 10} s`))
        }
        timer = setTimeout(check, this.#limit)
      })
      return await Promise.race([thread.call(...call), timedOut])
    } catch (error) {
      // Something else may have ended the process: the file gets a second one.
      if (isFirst && error instanceof ThreadLost && !isOutOfMemory(error)) {
        clearTimeout(timer)
        return await this.#readNow(call, bytes, { message, ...(hint !== undefined && { hint }) }, false)
      }
      if (error instanceof UserError) throw error
      const reason = isOutOfMemory(error) ? `it needs more than ${heapMb} MB of memory` : messageOf(error)
      throw new UserError(`${message}: ${trimFullStop(reason)}.`, { ...(hint && { hint }), cause: error })
    } finally {
      clearTimeout(timer)
    }
  }

  #threadFor(bytes: number): { thread: Thread<Readers & Ready, Allowance>; heapMb: number } {
    const wanted = MIN_HEAP_MB + Math.max(0, bytes / MEGABYTE - 1) * HEAP_MB_PER_MEGABYTE
    // In powers of two: a process that is too small is replaced, which takes as long as reading many files.
    const steps = 2 ** Math.ceil(Math.log2(wanted / MIN_HEAP_MB))
    const heapMb = Math.round(Math.min(MIN_HEAP_MB * steps, (totalmem() / MEGABYTE) * MAX_SHARE_OF_MEMORY))
    if (this.#idle && this.#idle.heapMb < heapMb) {
      void this.#idle.thread.close()
      this.#idle = undefined
    }
    return (this.#idle ??= {
      heapMb,
      thread: new Thread<Readers & Ready, Allowance>(this.#path, this.#from, {
        title: 'the reader',
        handlers: { more: (more) => void (this.#limit += timeFor(more)) },
        resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: YOUNG_MB },
        inProcess: true,
      }),
    })
  }
}

function timeFor(bytes: number): number {
  return (bytes / MEGABYTE) * TIME_PER_MEGABYTE_MS
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof ThreadLost && codeOf(error.cause) === 'ERR_WORKER_OUT_OF_MEMORY'
}
