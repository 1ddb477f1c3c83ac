/** Finds the JSON object in a reply to a map probe. */
import { bestObject, isObject, type JsonObject, pythonFloat as floatOf, readPythonJson } from '../../../suite.ts'
import type { Profile } from '../domain/profile.ts'
import { allBetween } from './between.ts'
import { answerOf } from './reply.ts'

/**
 * Profile `upstream` takes the longest JSON object anywhere in the reply, reasoning included. Profile `fixed` takes the
 * last object of the answer that looks like a map, and repairs malformed JSON.
 */
export function readMapJson(reply: string, profile: Profile): JsonObject | null {
  return profile === 'upstream' ? longestObject(reply) : lastMap(reply, looksLikeMap)
}

/** The last accepted object of the answer or the reply; otherwise the last object of the answer. */
export function lastMap(reply: string, accept: (object: JsonObject) => boolean): JsonObject | null {
  const answer = answerOf(reply, 'fixed')
  return (bestObject(answer, accept) ?? bestObject(reply, accept) ?? bestObject(answer, () => true))?.value ?? null
}

/** Does it have an objects section, or any entry with a position? */
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

/** Objects that fill a fenced code block. */
export function fencedObjects(text: string): string[] {
  return allBetween(text, /```(?:json)?\s*\{/i, /\}\s*```/).map(({ inside }) => `{${inside}}`)
}

/** Outermost `{…}`; ignores quotes. */
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

/** Parses JSON like Python; NaN and infinities become strings that `pythonFloat` accepts. */
export function readMapText(text: string): unknown {
  return readPythonJson(text, { parseConstant: (word) => word })
}

/** Converts a value like Python's `float`; null if that would fail. */
export function pythonFloat(value: unknown): number | null {
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return Number(value)
  return typeof value === 'string' ? floatOf(value) : null
}
