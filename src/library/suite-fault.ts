/** Tells a bug in a custom suite's code from a bug in Sightline, by the files on the stack. */
import { fileURLToPath } from 'node:url'
import { messageOf } from '../base/errors.ts'

/** File to the suite that it belongs to, as the user named it. */
const suiteOfFile = new Map<string, string>()

/** Called for every custom suite that is loaded. */
export function registerSuiteFiles(from: string, files: Iterable<string>): void {
  for (const file of files) suiteOfFile.set(file, from)
}

export interface SuiteFault {
  /** As the user named it: `./my-suite.ts`, `their-package/suite`. */
  suite: string
  message: string
  /** `path:line:column` of the suite's own code. */
  at: string
  /** Stack frames down to the suite's code, without those of the engine below. */
  frames: string[]
}

/** The fault of a custom suite whose code is on the stack of an error; null if there is none. */
export function suiteFault(error: unknown): SuiteFault | null {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line))
  const places = frames.map(placeOf)
  const suites = places.map((place) => suiteOfFile.get(place.file))
  const first = suites.findIndex((suite) => suite !== undefined)
  if (first < 0) return null
  const last = suites.findLastIndex((suite) => suite !== undefined)
  return {
    suite: suites[first]!,
    message: messageOf(error),
    at: places[first]!.file + places[first]!.position,
    frames: frames.slice(0, last + 1),
  }
}

/** `at f (/a/b.ts:1:2)`, `at async file:///a/b.ts:1:2`. */
function placeOf(frame: string): { file: string; position: string } {
  const [, place = '', position = ''] = /(?:\(|at (?:async )?)([^()]*?)((?::\d+){1,2})\)?$/.exec(frame) ?? []
  return { file: place.startsWith('file:') ? fileURLToPath(place) : place, position }
}
