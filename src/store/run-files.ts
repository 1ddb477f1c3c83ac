/** The names of a run's files. docs/store.md says what each is for. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf, messageOf, UserError } from '../base/errors.ts'
import { diskProblem, explained, writeAtomically } from './disk.ts'
import type { RunHeader } from './records.ts'
import { modernHeader } from './old-spellings.ts'
import { runHeaderSchema, stateFileSchema } from './schemas.ts'
import type { StateFile } from './schemas.ts'

export const HEADER_FILE = 'run.json'
export const LEDGER_FILE = 'paid.jsonl'
export const EPISODES_FILE = 'episodes.jsonl'
export const EVENTS_FILE = 'events.jsonl'
export const STATE_FILE = 'state.json'
export const REPORT_FILE = 'report.json'

/** Side file with the results of scoring again. The profile is a user's word, so it is spelled safely. */
export function scoresFile(profile: string): string {
  return `scores-${encodeURIComponent(profile)}.jsonl`
}

/** Reads `run.json`; `undefined` when the folder has none. */
export async function readHeader(folder: string): Promise<RunHeader | undefined> {
  const path = join(folder, HEADER_FILE)
  const text = await readIfThere(path)
  if (text === undefined) return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw brokenHeader(path, `it is not JSON (${messageOf(error)})`)
  }
  const header = runHeaderSchema.safeParse(modernHeader(value))
  if (header.success) return header.data
  const issue = header.error.issues[0]
  throw brokenHeader(path, issue ? `at "${issue.path.join('.')}": ${issue.message}` : 'it is not the header of a run')
}

/** Writes `run.json` as a whole. */
export async function writeHeader(folder: string, header: RunHeader): Promise<void> {
  const path = join(folder, HEADER_FILE)
  await explained(path, () => writeAtomically(path, `${JSON.stringify(header, null, 2)}\n`))
}

function brokenHeader(path: string, problem: string): UserError {
  return new UserError(`${path} cannot be read as the header of a run: ${problem}.`, {
    hint: 'Mend it or bring it back from a copy; a run of a newer Sightline needs that version.',
  })
}

/** Reads `state.json`; `undefined` when it is not there or not whole: it can be done without. */
export async function readState(folder: string): Promise<StateFile | undefined> {
  const text = await readIfThere(join(folder, STATE_FILE))
  if (text === undefined) return undefined
  try {
    return stateFileSchema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

/** The text of a file; `undefined` when there is none. */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined
    throw diskProblem(error, path)
  }
}
