/** How the published code reads replies, and what reaches its scorers. */
import { isObject, type JsonObject } from '../../../suite.ts'
import { asNumber } from '../domain/points.ts'
import { contains, itemAt, itemsOf, loads, PythonError, stripped, strippedEnd, textOf } from './python.ts'

const FENCE = '```'

/**
 * Generations 0 to 3: strips one code fence; the rest must be JSON, or the result is an empty object. Raises if the fence
 * and its JSON share one line, or for deep nesting.
 */
export function publishedJson1(reply: string): unknown {
  let text = stripped(reply)
  if (text.startsWith(FENCE)) {
    const lines = text.split('\n').slice(1)
    if (lines.length === 0) throw new PythonError('no lines after the fence')
    if (stripped(lines.at(-1)!) === FENCE) lines.pop()
    text = lines.join('\n')
  }
  const value = loads(text)
  return value === undefined ? {} : value
}

/** Generation 4: tries several parts of the reply, then repairs that also break valid nested lists. */
export function publishedJson4(reply: string): unknown {
  const text = stripped(reply)
  const outermost = outermostObject(text)
  const candidates = new Set([taggedBlock(text), text, firstBlock(text), outermost])
  if (outermost !== null) {
    const repaired = withoutCommas(withoutCommas(outermost.replaceAll(']]', ']').replaceAll('}}', '}'), ']'), '}')
    candidates.add(repaired).add(withClosedList(repaired))
  }
  for (const candidate of candidates) {
    const value = candidate === null ? undefined : loads(candidate)
    if (value !== undefined) return value
  }
  return {}
}

/** From the first ```` ```json ```` to the next fence or the end. */
function taggedBlock(text: string): string | null {
  const start = text.indexOf(`${FENCE}json`)
  if (start < 0) return null
  const from = start + FENCE.length + 'json'.length
  const end = [text.indexOf(FENCE, from), text.length].find((at) => at >= 0)
  return stripped(text.slice(from, end))
}

/** The first pair of fences. */
function firstBlock(text: string): string | null {
  const start = text.indexOf(FENCE)
  if (start < 0) return null
  const from = start + FENCE.length
  const end = text.indexOf(FENCE, from)
  if (end < 0) return null
  const block = text.slice(from, end)
  return stripped(block.startsWith('json') ? block.slice('json'.length) : block)
}

function outermostObject(text: string): string | null {
  const open = text.indexOf('{')
  const close = text.lastIndexOf('}')
  return open >= 0 && close > open ? text.slice(open, close + 1) : null
}

/** Removes a comma, and white space after it, before a closing bracket. */
function withoutCommas(text: string, bracket: string): string {
  const pieces = text.split(bracket)
  const last = pieces.pop()!
  const kept = pieces.map((piece) => {
    const before = strippedEnd(piece)
    return before.endsWith(',') ? before.slice(0, -1) : piece
  })
  return [...kept, last].join(bracket)
}

/** Adds the bracket of a list that ends with the object around it. */
function withClosedList(text: string): string {
  const inner = strippedEnd(text.slice(0, -1))
  return inner.endsWith('}') ? `${inner}\n    ]\n}` : text
}

/** The object of a parsed reply, or the first item of a list; null if the clip is left out. */
export function publishedObject(output: unknown): JsonObject | null {
  const value: unknown = Array.isArray(output) ? output[0] : output
  return isObject(value) && (Array.isArray(output) || Object.keys(value).length > 0) ? value : null
}

/** Swaps the coordinates of every point. Raises for items and points of some other types. */
export function withSwappedPoints(value: JsonObject): JsonObject {
  if (!Object.hasOwn(value, 'point_list')) return value
  const list = value['point_list']
  const items = itemsOf(list).map((item) => {
    if (!contains(item, 'point')) return item
    if (!isObject(item)) throw new PythonError('not a dict')
    return { ...item, point: swappedPoint(item['point']) }
  })
  return { ...value, point_list: Array.isArray(list) ? items : list }
}

function swappedPoint(point: unknown): unknown {
  if (!Array.isArray(point)) return point
  const first: unknown = point[0]
  if (point.length === 2 && asNumber(first) !== null) return [point[1], first]
  if (!Array.isArray(first) || first.length !== 2) return point
  return point.map((each) => [itemAt(each, 1), itemAt(each, 0)])
}

/** Option letters as they are compared: a single one need not be in a list. */
export function predictedOptions({ selected_options: given }: JsonObject): string[] {
  const list = typeof given === 'string' ? [given] : Array.isArray(given) ? given : []
  return list.map((option) => stripped(textOf(option)))
}

/** What the scorers iterate over: a list, unless the model wrote something else. */
export function predictedPoints(value: JsonObject): unknown {
  return Object.hasOwn(value, 'point_list') ? value['point_list'] : []
}
