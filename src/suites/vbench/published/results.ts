/** The published tool's own result files: `{"<dimension>": [score, [records…]]}`, alone or in a submission zip. */
import { zipSync } from 'fflate'
import { z } from 'zod'
import { groupBy, isObject, messageOf, parsePythonJson, UserError } from '../../../suite.ts'
import { DIMENSIONS, spacedName } from '../domain/dimensions.ts'

export interface ResultFile {
  path: string
  text: string
}

const RESULTS_HINT = 'Give the *_eval_results.json of the published tool, a zip of them, or results.json of sightline.'

/** Parses what Python's `json` wrote: NaN and Infinity become null. `hint` says what to give instead of what is no JSON. */
export function parseResults(text: string, where: string, hint = RESULTS_HINT): unknown {
  try {
    return parsePythonJson(text, { parseConstant: () => null })
  } catch (error) {
    throw new UserError(`${where} is not JSON: ${messageOf(error)}`, { hint, cause: error })
  }
}

/** What the submission script raises, in its words. */
export class SubmissionRefusal extends Error {
  override readonly name = 'SubmissionRefusal'
}

/**
 * What the published script reads from a submission: JSON at the top and one folder down, objects only, the later file
 * wins. Dimensions that no file has are 0.
 */
export function publishedUpload(files: readonly ResultFile[]): Record<string, unknown> {
  const upload: Record<string, unknown> = {}
  const tops = groupBy(files, ({ path }) => partsOf(path)[0] ?? '.')
  const looked = [...tops].filter(([name]) => !name.startsWith('.') && !name.startsWith('__'))
  if (looked.length === 0) throw new SubmissionRefusal(`KeyError: '${spacedName(DIMENSIONS[0]!)}'`)
  for (const [, inside] of looked) {
    for (const { path, text } of inside) {
      if (partsOf(path).length > 2 || !isResultName(path)) continue
      const value = submitted(text, path)
      if (!isObject(value)) continue
      for (const [key, entry] of Object.entries(value)) {
        if (typeof entry !== 'object' || entry === null) {
          throw new SubmissionRefusal(`TypeError: ${key} is no list`)
        }
        if (!Array.isArray(entry)) throw new SubmissionRefusal('KeyError: 0')
        if (entry.length === 0) throw new SubmissionRefusal('IndexError: list index out of range')
        upload[spacedName(key)] = entry[0]
      }
    }
  }
  for (const name of DIMENSIONS) if (!Object.hasOwn(upload, spacedName(name))) upload[spacedName(name)] = 0
  return upload
}

/** The script falls over text that is no JSON. */
function submitted(text: string, path: string): unknown {
  try {
    return parseResults(text, path)
  } catch (error) {
    throw new SubmissionRefusal(`JSONDecodeError: ${messageOf(error)}`)
  }
}

/** Whether the published script reads a file, by its name: at the top, the full stop is not looked for. */
export function isResultName(path: string): boolean {
  return path.endsWith(partsOf(path).length === 1 ? 'json' : '.json')
}

function partsOf(path: string): string[] {
  return path.split('/').filter((part) => part !== '' && part !== '.')
}

export interface ImportedValue {
  value: number | null
  /** What the file says of every video. */
  records: unknown
}

export interface Imported {
  values: Record<string, ImportedValue>
  /** Keys that are no dimension of the benchmark. */
  unknown: string[]
  /** What a reader should know: files that were passed over, values given twice. */
  notes: string[]
}

const entrySchema = z.tuple([z.number().nullable()], z.unknown())

/** Names are written with spaces or underscores, and with capitals where the author liked them. */
export function looseName(key: string): string {
  return key.trim().toLowerCase().replaceAll(' ', '_')
}

/** Reads result files wherever they lie, and says what it passed over. `names`: the dimensions of the benchmark. */
export function importResults(files: readonly ResultFile[], names: readonly string[] = DIMENSIONS): Imported {
  const known = new Map(names.map((name) => [looseName(name), name]))
  const imported: Imported = { values: {}, unknown: [], notes: [] }
  for (const { path, text } of files) {
    const file = path.split('/').at(-1)!
    if (!isResultName(path) || file.startsWith('.') || path.split('/').some((part) => part.startsWith('__'))) {
      if (!path.endsWith('/')) imported.notes.push(`${path}: passed over, it is no result file`)
      continue
    }
    const value = parseResults(text, path)
    if (!isObject(value)) {
      imported.notes.push(`${path}: passed over, it has no results in it`)
      continue
    }
    const again: string[] = []
    for (const [key, given] of Object.entries(value)) {
      const name = known.get(looseName(key))
      if (name === undefined) {
        imported.unknown.push(key)
        continue
      }
      const isAgain = Object.hasOwn(imported.values, name)
      if (addValue(imported, path, name, given) && isAgain) again.push(name)
    }
    if (again.length > 0) imported.notes.push(`${path}: given before, these are taken: ${again.join(', ')}`)
  }
  return imported
}

/** Whether there was a value to add. */
function addValue({ values, notes }: Imported, path: string, name: string, given: unknown): boolean {
  const entry = entrySchema.safeParse(typeof given === 'number' ? [given] : given)
  if (!entry.success) {
    notes.push(`${path}: ${name} has no number in it`)
    return false
  }
  const [value, records = []] = entry.data
  values[name] = { value, records }
  if (value === null) notes.push(`${path}: ${name} is not a number (NaN)`)
  // Tables show percentages, files hold shares: mixing them up is the most common way to an absurd total.
  else if (Math.abs(value) > 1) notes.push(`${path}: ${name} is ${value}, but scores lie within 0…1 (a percentage?)`)
  return true
}

/** A result file as the published tool writes it. */
export function exportResults(dimensions: Readonly<Record<string, ImportedValue>>): string {
  const entries = Object.entries(dimensions).map(([name, { value, records }]) => [name, [value, records]])
  return `${JSON.stringify(Object.fromEntries(entries), null, 4)}\n`
}

/** A submission: the result file and the list of prompts with their videos, at the top of a zip. */
export function submissionZip(results: string, fullInfo: string | null): Uint8Array {
  const encoder = new TextEncoder()
  // The archive must not depend on when it was made: 1980 is the earliest that zip knows.
  const options = { mtime: new Date(1980, 0, 1), level: 6 as const }
  return zipSync(
    {
      'sightline_eval_results.json': [encoder.encode(results), options],
      ...(fullInfo === null ? {} : { 'sightline_full_info.json': [encoder.encode(fullInfo), options] }),
    },
    { level: 6 },
  )
}
