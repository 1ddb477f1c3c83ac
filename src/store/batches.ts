/**
 * Requests that are sent as batches: `batches/<name>/` has the requests, their keys, what is known of the batch, and its
 * results. Everything is on disk before it is needed elsewhere, so a killed process finds its batches again.
 */
import { createReadStream } from 'node:fs'
import { type FileHandle, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { codeOf, UserError } from '../base/errors.ts'
import { readRegular, readRegularText } from '../base/regular-file.ts'
import { makeFolder, statIfExists, syncFolder, withDiskErrors, writeAtomically } from './disk.ts'
import { type Lock, takeLock } from './lock.ts'

const RECORD_FILE = 'batch.json'
const KEYS_FILE = 'keys'
const REQUESTS_FILE = 'requests.jsonl'
const RESULTS_FILE = 'results.jsonl'
/** Requests that are written together. */
const BUFFERED_BYTES = 2 ** 20
/** Unsealed batches that are older were left by a killed process. */
const ABANDONED_MS = 60 * 60 * 1000
/** Keys of 50 times as many requests as any provider takes in a batch. */
const MAX_KEYS_BYTES = 2 ** 28

const recordSchema = z.object({
  format: z.literal(1),
  name: z.string(),
  model: z.string(),
  /** Base URL of the provider. */
  address: z.string(),
  run: z.string().nullable(),
  /** What stands for media in the requests. */
  prefix: z.string(),
  requests: z.int().nonnegative(),
  /** Milliseconds since 1970. */
  created: z.number(),
  /**
   * `creating`: the provider may have it. `submitted`: it has, under `id`. `ended`: the results are here. `waiting`: someone
   * else sends the requests and imports the results.
   */
  state: z.enum(['creating', 'submitted', 'ended', 'waiting']),
  id: z.string().nullable(),
  /** Files at the provider that are deleted with the batch. */
  files: z.array(z.string()),
})

export type BatchRecord = z.infer<typeof recordSchema>

export interface SpooledRequest {
  key: string
  url: string
  /** With placeholders for media. */
  json: string
}

/** One batch on disk. */
export class BatchFolder {
  readonly dir: string
  record: BatchRecord
  #lock: Lock | undefined

  constructor(dir: string, record: BatchRecord, lock?: Lock) {
    this.dir = dir
    this.record = record
    this.#lock = lock
  }

  /** Takes the batch of a process that is gone. False if another one has it. */
  async take(): Promise<boolean> {
    try {
      this.#lock ??= await takeLock(this.dir)
      return true
    } catch (error) {
      if (error instanceof UserError) return false
      throw error
    }
  }

  /** Resolves when the change is on disk. */
  async update(change: Partial<BatchRecord>): Promise<void> {
    this.record = { ...this.record, ...change }
    await withDiskErrors(this.dir, () => writeAtomically(join(this.dir, RECORD_FILE), JSON.stringify(this.record)))
  }

  async keys(): Promise<string[]> {
    const bytes = await readRegular(join(this.dir, KEYS_FILE), MAX_KEYS_BYTES)
    return bytes.toString('latin1').split('\n').filter(Boolean)
  }

  async *requests(): AsyncGenerator<SpooledRequest> {
    for await (const line of linesOf(join(this.dir, REQUESTS_FILE))) yield JSON.parse(line) as SpooledRequest
  }

  /** Lines as the provider sent them; none before the batch has ended. */
  results(): AsyncGenerator<string> {
    return linesOf(join(this.dir, RESULTS_FILE))
  }

  /** Stores the results as they come; a half written file is never read. */
  async storeResults(chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const path = join(this.dir, RESULTS_FILE)
    const part = `${path}.part`
    const file = await withDiskErrors(path, async () => {
      // A link in a store of someone else is not followed.
      await rm(part, { force: true })
      return open(part, 'wx', 0o600)
    })
    try {
      for await (const chunk of chunks) await withDiskErrors(path, () => file.writeFile(chunk))
      await withDiskErrors(path, () => file.datasync())
    } finally {
      await file.close()
    }
    await withDiskErrors(path, () => rename(part, path))
    await syncFolder(this.dir)
  }

  async remove(): Promise<void> {
    await this.release()
    await rm(this.dir, { recursive: true, force: true })
  }

  async release(): Promise<void> {
    await this.#lock?.release()
    this.#lock = undefined
  }
}

/** A batch that is being filled. Nothing of it counts before it is sealed. */
export class BatchSpool {
  readonly #keys: string[] = []
  readonly #folder: BatchFolder
  readonly #file: FileHandle
  #lines: string[] = []
  #buffered = 0
  #writing: Promise<void> = Promise.resolve()

  constructor(folder: BatchFolder, file: FileHandle) {
    this.#folder = folder
    this.#file = file
  }

  add(request: SpooledRequest): void {
    this.#keys.push(request.key)
    const line = `${JSON.stringify(request)}\n`
    this.#lines.push(line)
    this.#buffered += line.length
    if (this.#buffered < BUFFERED_BYTES) return
    this.#write()
  }

  /** Resolves when all of it is on disk. */
  async seal(state: BatchRecord['state']): Promise<BatchFolder> {
    this.#write()
    await withDiskErrors(this.#folder.dir, async () => {
      await this.#writing
      await this.#file.datasync()
      await this.#file.close()
      await writeAtomically(join(this.#folder.dir, KEYS_FILE), `${this.#keys.join('\n')}\n`)
    })
    await this.#folder.update({ state, requests: this.#keys.length, created: Date.now() })
    await syncFolder(this.#folder.dir)
    return this.#folder
  }

  async discard(): Promise<void> {
    await this.#writing.catch(() => {})
    await this.#file.close()
    await this.#folder.remove()
  }

  #write(): void {
    const text = this.#lines.join('')
    this.#lines = []
    this.#buffered = 0
    this.#writing = this.#writing.then(() => this.#file.writeFile(text))
    // Reported when the batch is sealed.
    this.#writing.catch(() => {})
  }
}

export class BatchFiles {
  readonly #folder: string

  constructor(store: string) {
    this.#folder = join(store, 'batches')
  }

  async create(record: Omit<BatchRecord, 'format' | 'requests' | 'state' | 'id' | 'files'>): Promise<BatchSpool> {
    const dir = join(this.#folder, record.name)
    return withDiskErrors(dir, async () => {
      await makeFolder(dir)
      const lock = await takeLock(dir)
      const whole: BatchRecord = { ...record, format: 1, requests: 0, state: 'creating', id: null, files: [] }
      const file = await open(join(dir, REQUESTS_FILE), 'wx', 0o600)
      return new BatchSpool(new BatchFolder(dir, whole, lock), file)
    })
  }

  /** Sealed batches. A folder without a record was never sealed, and nothing of it was sent. */
  async all(): Promise<BatchFolder[]> {
    const names = await readdir(this.#folder).catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') return []
      throw error
    })
    const found = await Promise.all(names.map((name) => this.#read(join(this.#folder, name))))
    return found.filter((folder) => folder !== null)
  }

  async #read(dir: string): Promise<BatchFolder | null> {
    try {
      const record = recordSchema.safeParse(JSON.parse(await readRegularText(join(dir, RECORD_FILE))))
      return record.success ? new BatchFolder(dir, record.data) : null
    } catch (error) {
      if (codeOf(error) === 'ENOENT') await removeAbandoned(dir)
      else if (!(error instanceof SyntaxError) && codeOf(error) !== 'ENOTDIR') throw error
      return null
    }
  }
}

/** Longer lines are skipped: no reply is that large. */
const MAX_LINE_BYTES = 2 ** 25
const NEWLINE = 0x0a

/** The lines of a file that may be as large as the disk. */
export async function* linesOf(path: string): AsyncGenerator<string> {
  let pieces: Buffer[] = []
  let length = 0
  const take = (): string => {
    const line = length > MAX_LINE_BYTES ? '' : Buffer.concat(pieces).toString('utf8').trimEnd()
    pieces = []
    length = 0
    return line
  }
  const add = (piece: Buffer): void => {
    length += piece.length
    if (length <= MAX_LINE_BYTES) pieces.push(piece)
  }
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 2 ** 18 })) {
      let rest = chunk as Buffer
      for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
        add(rest.subarray(0, end))
        rest = rest.subarray(end + 1)
        const line = take()
        if (line !== '') yield line
      }
      add(rest)
    }
    const last = take()
    if (last !== '') yield last
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
}

/** Left by a process that was killed before it sealed the batch. */
async function removeAbandoned(dir: string): Promise<void> {
  const found = await statIfExists(dir)
  if (!found?.isDirectory() || Date.now() - found.mtimeMs < ABANDONED_MS) return
  const folder = await takeLock(dir).catch(() => null)
  if (folder) await rm(dir, { recursive: true, force: true })
}
