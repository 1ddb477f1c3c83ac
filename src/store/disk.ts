/** Files that are whole or absent, and what to tell a person when the disk refuses. */
import { randomBytes } from 'node:crypto'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { codeOf, messageOf, UserError } from '../base/errors.ts'

/** What each refusal of the operating system means to a person, and what they can do about it. */
const DISK_ERRORS: Readonly<Record<string, { what: (path: string) => string; hint: string }>> = {
  ENOSPC: {
    what: (path) => `The disk is full: ${path} could not be written.`,
    hint: 'Free some space and resume the run; every finished episode is kept.',
  },
  EDQUOT: {
    what: (path) => `Your disk quota is used up: ${path} could not be written.`,
    hint: 'Free some space and resume the run; every finished episode is kept.',
  },
  EROFS: {
    what: (path) => `${path} cannot be written: it is on a read-only file system.`,
    hint: 'Choose another folder with --log-dir.',
  },
  EACCES: {
    what: (path) => `${path} cannot be used: permission denied.`,
    hint: 'Change its permissions, or choose another folder with --log-dir.',
  },
  EPERM: {
    what: (path) => `${path} cannot be used: the operation is not permitted.`,
    hint: 'Change its permissions, or choose another folder with --log-dir.',
  },
  ENOENT: {
    what: (path) => `${path} is gone: it was deleted or moved.`,
    hint: 'Bring it back from a copy, or start a new run.',
  },
  ENOTDIR: {
    what: (path) => `${path} cannot be used: a file stands where a folder is expected.`,
    hint: 'Move that file away, or choose another folder with --log-dir.',
  },
  EISDIR: {
    what: (path) => `${path} cannot be used: a folder stands where a file is expected.`,
    hint: 'Move that folder away, or choose another folder with --log-dir.',
  },
  ELOOP: {
    what: (path) => `${path} cannot be used: it is a symbolic link that is not followed.`,
    hint: 'Put the real file or folder in its place.',
  },
  EMFILE: {
    what: (path) => `${path} could not be opened: too many files are open.`,
    hint: 'Raise the limit (ulimit -n) or lower --max-connections.',
  },
  ENAMETOOLONG: { what: (path) => `${path} is too long a name for this file system.`, hint: 'Choose a shorter one.' },
  EIO: {
    what: (path) => `The disk reports an error at ${path}.`,
    hint: 'Check the disk; copy the store elsewhere before you go on.',
  },
}
const CODE_ALIASES: Readonly<Record<string, string>> = { EEXIST: 'ENOTDIR', ENFILE: 'EMFILE', ESTALE: 'ENOENT' }

/** One clear sentence for what the disk refused. Errors that already are for people pass through. */
export function toDiskError(error: unknown, path: string): UserError {
  if (error instanceof UserError) return error
  const code = codeOf(error) ?? ''
  const refusal = DISK_ERRORS[CODE_ALIASES[code] ?? code]
  if (refusal) return new UserError(refusal.what(path), { hint: refusal.hint, cause: error })
  return new UserError(`${path} could not be read or written: ${messageOf(error)}`, { cause: error })
}

/** Runs `work`; what the disk refuses in it comes out as one clear sentence about `path`. */
export async function withDiskErrors<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw toDiskError(error, path)
  }
}

export interface AtomicOptions {
  /** Where the unfinished file lives: on the same file system. Default: beside the file. */
  temporary?: string
}

/**
 * Writes a whole file so that a reader, or a crash, sees the old one or the new one and nothing between: a temporary
 * file, synced, then renamed. The unfinished file is removed when anything fails.
 */
export async function writeAtomically(
  path: string,
  content: string | Uint8Array | Iterable<string>,
  options: AtomicOptions = {},
): Promise<void> {
  const name = `.${basename(path)}.${process.pid}-${randomBytes(6).toString('hex')}.tmp`
  const unfinished = join(options.temporary ?? dirname(path), name)
  const file = await open(unfinished, 'wx', 0o644)
  try {
    try {
      if (typeof content === 'string' || content instanceof Uint8Array) await file.writeFile(content)
      else for (const piece of content) await file.appendFile(piece)
      await file.datasync()
    } finally {
      await file.close()
    }
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => {})
    throw error
  }
}

/** Makes new names in a folder durable. Not every system can sync a folder; those that cannot need not. */
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
 * Makes a folder and those above it, if they are not there. Step by step, because Node's own `recursive` reports a
 * read-only file system as a missing file.
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path)
  } catch (error) {
    if (codeOf(error) === 'ENOENT' && dirname(path) !== path) {
      await makeFolder(dirname(path))
      // Once: there are places (/proc) in which nothing can be made, and they say so as if something were missing.
      await mkdir(path).catch((again: unknown) => mustBeFolder(path, again))
      return
    }
    await mustBeFolder(path, error)
  }
}

/** Others make folders too, and some file systems complain about permissions before they say that one is there. */
async function mustBeFolder(path: string, error: unknown): Promise<void> {
  if (!(await isFolder(path))) throw error
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}
