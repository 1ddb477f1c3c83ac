import { lstatSync } from 'node:fs'
import { lstat, realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { fileErrorReason, MissingAssetError } from './errors.ts'
import { LruCache } from './lru-cache.ts'
import { quickly } from './quick-disk.ts'

/**
 * The path of a file that data refer to. Throws `MissingAssetError` if it does not exist, or if its name or a link leads
 * out of the folder. Links into the `blobs` of a Hugging Face cache are followed: there every file is such a link.
 *
 * @example
 * await containedFile('/data/bench', 'images/0001.jpg')
 */
export async function containedFile(folder: string, name: string): Promise<string> {
  const path = resolve(folder, name)
  if (name.includes('\0') || isAbsolute(name) || !isWithin(folder, path)) {
    throw new MissingAssetError(`"${name.slice(0, 200)}" is outside of the data folder`)
  }
  try {
    const [root, real] = await Promise.all([realFolder(folder), realFile(path)])
    if (isWithin(root, real) || isWithin(join(root, '..', '..', 'blobs'), real)) return path
  } catch (error) {
    throw new MissingAssetError(`cannot read ${name.slice(0, 200)}: ${fileErrorReason(error)}`, { cause: error })
  }
  throw new MissingAssetError(`"${name.slice(0, 200)}" is a link out of the data folder`)
}

interface RealFolder {
  since: number
  path: Promise<string>
}

/** Thousands of files are in few folders, and looking one up takes a call to the system for every part of its path. */
const FOLDERS = new LruCache<RealFolder>(1024)
const LOOK_AGAIN_MS = 1000

function realFolder(folder: string): Promise<string> {
  const known = FOLDERS.get(folder)
  if (known && performance.now() - known.since < LOOK_AGAIN_MS) return known.path
  const path = realpath(folder)
  FOLDERS.set(folder, { since: performance.now(), path })
  return path
}

async function realFile(path: string): Promise<string> {
  const found = quickly(() => lstatSync(path)) ?? (await lstat(path))
  if (found.isSymbolicLink()) return realpath(path)
  return join(await realFolder(dirname(path)), basename(path))
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}
