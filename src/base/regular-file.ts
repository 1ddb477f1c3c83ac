/** Opens files that others may have put there: a pipe or a device would never end. */
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { UserError } from './errors.ts'

/** Opens a file for reading. Rejects a folder, pipe, socket or device without waiting for it. */
export async function openRegular(path: string): Promise<FileHandle> {
  // Otherwise opening a pipe waits for its writer. Undefined on Windows, which has no such files.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  const stats = await file.stat()
  if (stats.isFile()) return file
  await file.close()
  throw new UserError(stats.isDirectory() ? `${path} is a folder, not a file.` : `${path} is not a regular file.`, {
    hint: 'Replace it with the real file.',
  })
}

/** Node reads files in one piece up to 2 GiB. */
const MAX_BYTES = 2 ** 31 - 1
/** A text must fit into one string. */
export const MAX_TEXT_BYTES = 500_000_000

/** The bytes of a file of at most `maxBytes`. */
export async function readRegular(path: string, maxBytes = MAX_BYTES): Promise<Buffer> {
  const file = await openRegular(path)
  try {
    const { size } = await file.stat()
    if (size > maxBytes) throw new UserError(`${path} has ${size} bytes, more than the maximum of ${maxBytes}.`)
    return await file.readFile()
  } finally {
    await file.close()
  }
}

/** The text of a file of at most `maxBytes`. */
export async function readRegularText(path: string, maxBytes = MAX_TEXT_BYTES): Promise<string> {
  return (await readRegular(path, maxBytes)).toString('utf8')
}
