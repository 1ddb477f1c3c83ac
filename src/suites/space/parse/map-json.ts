/** Finds the JSON object in a reply to a map probe. */
import { bestObject, isObject, type JsonObject } from '../../../suite.ts'
import type { Profile } from '../domain/profile.ts'
import { balancedBraces, fencedObjects, readMapText } from './published-json.ts'
import { answerOf } from './reply.ts'

/**
 * Profile `upstream` takes the longest JSON object anywhere in the reply, reasoning included. Profile `fixed` takes the
 * last object of the answer that looks like a map, and repairs malformed JSON.
 */
export function readMapJson(reply: string, profile: Profile): JsonObject | null {
  return profile === 'upstream' ? longestObject(reply) : unwrapped(lastMap(reply, holdsMap))
}

/** `{"map": {…}}`: what is wrapped is the map. */
function unwrapped(object: JsonObject | null): JsonObject | null {
  if (object === null || looksLikeMap(object)) return object
  return (
    (Object.values(object).find((value) => isObject(value) && looksLikeMap(value)) as JsonObject | undefined) ?? object
  )
}

function holdsMap(object: JsonObject): boolean {
  return looksLikeMap(object) || Object.values(object).some((value) => isObject(value) && looksLikeMap(value))
}

/** Several times the map of eight rooms. */
const MAX_MAP_LENGTH = 20_000

/** The last accepted object of the answer or the reply; otherwise the last object of the answer. */
export function lastMap(reply: string, accept: (object: JsonObject) => boolean): JsonObject | null {
  const answer = answerOf(reply, 'fixed').slice(-MAX_MAP_LENGTH)
  const whole = reply.slice(-MAX_MAP_LENGTH)
  const found = bestObject(answer, accept) ?? (whole === answer ? null : bestObject(whole, accept))
  return (found ?? bestObject(answer, () => true))?.value ?? null
}

/** Does it have an objects section, or any entry with a position? */
function looksLikeMap(object: JsonObject): boolean {
  if ('objects' in object || 'gates' in object || 'rooms' in object) return true
  return Object.values(object).some(
    (value) => isObject(value) && ('position' in value || 'pos' in value || 'xy' in value || 'objects' in value),
  )
}

function longestObject(text: string): JsonObject | null {
  const candidates = [...fencedObjects(text).map((block) => block.text), ...balancedBraces(text)].sort(
    (a, b) => b.length - a.length,
  )
  for (const candidate of candidates) {
    const value = readMapText(candidate)
    if (isObject(value)) return value
  }
  return null
}
