import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { UserError } from '../base/errors.ts'

/** Where bookkeeping and unfinished downloads are, in the folder of a dataset. */
export const OWN_FOLDER = '.sightline'

const MAX_PATH = 1000
/** Names that Windows keeps for devices. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i

/** Why a name in a listing or an archive must not become a file; null if it may. */
export function pathProblem(path: string): string | null {
  if (path === '' || path.length > MAX_PATH) return 'has an empty or endless name'
  // Backslashes and colons are separators on Windows.
  if (/[\p{Cc}\\:]/u.test(path) || path.startsWith('/')) return 'is not a relative path'
  const parts = path.split('/')
  if (parts.some((part) => part === '' || part === '.' || part === '..')) return 'is not a relative path'
  // Some systems drop them, and do not tell case apart: the name would be another one's.
  if (parts.some((part) => /[. ]$/.test(part) || DEVICE.test(part))) return 'is not a name on every system'
  return parts[0]!.toLowerCase() === OWN_FOLDER ? `is in ${OWN_FOLDER}` : null
}

/**
 * The place of a file in the folder. Rejects names that lead outside, also through a link that lies in the folder.
 *
 * @param where what names the file, for the error
 */
export async function placeIn(folder: string, path: string, where: string): Promise<string> {
  const problem = pathProblem(path)
  if (problem !== null)
    throw new UserError(`${where} has a file that cannot be stored: ${JSON.stringify(path.slice(0, 200))} ${problem}.`)
  const parts = path.split('/')
  for (let depth = 1; depth <= parts.length; depth++) {
    const at = join(folder, ...parts.slice(0, depth))
    const stats = await lstat(at).catch(() => null)
    if (stats?.isSymbolicLink()) throw new UserError(`${at} is a link, and is not followed.`, { hint: 'Remove it.' })
  }
  return join(folder, ...parts)
}
