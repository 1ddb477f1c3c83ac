/** Films of true motions that somebody else made: which ones a folder has. */
import { createHash } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { UserError, fileErrorReason } from '../../../suite.ts'

const ENDINGS = new Set(['.mp4', '.m4v', '.mov'])

/** The films in a folder, by the name without ending. */
export async function filmsIn(folder: string): Promise<Map<string, string>> {
  const names = await readdir(folder).catch((error: unknown) => {
    throw new UserError(`The folder of films ${folder} cannot be read: ${fileErrorReason(error)}.`, {
      hint: 'Give the folder that holds OBJECT-PART.mp4, or leave the option "films" out.',
    })
  })
  // Only names that the folder has are ever opened: those of objects and parts come from files.
  return new Map(
    names
      .sort()
      .filter((name) => ENDINGS.has(extname(name).toLowerCase()))
      .map((name) => [name.slice(0, -extname(name).length), join(folder, name)]),
  )
}

/** Changes when a film is added, removed or replaced by one of another size. */
export async function filmsFingerprint(folder: string): Promise<string> {
  const hash = createHash('sha256')
  for (const [name, path] of await filmsIn(folder)) hash.update(`${name}\0${(await stat(path)).size}\0`)
  return hash.digest('hex').slice(0, 16)
}
