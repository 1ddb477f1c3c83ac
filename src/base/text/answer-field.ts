/** The answer in a JSON reply: a field with one of the names that models give to it. */
import type { JsonObject } from '../json-object.ts'
import { jsonValues, lastObject } from './json.ts'

/** An answer stands at the end of a reply. */
const MAX_READ = 50_000

export const ANSWER_KEYS = [
  'answer',
  'final_answer',
  'finalanswer',
  'correct_answer',
  'answer_letter',
  'selected_answer',
  'choice',
  'option',
  'selected_option',
  'letter',
]

/** Those that say that it is the answer; an option may also be one of several in a list. */
const NAMED_ANSWER = ANSWER_KEYS.filter((key) => /answer|selected/.test(key))

/** Lowercase, with underscores and American spelling. */
function keyName(key: string): string {
  return key
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_')
    .replaceAll('metre', 'meter')
}

/** A field by its name, however it is capitalized. */
export function namedField(object: JsonObject, ...names: readonly string[]): unknown {
  for (const name of names) {
    const key = Object.hasOwn(object, name) ? name : Object.keys(object).find((each) => keyName(each) === name)
    if (key !== undefined) return object[key]
  }
  return undefined
}

export function hasField(object: JsonObject, names: readonly string[]): boolean {
  return Object.keys(object).some((key) => names.includes(keyName(key)))
}

/**
 * The answer of the last object that has one, as text, and where that object ends. Empty if the field is.
 *
 * @example
 * answerField('{"reasoning": "A is too far", "answer": "B"}')?.text // 'B'
 */
export function answerField(text: string): { text: string; end: number } | null {
  const from = Math.max(0, text.length - MAX_READ)
  if (!text.includes('{', from)) return null
  const values = jsonValues(text.slice(from))
  const found = lastObject(values, (object) => hasField(object, ANSWER_KEYS))
  if (found === null) return null
  // A list of all options, each with what is known of it.
  const isList = !hasField(found.value, NAMED_ANSWER) && Array.isArray(values.at(-1)?.value)
  if (isList) return null
  const answer = textOf(namedField(found.value, ...ANSWER_KEYS))
  const unit = namedField(found.value, 'unit', 'units')
  const hasUnit = typeof unit === 'string' && /^[-+\d.,\s]+$/.test(answer)
  return { text: hasUnit ? `${answer} ${unit}` : answer, end: from + found.end }
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  const inside: unknown[] = typeof value === 'object' ? Object.values(value) : []
  // The only value of a list or an object: ["B"], {"value": 4}.
  return inside.length === 1 && typeof inside[0] === 'string'
    ? inside[0]
    : JSON.stringify(inside.length === 1 ? inside[0] : value)
}
