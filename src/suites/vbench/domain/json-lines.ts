import { readFile } from 'node:fs/promises'
import { codeOf } from '../../../suite.ts'

/** What is no JSON is undefined: half a line, or somebody else's. */
export function tryJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The lines of a file, empty ones left out; none when it is not there. */
export async function readLinesOf(path: string): Promise<string[]> {
  try {
    return (await readFile(path, 'utf8')).split('\n').filter((row) => row.trim() !== '')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
}
