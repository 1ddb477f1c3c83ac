/** The JSON object of a reply that was asked for a map. */
import { bestObject, isObject, type JsonObject, pythonFloat as floatOf, readPythonJson } from '../../../suite.ts'
import type { Profile } from '../domain/profile.ts'
import { allBetween } from './between.ts'
import { answerOf } from './reply.ts'

/**
 * Profile `upstream` takes the longest piece of JSON anywhere in the reply, thoughts included. Profile `fixed` takes the
 * last object of the answer that looks like a map, and repairs what models misspell.
 */
export function readMapJson(reply: string, profile: Profile): JsonObject | null {
  return profile === 'upstream' ? longestObject(reply) : lastMap(reply, looksLikeMap)
}

/** The last object of the answer that is accepted; else the last object there is. */
export function lastMap(reply: string, accept: (object: JsonObject) => boolean): JsonObject | null {
  const answer = answerOf(reply, 'fixed')
  return (bestObject(answer, accept) ?? bestObject(reply, accept) ?? bestObject(answer, () => true))?.value ?? null
}

/** Has it a section of objects, or any entry with a place? */
function looksLikeMap(object: JsonObject): boolean {
  if ('objects' in object || 'gates' in object) return true
  return Object.values(object).some(
    (value) => isObject(value) && ('position' in value || 'pos' in value || 'xy' in value || 'objects' in value),
  )
}

function longestObject(text: string): JsonObject | null {
  const candidates = [...fencedObjects(text), ...balancedBraces(text)].sort((a, b) => b.length - a.length)
  for (const candidate of candidates) {
    const value = readMapText(candidate)
    if (isObject(value)) return value
  }
  return null
}

/** `{…}` that fill a fenced block. */
export function fencedObjects(text: string): string[] {
  return allBetween(text, /```(?:json)?\s*\{/i, /\}\s*```/).map(({ inside }) => `{${inside}}`)
}

/** Outermost `{…}`; quotes are not looked at. */
export function balancedBraces(text: string): string[] {
  const found: string[] = []
  let depth = 0
  let start = 0
  for (let i = 0; i < text.length; i++) {
    const char = text[i]
    if (char === '{') {
      if (depth === 0) start = i
      depth += 1
    } else if (char === '}' && depth > 0) {
      depth -= 1
      if (depth === 0) found.push(text.slice(start, i + 1))
    }
  }
  return found
}

/** JSON as Python reads it; NaN and infinities come back as strings that `pythonFloat` understands. */
export function readMapText(text: string): unknown {
  return readPythonJson(text, { parseConstant: (word) => word })
}

/** A number or numeric string as Python's `float` reads it; null when it would not. */
export function pythonFloat(value: unknown): number | null {
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return Number(value)
  return typeof value === 'string' ? floatOf(value) : null
}
