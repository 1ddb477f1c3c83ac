import { mkdir, readdir, realpath, rm, stat } from 'node:fs/promises'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { distance } from 'fastest-levenshtein'
import { codeOf, messageOf, UserError } from '../base/errors.ts'
import { toDiskError, withDiskErrors, makeFolder, syncFolder } from './disk.ts'
import { MediaStore } from './media.ts'
import type { RunHeader, RunStatus } from './records.ts'
import { BatchFiles } from './batches.ts'
import { ReplyFiles } from './replies.ts'
import { HEADER_FILE, readHeader, writeHeader } from './run-files.ts'
import { checkRunId, isRunId } from './run-id.ts'
import { RunFolder } from './run-reader.ts'
import type { RunReader } from './run-reader.ts'
import { openForWriting } from './run-writer.ts'
import type { RunWriter } from './run-writer.ts'

/** Enough to keep the disk busy, few enough for any limit on open files. */
const CONCURRENT_READS = 32
/** Maximum number of run ids in an error. */
const MAX_LISTED = 5
/** Ids that differ by more characters are not suggested. */
const MAX_TYPOS = 4
/** Temporary files older than this are left over from a killed process. */
const ABANDONED_MS = 60 * 60 * 1000

/** One run in a list. */
export interface RunListing {
  id: string
  dir: string
  header: RunHeader
  status: RunStatus
  finished: number
}

/**
 * The folder with runs, media and cached replies (`.sightline`). Reading needs no write permission; folders are created on
 * the first write.
 *
 * @example
 * const store = await Store.open('.sightline')
 * const run = await store.openRun('latest')
 * const episodes = await run.episodes()
 */
export class Store {
  readonly dir: string
  readonly media: MediaStore
  readonly replies: ReplyFiles
  readonly batches: BatchFiles
  readonly #runs: string

  private constructor(dir: string) {
    this.dir = dir
    this.media = new MediaStore(dir)
    this.replies = new ReplyFiles(dir)
    this.batches = new BatchFiles(dir)
    this.#runs = join(dir, 'runs')
  }

  /** Opens a store. The folder does not have to exist yet. */
  static async open(dir: string): Promise<Store> {
    const path = resolve(dir)
    await withDiskErrors(path, async () => {
      const found = await stat(path).catch((error: unknown) => {
        if (codeOf(error) === 'ENOENT') return undefined
        throw error
      })
      if (found && !found.isDirectory()) {
        throw new UserError(`${path} is a file, but the store must be a folder.`, {
          hint: 'Choose a folder with --log-dir.',
        })
      }
    })
    return new Store(path)
  }

  /** Creates a run: its folder, header and lock. */
  async createRun(header: RunHeader): Promise<RunWriter> {
    checkRunId(header.id)
    const folder = join(this.#runs, header.id)
    await withDiskErrors(this.#runs, () => makeFolder(this.#runs))
    try {
      await mkdir(folder)
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw toDiskError(error, folder)
      throw new UserError(`Run ${header.id} already exists in ${this.dir}.`, {
        hint: `Resume it with \`sightline resume ${header.id}\`.`,
      })
    }
    try {
      await writeHeader(folder, header)
      await withDiskErrors(this.#runs, () => syncFolder(this.#runs))
      const writer = await openForWriting(folder, header)
      await this.#removeAbandoned(folder)
      return writer
    } catch (error) {
      // Nothing is recorded in it yet.
      await rm(folder, { recursive: true, force: true }).catch(() => {})
      throw error
    }
  }

  /** Opens a run of this store for writing, named as in `openRun`. */
  async resumeRun(name: string): Promise<RunWriter> {
    const { dir, header } = await this.openRun(name)
    const [runs, itsRuns] = await withDiskErrors(dir, () => Promise.all([realpath(this.#runs), realpath(dirname(dir))]))
    if (runs !== itsRuns) {
      throw new UserError(`Run ${dir} is not in the store ${this.dir}.`, {
        hint: `Resume it with --log-dir ${dirname(dirname(dir))}.`,
      })
    }
    const writer = await openForWriting(dir, header)
    await this.#removeAbandoned(dir)
    return writer
  }

  /** Opens a run for reading, by id, unique part of an id, `latest`, or the path of its folder. */
  async openRun(name: string): Promise<RunReader> {
    if (isPath(name)) return openFolder(resolve(name))
    if (name === 'latest') {
      const [newest] = await this.#headers()
      if (!newest) throw new UserError(`No runs in ${this.dir} yet.`, { hint: 'Start one with `sightline run`.' })
      return new RunFolder(newest.dir, newest.header)
    }
    return this.openRunById(await this.#completeId(name))
  }

  /** Opens a run by its full id only, for untrusted input. */
  async openRunById(id: string): Promise<RunReader> {
    checkRunId(id)
    return openFolder(join(this.#runs, id))
  }

  /** All runs, newest first. Runs that cannot be read are skipped and reported to `onProblem`. */
  async listRuns(options: { onProblem?: (message: string) => void } = {}): Promise<RunListing[]> {
    const found = await this.#headers(options.onProblem)
    const listed = await mapConcurrently(found, async ({ dir, header }) => {
      const run = new RunFolder(dir, header)
      try {
        const [status, finished] = await Promise.all([run.status(), run.finishedCount()])
        return { id: header.id, dir, header, status, finished }
      } catch (error) {
        options.onProblem?.(messageOf(error))
        return undefined
      }
    })
    return listed.filter((run) => run !== undefined)
  }

  async #headers(onProblem?: (message: string) => void): Promise<{ dir: string; header: RunHeader }[]> {
    const read = await mapConcurrently(await this.runIds(), async (id) => {
      const dir = join(this.#runs, id)
      try {
        const header = await readHeader(dir)
        return header && { dir, header }
      } catch (error) {
        onProblem?.(messageOf(error))
        return undefined
      }
    })
    return read
      .filter((run) => run !== undefined)
      .sort((a, b) => compare(b.header.created, a.header.created) || compare(b.header.id, a.header.id))
  }

  /** Ids of all runs, unsorted. */
  async runIds(): Promise<string[]> {
    try {
      return (await readdir(this.#runs)).filter(isRunId)
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return []
      throw toDiskError(error, this.#runs)
    }
  }

  async #completeId(name: string): Promise<string> {
    checkRunId(name)
    const ids = await this.runIds()
    if (ids.includes(name)) return name
    const starting = ids.filter((candidate) => candidate.startsWith(name))
    const [id, ...others] = starting.length > 0 ? starting : ids.filter((candidate) => candidate.includes(name))
    if (id !== undefined && others.length === 0) return id
    if (id !== undefined) {
      throw new UserError(`${name} matches ${others.length + 1} runs: ${shortened([id, ...others].sort())}.`, {
        hint: 'Use a longer part of the id.',
      })
    }
    if (ids.length === 0) {
      throw new UserError(`Run ${name} not found: ${this.dir} has no runs.`, {
        hint: 'Choose another store with --log-dir.',
      })
    }
    const near = ids
      .map((candidate) => ({ candidate, steps: distance(candidate, name) }))
      .filter(({ steps }) => steps <= MAX_TYPOS)
      .sort((a, b) => a.steps - b.steps || compare(a.candidate, b.candidate))
      .map(({ candidate }) => candidate)
    // An id starts with the time the run was created.
    const newest = ids.toSorted((a, b) => compare(b, a))
    throw new UserError(`Run ${name} not found in ${this.dir}.`, {
      hint: near.length > 0 ? `Closest matches: ${shortened(near)}.` : `Newest runs: ${shortened(newest)}.`,
    })
  }

  /** Removes temporary files of killed processes. */
  async #removeAbandoned(run: string): Promise<void> {
    for (const folder of [join(this.dir, 'tmp'), run]) {
      try {
        for (const name of await readdir(folder)) {
          if (!name.endsWith('.tmp')) continue
          const path = join(folder, name)
          if (Date.now() - (await stat(path)).mtimeMs > ABANDONED_MS) await rm(path, { force: true })
        }
      } catch {
        // Cleanup is optional.
      }
    }
  }
}

function isPath(name: string): boolean {
  return isAbsolute(name) || name.includes('/') || name.includes('\\') || name === '.' || name === '..'
}

async function openFolder(dir: string): Promise<RunReader> {
  const header = await readHeader(dir)
  if (header) return new RunFolder(dir, header)
  throw new UserError(`${dir} is not a run folder: it has no ${HEADER_FILE}.`, {
    hint: 'Use a run id, a unique part of one, `latest`, or the path of a folder in runs/.',
  })
}

function shortened(names: readonly string[]): string {
  const more = names.length - MAX_LISTED
  return names.slice(0, MAX_LISTED).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

async function mapConcurrently<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let at = 0; at < items.length; at += CONCURRENT_READS) {
    results.push(...(await Promise.all(items.slice(at, at + CONCURRENT_READS).map(work))))
  }
  return results
}
