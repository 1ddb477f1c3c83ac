/** What the checks of the Articulate suites share: numbers as the files spell them, and how they are compared. */
import { z } from 'zod'
import type { Vec3 } from '../../src/world/urdf/index.ts'
import { close } from '../agreement/check.ts'

/** Numbers that JSON cannot hold are stored as words; angles near 0 come out of acos, which loses half of the digits. */
export const number = z.union([z.number(), z.enum(['nan', 'inf', '-inf'])]).transform((value) => {
  if (typeof value === 'number') return value
  return value === 'nan' ? Number.NaN : value === 'inf' ? Infinity : -Infinity
})
export const ACOS = 1e-7
export const vec3 = z.tuple([number, number, number])
export const words3 = z.string().transform((text): Vec3 => {
  const [x, y, z_] = text.trim().split(/\s+/).map(pythonNumber)
  return [x!, y!, z_!]
})

/** A number as Python prints it; "None" counts as 0, as the published reader has it. */
export function pythonNumber(word: string): number {
  if (word === 'None') return 0
  if (word === 'inf' || word === '-inf') return word === 'inf' ? Infinity : -Infinity
  return Number(word)
}

export function numbersDiffer(ours: number, theirs: number, what: string, tolerance = 1e-9): string | null {
  return close(ours, theirs, tolerance) ? null : `${what}: ours ${ours}, theirs ${theirs}`
}

export function firstOf(...differences: (string | null)[]): string | null {
  return differences.find((difference) => difference !== null) ?? null
}

export const record = z.record(z.string(), z.unknown())
export const byLink = z.record(z.string(), number)

export function mapsDiffer(
  ours: Readonly<Record<string, number>>,
  theirs: Readonly<Record<string, number>>,
  what: string,
  tolerance: number,
): string | null {
  const keys = [...new Set([...Object.keys(ours), ...Object.keys(theirs)])]
  return firstOf(
    ...keys.map((key) => numbersDiffer(ours[key] ?? Infinity, theirs[key] ?? -Infinity, `${what}.${key}`, tolerance)),
  )
}
