/** Files that the user asked for with `--output` and similar options. */
import { access, constants, readdir, stat, writeFile } from 'node:fs/promises'
import { dirname, extname } from 'node:path'
import { codeOf, fileErrorReason, UserError } from '../../base/errors.ts'
import { toDiskError, withDiskErrors } from '../../store/disk.ts'
import { say } from '../terminal/output.ts'

/** Checks before a long run, not after it, that the output can be written. */
export async function checkWritable(path: string): Promise<void> {
  await access(dirname(path), constants.W_OK).catch(() => {
    throw new UserError(`Cannot write ${path}: its folder is missing or not writable.`)
  })
  const found = await stat(path).catch(() => null)
  if (found?.isDirectory()) throw new UserError(`Cannot write ${path}: it is a folder.`)
}

/** Rejects a file name whose extension does not match the only format that is written. */
export function checkExtension(option: string, path: string, extension: string): void {
  if (extname(path).toLowerCase() === extension) return
  throw new UserError(
    `${option} writes ${extension.slice(1).toUpperCase()}: the file name must end in ${extension}, not "${path}".`,
  )
}

export async function writeOutput(path: string, content: string | Uint8Array): Promise<void> {
  await withDiskErrors(path, () => writeFile(path, content), '--output')
  say(`Wrote ${path}`)
}

/** Runs `work`, which writes to the path given with `-o`, and turns file system errors into a clear message. */
export async function withOutputErrors<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    // ERR_… codes come from Node itself and mean a bug, not a file system error.
    if (error instanceof UserError || !/^E(?!RR_)[A-Z0-9]+$/.test(codeOf(error) ?? '')) throw error
    throw new UserError(toDiskError(error, path).message, { hint: 'Choose another path with -o.', cause: error })
  }
}

/** Rejects a folder with files in it: data of two seeds in one folder would be indistinguishable. */
export async function checkEmpty(folder: string): Promise<void> {
  const found = await readdir(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return []
    throw new UserError(`Cannot write to ${folder}: ${fileErrorReason(error)}.`, {
      hint: 'Choose another folder with -o.',
    })
  })
  if (found.length > 0) throw new UserError(`${folder} is not empty.`, { hint: 'Choose a new folder with -o.' })
}
