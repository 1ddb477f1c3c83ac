import { fileErrorReason, parseForeignJson, readForeignJson, UserError } from '../../../suite.ts'

/** What is no JSON is undefined: half a line, or somebody else's. */
export function tryJson(text: string): unknown {
  try {
    return parseForeignJson(text)
  } catch {
    return undefined
  }
}

/** @param what names the file for people */
export async function readJson(path: string, what: string, options: { hint?: string } = {}): Promise<unknown> {
  try {
    return await readForeignJson(path)
  } catch (cause) {
    throw new UserError(`${what} cannot be read: ${fileErrorReason(cause)}.`, { ...options, cause })
  }
}
