/** Parses the letters in a reply to a fog probe. */
import { isObject, pythonStrip, truthy } from '../../../suite.ts'
import type { Profile } from '../domain/profile.ts'
import { lastMap } from './map-json.ts'
import { balancedBraces, fencedObjects, readMapText } from './published-json.ts'
import { answerOf } from './reply.ts'

/** Letters named in a reply; null if it has no answer. */
export function readFogLetters(reply: string, profile: Profile): string[] | null {
  return profile === 'upstream' ? publishedLetters(reply) : tolerantLetters(reply)
}

function publishedLetters(reply: string): string[] {
  const text = pythonStrip(reply)
  const fenced = fencedObjects(text).map((block) => block.text)
  const found = (fenced.length > 0 ? fenced : balancedBraces(text))
    .map(readMapText)
    .find((value) => value !== undefined)
  if (!isObject(found)) return lettersInText(text)
  const value = [found['unexplored'], found['points'], found['candidates']].find(truthy) ?? found['candidates']
  if (Array.isArray(value)) return value.flatMap((item) => (Array.isArray(item) ? item : [item]).flatMap(asLetter))
  return lettersInText(typeof value === 'string' ? value : JSON.stringify(found))
}

function asLetter(item: unknown): string[] {
  return typeof item === 'string' && /^.$/su.test(item.trim()) ? [item.trim().toUpperCase()] : []
}

/** Distinct single capital letters, including the "I" of a sentence. */
function lettersInText(text: string): string[] {
  const alone = [...text.matchAll(/(?<![\p{L}\p{N}_])[A-Z](?![\p{L}\p{N}_])/gu)].map(([letter]) => letter)
  if (alone.length > 0) return [...new Set(alone)]
  const quoted = [...text.matchAll(/['"]([A-Za-z])[ '"]?[,;\]]/g)].map((match) => match[1]!.toUpperCase())
  return [...new Set(quoted)]
}

const KEYS = ['unexplored', 'points', 'candidates'] as const

function tolerantLetters(reply: string): string[] | null {
  const found = lastMap(reply, (object) => KEYS.some((key) => key in object))
  const key = found === null ? undefined : KEYS.find((name) => name in found)
  if (found !== null && key !== undefined) return lettersOfValue(found[key])
  // Without JSON, letters joined by a few known words are an answer; a sentence is not.
  const words = answerOf(reply, 'fixed').match(/[\p{L}\p{N}]+/gu) ?? []
  const letters = words.filter((word) => /^[A-Za-z]$/.test(word)).map((word) => word.toUpperCase())
  const rest = words.filter((word) => word.length > 1 && !/^(?:and|unexplored|points?|none)$/i.test(word))
  if (rest.length > 0 || words.length === 0) return null
  return [...new Set(letters)]
}

function lettersOfValue(value: unknown): string[] | null {
  const items = (Array.isArray(value) ? value.flat(2) : [value]).flatMap((item) =>
    typeof item === 'string'
      ? item.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
      : item === null
        ? []
        : [item],
  )
  const letters = items.flatMap(asLetter)
  if (letters.length < items.length && letters.length === 0) return null
  return [...new Set(letters)]
}
