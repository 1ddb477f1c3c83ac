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
  return lettersSaid(answerOf(reply, 'fixed'))
}

/** Without JSON: the capital letters that stand alone, on the last line with any; "none" is an answer too. */
function lettersSaid(answer: string): string[] | null {
  for (const line of answer.slice(-MAX_ANSWER_LENGTH).split('\n').toReversed()) {
    const alone = [...line.matchAll(/(?<![\p{L}\p{N}_'’])([A-Z])(?![\p{L}\p{N}_'’])/gu)]
    // "I" and "A" before a word in lower case are words of a sentence.
    const letters = alone.flatMap(({ 1: letter, index }) =>
      /[AI]/.test(letter!) && /^ +(?!and\b|or\b)\p{Ll}{2}/u.test(line.slice(index + 1, index + 12)) ? [] : [letter!],
    )
    if (letters.length > 0) return [...new Set(letters)]
    if (/^[\s\W]*(?:[a-z][\s,;]*)+$/.test(line) && line.trim().length < 60 && /\b[a-z]\b/.test(line)) {
      const small = line.match(/\b[a-z]\b/g) ?? []
      if (small.length === (line.match(/[a-z]+/g) ?? []).length)
        return [...new Set(small.map((one) => one.toUpperCase()))]
    }
    if (/\bnone\b|\[\s*\]/i.test(line)) return []
  }
  return null
}

/** Only the end of longer answers is parsed. */
const MAX_ANSWER_LENGTH = 20_000

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
