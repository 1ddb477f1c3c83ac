/** The files of a run; see docs/store.md. */
import { join } from 'node:path'
import { codeOf, messageOf, UserError } from '../base/errors.ts'
import { parseForeignJson } from '../base/foreign/json.ts'
import { MAX_TEXT_BYTES, readRegular } from '../base/regular-file.ts'
import { toDiskError, withDiskErrors, writeAtomically } from './disk.ts'
import type { RunHeader } from './records.ts'
import { upgradeHeader } from './old-spellings.ts'
import { runHeaderSchema, stateFileSchema } from './schemas.ts'
import type { StateFile } from './schemas.ts'

export const HEADER_FILE = 'run.json'
export const LEDGER_FILE = 'paid.jsonl'
export const EPISODES_FILE = 'episodes.jsonl'
export const EVENTS_FILE = 'events.jsonl'
export const STATE_FILE = 'state.json'
export const REPORT_FILE = 'report.json'

/** File with the scores of another profile. Profile names are escaped, because they are user input. */
export function scoresFile(profile: string): string {
  return `scores-${encodeURIComponent(profile)}.jsonl`
}

/** Reads `run.json`; undefined if the folder has none. */
export async function readHeader(folder: string): Promise<RunHeader | undefined> {
  const path = join(folder, HEADER_FILE)
  const text = await readIfExists(path)
  if (text === undefined) return undefined
  let value: unknown
  try {
    value = parseForeignJson(text)
  } catch (error) {
    throw invalidHeader(path, `not valid JSON (${messageOf(error)})`)
  }
  const header = runHeaderSchema.safeParse(upgradeHeader(value))
  if (header.success) return header.data
  const issue = header.error.issues[0]
  throw invalidHeader(path, issue ? `at "${issue.path.join('.')}": ${issue.message}` : 'not a run header')
}

/** Writes `run.json` atomically. */
export async function writeHeader(folder: string, header: RunHeader): Promise<void> {
  const path = join(folder, HEADER_FILE)
  await withDiskErrors(path, () => writeAtomically(path, `${JSON.stringify(header, null, 2)}\n`))
}

function invalidHeader(path: string, problem: string): UserError {
  return new UserError(`Invalid run header ${path}: ${problem}.`, {
    hint: 'Fix it or restore it from a backup. A run of a newer version of Sightline needs that version.',
  })
}

/** Reads `state.json`; undefined if it is missing or invalid, because it can be derived. */
export async function readState(folder: string): Promise<StateFile | undefined> {
  const text = await readIfExists(join(folder, STATE_FILE))
  if (text === undefined) return undefined
  try {
    return stateFileSchema.safeParse(parseForeignJson(text)).data
  } catch {
    return undefined
  }
}

/** The text of a file; undefined if it does not exist. */
export async function readIfExists(path: string): Promise<string | undefined> {
  return (await readBytesIfExists(path, MAX_TEXT_BYTES))?.toString('utf8')
}

export async function readBytesIfExists(path: string, maxBytes: number): Promise<Buffer | undefined> {
  try {
    return await readRegular(path, maxBytes)
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined
    throw toDiskError(error, path)
  }
}
