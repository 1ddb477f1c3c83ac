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
export const listed = z.array(z.unknown()).default([])

/** The same for what stands alone in its file, as a list of one. */
export const single = z
  .unknown()
  .optional()
  .transform((given): unknown[] => (given === undefined ? [] : [given]))

/**
 * Compares the cases of a list one by one. A case of a form that is not known, or that ours falls over, disagrees and
 * says why; the others are compared all the same.
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
      yield notCompared(where, given, i, z.prettifyError(read.error).replaceAll('\n', ' '))
      continue
    }
    try {
      yield* compare(read.data, i)
    } catch (error) {
      yield notCompared(where, given, i, `ours fails: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
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

/** Deep equality of JSON values with `close` for numbers; the path of the first difference, or null. */
export function firstDifference(ours: unknown, theirs: unknown, path = ''): string | null {
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
