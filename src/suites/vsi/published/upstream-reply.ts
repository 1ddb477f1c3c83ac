/** The published agent's reply parser, bugs included. The corrected one is in parse.ts. */
import {
  pythonFloat,
  PythonNumber,
  type PythonValue,
  readExactPythonJson,
  truthy,
  pythonStrip,
} from '../../../suite.ts'
import { MOVE_KEYS } from '../domain/protocol.ts'
import { isPythonObject, pythonStr } from './python.ts'

export interface UpstreamReply {
  /** Rotation, forward, left, vertical; null if the key is missing. */
  movement: (number | null)[]
  movementComplete: boolean
  /** As written in the JSON; any truthy value means done. */
  done: PythonValue
  /** The answer kept after this reply. */
  answer: string | null
  /** Whether the loop ends after this reply. */
  stops: boolean
}

/** Parses one reply, or returns the exception that makes the published code lose the question. */
export function readUpstreamReply(
  text: string,
  { numeric, previous }: { numeric: boolean; previous: string | null },
): UpstreamReply | { raises: string } {
  const object = firstObject(text)
  const movement: (number | null)[] = []
  for (const key of MOVE_KEYS) {
    const value = object?.[key]
    if (value === undefined) {
      movement.push(null)
      continue
    }
    const number = toFloat(value)
    if (typeof number !== 'number') return number
    movement.push(number)
  }
  const done = object?.['done'] ?? (object && 'done' in object ? null : false)
  const given = object?.['answer'] ?? null
  const accepted = given === null ? null : numeric ? acceptedNumber(given) : acceptedLetters(given)
  const answer = accepted ?? previous
  return {
    movement,
    movementComplete: movement.every((value) => value !== null),
    done,
    answer,
    stops: truthy(done) && answer !== null && answer !== '',
  }
}

/** Python's `int()` of the angle in the reply that chooses the first view; null where it raises or there is none. */
export function readUpstreamAngle(text: string): number | null {
  const value = firstObject(text)?.['selected_angle']
  if (value instanceof PythonNumber) return Math.trunc(value.value)
  if (typeof value === 'boolean') return Number(value)
  // Python's int takes what its float takes, less points and exponents.
  return typeof value === 'string' && !/[.einfa]/i.test(value) ? pythonFloat(value) : null
}

/** The text from the first `{` to the next `}`; if that fails, the first item of the first `[ … ]`. */
export function firstObject(text: string): { [key: string]: PythonValue } | null {
  const braces = firstBetween(text, '{', '}')
  if (braces !== null) {
    const value = readExactPythonJson(braces)
    if (isPythonObject(value)) return value
  }
  const brackets = firstBetween(text, '[', ']')
  if (brackets !== null) {
    const value = readExactPythonJson(brackets)
    if (Array.isArray(value) && isPythonObject(value[0])) return value[0]
  }
  return null
}

function firstBetween(text: string, opens: string, closes: string): string | null {
  const from = text.indexOf(opens)
  const to = from < 0 ? -1 : text.indexOf(closes, from)
  return to < 0 ? null : text.slice(from, to + 1)
}

function toFloat(value: PythonValue): number | { raises: string } {
  // Python reads a long whole number exactly, then fails to convert it.
  if (value instanceof PythonNumber)
    return value.whole && !Number.isFinite(value.value) ? { raises: 'OverflowError' } : value.value
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value !== 'string') return { raises: 'TypeError' }
  return pythonFloat(value) ?? { raises: 'ValueError' }
}

/** A substring test: any run of consecutive letters passes, even an empty one. */
function acceptedLetters(value: PythonValue): string | null {
  const letters = pythonStrip(pythonStr(value)).toUpperCase()
  return 'ABCDEFGHIJ'.includes(letters) ? letters : null
}

function acceptedNumber(value: PythonValue): string | null {
  const text = pythonStrip(pythonStr(value))
  if (pythonFloat(text) !== null) return text
  return /-?\p{Nd}+\.?\p{Nd}*/u.exec(text)?.[0] ?? null
}
