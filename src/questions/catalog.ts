/** Question suites that ship with Sightline; their data do not. */
import { readdirSync, readFileSync } from 'node:fs'
import type { AnySuite } from '../suite.ts'
import { parseQuestionsFile } from './read-file.ts'
import { questionSuite } from './suite.ts'

const FOLDER = new URL('./catalog/', import.meta.url)
const ENDING = '.yaml'

export function catalogNames(): string[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith(ENDING))
    .map((file) => file.slice(0, -ENDING.length))
    .sort()
}

/** A suite of the catalog, by name. */
export function catalogSuite(name: string): AnySuite {
  return questionSuite(parseQuestionsFile(readFileSync(new URL(name + ENDING, FOLDER), 'utf8'), name), null)
}
