/** Atomic writes, and readable errors for file system failures. */
import { randomBytes } from 'node:crypto'
import { closeSync, fdatasync, openSync, renameSync, type Stats, writeSync } from 'node:fs'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { codeOf, messageOf, UserError } from '../base/errors.ts'
import { MAX_QUICK_BYTES, quickly } from '../base/quick-disk.ts'

const STORE_OPTION = '--log-dir'
/** Message and hint by error code. */
const DISK_ERRORS: Readonly<Record<string, { message: (path: string) => string; hint: string }>> = {
  ENOSPC: {
    message: (path) => `The disk is full: ${path} could not be written.`,
    hint: 'Free some space and resume the run; every finished episode is kept.',
  },
  EDQUOT: {
    message: (path) => `Disk quota exceeded: ${path} could not be written.`,
    hint: 'Free some space and resume the run; every finished episode is kept.',
  },
  EROFS: {
    message: (path) => `Cannot write ${path}: the file system is read-only.`,
    hint: 'Choose another folder with --log-dir.',
  },
  EACCES: {
    message: (path) => `Cannot access ${path}: permission denied.`,
    hint: 'Change its permissions, or choose another folder with --log-dir.',
  },
  EPERM: {
    message: (path) => `Cannot access ${path}: operation not permitted.`,
    hint: 'Change its permissions, or choose another folder with --log-dir.',
  },
  ENOENT: {
    message: (path) => `${path} does not exist: it was deleted or moved.`,
    hint: 'Restore it from a backup, or start a new run.',
  },
  ENOTDIR: {
    message: (path) => `Cannot use ${path}: a file is in the place of a folder.`,
    hint: 'Move that file away, or choose another folder with --log-dir.',
  },
  EISDIR: {
    message: (path) => `Cannot use ${path}: a folder is in the place of a file.`,
    hint: 'Move that folder away, or choose another folder with --log-dir.',
  },
  ELOOP: {
    message: (path) => `Cannot use ${path}: symbolic links are not followed here.`,
    hint: 'Replace it with the real file or folder.',
  },
  EMFILE: {
    message: (path) => `Cannot open ${path}: too many open files.`,
    hint: 'Raise the limit (ulimit -n) or lower --max-connections.',
  },
  ENAMETOOLONG: {
    message: (path) => `The path ${path} is too long for this file system.`,
    hint: 'Choose a shorter one.',
  },
  EIO: {
    message: (path) => `I/O error at ${path}.`,
    hint: 'Check the disk, and copy the store elsewhere before you continue.',
  },
}
const CODE_ALIASES: Readonly<Record<string, string>> = { EEXIST: 'ENOTDIR', ENFILE: 'EMFILE', ESTALE: 'ENOENT' }

/**
 * Converts a file system error to a `UserError` about `path`. `UserError`s pass through.
 *
 * @param option of the command line that names the folder
 */
export function toDiskError(error: unknown, path: string, option = STORE_OPTION): UserError {
  if (error instanceof UserError) return error
  const code = codeOf(error) ?? ''
  const known = DISK_ERRORS[CODE_ALIASES[code] ?? code]
  if (known) return new UserError(known.message(path), { hint: known.hint.replace(STORE_OPTION, option), cause: error })
  return new UserError(`Cannot read or write ${path}: ${messageOf(error)}`, { cause: error })
}

/** What the file system knows about a path; undefined if nothing is there. */
export async function statIfExists(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw toDiskError(error, path)
  }
}

/** Runs `work` and converts its file system errors to `UserError`s about `path`. */
export async function withDiskErrors<T>(path: string, work: () => Promise<T>, option?: string): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw toDiskError(error, path, option)
  }
}

export interface AtomicOptions {
  /** Folder for the temporary file, on the same file system. Default: the folder of the file. */
  temporary?: string
}

/** Whether a file has the name of one that `writeAtomically` had not finished. */
export function isTemporaryFile(name: string): boolean {
  return /^\..+\.\d+-[0-9a-f]{12}\.tmp$/.test(name)
}

/**
 * Replaces a file atomically: writes a temporary file, syncs it and renames it. Readers see the old or the new file, also
 * after a crash. The temporary file is removed on failure.
 */
export async function writeAtomically(
  path: string,
  content: string | Uint8Array | Iterable<string>,
  options: AtomicOptions = {},
): Promise<void> {
  const name = `.${basename(path)}.${process.pid}-${randomBytes(6).toString('hex')}.tmp`
  const temporary = join(options.temporary ?? dirname(path), name)
  try {
    if (typeof content === 'string' || content instanceof Uint8Array) await writeSynced(temporary, content)
    else await writePieces(temporary, content)
    if (quickly(() => renamed(temporary, path)) === undefined) await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {})
    throw error
  }
}

function renamed(from: string, to: string): true {
  renameSync(from, to)
  return true
}

const synced = promisify(fdatasync)

/** Writes a new file. Only the sync, which waits for the disk, goes over the thread pool if the file is small. */
async function writeSynced(path: string, content: string | Uint8Array): Promise<void> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  const file = bytes.length > MAX_QUICK_BYTES ? undefined : quickly(() => openSync(path, 'wx', 0o644))
  if (file === undefined) return writePieces(path, [bytes])
  try {
    for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written)
    await synced(file)
  } finally {
    closeSync(file)
  }
}

async function writePieces(path: string, pieces: Iterable<string | Uint8Array>): Promise<void> {
  const file = await open(path, 'wx', 0o644)
  try {
    for (const piece of pieces) await file.appendFile(piece)
    await file.datasync()
  } finally {
    await file.close()
  }
}

/** Makes new entries of a folder durable. Ignores systems that cannot sync folders. */
export async function syncFolder(path: string): Promise<void> {
  try {
    const folder = await open(path, 'r')
    try {
      await folder.sync()
    } finally {
      await folder.close()
    }
  } catch (error) {
    if (!['EISDIR', 'EPERM', 'EINVAL', 'EACCES', 'ENOTSUP'].includes(codeOf(error) ?? '')) throw error
  }
}

/**
 * Creates a folder and its parents, one by one, because `recursive` of Node reports a read-only file system as a missing
 * file. Only their owner can open them: a store holds what models were asked and what they said.
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (error) {
    if (codeOf(error) === 'ENOENT' && dirname(path) !== path) {
      await makeFolder(dirname(path))
      // Only once: some file systems (/proc) report ENOENT for every new folder.
      await mkdir(path, { mode: 0o700 }).catch((again: unknown) => mustBeFolder(path, again))
      return
    }
    await mustBeFolder(path, error)
  }
}

/** Ignores the error if the folder exists: another process created it, or the system checked permissions first. */
async function mustBeFolder(path: string, error: unknown): Promise<void> {
  if (!(await isFolder(path))) throw error
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}
