import { createHash } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'

/** A hash of the names and sizes of all files in some folders, without reading them. Links are not followed. */
export async function listingHash(folders: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  for (const folder of folders) {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    const names = entries
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    for (const name of names.sort()) hash.update(`${name}\0${(await stat(join(folder, name))).size}\0`)
    hash.update('\n')
  }
  return hash.digest('hex')
}
