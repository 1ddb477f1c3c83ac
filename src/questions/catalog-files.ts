/** Files of the question suites that ship with Sightline. */
import { readdirSync, readFileSync } from 'node:fs'

const FOLDER = new URL('./catalog/', import.meta.url)
const ENDING = '.yaml'

export function catalogNames(): string[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith(ENDING))
    .map((file) => file.slice(0, -ENDING.length))
    .sort()
}

export function catalogText(name: string): string {
  return readFileSync(new URL(name + ENDING, FOLDER), 'utf8')
}
