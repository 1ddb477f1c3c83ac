/** Reads what the stages of retrieval reply. */
import { bestObject, isObject, jsonValues } from '../../../../suite.ts'
import type { Profile } from '../../domain/profile.ts'
import { pythonJson, PythonError, strip, PYTHON_SPACE } from '../../published/python.ts'

const field = (reply: string, name: string): unknown => bestObject(reply, (object) => name in object)?.value[name]

/** What the object detector saw; the published code takes the value as it is. */
export function readObject(reply: string): string | null {
  const value = field(reply, 'object')
  if (typeof value === 'string') return value.trim() === '' ? null : value.trim()
  return isObject(value) ? JSON.stringify(value) : null
}

/** One of the categories, however it is written. */
export function readCategory(reply: string, categories: readonly string[]): string | null {
  const value = field(reply, 'category')
  return categoryIn(typeof value === 'string' ? value : reply, categories)
}

/** `KitchenPot`, `kitchen_pot` and `a kitchen pot` have the same words. */
export const plain = (text: string): string =>
  text
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim()

/** The only category that the words name; null for none or several. The longest name counts: a `trash can` is no `can`. */
export function categoryIn(text: string, categories: readonly string[]): string | null {
  const words = ` ${plain(text)} `
  const named = categories.filter((name) => words.includes(` ${plain(name)} `) || words.includes(` ${plain(name)}s `))
  const longest = named.filter((name) => !named.some((other) => other !== name && plain(other).includes(plain(name))))
  return longest.length === 1 ? longest[0]! : null
}

/**
 * The chosen candidate, counted from 0. The published code takes the integer after the last space of `selected_image`, from
 * the end for negative ones, and fails otherwise.
 */
export function readSelection(reply: string, count: number, profile: Profile): number | null {
  if (profile === 'upstream') return publishedSelection(reply, count)
  const value = field(reply, 'selected_image')
  const found = /(\d+)\D*$/.exec(typeof value === 'number' ? String(value) : typeof value === 'string' ? value : '')
  const at = found ? Number(found[1]) : NaN
  return at < count ? at : null
}

/** Characters that `strip('```json')` removes at both ends. */
const FENCE = new Set('`json')

export function publishedSelection(reply: string, count: number): number | null {
  try {
    const parsed = pythonJson(strip(strip(strip(reply, PYTHON_SPACE), FENCE), PYTHON_SPACE))
    const text = isObject(parsed) ? parsed['selected_image'] : undefined
    if (typeof text !== 'string') return null
    const last = text.trim().split(/\s+/).at(-1) ?? ''
    if (!/^[+-]?\d+(?:_\d+)*$/.test(last)) return null
    const at = Number(last.replaceAll('_', ''))
    return at >= -count && at < count ? (at + count) % count : null
  } catch (error) {
    if (error instanceof PythonError) return null
    throw error
  }
}

/** The part that moves, by its name. */
export function readAffordance(reply: string, parts: readonly string[]): string | null {
  const value = field(reply, 'part_name')
  if (typeof value !== 'string') return null
  const wanted = plain(value)
  return parts.find((name) => plain(name) === wanted) ?? null
}

export interface PlannedPart {
  name: string
  description: string
  dimensions: [number, number, number]
}

/** At most so many parts are looked for; the published prompt asks for fewer than 6. */
const MAX_PARTS = 20
/** Meters. */
const LARGEST = 100

/** The plan: the last list of parts with names and sizes. */
export function readPlan(reply: string): PlannedPart[] {
  for (const { value } of jsonValues(reply).toReversed()) {
    const parts = Array.isArray(value) ? value.flatMap(plannedPart) : []
    if (parts.length > 0) return named(parts.slice(0, MAX_PARTS))
  }
  return []
}

function plannedPart(value: unknown): PlannedPart[] {
  if (!isObject(value)) return []
  const { name, description, dimensions } = value
  const sizes = Array.isArray(dimensions) ? dimensions.map(Number) : []
  const isSized = sizes.length === 3 && sizes.every((side) => side > 0 && side <= LARGEST)
  if (typeof name !== 'string' || name.trim() === '' || !isSized) return []
  return [
    {
      name,
      description: typeof description === 'string' ? description : '',
      dimensions: sizes as [number, number, number],
    },
  ]
}

/** Names that programs can use, each once. */
function named(parts: readonly PlannedPart[]): PlannedPart[] {
  const taken = new Map<string, number>()
  return parts.map((part) => {
    const base =
      part.name
        .trim()
        .toLowerCase()
        .replaceAll(/[^a-z0-9_]+/g, '_')
        .slice(0, 40) || 'part'
    const count = (taken.get(base) ?? 0) + 1
    taken.set(base, count)
    return { ...part, name: count === 1 ? base : `${base}_${count}` }
  })
}

/** The number of a mesh, null for none, undefined if the reply does not say. */
export function readMatch(reply: string, count: number): number | null | undefined {
  const found = bestObject(reply, (object) => 'mesh' in object)
  if (!found) return undefined
  const value = found.value['mesh']
  if (value === null) return null
  const at = typeof value === 'number' ? value : Number(/\d+/.exec(typeof value === 'string' ? value : '')?.[0] ?? NaN)
  return Number.isInteger(at) && at >= 0 && at < count ? at : null
}

/** The expanded description of the task specifier. */
export function readSpecified(reply: string): string | null {
  const value = field(reply, 'output')
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null
}
