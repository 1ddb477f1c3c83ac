/** Fields of a critique: in JSON under any spelling of their name, else in words (`**Realism rating:** 7/10`). */
import { dropThinking, isObject, jsonValues, type JsonObject } from '../../../suite.ts'

/** `Failure Reason`, `failureReason` and `failure_reason` are one name. */
function plainName(key: string): string {
  return key.toLowerCase().replaceAll(/[^a-z]/g, '')
}

/** The value under the first of several names that the object has. */
export function field(object: JsonObject, names: readonly string[]): unknown {
  const keys = Object.keys(object)
  for (const name of names) {
    const key = keys.find((each) => plainName(each) === plainName(name))
    if (key !== undefined) return object[key]
  }
  return undefined
}

export interface Said<T> {
  value: T
  repairs: string[]
}

/** A critique is at the end of a reply, and short; what is before it is not read. */
const READ_CHARACTERS = 32_768

/** What of a reply is read: without thinking, and the end of it. */
export function toBeRead(reply: string): Said<string> {
  const { text, repairs } = dropThinking(reply)
  return { value: text.slice(-READ_CHARACTERS), repairs }
}

/** Of one value in the reply, this many values in it are looked at. */
const MOST_NESTED = 2000

/** The last object in a text of which `read` makes something: models draft first and decide last. */
export function lastRead<T>(
  { value: text, repairs }: Said<string>,
  read: (object: JsonObject) => T | null,
): Said<T> | null {
  for (const found of jsonValues(text).toReversed()) {
    const waiting = [found.value]
    // Outer objects before those in them.
    for (let at = 0; at < waiting.length && at < MOST_NESTED; at++) {
      const value = waiting[at]
      const made = isObject(value) ? read(value) : null
      if (made !== null) return { value: made, repairs: [...repairs, ...found.repairs] }
      if (typeof value === 'object' && value !== null) waiting.push(...Object.values(value).slice(0, MOST_NESTED))
    }
  }
  return null
}

/** What is said after a name, up to the end of its line; the last place of which `read` makes something counts. */
export function lastLabelled<T>(
  { value: text }: Said<string>,
  names: readonly string[],
  read: (words: string) => T | null,
): T | null {
  const label = new RegExp(
    String.raw`(?:${names.map((name) => name.replaceAll('_', String.raw`[\s_-]?`)).join('|')})\b(?:[\s"'*_\`|)\]]{0,6}(?:is|was|would be|→|=>|=|:|：|\|)){1,2}[\s"'*_\`|]{0,6}`,
    'gi',
  )
  let last: T | null = null
  for (const { 0: found, index } of text.matchAll(label)) {
    const [line] = text.slice(index + found.length, index + found.length + 240).split('\n', 1)
    const made = read(line!)
    if (made !== null) last = made
  }
  return last
}
