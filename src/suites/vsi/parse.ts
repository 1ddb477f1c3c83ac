/** Parses replies, with the bugs of the published parser fixed. The published one is in published/. */
import { z } from 'zod'
import {
  amountReader,
  ANSWER_KEYS,
  type AnswerReader,
  bestObject,
  dropThinking,
  findAnswer,
  findStatedAnswer,
  hasField,
  type JsonObject,
  letterReader,
  lettersOf,
  namedField,
  pythonFloat,
  type Reading,
  startsObject,
} from '../../suite.ts'
import type { Move } from '../../world.ts'
import { type CognitiveMap, MAP_CELLS } from './domain/cognitive-map.ts'
import { MOVE_KEYS } from './domain/protocol.ts'
import type { VsiSample } from './samples/sample.ts'
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

const STEP_KEYS = [...MOVE_KEYS, ...ANSWER_KEYS, 'done']

/** Parses one step of the agent. A reply is usable if it has a movement, or is done and has an answer. */
export function readAgentReply(text: string, sample: VsiSample): AgentReply {
  const found = bestObject(text, (object) => hasField(object, STEP_KEYS))
  if (found === null) {
    const stated = findStatedAnswer(text, readerFor(sample))
    const problem = stated === null ? 'it has no JSON object with the movement or the answer' : null
    const repairs = stated === null ? [] : [...stated.repairs, OUTSIDE_JSON]
    return { move: null, done: stated !== null, answer: stated?.answer ?? null, problem, repairs }
  }
  const repairs = [...found.repairs]
  const { value } = found
  const done = isDone(namedField(value, 'done'))
  const given = namedField(value, ...ANSWER_KEYS)
  const answer = answerOf(given, sample, repairs)
  // Some models put the movement into an object of its own.
  const moving = hasField(value, MOVE_KEYS) ? value : bestObject(text, (object) => hasField(object, MOVE_KEYS))?.value
  const { move, problem } = moveOf(moving ?? value, done)
  if (done && answer === null) {
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
    const value = namedField(object, key)
    if (value === undefined || value === null) {
      values.push(0)
      if (value === null && !done) return { move: null, problem: `"${key}" is null` }
      continue
    }
    const number = typeof value === 'number' ? value : typeof value === 'string' ? moveNumber(value, key) : null
    if (number === null || !Number.isFinite(number)) return { move: null, problem: `"${key}" is not a number` }
    values.push(number)
    given += 1
  }
  if (given === 0) return { move: null, problem: null }
  const [turnDegrees, forwardMeters, leftMeters, upMeters] = values as [number, number, number, number]
  return { move: { turnDegrees, forwardMeters, leftMeters, upMeters }, problem: null }
}

/** A single number, optionally with a unit: a range or a placeholder copied from the prompt is not a movement. */
function moveNumber(text: string, key: (typeof MOVE_KEYS)[number]): number | null {
  const plain = pythonFloat(text)
  if (plain !== null) return plain
  return amountReader(key === 'rotation_angle_degrees' ? 'deg' : 'm').alone(text.trim())?.value ?? null
}

/** The expected form of the answer, as told to the player. */
export function expectedForm({ options }: VsiSample): string {
  return options === null ? 'a number' : `one of ${lettersOf(options).join(', ')}`
}

/** An answer in the form that scorers read, and what had to be repaired or converted to get it. */
interface ReadAnswer {
  answer: string
  repairs: readonly string[]
}

const OUTSIDE_JSON = 'answer outside of JSON'

function readerFor(sample: VsiSample): AnswerReader<ReadAnswer> {
  const { type, options } = sample
  return isNumberType(type)
    ? mapped(amountReader(ANSWER_UNITS[type]), ({ value, repairs }) => ({ answer: numberText(value), repairs }))
    : mapped(letterReader(options ?? []), (answer) => ({ answer, repairs: [] }))
}

function mapped<From extends string | object, To>(
  reader: AnswerReader<From>,
  convert: (from: From) => To,
): AnswerReader<To> {
  const through = (reading: Reading<From>): Reading<To> => {
    if (reading === undefined || reading === null) return reading
    return convert(reading)
  }
  return {
    stated: (piece) => through(reader.stated(piece)),
    alone: (line) => through(reader.alone(line)),
    told: (text) => through(reader.told(text)),
  }
}

/** Without the rounding noise of a unit conversion. */
function numberText(value: number): string {
  return String(Number(value.toPrecision(12)))
}

/** The answer in the form that scorers read: one of the offered letters, or a number in the requested unit. */
export function answerOf(value: unknown, sample: VsiSample, repairs: string[] = []): string | null {
  // The only value of a list or an object: ["B"], {"value": 4}.
  if (typeof value === 'object' && value !== null) {
    const inside: unknown[] = Object.values(value)
    return inside.length === 1 ? answerOf(inside[0], sample, repairs) : null
  }
  if (typeof value === 'number') return isNumberType(sample.type) && Number.isFinite(value) ? String(value) : null
  if (typeof value !== 'string') return null
  if (isNumberType(sample.type)) {
    const whole = pythonFloat(value)
    if (whole !== null) return Number.isFinite(whole) ? String(whole) : null
  }
  const found = findAnswer(`<answer>${value}</answer>`, readerFor(sample))
  repairs.push(...(found?.repairs ?? []))
  return found?.answer ?? null
}

/** The answer in a reply that contains nothing else: JSON with `answer`, or the answer in words. */
export function readAnswer(text: string, sample: VsiSample): { answer: string | null; repairs: string[] } {
  const found = bestObject(text, (object) => hasField(object, ANSWER_KEYS))
  if (found !== null) {
    const repairs = [...found.repairs]
    const answer = answerOf(namedField(found.value, ...ANSWER_KEYS), sample, repairs)
    // A model may take back what it wrote before.
    const after = dropThinking(text).text.slice(found.end)
    const corrected = CORRECTS.test(after) ? findAnswer(after, readerFor(sample)) : null
    if (corrected === null) return { answer, repairs }
    return { answer: corrected.answer, repairs: [...repairs, ...corrected.repairs, OUTSIDE_JSON] }
  }
  // Numbers in an object without an answer, such as a move, are not an answer.
  if (startsObject(dropThinking(text).text)) return { answer: null, repairs: [] }
  const answer = findAnswer(text, readerFor(sample))
  return { answer: answer?.answer ?? null, repairs: answer === null ? [] : [...answer.repairs, OUTSIDE_JSON] }
}

const CORRECTS = /\b(?:wait|actually|correction|scratch that|on second thought|i mean)\b/i

/** The position of the choice that a vote names, as in "The best choice is 2"; null if it names none. */
export function readVote(text: string, choices: number): number | null {
  const [, number] = [...text.matchAll(/best choice is\D{0,20}(\d{1,3})/gi)].at(-1) ?? []
  const position = Number(number) - 1
  return position >= 0 && position < choices ? position : null
}

const cell = z.tuple([z.number(), z.number()])
const cells = z.union([z.array(cell), cell.transform((one) => [one])])

/** Parses a map; pairs may also be written `(x, y)`. Keeps only the requested categories. */
export function readMap(
  reply: string,
  categories: readonly string[],
  mapCells: number = MAP_CELLS,
): CognitiveMap | null {
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
    const inside = parsed.data.filter((at) => at.every((n) => n >= 0 && n <= mapCells))
    if (inside.length > 0) map[name] = inside
  }
  return Object.keys(map).length > 0 ? map : null
}
