/** Files that a user asked for with `--output` and its like. */
import { access, constants, stat, writeFile } from 'node:fs/promises'
import { dirname, extname } from 'node:path'
import { codeOf, UserError } from '../../base/errors.ts'
import { diskProblem, explained } from '../../store/disk.ts'
import { say } from '../terminal/output.ts'

/** What cannot be written is found out before a night of playing, not after it. */
export async function checkWritable(path: string): Promise<void> {
  await access(dirname(path), constants.W_OK).catch(() => {
    throw new UserError(`${path} cannot be written: its folder is not there, or not yours to write.`)
  })
  const found = await stat(path).catch(() => null)
  if (found?.isDirectory()) throw new UserError(`${path} cannot be written: it is a folder.`)
}

/** For what is written in one format only, whatever the name says. */
export function checkEnding(option: string, path: string, ending: string): void {
  if (extname(path).toLowerCase() === ending) return
  throw new UserError(
    `${option} writes ${ending.slice(1).toUpperCase()}, so its file must end in ${ending}: "${path}".`,
  )
}

export async function writeOutput(path: string, content: string | Uint8Array): Promise<void> {
  await explained(path, () => writeFile(path, content))
  say(`Written to ${path}.`)
}

/** Runs `work`, which writes to the place that was named with `-o`; what the disk refuses in it is told in a sentence. */
export async function withOutputErrors<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    // ERR_… are Node's own complaints: a fault of ours, not of the disk.
    if (error instanceof UserError || !/^E(?!RR_)[A-Z0-9]+$/.test(codeOf(error) ?? '')) throw error
    throw new UserError(diskProblem(error, path).message, { hint: 'Choose another place with -o.', cause: error })
  }
}
