import { readFile } from 'node:fs/promises'
import { UserError, fileErrorReason } from '../../../suite.ts'

/** What is no JSON is undefined: half a line, or somebody else's. */
export function tryJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** @param what names the file for people */
export async function readJson(path: string, what: string, options: { hint?: string } = {}): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch (cause) {
    throw new UserError(`${what} cannot be read: ${fileErrorReason(cause)}.`, { ...options, cause })
  }
}
