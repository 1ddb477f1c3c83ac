/** Opens files that others may have put there: a pipe or a device would never end. */
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { UserError } from './errors.ts'

/** Opens a file for reading. Rejects a folder, pipe, socket or device without waiting for it. */
export async function openRegular(path: string): Promise<FileHandle> {
  return (await openSized(path)).file
}

async function openSized(path: string): Promise<{ file: FileHandle; size: number }> {
  // Otherwise opening a pipe waits for its writer. Undefined on Windows, which has no such files.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  const stats = await file.stat()
  if (stats.isFile()) return { file, size: stats.size }
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
  const { file, size } = await openSized(path)
  try {
    if (size > maxBytes) throw new UserError(`${path} has ${size} bytes, more than the maximum of ${maxBytes}.`)
    return await readSized(file, size)
  } finally {
    await file.close()
  }
}

/** The bytes of a file whose size is known, with as few calls to the system as possible: there are thousands of files. */
export async function readSized(file: FileHandle, size: number): Promise<Buffer> {
  // Files of the kernel say that they are empty.
  if (size === 0) return file.readFile()
  const bytes = Buffer.allocUnsafeSlow(size)
  let read = 0
  while (read < size) {
    const { bytesRead } = await file.read(bytes, read, size - read, read)
    if (bytesRead === 0) break
    read += bytesRead
  }
  return bytes.subarray(0, read)
}

/** The text of a file of at most `maxBytes`. */
export async function readRegularText(path: string, maxBytes = MAX_TEXT_BYTES): Promise<string> {
  return (await readRegular(path, maxBytes)).toString('utf8')
}
