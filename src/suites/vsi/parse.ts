/** Parses replies, with the bugs of the published parser fixed. The published one is in published/. */
import { z } from 'zod'
import {
  bestObject,
  dropThinking,
  isObject,
  type JsonObject,
  numbersIn,
  numberWithUnit,
  pythonFloat,
} from '../../suite.ts'
import type { Move } from '../../world.ts'
import { type CognitiveMap, MAP_CELLS } from './domain/cognitive-map.ts'
import { MOVE_KEYS } from './domain/protocol.ts'
import { optionText, type VsiSample } from './samples/sample.ts'
import { ANSWER_UNITS, isNumberType } from './domain/question-types.ts'

/** One parsed step of the agent. */
export interface AgentReply {
  /** Null if the reply has no movement. */
  move: Move | null
  done: boolean
  answer: string | null
  /** Why the reply is unusable, as told to the player; null if it is usable. */
  problem: string | null
  /** Repairs and unit conversions that were needed. */
  repairs: readonly string[]
}

const KNOWN_KEYS = [...MOVE_KEYS, 'answer', 'done']

/** Parses one step of the agent. A reply is usable if it has a movement, or is done and has an answer. */
export function readAgentReply(text: string, sample: VsiSample): AgentReply {
  const found = bestObject(text, (object) => KNOWN_KEYS.some((key) => key in object))
  if (found === null) {
    return {
      move: null,
      done: false,
      answer: null,
      problem: 'it has no JSON object with the movement or the answer',
      repairs: [],
    }
  }
  const repairs = [...found.repairs]
  const { value } = found
  const done = isDone(value['done'])
  const answer = answerOf(value['answer'], sample, repairs)
  const { move, problem } = moveOf(value, done)
  if (done && answer === null) {
    const given = value['answer']
    const what =
      given === undefined || given === null
        ? 'it is done but has no answer'
        : `its answer is not ${expectedForm(sample)}`
    return { move, done, answer, problem: what, repairs }
  }
  if (!done && move === null)
    return { move, done, answer, problem: problem ?? 'it has neither a movement nor "done": true', repairs }
  return { move, done, answer, problem: null, repairs }
}

function isDone(value: unknown): boolean {
  if (typeof value === 'string') return /^\s*(?:true|yes|1)\s*$/i.test(value)
  return value === true || value === 1
}

/** Missing keys count as 0 if at least one is present; nulls do too once the agent is done. */
function moveOf(object: JsonObject, done: boolean): { move: Move | null; problem: string | null } {
  const values: number[] = []
  let given = 0
  for (const key of MOVE_KEYS) {
    const value = object[key]
    if (value === undefined || value === null) {
      values.push(0)
      if (value === null && !done) return { move: null, problem: `"${key}" is null` }
      continue
    }
    const number = typeof value === 'number' ? value : typeof value === 'string' ? numberIn(value) : null
    if (number === null || !Number.isFinite(number)) return { move: null, problem: `"${key}" is not a number` }
    values.push(number)
    given += 1
  }
  if (given === 0) return { move: null, problem: null }
  const [turnDegrees, forwardMeters, leftMeters, upMeters] = values as [number, number, number, number]
  return { move: { turnDegrees, forwardMeters, leftMeters, upMeters }, problem: null }
}

/** A single number, optionally with a unit: a range or a placeholder copied from the prompt is not a movement. */
function numberIn(text: string): number | null {
  const [first, ...more] = numbersIn(text)
  const alone =
    first !== undefined &&
    more.length === 0 &&
    /^\s*\+?$/.test(text.slice(0, first.start)) &&
    text.slice(first.end).trim() === ''
  return pythonFloat(text) ?? (alone ? first.value : null)
}

/** The expected form of the answer, as told to the player. */
export function expectedForm({ options }: VsiSample): string {
  if (options === null) return 'a number'
  return `one of ${options.map((_, i) => String.fromCharCode(65 + i)).join(', ')}`
}

/** The answer in the form that scorers read: one of the offered letters, or a number in the requested unit. */
export function answerOf(value: unknown, sample: VsiSample, repairs: string[] = []): string | null {
  if (value === null || value === undefined) return null
  if (Array.isArray(value)) return value.length === 1 ? answerOf(value[0], sample, repairs) : null
  if (isObject(value)) return null
  const { type } = sample
  return isNumberType(type)
    ? numberAnswer(value, ANSWER_UNITS[type], repairs)
    : letterAnswer(value, sample.options ?? [])
}

function numberAnswer(value: unknown, unit: 'm' | 'cm' | 'm2' | null, repairs: string[]): string | null {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : null
  if (typeof value !== 'string') return null
  const whole = pythonFloat(value)
  if (whole !== null) return Number.isFinite(whole) ? String(whole) : null
  if (unit === null) {
    const first = numbersIn(value)[0]
    return first === undefined ? null : String(first.value)
  }
  const found = numberWithUnit(value, unit)
  if (found === null) return null
  repairs.push(...found.repairs)
  // Drops rounding noise from the unit conversion.
  return String(Number(found.value.toPrecision(12)))
}

function letterAnswer(value: unknown, options: readonly string[]): string | null {
  if (typeof value !== 'string') return null
  const text = value.trim()
  const letters = options.map((_, i) => String.fromCharCode(65 + i))
  const match = /^[\s*("'[]*(?:option\s+)?([A-J])(?:[\s*)"'\].:,]|$)/i.exec(text)
  const bare = match !== null && (text.length <= 4 || /^[\s*("'[]*(?:option\s+)?[A-J]\s*[*)"'\].:,]/i.test(text))
  if (bare) {
    const letter = match[1]!.toUpperCase()
    return letters.includes(letter) ? letter : null
  }
  const plain = (choice: string): string =>
    choice
      .toLowerCase()
      .replaceAll(/[\s.]+/g, ' ')
      .trim()
  const same = options.flatMap((option, i) => (plain(optionText(option)) === plain(text) ? [letters[i]!] : []))
  return same.length === 1 ? same[0]! : null
}

/** The answer in a reply that contains nothing else: JSON with `answer`, or the bare answer. */
export function readAnswer(text: string, sample: VsiSample): { answer: string | null; repairs: string[] } {
  const found = bestObject(text, (object) => 'answer' in object)
  const repairs = [...(found?.repairs ?? [])]
  if (found !== null) return { answer: answerOf(found.value['answer'], sample, repairs), repairs }
  const { text: visible } = dropThinking(text)
  const answer = bareAnswer(visible.trim(), sample)
  if (answer !== null) repairs.push('answer outside of JSON')
  return { answer, repairs }
}

function bareAnswer(text: string, sample: VsiSample): string | null {
  const direct = answerOf(text, sample)
  // A sentence that contains numbers is not an answer; a number with its unit is.
  if (direct !== null && (sample.options !== null || text.length <= 40)) return direct
  const stated = /\banswer\s*(?:is|:|=)\s*\**\s*([^\n]{1,60})/gi
  const last = [...text.matchAll(stated)].at(-1)
  return last === undefined ? null : answerOf(last[1]!.replace(/[.*\s]+$/, ''), sample)
}

const cell = z.tuple([z.number(), z.number()])
const cells = z.union([z.array(cell), cell.transform((one) => [one])])

/** Parses a map; pairs may also be written `(x, y)`. Keeps only the requested categories. */
export function readMap(reply: string, categories: readonly string[]): CognitiveMap | null {
  // Tuples are not JSON, but the published prompt asks for them.
  const text = reply.replaceAll(/\(\s*(-?[\d.]+)\s*,\s*(-?[\d.]+)\s*\)/g, '[$1, $2]')
  const wanted = new Map(categories.map((name) => [name.toLowerCase(), name]))
  const found = bestObject(text, (object) => Object.keys(object).some((key) => wanted.has(key.toLowerCase())))
  if (found === null) return null
  const map: Record<string, [number, number][]> = {}
  for (const [key, value] of Object.entries(found.value)) {
    const name = wanted.get(key.toLowerCase())
    const parsed = cells.safeParse(value)
    if (name === undefined || !parsed.success) continue
    const inside = parsed.data.filter((at) => at.every((n) => n >= 0 && n <= MAP_CELLS))
    if (inside.length > 0) map[name] = inside
  }
  return Object.keys(map).length > 0 ? map : null
}
