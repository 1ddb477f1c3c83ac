/** Reads Parquet and Excel files of others, in a thread with limits: a few bytes can ask for gigabytes or loop forever. */
import { messageOf, trimFullStop, UserError } from '../errors.ts'
import { Thread, ThreadLost } from '../thread.ts'
import type { TableReaders } from './thread.ts'

const MAX_HEAP_MB = 1024
/** Time for a file of any size, and for every megabyte on top. */
const MIN_TIME_MS = 4_000
const TIME_PER_MEGABYTE_MS = 1_000

/** The rows of a Parquet file, by column name. `name` is for messages. */
export function readParquet(bytes: Uint8Array, name: string): Promise<Record<string, unknown>[]> {
  const unreadable = { message: `${name} cannot be read as Parquet`, hint: 'Download it again.' }
  return withLimits((thread) => thread.call('parquet', bytes), bytes.length, unreadable)
}

/** The rows of the first sheet of an Excel file. `name` is for messages. */
export function readXlsx(bytes: Uint8Array, name: string): Promise<unknown[][]> {
  const unreadable = { message: `${name} is not a readable Excel sheet`, hint: 'Save it as .tsv and use that.' }
  return withLimits((thread) => thread.call('xlsx', bytes), bytes.length, unreadable)
}

/** Used for one file after the other, and replaced when one takes too long. */
let idle: Thread<TableReaders> | undefined
let last: Promise<unknown> = Promise.resolve()

function newThread(): Thread<TableReaders> {
  return new Thread<TableReaders>('./thread', import.meta.url, {
    title: 'the reader',
    handlers: {},
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  })
}

type Read<Rows> = (thread: Thread<TableReaders>) => Promise<Rows>
type Unreadable = { message: string; hint: string }

function withLimits<Rows>(read: Read<Rows>, bytes: number, unreadable: Unreadable): Promise<Rows> {
  const turn = last.then(() => readNow(read, bytes, unreadable))
  last = turn.catch(() => {})
  return turn
}

async function readNow<Rows>(read: Read<Rows>, bytes: number, { message, hint }: Unreadable): Promise<Rows> {
  const thread = (idle ??= newThread())
  const limit = MIN_TIME_MS + (bytes / 2 ** 20) * TIME_PER_MEGABYTE_MS
  let timer: NodeJS.Timeout | undefined
  try {
    // Starting the thread does not count.
    await thread.call('ready', null)
    const timedOut = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        idle = undefined
        void thread.close()
        reject(new Error(`not done after ${Math.round(limit / 1000)} s`))
      }, limit)
    })
    return await Promise.race([read(thread), timedOut])
  } catch (error) {
    const reason = error instanceof ThreadLost ? `it needs more than ${MAX_HEAP_MB} MB of memory` : messageOf(error)
    throw new UserError(`${message}: ${trimFullStop(reason)}.`, { hint, cause: error })
  } finally {
    clearTimeout(timer)
  }
}
