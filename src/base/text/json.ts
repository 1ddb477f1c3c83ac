/** Finds JSON in a reply, even if it is wrapped in text or malformed. */
import { jsonrepair } from 'jsonrepair'
import { isObject, type JsonObject } from '../json-object.ts'
import { MAX_DEPTH, readLeniently } from './lenient.ts'
import { brackets, type Work } from './scan.ts'
import { dropThinking } from './thinking.ts'

export interface Found {
  value: unknown
  /** Position in the text; `end` is one past the last character. */
  start: number
  end: number
  /** The language of the fenced block it is in (`json`, or empty); null outside of one. */
  fence: string | null
  /** Human-readable repairs; empty for valid JSON. */
  repairs: string[]
}

/** The repair library is recursive and not always linear, so it only gets a few short, shallow slices. */
const REPAIR_MAX_LENGTH = 16_384
const REPAIR_MAX_HEIGHT = 64
const REPAIR_BUDGET = 65_536

/** Parsing stops after this many characters per character of text, plus a fixed amount for short texts. */
const READS_PER_CHARACTER = 8
const READS_TO_START = 20_000

/** No real reply has more values; a hostile one has half a million. */
const MAX_ATTEMPTS = 20_000

/**
 * Every outermost object or array in the text that can be read, in order. If a bracket cannot be read, the ones nested in
 * it are tried instead. Never throws; runs in linear time.
 *
 * @example
 * jsonValues("So:\n```json\n{'moves': ['left',],}\n```")[0]
 * // { value: { moves: ['left'] }, fence: 'json', repairs: ['single quotes', 'trailing commas'], start: 12, end: 33 }
 */
export function jsonValues(text: string, work: Work = { characters: 0 }): Found[] {
  const limits = {
    attempts: MAX_ATTEMPTS,
    reads: text.length * READS_PER_CHARACTER + READS_TO_START,
    repairs: REPAIR_BUDGET,
  }
  const nodes = brackets(text, work)
  const outermost: number[] = []
  for (let i = 0, end = 0; i < nodes.count; i++) {
    if (nodes.start[i]! < end) continue
    outermost.push(i)
    end = nodes.end[i]!
  }
  // The answer comes last, so the limits are spent from the end.
  const groups: Omit<Found, 'fence'>[][] = []
  for (let k = outermost.length - 1; k >= 0 && limits.attempts > 0; k--) {
    const group: Omit<Found, 'fence'>[] = []
    // Nested nodes follow their parent, so a loop visits them without recursion.
    for (let i = outermost[k]!, end = 0; i < (outermost[k + 1] ?? nodes.count) && limits.attempts > 0; i++) {
      const start = nodes.start[i]!
      if (start < end || nodes.height[i]! > MAX_DEPTH) continue
      limits.attempts -= 1
      const node = { start, end: nodes.end[i]!, closed: nodes.closed[i] === 1, height: nodes.height[i]! }
      const value = read(text, node, limits, work)
      if (value === null) continue
      end = value.end
      group.push({ ...value, start })
    }
    groups.push(group)
  }
  return withFences(groups.reverse().flat(), fencedBlocks(text))
}

/** Both lists are in order. */
function withFences(values: readonly Omit<Found, 'fence'>[], fences: readonly Fence[]): Found[] {
  let fence = 0
  return values.map((value) => {
    while (fence < fences.length && fences[fence]!.end <= value.start) fence++
    const block = fences[fence]
    const isFenced = block !== undefined && block.start <= value.start && value.end <= block.end
    return { ...value, fence: isFenced ? block.language : null }
  })
}

function read(
  text: string,
  node: { start: number; end: number; closed: boolean; height: number },
  limits: { reads: number; repairs: number },
  work: Work,
): Pick<Found, 'value' | 'end' | 'repairs'> | null {
  const length = node.end - node.start
  if (length > limits.reads) return null
  limits.reads -= length
  work.characters += length
  // An unclosed bracket may extend past the closing fence: cut it off there.
  let slice = text.slice(node.start, node.end)
  if (!node.closed) {
    const fence = slice.indexOf('\n```')
    if (fence >= 0) slice = slice.slice(0, fence)
  } else {
    try {
      return { value: JSON.parse(slice), end: node.end, repairs: [] }
    } catch {
      // Not valid JSON: try the lenient parser.
    }
  }
  const lenient = readLeniently(slice)
  if (lenient !== null) return { value: lenient.value, end: node.start + slice.length, repairs: [...lenient.repairs] }
  const worth = node.closed && /["'“]\s{0,8}:/.test(slice)
  if (!worth || length > REPAIR_MAX_LENGTH || node.height > REPAIR_MAX_HEIGHT || length > limits.repairs) return null
  limits.repairs -= length
  try {
    const value: unknown = JSON.parse(jsonrepair(slice))
    if (typeof value !== 'object' || value === null) return null
    return { value, end: node.end, repairs: ['rebuilt from broken JSON'] }
  } catch {
    return null
  }
}

interface Fence {
  start: number
  end: number
  language: string
}

/** Contents of ``` blocks; an unclosed one extends to the end. */
export function fencedBlocks(text: string): Fence[] {
  const blocks: Fence[] = []
  let at = text.indexOf('```')
  while (at >= 0) {
    const language = /^[\w+-]{0,20}/.exec(text.slice(at + 3, at + 23))![0]
    const start = at + 3 + language.length
    const close = text.indexOf('```', start)
    blocks.push({ start, end: close < 0 ? text.length : close, language })
    at = close < 0 ? -1 : text.indexOf('```', close + 3)
  }
  return blocks
}

/** Whether a text has the beginning of an object: data, even if it is broken or cut off, and not prose. */
export function startsObject(text: string): boolean {
  return /\{\s{0,20}["'“]?[\p{L}_][^{}:=]{0,60}[:=]/u.test(text)
}

export interface BestObject {
  value: JsonObject
  repairs: string[]
  /** Where it ends in the reply without its thinking. */
  end: number
}

/**
 * The last object in the reply that the caller accepts: models show a template or a draft first and the answer last.
 * Thinking is dropped first; nested objects are tried if the outer one is not accepted.
 *
 * @example
 * bestObject(reply, (object) => 'answer' in object)?.value
 */
export function bestObject(reply: string, accept: (object: JsonObject) => boolean): BestObject | null {
  const { text, repairs } = dropThinking(reply)
  const found = lastObject(jsonValues(text), accept)
  return found && { ...found, repairs: [...repairs, ...found.repairs] }
}

/** `bestObject` of values that were found already, for readers that look for several kinds of object. */
export function lastObject(found: readonly Found[], accept: (object: JsonObject) => boolean): BestObject | null {
  for (let i = found.length - 1; i >= 0; i--) {
    const value = lastAccepted(found[i]!.value, accept)
    if (value !== null) return { value, repairs: [...found[i]!.repairs], end: found[i]!.end }
  }
  return null
}

function lastAccepted(root: unknown, accept: (object: JsonObject) => boolean): JsonObject | null {
  const waiting: unknown[] = [root]
  while (waiting.length > 0) {
    const value = waiting.pop()
    if (typeof value !== 'object' || value === null) continue
    if (isObject(value) && accept(value)) return value
    for (const item of Array.isArray(value) ? value : Object.values(value)) waiting.push(item)
  }
  return null
}
