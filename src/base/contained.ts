import { realpath } from 'node:fs/promises'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { fileErrorReason, MissingAssetError } from './errors.ts'

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
    const [root, real] = await Promise.all([realpath(folder), realpath(path)])
    if (isWithin(root, real) || isWithin(join(root, '..', '..', 'blobs'), real)) return path
  } catch (error) {
    throw new MissingAssetError(`cannot read ${name.slice(0, 200)}: ${fileErrorReason(error)}`, { cause: error })
  }
  throw new MissingAssetError(`"${name.slice(0, 200)}" is a link out of the data folder`)
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}
