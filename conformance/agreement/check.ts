/** Agreement with a published implementation, case by case. */
import { z } from 'zod'

export interface Verdict {
  /** Says where the case is in its file: `tasks.dir[3].candidates[7]`. */
  where: string
  agrees: boolean
  /** For people: what we have and what the file says. */
  detail?: string
  /** Heading in docs/deviations.md that explains this disagreement, where it is a known one. */
  deviation?: string
  /** The file leaves out what would be compared: neither an agreement nor a disagreement. */
  leftOut?: boolean
}

/**
 * Reads one oracle file, already parsed, and compares every case in it. `sibling` reads another file of its folder;
 * `text` is the file as it is written, for what parsing loses (8 and 8.0).
 */
export type Check = (
  file: unknown,
  sibling: (name: string) => Promise<unknown>,
  text: string,
) => AsyncIterable<Verdict> | Iterable<Verdict>

/** Agrees when there is no difference to tell. */
export function verdict(where: string, difference: string | null): Verdict {
  return difference === null ? { where, agrees: true } : { where, agrees: false, detail: difference }
}

/** A list of cases whose form is looked at case by case, with `eachCase`. A file may leave a whole list out. */
export const listed = z
  .array(z.unknown())
  .nullish()
  .transform((given) => given ?? [])

/** The same for what stands alone in its file, as a list of one. */
export const single = z
  .unknown()
  .optional()
  .transform((given): unknown[] => (given === undefined || given === null ? [] : [given]))

const NON_FINITE: Readonly<Record<string, number>> = {
  nan: Number.NaN,
  inf: Infinity,
  '+inf': Infinity,
  '-inf': -Infinity,
  infinity: Infinity,
  '-infinity': -Infinity,
}

/** The number that a text such as "inf" or "NaN" stands for, as JSON cannot hold it. */
function nonFinite(given: unknown): number | undefined {
  return typeof given === 'string' ? NON_FINITE[given.toLowerCase()] : undefined
}

/** A number, or the text that stands for one that JSON cannot hold. */
export const number = z.union([
  z.number(),
  z.custom<string>((given) => nonFinite(given) !== undefined).transform((text) => nonFinite(text)!),
])

/**
 * Compares the cases of a list one by one. A case of a form that is not known, or that ours falls over, disagrees and
 * says why; the others are compared all the same. A case without a column that its comparison needs is left out.
 */
export function* eachCase<Shape extends z.ZodType>(
  where: string,
  cases: readonly unknown[],
  shape: Shape,
  compare: (sample: z.output<Shape>, at: number) => Iterable<Verdict>,
): Generator<Verdict> {
  for (const [i, given] of cases.entries()) {
    const read = shape.safeParse(given)
    if (!read.success) {
      const absent = given === null || read.error.issues.every(({ path }) => isAbsent(given, path))
      const verdict = notCompared(where, given, i, z.prettifyError(read.error).replaceAll('\n', ' '))
      yield absent ? { ...verdict, leftOut: true } : verdict
      continue
    }
    try {
      yield* compare(read.data, i)
    } catch (error) {
      yield notCompared(where, given, i, `ours fails: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
}

/** Every verdict on a file. Where it lacks a section that its check cannot do without, the rest is left out. */
export async function* verdictsOn(check: Check, ...given: Parameters<Check>): AsyncGenerator<Verdict> {
  try {
    yield* check(...given)
  } catch (error) {
    if (!(error instanceof z.ZodError) || !error.issues.every(({ path }) => isAbsent(given[0], path))) throw error
    yield { where: error.issues[0]!.path.join('.'), agrees: false, leftOut: true, detail: 'not in the file' }
  }
}

/** Whether a column is not there, is null, or holds a number that JSON cannot hold. */
function isAbsent(given: unknown, path: readonly PropertyKey[]): boolean {
  let value: unknown = given
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return true
    value = Reflect.get(value, key)
  }
  return value === undefined || value === null || nonFinite(value) !== undefined
}

function notCompared(where: string, given: unknown, at: number, detail: string): Verdict {
  const named = z.union([z.object({ name: z.string() }), z.object({ id: z.string() })]).safeParse(given)
  const name = named.success ? `.${'name' in named.data ? named.data.name : named.data.id}` : `[${at}]`
  return { where: `${where}${name}`, agrees: false, detail }
}

/** Equal up to rounding of the last digits: published values went through JSON and another maths library. */
export function close(ours: number, theirs: number, tolerance = 1e-9): boolean {
  return Object.is(ours, theirs) || Math.abs(ours - theirs) <= tolerance * Math.max(1, Math.abs(theirs))
}

/**
 * Deep equality of JSON values with `close` for numbers, whose non-finite ones may stand as text; the path of the first
 * difference, or null.
 */
export function firstDifference(ours: unknown, given: unknown, path = ''): string | null {
  const theirs = typeof ours === 'number' ? (nonFinite(given) ?? given) : given
  if (typeof ours === 'number' && typeof theirs === 'number') {
    return close(ours, theirs) ? null : `${path}: ours ${ours}, theirs ${theirs}`
  }
  if (ours === null || theirs === null || typeof ours !== 'object' || typeof theirs !== 'object') {
    return ours === theirs ? null : `${path}: ours ${JSON.stringify(ours)}, theirs ${JSON.stringify(theirs)}`
  }
  if (Array.isArray(ours) !== Array.isArray(theirs)) return `${path}: one is a list, the other is not`
  const keys = new Set([...Object.keys(ours), ...Object.keys(theirs)])
  for (const key of keys) {
    const difference = firstDifference(
      (ours as Record<string, unknown>)[key],
      (theirs as Record<string, unknown>)[key],
      `${path}.${key}`,
    )
    if (difference) return difference
  }
  return null
}

/** `firstDifference` in the columns that a file has. */
export function knownDifference(ours: Readonly<Record<string, unknown>>, theirs: object): string | null {
  const known = Object.entries(theirs).filter(([, value]) => value !== undefined)
  return firstDifference(Object.fromEntries(known.map(([key]) => [key, ours[key]])), Object.fromEntries(known))
}
