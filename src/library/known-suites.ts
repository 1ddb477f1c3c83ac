/**
 * Custom suites that this user has run on this machine, by name, so `sightline report` finds them again. Kept in the
 * user's state folder and not in the store: a store from elsewhere must not decide which code is run.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { z } from 'zod'

const schema = z.record(z.string(), z.string())
const FILE = 'suites.json'

/** A file in the user's state folder. */
export function stateFile(name: string): string {
  const folder = process.env['XDG_STATE_HOME'] ?? process.env['LOCALAPPDATA'] ?? join(homedir(), '.local', 'state')
  return join(folder, 'sightline', name)
}

/** Suite name to file. */
export async function knownSuites(): Promise<Readonly<Record<string, string>>> {
  try {
    return schema.parse(JSON.parse(await readFile(stateFile(FILE), 'utf8')))
  } catch {
    return {}
  }
}

/** Best effort: if the file cannot be written, the user only has to pass `--suite` again. */
export async function rememberSuite(name: string, from: string): Promise<void> {
  const known = await knownSuites()
  if (known[name] === from) return
  try {
    await mkdir(dirname(stateFile(FILE)), { recursive: true })
    await writeFile(stateFile(FILE), `${JSON.stringify({ ...known, [name]: from }, null, 2)}\n`)
  } catch {
    // Best effort.
  }
}
