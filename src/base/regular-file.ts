/** Opens files that others may have put there: a pipe or a device would never end. */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { UserError } from './errors.ts'
import { MAX_QUICK_BYTES, quickly } from './quick-disk.ts'

// Otherwise opening a pipe waits for its writer. Undefined on Windows, which has no such files.
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

/** Opens a file for reading. Rejects a folder, pipe, socket or device without waiting for it. */
export async function openRegular(path: string): Promise<FileHandle> {
  return (await openSized(path)).file
}

async function openSized(path: string): Promise<{ file: FileHandle; size: number }> {
  const file = await open(path, READ)
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
  const small = readSmall(path)
  if (small && small.length <= maxBytes) return small
  const { file, size } = await openSized(path)
  try {
    if (size > maxBytes) throw new UserError(`${path} has ${size} bytes, more than the maximum of ${maxBytes}.`)
    return await readSized(file, size)
  } finally {
    await file.close()
  }
}

/** The bytes of a small regular file, if the disk is quick. */
export function readSmall(path: string, flags = READ): Buffer | undefined {
  return quickly(() => {
    const file = openSync(path, flags)
    try {
      const stats = fstatSync(file)
      if (!stats.isFile() || stats.size === 0 || stats.size > MAX_QUICK_BYTES) return undefined
      const bytes = Buffer.allocUnsafeSlow(stats.size)
      let read = 0
      while (read < bytes.length) {
        const more = readSync(file, bytes, read, bytes.length - read, read)
        if (more === 0) break
        read += more
      }
      return bytes.subarray(0, read)
    } finally {
      closeSync(file)
    }
  })
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
